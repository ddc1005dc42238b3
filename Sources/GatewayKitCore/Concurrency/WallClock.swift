#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tells the date and time. Injected, so that no test depends on the day on which it runs.
public struct WallClock: Sendable {
    private let read: @Sendable () -> WallTime

    /// A clock that asks `read`.
    public init(_ read: @escaping @Sendable () -> WallTime) {
        self.read = read
    }

    /// The system's clock.
    public static let system = WallClock {
        WallTime(secondsSince1970: Int64(Date().timeIntervalSince1970.rounded(.down)))
    }

    /// A clock that stands still.
    public static func fixed(_ time: WallTime) -> WallClock {
        WallClock { time }
    }

    /// The time.
    public func now() -> WallTime { read() }
}
