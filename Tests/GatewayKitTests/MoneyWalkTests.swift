import GatewayKitCore
import GatewaySandbox
import Testing

/// Every fault over every call that moves money: what the caller is told, against the money that moved.
@Suite struct MoneyWalkTests {
    /// A call that moves money throws for less than others: a status without the provider's own words proves nothing.
    /// And what was done once may be refused the second time.
    private static func expected(under kind: FaultKind) -> FaultWalkTests.Expected {
        switch kind {
        case .rateLimited, .status(400), .status(405), .status(415), .status(429): .unknown
        case .duplicateDelivery: .doneOrUnknown
        default: FaultWalkTests.expected(under: kind)
        }
    }

    @Test("every capability that moves money takes part")
    func completeness() throws {
        for account in WalkedAccount.onePerProvider {
            let sandbox = try account.sandbox()
            defer { sandbox.stop() }
            let gateway = try account.gateway(in: sandbox, Recorder())
            let payments = Mirror(reflecting: gateway.payments).children.filter { child in
                child.label != "lookup" && !Mirror(reflecting: child.value).children.isEmpty
            }
            #expect(WalkedPayments.all(of: gateway).count >= payments.count)
        }
    }

    @Test(
        "F3, R6, R11: a fault on a call that moves money ends in a way that agrees with the money that moved",
        .timeLimit(.minutes(60)), arguments: FaultWalkTests.kinds, WalkedAccount.onePerProvider)
    func once(kind: FaultKind, account: WalkedAccount) async throws {
        try await walk(account) { FaultRule(kind, provider: account.id, operation: $0) }
    }

    @Test(
        "R8: a fault that lasts moves no money a second time", arguments: FaultWalkTests.kinds,
        WalkedAccount.onePerProvider)
    func lasting(kind: FaultKind, account: WalkedAccount) async throws {
        guard kind != .duplicateDelivery, !FaultWalkTests.endless.contains(kind) else { return }
        try await walk(account) { FaultRule(kind, provider: account.id, operation: $0, count: nil) }
    }

    @Test(
        "Money that moved although the answer denies it is never told as not moved",
        arguments: [.rateLimited(.seconds(1)), .status(503), .status(500), .status(204), .status(408)] as [FaultKind],
        WalkedAccount.onePerProvider)
    func doneAllTheSame(kind: FaultKind, account: WalkedAccount) async throws {
        try await walk(account) { FaultRule(kind, provider: account.id, operation: $0, processing: true) }
    }

    private func walk(_ account: WalkedAccount, _ rule: (String) -> FaultRule) async throws {
        let probe = try account.sandbox()
        defer { probe.stop() }
        for operation in WalkedPayments.all(of: try account.gateway(in: probe, Recorder())).map(\.operation) {
            let rule = rule(operation)
            let walked = try await Walked.under(rule, account) {
                WalkedPayments.all(of: $0).first { $0.operation == operation }
            }
            defer { walked.sandbox.stop() }
            checkEnd(walked.end, walked.call, rule, walked.recorder)
            checkMoney(walked.end, rule, walked.sandbox)
            FaultWalkTests().checkWords(walked.end, account, walked.recorder, walked.sandbox, isThorough: false)
        }
    }

    private func checkEnd(_ end: CallEnd, _ call: WalkedCall, _ rule: FaultRule, _ recorder: Recorder) {
        switch (Self.expected(under: rule.kind), end.meaning) {
        case (.done, .done), (.unknown, .unknown), (.doneOrUnknown, .done), (.doneOrUnknown, .unknown): break
        case (.thrown(let code), .thrown(let error)): #expect(error.code == code, "\(rule)")
        // A payment that was shown a moment ago: that it is not found now proves nothing.
        case (.thrown(.notFound), .unknown): #expect(call.requests > 1, "\(rule)")
        // Refused before there was a request, each time: certainly not sent.
        case (.doneOrUnknown, .thrown(let error)) where rule.kind == .refuse && rule.count == nil:
            #expect(error.code == .unreachable)
        default: Issue.record("\(rule) ends as \(end.name)")
        }
        if rule.kind != .refuse, !FaultWalkTests.endless.contains(rule.kind) {
            #expect(recorder.count(.requestStarted) == call.requests, "\(rule): tried once")
        }
        #expect(recorder.events.last?.kind == .callFinished)
    }

    private func checkMoney(_ end: CallEnd, _ rule: FaultRule, _ sandbox: Sandbox) {
        let moved = sandbox.ledger.entries.count { $0.operation == rule.operation && $0.movement != nil }
        switch end.meaning {
        case .thrown, .refused: #expect(moved == 0, "\(rule): told as nothing moved")
        case .done, .told: #expect(moved == (rule.kind == .duplicateDelivery ? 2 : 1), "\(rule): told as done")
        case .unknown: #expect(moved <= 1, "\(rule)")
        }
    }
}
