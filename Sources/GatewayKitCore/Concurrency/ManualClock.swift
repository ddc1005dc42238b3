/// A clock that stands still until it is told to go on, so that a test of deadlines, waits and retries takes no time
/// and gives the same result in every run.
///
/// Hand it to ``GatewayRuntime`` in place of the real clock:
///
/// ```swift
/// let clock = ManualClock()
/// let runtime = GatewayRuntime(transport: transport, clock: clock)
/// let call = Task { try await gateway.requireTokens().tokenize(request) }
/// await clock.wakeNext()   // waits until the call sleeps, then lets exactly that much time pass
/// ```
///
/// Safe to use from several tasks at once.
public final class ManualClock: GatewayClock {
    /// The instants of `ContinuousClock`.
    public typealias Instant = ContinuousClock.Instant

    private struct Sleeper {
        let id: UInt64
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let id: UInt64
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Instant
        var lastID: UInt64 = 0
        /// By deadline, those of the same deadline in the order in which they came.
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
        /// Those that were cancelled before they could be entered above.
        var cancelled: Set<UInt64> = []

        mutating func newID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }

    private let state: Locked<State>

    /// A clock that shows `start`.
    public init(now start: ContinuousClock.Instant = ContinuousClock.now) {
        state = Locked(State(now: start))
    }

    /// The time that the clock shows.
    public var now: ContinuousClock.Instant { state.withLock { $0.now } }

    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many tasks sleep on this clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Lets time pass and wakes every sleeper whose time has come: the earliest deadline first, those of the same
    /// deadline in the order in which they fell asleep. A negative duration counts as zero: time never runs back.
    ///
    /// The sleepers' tasks go on by themselves; whoever sleeps again needs another call.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            if duration > .zero { state.now = state.now.advanced(by: duration) }
            let count = state.sleepers.prefix { $0.deadline <= state.now }.count
            let due = Array(state.sleepers.prefix(count))
            state.sleepers.removeFirst(count)
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits until somebody sleeps, then lets just so much time pass that the first sleeper wakes.
    ///
    /// - Returns: How much time passed; zero when the calling task was cancelled before anybody slept.
    @discardableResult
    public func wakeNext() async -> Duration {
        await waitForSleepers(1)
        guard let deadline = state.withLock({ $0.sleepers.first?.deadline }) else { return .zero }
        let wait = now.duration(to: deadline)
        advance(by: wait)
        return wait
    }

    /// Waits until at least `count` tasks sleep on this clock. Ends at once when the calling task is cancelled.
    public func waitForSleepers(_ count: Int) async {
        let id = state.withLock { $0.newID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.cancelled.contains(id) || state.sleepers.count >= count { return true }
                    state.watchers.append(Watcher(id: id, count: count, continuation: continuation))
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { state -> Watcher? in
                guard let index = state.watchers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.watchers.remove(at: index)
            }
            watcher?.continuation.resume()
        }
        state.withLock { _ = $0.cancelled.remove(id) }
    }

    /// Sleeps until the clock shows `deadline` or later; returns at once when it does so already.
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = state.withLock { $0.newID() }
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func enter(_ sleeper: Sleeper) {
        enum Verdict {
            case due, cancelled, asleep([Watcher])
        }
        let verdict = state.withLock { state -> Verdict in
            if state.cancelled.contains(sleeper.id) { return .cancelled }
            if sleeper.deadline <= state.now { return .due }
            let index = state.sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? state.sleepers.endIndex
            state.sleepers.insert(sleeper, at: index)
            let count = state.sleepers.count
            let content = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return .asleep(content)
        }
        switch verdict {
        case .due: sleeper.continuation.resume()
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        case .asleep(let watchers): for watcher in watchers { watcher.continuation.resume() }
        }
    }
}
