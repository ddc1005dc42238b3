import Testing

@testable import GatewayKitCore

@Suite("Polling under random events")
struct SessionPollPropertyTests {
    private static let phases: [SessionStatus.Phase] = [.unknown, .open, .processing, .succeeded, .failed, .expired]
    private static let codes: [GatewayError.Code] = [
        .connectionLost, .timedOut, .rateLimited, .providerUnavailable, .unreadableAnswer, .unreachable,
    ]

    /// How far a phase is; nothing may go back.
    private func rank(_ phase: SessionStatus.Phase) -> Int {
        switch phase {
        case .unknown: 0
        case .open: 1
        case .processing: 2
        default: 3
        }
    }

    private func policy(_ numbers: inout SeededNumbers) -> PollingPolicy {
        PollingPolicy(
            firstWait: .milliseconds(.random(in: 0...5_000, using: &numbers)),
            backOff: .random(in: 0.5...3, using: &numbers),
            longestWait: .milliseconds(.random(in: 0...30_000, using: &numbers)),
            jitter: .random(in: 0...0.7, using: &numbers),
            deadline: .milliseconds(.random(in: 0...120_000, using: &numbers)),
            pollTimeout: .milliseconds(.random(in: 0...20_000, using: &numbers)),
            maximumFailures: Bool.random(using: &numbers) ? .random(in: 1...6, using: &numbers) : nil)
    }

    @Test("T2: bounded polls, no step back, no question after the deadline, one end", arguments: 0..<400)
    func walk(_ seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let policy = policy(&numbers)
        let start = ContinuousClock.now
        let deadline = start.advanced(by: policy.deadline)
        var now = start
        var poll = SessionPoll(policy, now: now)
        var step = poll.take(.woke, now: now, random: numbers.next())
        var asked: [ContinuousClock.Instant] = []
        var earliest = start
        var steps = 0
        walking: while true {
            steps += 1
            try #require(steps < 20_000, "no end")
            switch step {
            case .end: break walking
            case .wait(let instant):
                #expect(instant > now && instant <= deadline)
                // Clocks wake late, and sometimes early.
                let slip = Duration.milliseconds(.random(in: -20...20, using: &numbers))
                now = max(now.advanced(by: .milliseconds(1)), instant.advanced(by: slip))
                step = poll.take(.woke, now: now, random: numbers.next())
            case .ask(let timeout):
                #expect(now < deadline && now >= earliest && timeout > .zero)
                #expect(now.advanced(by: timeout) <= deadline && timeout <= policy.pollTimeout)
                if let last = asked.last { #expect(last.duration(to: now) >= policy.firstWait / 2) }
                asked.append(now)
                now = now.advanced(by: timeout * Double.random(in: 0...1, using: &numbers))
                step = answer(&poll, now, &earliest, &numbers)
            }
        }
        guard case .end(let end) = step else { return }
        // The question during which the caller lost interest was neither answered nor did it fail.
        #expect(end.polls == asked.count - (end.reason == .cancelled ? 1 : 0) && end.status == poll.status)
        #expect(asked.count <= 2 + Int((policy.deadline / (policy.firstWait / 2)).rounded(.up)))
        #expect((end.reason == .finished) == (end.status?.phase.isTerminal ?? false))
        if end.reason == .deadline { #expect(now >= deadline) }
        let later = SessionStatus(reference: ScriptedSessions.reference, phase: .succeeded)
        for event in [.woke, .cancelled, .answered(later), .failed(.scripted(.notFound))] as [SessionPoll.Event] {
            #expect(poll.take(event, now: now, random: 0) == step)
        }
    }

    /// Answers a question at random and checks what the answer did.
    private func answer(
        _ poll: inout SessionPoll, _ now: ContinuousClock.Instant, _ earliest: inout ContinuousClock.Instant,
        _ numbers: inout SeededNumbers
    ) -> SessionPoll.Step {
        let before = poll.status
        switch Int.random(in: 0..<100, using: &numbers) {
        case ..<2: return poll.take(.cancelled, now: now, random: numbers.next())
        case ..<4: return poll.take(.failed(.scripted(.notFound)), now: now, random: numbers.next())
        case ..<40:
            let code = Self.codes.randomElement(using: &numbers) ?? .timedOut
            let wait: Duration? = Bool.random(using: &numbers) ? .seconds(.random(in: -5...40, using: &numbers)) : nil
            earliest = now.advanced(by: max(wait ?? .zero, .zero))
            let step = poll.take(.failed(.scripted(code, retryAfter: wait)), now: now, random: numbers.next())
            #expect(poll.status == before)
            return step
        default:
            // Terminal phases seldom, or most walks would be short.
            let phases = Int.random(in: 0..<12, using: &numbers) == 0 ? Self.phases : Array(Self.phases.prefix(3))
            let word = "word \(numbers.next() % 5)"
            let status = SessionStatus(
                reference: ScriptedSessions.reference, phase: phases.randomElement(using: &numbers) ?? .open,
                providerWord: word)
            earliest = now
            let step = poll.take(.answered(status), now: now, random: numbers.next())
            #expect(rank(poll.status?.phase ?? .unknown) >= rank(before?.phase ?? .unknown))
            #expect(poll.status?.providerWord == word)
            return step
        }
    }
}
