import GatewayKitCore

/// Waits for work no longer than a limit. Work that does not end is cancelled and left behind: it must not hold up
/// what comes after it.
enum Bounded {
    private struct State<Value: Sendable> {
        var waiter: CheckedContinuation<Value?, Never>?
        var isOver = false
    }

    /// The value, or `nil` when the limit passed first. Cancellation of the calling task is handed on.
    static func run<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let state = Locked(State<Value>())
        let finish: @Sendable (Value?) -> Void = { value in
            let waiter = state.withLock { state -> CheckedContinuation<Value?, Never>? in
                defer {
                    state.waiter = nil
                    state.isOver = true
                }
                return state.waiter
            }
            waiter?.resume(returning: value)
        }
        let start = Locked<[Task<Void, Never>]>([])
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiter = continuation }
                let work = Task { finish(await body()) }
                let watchdog = Task {
                    // An end by cancellation is the work's own.
                    guard (try? await Task.sleep(for: limit)) != nil else { return }
                    work.cancel()
                    finish(nil)
                }
                start.withLock { $0 = [work, watchdog] }
                if state.withLock({ $0.isOver }) { watchdog.cancel() }
                if Task.isCancelled { work.cancel() }
            }
        } onCancel: {
            start.withLock { $0.first }?.cancel()
        }
    }
}
