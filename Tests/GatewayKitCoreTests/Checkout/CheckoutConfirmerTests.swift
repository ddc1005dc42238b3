import Testing

@testable import GatewayKitCore

@Suite("Confirming a checkout on a clock")
struct CheckoutConfirmerTests {
    fileprivate static let page = CheckoutPage(
        session: ScriptedSessions.reference, url: "https://pay.example/open?token=page-token-of-tests",
        surface: .browser)
    private static let policy = PollingPolicy(jitter: 0, deadline: .seconds(60))

    /// A provider whose addresses end in the name of their verdict.
    private struct ScriptedCheckout: HostedCheckout {
        let proofs: ScriptedSessions

        func page(
            _ request: CheckoutPageRequest, for session: PaymentSession, _ call: CallContext
        ) async throws(GatewayError) -> CheckoutPage { CheckoutConfirmerTests.page }

        func verdict(on url: String, of page: CheckoutPage) -> CheckoutVerdict {
            let word = url.split(separator: "/").last.map(String.init) ?? ""
            return CheckoutVerdict(CheckoutVerdict.Kind(rawValue: word) ?? .ignore, reason: "Scripted.")
        }

        func proof(of page: CheckoutPage, _ call: CallContext) async throws(GatewayError) -> SessionStatus {
            try await proofs.status(of: page.session, call)
        }
    }

    private func bench(
        _ steps: [ScriptedSessions.Step], quietWait: Duration? = nil
    ) -> (confirmer: CheckoutConfirmer, source: ScriptedSessions, clock: ManualClock) {
        let clock = ManualClock()
        let source = ScriptedSessions(steps, clock: clock)
        return (
            CheckoutConfirmer(
                ScriptedCheckout(proofs: source), Self.page, policy: Self.policy, quietWait: quietWait, clock: clock,
                random: RandomSource { 0 }, correlationID: "case-7"),
            source, clock
        )
    }

    @Test("it reads after a success candidate until the proof is final, and every waiter gets the same outcome")
    func success() async {
        let (confirmer, source, clock) = bench([.says(.open), .says(.processing), .says(.succeeded)])
        let waiters = (0..<3).map { _ in Task { await confirmer.outcome() } }
        #expect(confirmer.report("https://pay.example/successCandidate").kind == .successCandidate)
        let waking = Task { while !Task.isCancelled { await clock.wakeNext() } }
        var outcomes: [CheckoutOutcome] = []
        for waiter in waiters { outcomes.append(await waiter.value) }
        waking.cancel()
        #expect(outcomes.allSatisfy { $0.kind == .succeeded && $0 == outcomes.first })
        #expect(source.count == 3 && source.correlationIDs == ["case-7", "case-7", "case-7"])
        confirmer.report("https://pay.example/failureHint")
        #expect(await confirmer.outcome().kind == .succeeded && confirmer.notes.count == 1)
        #expect(source.count == 3, "nothing is read after the end")
    }

    @Test("no address makes it read, and the deadline ends it")
    func ignored() async {
        let (confirmer, source, clock) = bench([.says(.succeeded)])
        let waiting = Task { await confirmer.outcome() }
        await clock.waitForSleepers(1)
        for _ in 0..<100 { confirmer.report("https://evil.example/ignore") }
        #expect(clock.sleeperCount == 1 && source.count == 0)
        #expect(await clock.wakeNext() == .seconds(60))
        #expect(await waiting.value.kind == .undecided)
    }

    @Test("cancelling the waiting task ends it, in the middle of a read too")
    func cancelled() async {
        let (confirmer, source, _) = bench([.hang])
        let waiting = Task { await confirmer.outcome() }
        confirmer.report("https://pay.example/successCandidate")
        while source.count == 0 { await Task.yield() }
        waiting.cancel()
        let outcome = await waiting.value
        #expect(outcome.kind == .undecided && outcome.cause == .stopped)
    }

    @Test("a shopper who is back: the proof is read at once, also for an address that says nothing")
    func back() async {
        let clock = ManualClock()
        let source = ScriptedSessions([.says(.succeeded)], clock: clock)
        let outcome = await ScriptedCheckout(proofs: source).confirm(
            Self.page, reported: "https://shop.example/ignore", clock: clock, random: RandomSource { 0 })
        #expect(outcome.kind == .succeeded && source.count == 1)
    }

    @Test("stopping ends it before anybody waited")
    func stopped() async {
        let (confirmer, _, _) = bench([.says(.open)])
        confirmer.stop()
        #expect(await confirmer.outcome().cause == .stopped)
    }

    @Test("neither page nor outcome shows the page's address")
    func nothingShown() async {
        let (confirmer, _, _) = bench([.says(.succeeded)])
        confirmer.report("https://pay.example/successCandidate?x=page-token-of-tests")
        confirmer.report("https://pay.example/successCandidate")
        let outcome = await confirmer.outcome()
        var text = "\(Self.page)\(outcome)\(confirmer.notes)"
        dump(Self.page, to: &text)
        #expect(!text.contains("page-token-of-tests"))
    }
}
