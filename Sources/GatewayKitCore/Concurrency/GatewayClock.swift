/// A clock for deadlines and waits. Its instants are those of `ContinuousClock`, so that a manual clock fits wherever
/// the real one does.
public protocol GatewayClock: Clock where Instant == ContinuousClock.Instant {}

extension ContinuousClock: GatewayClock {}

extension GatewayClock {
    /// Waits until `instant`, or ends early with `false` when the calling task is cancelled.
    func waits(until instant: ContinuousClock.Instant) async -> Bool {
        do {
            try await sleep(until: instant, tolerance: nil)
            return true
        } catch {
            return false
        }
    }
}

/// Where random numbers come from: retry jitter and call ids. Not for keys.
public struct RandomSource: Sendable {
    private let draw: @Sendable () -> UInt64

    /// Draws from `draw`, which may be called from several threads at once.
    public init(_ draw: @escaping @Sendable () -> UInt64) {
        self.draw = draw
    }

    /// The system's generator.
    public static let system = RandomSource { UInt64.random(in: .min ... .max) }

    /// The next number, over the whole range.
    public func next() -> UInt64 { draw() }

    /// Sixteen hexadecimal digits.
    func nextID() -> String {
        let digits = String(next(), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
