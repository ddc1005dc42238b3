import GatewayKitCore

/// Everything of the sandbox but the socket: request in, plan out.
final class SandboxEngine: HTTPServer.Responder, Sendable {
    let faults: FaultBook
    let ledger: Ledger
    let providers: [any SandboxProvider]
    let control: SandboxControl
    /// A configured choice that no provider has.
    let unknownChoice: String?
    /// Scheme, host and port, once it is known.
    let origin = Locked("")
    private let now: @Sendable () -> WallTime
    private let seed: UInt64

    /// - Parameter further: Providers that are not built in.
    init(_ configuration: SandboxConfiguration, further: [any SandboxProvider] = []) {
        faults = FaultBook(rules: configuration.faults, seed: configuration.seed)
        ledger = Ledger(limit: configuration.keptEntries)
        providers =
            [
                SpreedlySandbox(seed: configuration.seed, keptObjects: configuration.keptEntries),
                HellgateSandbox(seed: configuration.seed, keptObjects: configuration.keptEntries),
                BlueSnapSandbox(seed: configuration.seed, keptObjects: configuration.keptEntries),
                SafepaySandbox(seed: configuration.seed, keptObjects: configuration.keptEntries),
            ] + further
        unknownChoice =
            configuration.choices.sorted { $0.key < $1.key }.first { [providers] name, value in
                !providers.contains { $0.chosen.choose(value, for: name) }
            }?.key
        now = configuration.now
        seed = configuration.seed
        control = SandboxControl(faults: faults, ledger: ledger, providers: providers)
    }

    func refusesConnection() -> Bool {
        faults.strikeConnection()
    }

    func plan(for refusal: RequestRefusal) -> WirePlan {
        let reply = SandboxReply.text(refusal.status, refusal.reason)
        return WirePlan([.send(reply.bytes(closes: true, date: HTTPDate.text(now()))), .close])
    }

    func plan(for request: ReceivedRequest) -> WirePlan {
        let time = now()
        if request.path.first == "_sandbox" {
            return plain(control.answer(request), to: request, at: time)
        }
        guard let provider = providers.first(where: { $0.id == request.path.first }),
            request.path.dropFirst().starts(with: provider.prefix)
        else {
            let words = "There is nothing here. Base URLs: /<provider>/..., control: /_sandbox/health."
            return plain(.text(404, words), to: request, at: time)
        }
        let path = Array(request.path.dropFirst(1 + provider.prefix.count))
        switch provider.route(method: request.method, path: path) {
        case .unknown:
            return plain(provider.refusal(status: 404), to: request, at: time)
        case .wrongMethod(let allowed):
            var reply = provider.refusal(status: 405)
            reply.set("allow", allowed.joined(separator: ", "))
            return plain(reply, to: request, at: time)
        case .operation(let operation, let parameters):
            var call = SandboxCall(
                operation: operation, parameters: parameters, request: request, now: time,
                origin: origin.withLock { $0 })
            call.operation = provider.operation(call)
            return perform(call, at: provider)
        }
    }

    private func plain(_ reply: SandboxReply, to request: ReceivedRequest, at time: WallTime) -> WirePlan {
        FaultPlan(reply: reply, closes: !request.keepsAlive, now: time, seed: seed).undisturbed
    }

    private func perform(_ call: SandboxCall, at provider: any SandboxProvider) -> WirePlan {
        let rule = faults.strike(provider: provider.id, operation: call.operation)
        var outcome: SandboxOutcome?
        var entries: [Int] = []
        if rule?.processesRequest ?? true {
            for _ in 0..<(rule?.kind == .duplicateDelivery ? 2 : 1) {
                let result = provider.handle(call)
                entries.append(record(result, of: call, at: provider, rule: rule))
                outcome = result
            }
        }
        var reply = outcome?.reply ?? SandboxReply(status: 200)
        if case .status(let status) = rule?.kind { reply = provider.refusal(status: status) }
        let faultPlan = FaultPlan(
            reply: reply, closes: !call.request.keepsAlive, now: call.now, seed: seed, submitted: outcome?.submitted,
            wordMembers: provider.wordMembers)
        var plan = rule.map { faultPlan.disturbed(by: $0.kind) } ?? faultPlan.undisturbed
        if !entries.isEmpty {
            plan.completion = { [ledger, entries] isDone in
                if !isDone { for entry in entries { ledger.markLost(entry) } }
            }
        }
        return plan
    }

    private func record(
        _ result: SandboxOutcome, of call: SandboxCall, at provider: any SandboxProvider, rule: FaultRule?
    ) -> Int {
        ledger.append { number in
            LedgerEntry(
                number: number, time: call.now, provider: provider.id, operation: call.operation,
                outcome: result.outcome, status: result.reply.status, token: result.token, card: result.card,
                ownReference: result.ownReference, movement: result.movement, fault: rule?.kind.description,
                delivery: rule?.kind.delivery ?? .sent)
        }
    }

    func reset() {
        faults.reset()
        ledger.removeAll()
        for provider in providers { provider.reset() }
    }
}

extension FaultKind {
    /// What becomes of an answer under this fault when nothing else happens to it.
    var delivery: LedgerEntry.Delivery {
        switch self {
        case .slow, .hold, .drip, .chunked, .closeAfterAnswer, .resetAfterAnswer, .informational, .duplicateDelivery,
            .gzip, .oddHeader, .hugeHeader:
            .sent
        case .contentType, .unknownWord, .extraFields, .echoCard, .gzipBomb, .hugeBody: .altered
        case .refuse, .resetBeforeAnswer, .answerLost, .resetInsideAnswer, .closeWithoutAnswer, .stall,
            .stallInsideBody, .truncated, .truncatedChunked, .emptyBody, .html, .malformedJSON, .garbage, .status,
            .rateLimited, .redirect, .basicChallenge, .gzipTruncated:
            .lost
        }
    }
}
