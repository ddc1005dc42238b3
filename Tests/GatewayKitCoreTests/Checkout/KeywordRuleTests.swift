import Testing

@testable import GatewayKitCore

@Suite("The keyword rule")
struct KeywordRuleTests {
    private static let rule = KeywordRule(success: ["success", "complete"], failure: ["failure", "failed"])
    private static let good = "https://pay.example/complete"
    private static let bad = "https://pay.example/failed"
    private static let other = "https://pay.example/otp"

    /// Shows addresses at seconds and lets every delay end when it is due.
    private func play(_ shown: [(at: Double, url: String)]) -> CheckoutVerdict.Kind? {
        let start = ContinuousClock.now
        var timeline = KeywordTimeline(Self.rule)
        var due: [ContinuousClock.Instant] = []
        var reports: [CheckoutVerdict] = []
        func endDelays(before limit: ContinuousClock.Instant?) {
            while let next = due.first, limit.map({ next <= $0 }) ?? true {
                due.removeFirst()
                if let verdict = timeline.delayEnded(next) { reports.append(verdict) }
            }
        }
        for (seconds, url) in shown {
            let now = start.advanced(by: .milliseconds(Int(seconds * 1_000)))
            endDelays(before: now)
            if let end = timeline.show(url, at: now) { due.append(end) }
        }
        endDelays(before: nil)
        #expect(reports.count <= 1, "it reports once")
        return reports.first?.kind
    }

    @Test("trap a: failure after 1.9 seconds replaces success")
    func replaced() {
        #expect(play([(0, Self.good), (1.9, Self.bad)]) == .failureHint)
    }

    @Test("trap b: failure after 2.1 seconds comes too late")
    func tooLate() {
        #expect(play([(0, Self.good), (2.1, Self.bad)]) == .successCandidate)
    }

    @Test("trap c: an unrelated address within the delay loses the outcome for good")
    func lost() {
        #expect(play([(0, Self.good), (1, Self.other)]) == .ignore)
        #expect(play([(0, Self.good), (1, Self.other), (5, Self.good), (9, Self.bad)]) == .ignore)
    }

    @Test("trap d: the first delay reports, whatever better address came since; it is not put off")
    func firstDelayWins() {
        #expect(play([(0, Self.bad), (1.5, Self.good), (3, Self.bad)]) == .successCandidate)
        #expect(play([(0, Self.good), (1, Self.other), (1.5, Self.bad)]) == .failureHint)
    }

    @Test(
        "a word counts wherever it stands; failure wins; case counts",
        arguments: [
            ("https://pay.example/open?redirect_url=https%3A%2F%2Fshop.example%2Fsuccess", KeywordRule.Reading.success),
            ("https://pay.example/?order=incomplete", .success), ("https://complete.example/", .success),
            ("https://pay.example/#success", .success), ("https://pay.example/success?order=failed-7", .failure),
            ("https://pay.example/Success", .none), ("https://pay.example/su%63cess", .none), ("", .none),
        ] as [(String, KeywordRule.Reading)])
    func words(_ url: String, _ reading: KeywordRule.Reading) {
        #expect(Self.rule.reading(of: url) == reading)
        #expect(KeywordRule(success: [""], failure: [""]).reading(of: url) == .none)
    }

    @Test("on a clock it reports once, after two seconds")
    func watch() async {
        let clock = ManualClock()
        let reports = Locked<[CheckoutVerdict.Kind]>([])
        let watch = KeywordWatch(Self.rule, clock: clock) { verdict in reports.withLock { $0.append(verdict.kind) } }
        watch.show(Self.other)
        watch.show(Self.good)
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(1_900))
        watch.show(Self.bad)
        await clock.waitForSleepers(2)
        #expect(reports.withLock { $0.isEmpty })
        await clock.wakeNext()
        while reports.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(reports.withLock { $0 } == [.failureHint])
        await clock.wakeNext()
        watch.show(Self.good)
        #expect(clock.sleeperCount == 0)
        #expect(reports.withLock { $0 } == [.failureHint])
    }

    @Test("its verdicts are hints")
    func hints() {
        let kinds = KeywordRule.Reading.allCases.map { Self.rule.verdict(of: $0).kind }
        #expect(kinds == [.ignore, .successCandidate, .failureHint])
    }
}
