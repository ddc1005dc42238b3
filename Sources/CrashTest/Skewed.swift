import GatewayKitCore

/// Time that can be moved on for everybody in this process: the monotonic clock, the wall clock, the sandbox's.
final class SkewedTime: GatewayClock {
    private let skew = Locked(Duration.zero)

    var now: ContinuousClock.Instant { ContinuousClock.now.advanced(by: skew.withLock { $0 }) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func move(_ by: Duration) { skew.withLock { $0 += by } }

    /// Nobody waits: time moves on instead.
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let wait = now.duration(to: deadline)
        if wait > .zero { move(wait) }
        await Task.yield()
    }

    var wall: WallTime {
        WallClock.system.now().adding(seconds: skew.withLock { $0.components.seconds })
    }
}
