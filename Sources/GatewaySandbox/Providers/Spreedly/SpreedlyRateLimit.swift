import GatewayKitCore

/// At most 30 lists of transactions per minute and environment (dossier 2.7). That the minute slides, and that calls
/// that were refused do not count, are guesses.
struct SpreedlyRateLimit: Sendable {
    private static let limit = 30
    private static let window: Int64 = 60

    private var times: [WallTime] = []

    /// Counts a call, or tells in how many seconds the next one is let through.
    mutating func admit(at now: WallTime) -> Int64? {
        times.removeAll { $0.adding(seconds: Self.window) <= now || $0 > now }
        guard times.count >= Self.limit, let oldest = times.first else {
            times.append(now)
            return nil
        }
        let end = oldest.adding(seconds: Self.window)
        return end.secondsSince1970 - now.secondsSince1970 + (end.nanoseconds > now.nanoseconds ? 1 : 0)
    }
}
