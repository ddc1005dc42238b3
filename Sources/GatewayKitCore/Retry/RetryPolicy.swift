/// Decides whether a request is sent again, and says why in words.
///
/// A pure value: it sees what happened and how much time is left, and does nothing itself. It repeats reads, requests
/// that the provider makes idempotent by a key, and what certainly was not sent; nothing else, ever.
public struct RetryPolicy: Sendable, Hashable {
    /// How many times a request is tried altogether; 1 means never again.
    public var maximumTries: Int
    /// The wait before the second try. It doubles with each further try. Below zero counts as zero.
    public var firstDelay: Duration
    /// The longest wait that the policy chooses itself, at most a day. A provider's `Retry-After` may ask for more.
    public var longestDelay: Duration

    /// Three tries, with waits of about 0.5 and 1 second.
    public init(
        maximumTries: Int = 3, firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(5)
    ) {
        self.maximumTries = max(1, maximumTries)
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// Each request is tried once.
    public static let never = RetryPolicy(maximumTries: 1)

    /// What happened, as far as a decision needs it.
    public struct Situation: Sendable, Hashable {
        /// Whether the request may be sent a second time.
        public var repeatability: WireRequest.Repeatability
        /// What came of this try.
        public var outcome: Outcome
        /// Which try this was, from 1.
        public var tryNumber: Int
        /// How long the provider asked to wait; zero when the time it named has passed.
        public var retryAfter: Duration?
        /// How much of the caller's time is left.
        public var remaining: Duration
        /// Whether the caller has given up.
        public var isCancelled: Bool
        /// A random number over the whole range, for jitter.
        public var random: UInt64

        /// Describes a situation.
        public init(
            _ repeatability: WireRequest.Repeatability, _ outcome: Outcome, tryNumber: Int,
            retryAfter: Duration? = nil, remaining: Duration, isCancelled: Bool = false, random: UInt64 = 0
        ) {
            self.repeatability = repeatability
            self.outcome = outcome
            self.tryNumber = tryNumber
            self.retryAfter = retryAfter
            self.remaining = remaining
            self.isCancelled = isCancelled
            self.random = random
        }
    }

    /// What came of a try.
    public enum Outcome: Sendable, Hashable {
        /// No complete answer.
        case failed(TransportError.Kind, Reach)
        /// An answer with this status.
        case answered(Int)
    }

    /// What to do.
    public enum Decision: Sendable, Hashable {
        /// Send again after a wait.
        case again(after: Duration, reason: SafeText)
        /// Hand out what there is.
        case stop(reason: SafeText)
    }

    /// Decides.
    public func decide(_ situation: Situation) -> Decision {
        if situation.isCancelled { return .stop(reason: "the caller has cancelled") }
        let reason: SafeText
        switch judge(situation) {
        case .stop(let why): return .stop(reason: why)
        case .again(let why): reason = why
        }
        guard situation.tryNumber < maximumTries else {
            return .stop(reason: "\(reason), but all \(count: maximumTries) tries are used up")
        }
        let wait = max(backoff(situation), situation.retryAfter ?? .zero)
        guard wait < situation.remaining else {
            return .stop(reason: "\(reason), but the wait would outlive the caller's deadline")
        }
        return .again(after: wait, reason: reason)
    }

    private enum Verdict {
        case again(SafeText)
        case stop(SafeText)
    }

    private func judge(_ situation: Situation) -> Verdict {
        switch situation.outcome {
        case .failed(.cancelled, _):
            return .stop("the call was cancelled")
        case .failed(let kind, .notSent):
            return judgeUnsent(kind)
        case .failed(let kind, _) where kind == .answerTooLarge:
            return .stop("\(kind) would happen again")
        case .failed(let kind, _):
            return situation.repeatability == .once
                ? .stop("\(kind) after the request may have been sent, and this request must not be sent twice")
                : .again("\(kind), and this request may be sent again")
        case .answered(let status):
            guard Self.passingStatuses.contains(status) || (status == 409 && situation.repeatability == .keyed) else {
                return .stop("status \(count: status) is the provider's answer")
            }
            return situation.repeatability == .once
                ? .stop("status \(count: status), and this request must not be sent twice")
                : .again("status \(count: status), and this request may be sent again")
        }
    }

    private func judgeUnsent(_ kind: TransportError.Kind) -> Verdict {
        [.nameLookup, .connect, .connectTimeout, .connectionLost, .proxy].contains(kind)
            ? .again("\(kind), and nothing was sent")
            : .stop("\(kind) would happen again")
    }

    /// Statuses that tell of a passing trouble (RFC 9110, sections 15.5 and 15.6; RFC 6585, section 4).
    private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    private static let oneDay = Duration.seconds(86_400)

    /// Half of the doubled delay is fixed, the other half random: callers that failed together do not return together.
    private func backoff(_ situation: Situation) -> Duration {
        // Bounded before it is doubled, so that no setting overflows or loops for long.
        let longest = min(max(longestDelay, .zero), Self.oneDay)
        var delay = min(max(firstDelay, .zero), longest)
        for _ in 0..<min(max(situation.tryNumber - 1, 0), 62) where delay < longest { delay *= 2 }
        delay = min(delay, longest)
        let share = Double(situation.random >> 11) / Double(UInt64(1) << 53)
        return delay * (0.5 + share / 2)
    }
}
