import Foundation
import GatewayKitCore
import GatewaySandbox
import Testing

/// Every fault of the sandbox over every call of every adapter, by the real transport: what the caller is told, against
/// what really happened.
@Suite struct FaultWalkTests {
    static let kinds = share(of: FaultKind.examples + [400, 401, 403, 404, 405, 415, 429].map { .status($0) })

    /// Under a sanitizer the whole walk takes most of an hour: `GATEWAYKIT_WALK_SHARE=4` takes every fourth fault. The
    /// contract's walks take all of them there too.
    private static func share(of kinds: [FaultKind]) -> [FaultKind] {
        guard let text = ProcessInfo.processInfo.environment["GATEWAYKIT_WALK_SHARE"], let share = Int(text), share > 1
        else { return kinds }
        return kinds.enumerated().filter { $0.offset % share == 0 }.map(\.element)
    }
    static let endless: [FaultKind] = [.stall, .stallInsideBody, .hold]

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
        case .closeAfterAnswer, .slow, .drip, .chunked, .contentType, .extraFields, .echoCard, .gzip, .informational,
            .oddHeader:
            .done
        // What may be delivered once only is refused the second time, and did its work the first time.
        case .duplicateDelivery: .doneOrUnknown
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

    /// Capabilities that only the contract suite's walks go through; it tells itself when it owes one.
    private static let walkedByTheContract: Set<String> = [
        "checkout", "profiles", "currencyRates", "shoppers", "walletSessions", "customers",
    ]

    @Test("every provider and every capability takes part")
    func completeness() throws {
        for account in WalkedAccount.all {
            let sandbox = try account.sandbox()
            defer { sandbox.stop() }
            #expect(Set(WalkedAccount.all.map(\.id)) == Set(sandbox.providers))
            let gateway = try account.gateway(in: sandbox, Recorder())
            let capabilities = Mirror(reflecting: gateway).children.filter { child in
                child.label != "account" && child.label != "provider"
                    && !Self.walkedByTheContract.contains(child.label ?? "")
                    && Mirror(reflecting: child.value).displayStyle == .optional
                    && !Mirror(reflecting: child.value).children.isEmpty
            }
            #expect(!capabilities.isEmpty)
            #expect(WalkedCall.all(of: gateway).count >= capabilities.count, "a capability without a walked call")
        }
    }

    @Test(
        "F1, L1, L3, L9, L10: a fault ends in a documented way that agrees with what happened and shows no secret",
        // A call that forgets its deadline under a fault without an end would never end.
        .timeLimit(.minutes(60)), arguments: kinds, WalkedAccount.all)
    func once(kind: FaultKind, account: WalkedAccount) async throws {
        try await walk(account) { operation in FaultRule(kind, provider: account.id, operation: operation) }
    }

    @Test("R8: a fault that lasts does not make a second one", arguments: kinds, WalkedAccount.onePerProvider)
    func lasting(kind: FaultKind, account: WalkedAccount) async throws {
        guard kind != .duplicateDelivery, !Self.endless.contains(kind) else { return }
        try await walk(account, onlyWhatDecides: true) { operation in
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

    /// A request that a call makes when nothing goes wrong: where a fault strikes.
    struct Step: Sendable {
        let operation: String
        /// Whether something exists or is different after it. What comes before and after it only asks or prepares.
        let decides: Bool
        /// Whether an earlier request of the call has handed in the card already.
        let cardIsOut: Bool
        let call: WalkedCall
        /// Whether what a lost answer leaves open can be asked for.
        let canBeSettled: Bool
    }

    /// Makes each call of the account, with each of its requests under a rule, in a sandbox of its own.
    ///
    /// - Parameter onlyWhatDecides: Whether requests are left out after which nothing exists or is different.
    private func walk(
        _ account: WalkedAccount, onlyWhatDecides: Bool = false, _ rule: (String) -> FaultRule
    ) async throws {
        // How a provider's accounts differ shows where cards go; the rest is walked once for each provider.
        let steps = try await Self.steps(of: account).filter { step in
            account.isFirst
                ? step.decides || !onlyWhatDecides : step.decides && step.call.operation == "tokenize"
        }
        try #require(!steps.isEmpty)
        for step in steps {
            let rule = rule(step.operation)
            let walked = try await Walked.under(rule, account) {
                WalkedCall.all(of: $0).first { $0.operation == step.call.operation }
            }
            defer { walked.sandbox.stop() }
            if walked.call.isRead {
                checkRead(walked.end, rule)
            } else {
                checkEnd(walked.end, step, rule, walked.recorder)
                checkLedger(walked.end, step, rule, walked.happened)
            }
            #expect(walked.recorder.events.last?.kind == .callFinished)
            checkWords(
                walked.end, account, walked.recorder, walked.sandbox, isThorough: step.decides && !walked.call.isRead)
        }
    }

    /// Every request of every call, as an undisturbed run shows them.
    private static func steps(of account: WalkedAccount) async throws -> [Step] {
        let sandbox = try account.sandbox()
        defer { sandbox.stop() }
        let gateway = try account.gateway(in: sandbox, Recorder())
        var steps: [Step] = []
        var opensSessions = false
        for call in WalkedCall.all(of: gateway) {
            let prepared = await call.prepare()
            let before = sandbox.ledger.count
            _ = await call.make(prepared, CallContext())
            var cardIsOut = false
            var seen: Set<String> = []
            for entry in sandbox.ledger.entries.dropFirst(before) where seen.insert(entry.operation).inserted {
                let made = entry.outcome == .created || entry.outcome == .changed
                opensSessions = opensSessions || ["open-session", "create-tracker"].contains(entry.operation)
                steps.append(
                    Step(
                        operation: entry.operation,
                        decides: made && (entry.card != nil || entry.operation == call.operation), cardIsOut: cardIsOut,
                        call: call, canBeSettled: opensSessions))
                if entry.card != nil { cardIsOut = true }
            }
        }
        return steps
    }

    private func checkEnd(_ end: CallEnd, _ step: Step, _ rule: FaultRule, _ recorder: Recorder) {
        if step.decides {
            checkDecision(end, step, rule)
        } else if Self.expected(under: rule.kind) == .done, rule.kind != .duplicateDelivery {
            if case .done = end.meaning {} else { Issue.record("\(rule) ends as \(end.name)") }
        }
        guard rule.kind != .refuse, step.decides, !Self.endless.contains(rule.kind) else { return }
        let lines = recorder.events.filter { $0.kind == .requestStarted }.compactMap { event in
            event.transcript?.description.split(separator: "\n").first
        }
        for (line, all) in Dictionary(grouping: lines, by: { $0 }) where !line.hasPrefix("GET ") {
            #expect(all.count == 1, "\(rule): tried once: \(line)")
        }
    }

    private func checkDecision(_ end: CallEnd, _ step: Step, _ rule: FaultRule) {
        switch (Self.expected(under: rule.kind), end.meaning) {
        case (.done, .done), (.unknown, .unknown), (.doneOrUnknown, .done), (.doneOrUnknown, .unknown): break
        // Found out by asking; that what was given exists is checked against the ledger.
        case (.unknown, .done) where step.canBeSettled: break
        // The second delivery meets what the first one left.
        case (.doneOrUnknown, .refused) where rule.kind == .duplicateDelivery: #expect(step.canBeSettled, "\(rule)")
        // The only word in a vault's answer may be the state of what is stored, which is read as unknown.
        case (.unknown, .done) where rule.kind == .unknownWord && end.name == "done": break
        case (.thrown(let code), .thrown(let error)): #expect(error.code == code, "\(rule)")
        case (.thrown(let code), .unknown(let error)) where step.cardIsOut: #expect(error.code == code, "\(rule)")
        // A result says that there is no such instrument or session.
        case (.thrown(.notFound), .refused): #expect(["notFound", "sessionUnusable"].contains(end.name), "\(rule)")
        // Refused before there was a request, each time: certainly not sent.
        case (.doneOrUnknown, .thrown(let error)) where rule.kind == .refuse && rule.count == nil:
            #expect(error.code == .unreachable || step.canBeSettled, "\(rule)")
        default: Issue.record("\(rule) ends as \(end.name)")
        }
    }

    /// A question may be asked again, so it ends with an answer or with an error.
    private func checkRead(_ end: CallEnd, _ rule: FaultRule) {
        switch (Self.expected(under: rule.kind), end.meaning) {
        case (.done, .told), (.unknown, .told), (.unknown, .thrown), (.doneOrUnknown, .told), (.doneOrUnknown, .thrown),
            (.thrown(.rateLimited), .told):
            break
        case (.thrown(let code), .thrown(let error)): #expect(error.code == code, "\(rule)")
        case (.thrown(.notFound), .refused): #expect(end.name == "notFound", "\(rule)")
        // A probe whose input is refused for its content tells the phase unknown (BlueSnap's status).
        case (.thrown(.requestRefused), .told) where rule.kind == .status(400): #expect(rule.operation == "status")
        default: Issue.record("\(rule) ends as \(end.name)")
        }
    }

    private func checkLedger(_ end: CallEnd, _ step: Step, _ rule: FaultRule, _ happened: [LedgerEntry]) {
        let entries = happened.filter { $0.operation == step.call.operation }
        let made = entries.filter { $0.outcome == .created || $0.outcome == .changed }
        #expect(entries.count <= (rule.kind == .duplicateDelivery ? 2 : 1), "\(rule): delivered once")
        if case .done(let id) = end.meaning {
            #expect(made.last?.token == id, "\(rule): what the caller was given exists")
        }
        let struck = happened.filter { $0.operation == step.operation && $0.outcome != .refused }
        if rule.processing == true, step.decides, rule.kind != .refuse { #expect(struck.count == 1, "\(rule)") }
        if made.isEmpty {
            let cardWasSent = happened.contains { $0.card != nil } || step.decides
            if case .unknown = end.meaning { #expect(cardWasSent, "\(rule): nothing was sent, and it is unknown") }
            return
        }
        if end.meaning == .refused {
            #expect(rule.kind == .duplicateDelivery, "\(rule): what was made is told as refused")
        }
        if let error = end.error { #expect(error.reach != .notSent, "\(rule): what was made is not told as not sent") }
    }

    /// What happened, what to do, whether something may have been stored; and no secret in any of it.
    ///
    /// - Parameter isThorough: Whether secrets are searched in every encoding. It takes long, so where no card is sent
    ///   they are searched as they are.
    func checkWords(
        _ end: CallEnd, _ account: WalkedAccount, _ recorder: Recorder, _ sandbox: Sandbox, isThorough: Bool
    ) {
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
        checkLeaks(end, account, recorder, sandbox, isThorough: isThorough)
    }

    private func checkLeaks(
        _ end: CallEnd, _ account: WalkedAccount, _ recorder: Recorder, _ sandbox: Sandbox, isThorough: Bool
    ) {
        let secrets =
            [WalkedCall.number, WalkedCall.securityCode]
            + (sandbox.credentials(for: account.id)?.items.filter(\.isSecret).map(\.value) ?? [])
        let shown = end.shown + recorder.shown
        for entry in sandbox.ledger.entries where entry.operation == "open-session" {
            guard let id = entry.token else { continue }
            // What the caller is given may show where it is shown, and only there.
            let isGiven = if case .done(id) = end.meaning { true } else { false }
            #expect(!(isGiven ? recorder.shown : shown).contains(id), "the session shows")
        }
        guard isThorough else {
            for secret in secrets where secret != WalkedCall.securityCode { #expect(!shown.contains(secret)) }
            return
        }
        #expect(LeakSearch(secrets.map { Sensitive($0) }).leaks(in: shown).isEmpty)
    }
}
