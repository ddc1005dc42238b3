import Testing

@testable import GatewayKitCore

@Suite("Decisions of polling")
struct SessionPollTests {
    enum What: Sendable {
        case says(SessionStatus.Phase)
        case fails(GatewayError.Code, retryAfter: Duration?)

        static func fails(_ code: GatewayError.Code) -> What { .fails(code, retryAfter: nil) }
    }

    /// What is expected after the last of some events; waits are without jitter.
    enum Expected: Sendable {
        case wait(seconds: Double)
        case end(SessionEnd.Reason)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var policy = PollingPolicy()
        let events: [What]
        let expected: Expected

        init(_ name: String, _ events: [What], _ expected: Expected, under policy: PollingPolicy = PollingPolicy()) {
            testDescription = name
            self.policy = policy
            self.events = events
            self.expected = expected
        }
    }

    static let rows: [Row] = [
        Row("T1: a session that nobody has opened yet is pending, not failed", [.says(.open)], .wait(seconds: 1)),
        Row("an unknown word goes on", [.says(.unknown)], .wait(seconds: 1)),
        Row("the second wait is longer", [.says(.open), .says(.open)], .wait(seconds: 1.5)),
        Row("the third is longer still", [.says(.open), .says(.open), .says(.open)], .wait(seconds: 2.25)),
        Row("waits stay below the longest", Array(repeating: .says(.open), count: 12), .wait(seconds: 15)),
        Row(
            "progress begins the waits anew", [.says(.open), .says(.open), .says(.open), .says(.processing)],
            .wait(seconds: 1)),
        Row(
            "a word that would move back is no progress", [.says(.processing), .says(.open), .says(.unknown)],
            .wait(seconds: 2.25)),
        Row("success", [.says(.open), .says(.succeeded)], .end(.finished)),
        Row("failure", [.says(.failed)], .end(.finished)),
        Row("expiry", [.says(.open), .says(.processing), .says(.expired)], .end(.finished)),
        Row("T2: a failed poll is survived", [.fails(.connectionLost)], .wait(seconds: 1)),
        Row("failed polls wait longer and longer", [.fails(.timedOut), .fails(.unreachable)], .wait(seconds: 1.5)),
        Row("Retry-After is honoured", [.fails(.rateLimited, retryAfter: .seconds(40))], .wait(seconds: 40)),
        Row("a short Retry-After is no hurry", [.fails(.rateLimited, retryAfter: .milliseconds(1))], .wait(seconds: 1)),
        Row("a negative Retry-After is none", [.fails(.rateLimited, retryAfter: .seconds(-9))], .wait(seconds: 1)),
        Row(
            "a Retry-After beyond the deadline leaves no time for another look",
            [.says(.open), .fails(.rateLimited, retryAfter: .seconds(86_400 * 9))], .wait(seconds: 599)),
        Row(
            "the last look comes before the deadline", [.says(.open), .says(.open)], .wait(seconds: 4),
            under: PollingPolicy(firstWait: .seconds(8), deadline: .seconds(20))),
        Row(
            "a last look that would come at once is left out", [.says(.open), .says(.open)], .wait(seconds: 10),
            under: PollingPolicy(firstWait: .seconds(8), deadline: .seconds(18))),
        Row(
            "two failures of three", [.fails(.connectionLost), .fails(.connectionLost)], .wait(seconds: 1.5),
            under: PollingPolicy(maximumFailures: 3)),
        Row(
            "three of three", [.fails(.connectionLost), .fails(.timedOut), .fails(.unreachable)],
            .end(.tooManyFailures), under: PollingPolicy(maximumFailures: 3)),
        Row(
            "an answer between makes them count anew",
            [.fails(.connectionLost), .says(.open), .fails(.connectionLost)], .wait(seconds: 2.25),
            under: PollingPolicy(maximumFailures: 2)),
        Row("no session of that name", [.says(.open), .fails(.notFound)], .end(.permanentFailure)),
        Row("refused credentials", [.fails(.credentialsRefused)], .end(.permanentFailure)),
        Row("no permission", [.fails(.notPermitted)], .end(.permanentFailure)),
        Row("a reference of another account", [.fails(.invalidInput)], .end(.permanentFailure)),
        Row("a refused request", [.fails(.requestRefused)], .end(.permanentFailure)),
        Row("an unreadable answer passes", [.fails(.unreadableAnswer)], .wait(seconds: 1)),
        Row("a provider that is down passes", [.fails(.providerUnavailable)], .wait(seconds: 1)),
        Row("no time at all", [], .end(.deadline), under: PollingPolicy(deadline: .zero)),
    ]

    @Test("what comes after what", arguments: rows)
    func decide(_ row: Row) {
        let start = ContinuousClock.now
        var now = start
        var poll = SessionPoll(row.policy, now: now)
        var step = poll.take(.woke, now: now, random: 0)
        for event in row.events {
            if case .wait(let instant) = step {
                now = instant
                step = poll.take(.woke, now: now, random: 0)
            }
            guard case .ask = step else {
                Issue.record("ended before the last event: \(step)")
                return
            }
            switch event {
            case .says(let phase):
                let answer = SessionStatus(reference: ScriptedSessions.reference, phase: phase)
                step = poll.take(.answered(answer), now: now, random: 0)
            case .fails(let code, let retryAfter):
                step = poll.take(.failed(.scripted(code, retryAfter: retryAfter)), now: now, random: 0)
            }
        }
        switch (step, row.expected) {
        case (.wait(let instant), .wait(let seconds)):
            // An instant is exact; the growing wait is a product of doubles.
            let difference = now.duration(to: instant) - .seconds(seconds)
            #expect(max(difference, .zero - difference) < .microseconds(1), "\(now.duration(to: instant))")
        case (.end(let end), .end(let reason)):
            #expect(end.reason == reason && end.polls == row.events.count)
            #expect(poll.take(.woke, now: now, random: 0) == step)
        default: Issue.record("\(step)")
        }
    }

    @Test("jitter draws from the policy's share of the wait, never beyond the wait")
    func jitter() {
        let start = ContinuousClock.now
        for (random, share) in [(UInt64.min, 1.0), (.max / 2, 0.8), (.max, 0.6)] {
            var poll = SessionPoll(PollingPolicy(firstWait: .seconds(10), jitter: 0.4), now: start)
            _ = poll.take(.woke, now: start, random: random)
            let answer = SessionStatus(reference: ScriptedSessions.reference, phase: .open)
            guard case .wait(let instant) = poll.take(.answered(answer), now: start, random: random) else {
                Issue.record("no wait")
                return
            }
            let seconds = start.duration(to: instant) / .seconds(10)
            #expect(abs(seconds - share) < 0.001)
        }
    }

    @Test("a wait that ends early goes on, and the time limit of a question is what the deadline leaves")
    func early() {
        let start = ContinuousClock.now
        var poll = SessionPoll(PollingPolicy(firstWait: .seconds(4), jitter: 0, deadline: .seconds(10)), now: start)
        #expect(poll.take(.woke, now: start, random: 0) == .ask(timeout: .seconds(10)))
        let step = poll.take(.failed(.scripted(.timedOut)), now: start, random: 0)
        #expect(step == .wait(until: start.advanced(by: .seconds(4))))
        #expect(poll.take(.woke, now: start.advanced(by: .seconds(1)), random: 0) == step)
        #expect(
            poll.take(.woke, now: start.advanced(by: .seconds(4)), random: 0) == .ask(timeout: .seconds(6)))
    }

    @Test("an answer that comes behind the deadline still counts")
    func late() {
        let start = ContinuousClock.now
        for (phase, reason) in [(SessionStatus.Phase.succeeded, SessionEnd.Reason.finished), (.open, .deadline)] {
            var poll = SessionPoll(PollingPolicy(deadline: .seconds(1)), now: start)
            _ = poll.take(.woke, now: start, random: 0)
            let answer = SessionStatus(reference: ScriptedSessions.reference, phase: phase)
            let step = poll.take(.answered(answer), now: start.advanced(by: .seconds(2)), random: 0)
            #expect(step == .end(SessionEnd(reason, status: answer, polls: 1)))
        }
    }

    @Test("settings out of range count as the nearest that are in it")
    func policy() {
        let wild = PollingPolicy(
            firstWait: .zero, backOff: .nan, longestWait: .seconds(-1), jitter: 7, deadline: .seconds(1e15),
            pollTimeout: .zero, maximumFailures: -3)
        #expect(wild.firstWait == .milliseconds(100) && wild.longestWait == .milliseconds(100))
        #expect(wild.backOff == 1 && wild.jitter == 0.5 && wild.deadline == .seconds(86_400 * 365))
        #expect(wild.pollTimeout == .milliseconds(100) && wild.maximumFailures == 1)
        #expect(PollingPolicy(backOff: .infinity, jitter: .nan).backOff == 10)
        #expect(PollingPolicy(jitter: .nan).jitter == 0 && PollingPolicy().maximumFailures == nil)
    }
}
