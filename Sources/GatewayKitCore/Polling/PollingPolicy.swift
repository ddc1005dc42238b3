/// When a session is asked again, and when to stop.
///
/// The first question is asked at once. Waits begin with ``firstWait``, grow by ``backOff`` up to ``longestWait``, and
/// begin anew when the session moves on, because then more tends to follow soon. What a failed answer asks for with
/// `Retry-After` is waited for at least.
public struct PollingPolicy: Sendable, Hashable {
    /// The wait before the second question. From 0.1 seconds to an hour; anything else counts as the nearest of these.
    public let firstWait: Duration
    /// By how much each wait is longer than the one before. From 1 (all alike) to 10; what is not a number counts as 1.
    public let backOff: Double
    /// The longest wait that the policy chooses itself, from ``firstWait`` to a day.
    public let longestWait: Duration
    /// The share of a wait that is left to chance, from 0 to 0.5: a wait is drawn from `wait * (1 - jitter)` to `wait`,
    /// so that sessions that began together do not ask together for ever.
    public let jitter: Double
    /// How long one session is watched in all, up to a year. Zero or less means not at all.
    public let deadline: Duration
    /// How long one question may take, its retries included; less when the deadline is nearer. At least 0.1 seconds.
    public let pollTimeout: Duration
    /// After how many failed questions in a row to give up, at least 1; `nil` means to go on until the deadline.
    public let maximumFailures: Int?

    /// By default: 1 second, then half as long again each time up to 15 seconds, for 10 minutes, whatever fails.
    public init(
        firstWait: Duration = .seconds(1), backOff: Double = 1.5, longestWait: Duration = .seconds(15),
        jitter: Double = 0.25, deadline: Duration = .seconds(600), pollTimeout: Duration = .seconds(30),
        maximumFailures: Int? = nil
    ) {
        self.firstWait = min(max(firstWait, Self.shortestWait), .seconds(3_600))
        self.backOff = backOff.isNaN ? 1 : min(max(backOff, 1), 10)
        self.longestWait = min(max(longestWait, self.firstWait), Self.oneDay)
        self.jitter = jitter.isNaN ? 0 : min(max(jitter, 0), 0.5)
        self.deadline = min(max(deadline, .zero), Self.oneDay * 365)
        self.pollTimeout = min(max(pollTimeout, Self.shortestWait), Self.oneDay)
        self.maximumFailures = maximumFailures.map { max($0, 1) }
    }

    private static let shortestWait = Duration.milliseconds(100)
    static let oneDay = Duration.seconds(86_400)

    /// The wait after one of `wait`, before chance has its part in it.
    func longer(than wait: Duration) -> Duration {
        min(wait * backOff, longestWait)
    }

    /// A wait of `wait` with chance's part in it; `random` is over the whole range.
    func drawn(_ wait: Duration, random: UInt64) -> Duration {
        wait * (1 - jitter * Double(random >> 11) / Double(UInt64(1) << 53))
    }
}
