import GatewayKitCore
import GatewaySandbox
import Testing

/// Every fault of the sandbox over every call of every adapter, by the real transport: what the caller is told, against
/// what really happened.
@Suite struct FaultWalkTests {
    static let kinds = FaultKind.examples + [400, 401, 403, 404, 405, 415, 429].map { .status($0) }
    private static let endless: [FaultKind] = [.stall, .stallInsideBody, .hold]

    /// How a call may end under a fault.
    enum Expected: Equatable {
        /// The fault does no harm.
        case done
        /// The request may have been processed, and no answer tells.
        case unknown
        /// Both may be, by chance: a reset may overtake what it follows.
        case doneOrUnknown
        /// The status says that nothing was done, and why.
        case thrown(GatewayError.Code)
    }

    static func expected(under kind: FaultKind) -> Expected {
        switch kind {
        case .closeAfterAnswer, .slow, .drip, .chunked, .contentType, .duplicateDelivery, .extraFields, .echoCard,
            .gzip, .informational, .oddHeader:
            .done
        case .resetBeforeAnswer, .answerLost, .resetInsideAnswer, .closeWithoutAnswer, .stall, .stallInsideBody, .hold,
            .truncated, .truncatedChunked, .emptyBody, .html, .malformedJSON, .garbage, .redirect, .unknownWord,
            .gzipTruncated, .gzipBomb, .hugeHeader, .hugeBody:
            .unknown
        case .resetAfterAnswer, .refuse: .doneOrUnknown
        case .status(let status):
            switch status {
            case 401: .thrown(.credentialsRefused)
            case 403: .thrown(.notPermitted)
            case 404: .thrown(.notFound)
            case 429: .thrown(.rateLimited)
            case 400, 405, 415: .thrown(.requestRefused)
            default: .unknown
            }
        case .rateLimited: .thrown(.rateLimited)
        case .basicChallenge: .thrown(.credentialsRefused)
        }
    }

    /// A call that moves money throws for less: a status without the provider's own words proves nothing. And what was
    /// done once may be refused the second time.
    static func expected(under kind: FaultKind, movesMoney: Bool) -> Expected {
        switch kind {
        case .rateLimited, .status(400), .status(405), .status(415), .status(429):
            movesMoney ? .unknown : expected(under: kind)
        case .duplicateDelivery: movesMoney ? .doneOrUnknown : .done
        default: expected(under: kind)
        }
    }

    @Test("every provider and every capability takes part")
    func completeness() throws {
        let sandbox = try WalkedAccount.sandbox()
        defer { sandbox.stop() }
        #expect(Set(WalkedAccount.all.map(\.id)) == Set(sandbox.providers))
        for account in WalkedAccount.all {
            let gateway = try account.gateway(in: sandbox, Recorder())
            let capabilities = Mirror(reflecting: gateway).children.filter { child in
                child.label != "account" && child.label != "provider"
                    && Mirror(reflecting: child.value).displayStyle == .optional
                    && !Mirror(reflecting: child.value).children.isEmpty
            }
            #expect(!capabilities.isEmpty)
            #expect(WalkedCall.all(of: gateway).count >= capabilities.count, "a capability without a walked call")
            let payments = Mirror(reflecting: gateway.payments).children.filter { child in
                child.label != "lookup" && !Mirror(reflecting: child.value).children.isEmpty
            }
            let walked = WalkedCall.all(of: gateway).count(where: \.movesMoney)
            #expect(walked >= payments.count, "a call that moves money without a walked call")
        }
    }

    @Test(
        "F1, L1, L3, L9, L10: a fault ends in a documented way that agrees with what happened and shows no secret",
        // A call that forgets its deadline under a fault without an end would never end.
        .timeLimit(.minutes(20)), arguments: kinds, WalkedAccount.all)
    func once(kind: FaultKind, account: WalkedAccount) async throws {
        try await walk(account) { operation in FaultRule(kind, provider: account.id, operation: operation) }
    }

    @Test("R8: a fault that lasts does not make a second one", arguments: kinds, WalkedAccount.onePerProvider)
    func lasting(kind: FaultKind, account: WalkedAccount) async throws {
        guard kind != .duplicateDelivery, !Self.endless.contains(kind) else { return }
        try await walk(account) { operation in
            FaultRule(kind, provider: account.id, operation: operation, count: nil)
        }
    }

    @Test(
        "What was done although the answer denies it is never told as an answer's refusal",
        arguments: [.rateLimited(.seconds(1)), .status(503), .status(500), .status(204), .status(408)] as [FaultKind]
            + [301, 302, 307].map { .redirect(status: $0, location: "/elsewhere") }, WalkedAccount.all)
    func doneAllTheSame(kind: FaultKind, account: WalkedAccount) async throws {
        try await walk(account) { operation in
            FaultRule(kind, provider: account.id, operation: operation, processing: true)
        }
    }

    /// Makes each call of the account under a rule, in a sandbox of its own.
    private func walk(_ account: WalkedAccount, _ rule: (String) -> FaultRule) async throws {
        let operations = try Self.operations(of: account)
        try #require(!operations.isEmpty)
        for operation in operations {
            let sandbox = try WalkedAccount.sandbox()
            defer { sandbox.stop() }
            let recorder = Recorder()
            let gateway = try account.gateway(in: sandbox, recorder)
            let call = try #require(WalkedCall.all(of: gateway).first { $0.operation == operation })
            let prepared = await call.prepare()
            recorder.forget()
            let rule = rule(operation)
            sandbox.faults.add(rule)
            let end = await Self.end(of: call, prepared, rule, sandbox)
            checkEnd(end, call, rule, recorder)
            if call.movesMoney { checkMoney(end, rule, sandbox, operation) }
            checkLedger(end, rule, sandbox, operation)
            checkWords(end, recorder, sandbox)
        }
    }

    /// Payments prove themselves in one way, whatever the account's choices are: they are walked once for each provider.
    private static func operations(of account: WalkedAccount) throws -> [String] {
        let sandbox = try WalkedAccount.sandbox()
        defer { sandbox.stop() }
        let isFirst = WalkedAccount.onePerProvider.contains { $0.testDescription == account.testDescription }
        return WalkedCall.all(of: try account.gateway(in: sandbox, Recorder()))
            .filter { isFirst || !$0.movesMoney }.map(\.operation)
    }

    /// A fault without an end takes all the time that the call has: little, or more on a machine so busy that the
    /// request did not arrive in it.
    private static func end(
        of call: WalkedCall, _ prepared: String, _ rule: FaultRule, _ sandbox: Sandbox
    ) async -> CallEnd {
        let limits = endless.contains(rule.kind) ? [1, 4, 16, 64] : [300]
        var end: CallEnd?
        for seconds in limits
        where end == nil || !sandbox.ledger.entries.contains(where: { $0.operation == call.operation }) {
            end = await call.make(prepared, CallContext(timeout: .seconds(seconds)))
        }
        return end ?? CallEnd(thrown: GatewayError(.cancelled, message: "Not made.", advice: "Correct the test."))
    }

    private func checkEnd(_ end: CallEnd, _ call: WalkedCall, _ rule: FaultRule, _ recorder: Recorder) {
        switch (Self.expected(under: rule.kind, movesMoney: call.movesMoney), end.meaning) {
        case (.done, .done), (.unknown, .unknown), (.doneOrUnknown, .done), (.doneOrUnknown, .unknown): break
        case (.thrown(let code), .thrown(let error)): #expect(error.code == code, "\(rule)")
        // A vault says as a result that it has no such instrument.
        case (.thrown(.notFound), .refused): #expect(end.name == "notFound", "\(rule)")
        // Refused before there was a request, each time: certainly not sent.
        case (.doneOrUnknown, .thrown(let error)) where rule.kind == .refuse && rule.count == nil:
            #expect(error.code == .unreachable)
        default: Issue.record("\(rule) ends as \(end.name)")
        }
        if rule.kind != .refuse, !Self.endless.contains(rule.kind) {
            #expect(recorder.count(.requestStarted) == call.requests, "\(rule): tried once")
        }
        #expect(recorder.events.last?.kind == .callFinished)
    }

    /// What the caller is told of money, against the money that moved.
    private func checkMoney(_ end: CallEnd, _ rule: FaultRule, _ sandbox: Sandbox, _ operation: String) {
        let moved = sandbox.ledger.entries.count { $0.operation == operation && $0.movement != nil }
        switch end.meaning {
        case .thrown, .refused: #expect(moved == 0, "\(rule): \(operation) is told as nothing moved")
        case .done: #expect(moved == (rule.kind == .duplicateDelivery ? 2 : 1), "\(rule): \(operation) is told as done")
        case .unknown: #expect(moved <= 1, "\(rule): \(operation)")
        }
    }

    private func checkLedger(_ end: CallEnd, _ rule: FaultRule, _ sandbox: Sandbox, _ operation: String) {
        let entries = sandbox.ledger.entries.filter { $0.operation == operation }
        let made = entries.filter { $0.outcome == .created || $0.outcome == .changed }
        #expect(entries.count <= (rule.kind == .duplicateDelivery ? 2 : 1), "\(rule): delivered once")
        if case .done(let id) = end.meaning {
            #expect(made.last?.token == id, "\(rule): what the caller was given exists")
        }
        if rule.processing == true, rule.kind != .refuse { #expect(made.count == 1, "\(rule)") }
        guard !made.isEmpty else { return }
        #expect(end.meaning != .refused, "\(rule): what was made is not told as refused")
        if let error = end.error { #expect(error.reach != .notSent, "\(rule): what was made is not told as not sent") }
    }

    /// What happened, what to do, whether something may have been stored; and no secret in any of it.
    private func checkWords(_ end: CallEnd, _ recorder: Recorder, _ sandbox: Sandbox) {
        if let error = end.error {
            let words = error.message.description + " " + error.advice.description
            #expect(error.message.description.hasSuffix("."), "\(words)")
            #expect(!error.advice.isEmpty, "\(words)")
            if case .unknown = end.meaning {
                #expect(error.reach != .notSent)
                #expect(words.contains("may have"), "does not say that it may have happened: \(words)")
            } else {
                #expect(words.contains("Nothing was "), "does not say that nothing happened: \(words)")
            }
        }
        let secrets =
            [WalkedCall.number, WalkedCall.securityCode]
            + sandbox.providers.flatMap { sandbox.credentials(for: $0)?.items.filter(\.isSecret).map(\.value) ?? [] }
        let search = LeakSearch(secrets.map { Sensitive($0) })
        #expect(search.leaks(in: end.shown).isEmpty)
        #expect(search.leaks(in: recorder.shown).isEmpty)
    }
}
