/// The decisions of watching one session, without any I/O: it is told what happened and says what to do next.
///
/// ``SessionUpdates`` is the shell around it. A backend that keeps its own schedule (a job queue, a table of due dates)
/// can drive it itself, and let its process sleep, or end, in between.
public struct SessionPoll: Sendable {
    /// What happened.
    public indirect enum Event: Sendable {
        /// It is time to look: the very beginning, or a wait that is over.
        case woke
        /// The question was answered.
        case answered(SessionStatus)
        /// The question failed.
        case failed(GatewayError)
        /// The caller has lost interest.
        case cancelled
    }

    /// What to do next.
    public indirect enum Step: Sendable, Equatable {
        /// Ask ``SessionStatusSource/status(of:_:)`` with this time limit, then tell what came of it.
        case ask(timeout: Duration)
        /// Wait, then tell ``Event/woke``.
        case wait(until: ContinuousClock.Instant)
        /// Stop. Every later event gives this end again.
        case end(SessionEnd)
    }

    /// The policy.
    public let policy: PollingPolicy
    /// When the watching ends.
    public let deadline: ContinuousClock.Instant
    /// What is known of the session: every answer so far, the later ones upon the earlier.
    public var status: SessionStatus? { known?.value }
    /// Whether the last answer told anything new.
    public private(set) var hasNews = false
    /// How many questions were answered or failed.
    public private(set) var polls = 0

    private var known: Beside<SessionStatus>?
    private var failures = 0
    private var failure: Beside<GatewayError>?
    private var wait: Duration
    private var nextPoll: ContinuousClock.Instant
    private var end: Step?

    /// Begins to watch at `now`.
    ///
    /// - Parameter status: What is known already, from an earlier watch. A terminal phase ends this one at once.
    public init(_ policy: PollingPolicy, now: ContinuousClock.Instant, knowing status: SessionStatus? = nil) {
        self.policy = policy
        known = status.map { .value($0) }
        deadline = now.advanced(by: policy.deadline)
        wait = policy.firstWait
        nextPoll = now
    }

    /// Takes an event and gives the next step.
    ///
    /// - Parameter random: A random number over the whole range, for jitter.
    public mutating func take(_ event: Event, now: ContinuousClock.Instant, random: UInt64) -> Step {
        if let end { return end }
        switch event {
        case .cancelled: return stop(.cancelled)
        case .woke: break
        case .answered(let answer):
            polls += 1
            failures = 0
            failure = nil
            take(answer)
            plan(now, atLeast: .zero, random)
        case .failed(let error):
            polls += 1
            failures += 1
            failure = .value(error)
            hasNews = false
            if error.isPermanent { return stop(.permanentFailure) }
            if let limit = policy.maximumFailures, failures >= limit { return stop(.tooManyFailures) }
            plan(now, atLeast: min(max(error.answer?.retryAfter ?? .zero, .zero), PollingPolicy.oneDay), random)
        }
        if let status, status.phase.isTerminal { return stop(.finished) }
        if now >= deadline { return stop(.deadline) }
        guard now >= nextPoll else { return .wait(until: min(nextPoll, deadline)) }
        return .ask(timeout: min(policy.pollTimeout, now.duration(to: deadline)))
    }

    private mutating func take(_ answer: SessionStatus) {
        guard let earlier = status else {
            known = .value(answer)
            hasNews = true
            return
        }
        let merged = earlier.followed(by: answer)
        hasNews = merged.isNews(after: earlier)
        if merged.phase != earlier.phase { wait = policy.firstWait }
        known = .value(merged)
    }

    private mutating func plan(_ now: ContinuousClock.Instant, atLeast least: Duration, _ random: UInt64) {
        nextPoll = now.advanced(by: max(policy.drawn(wait, random: random), least))
        wait = policy.longer(than: wait)
        guard nextPoll >= deadline else { return }
        // One last look while there is time for its answer, so that the last answer is a fresh one.
        let lastLook = deadline.advanced(by: .zero - policy.firstWait)
        nextPoll = lastLook >= now.advanced(by: max(policy.firstWait / 2, least)) ? lastLook : deadline
    }

    private mutating func stop(_ reason: SessionEnd.Reason) -> Step {
        let step = Step.end(SessionEnd(reason, status: status, failure: failure?.value, polls: polls))
        end = step
        return step
    }
}

/// A large value in memory of its own: whoever waits with this one in hand waits with a pointer, and ten thousand that
/// wait are small.
indirect enum Beside<Value: Sendable>: Sendable {
    case value(Value)

    var value: Value {
        switch self {
        case .value(let value): value
        }
    }
}
