import GatewayKitCore

/// One exchange with a provider that is under way in this process. It goes on whatever becomes of those who wait for it,
/// so that its answer reaches the journal.
final class Exchange: Sendable {
    typealias Ending = Result<PaymentOutcome, NothingMoved>

    private struct State {
        var ending: Ending?
        var waiting: [UInt64: CheckedContinuation<Ending?, Never>] = [:]
        var cancelled: Set<UInt64> = []
        var lastWaiter: UInt64 = 0
    }

    private let state = Locked(State())

    func finish(_ ending: Ending) {
        let waiting = state.withLock { state in
            state.ending = ending
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: ending) }
    }

    /// How it ended; `nil` as soon as the calling task is cancelled, while it goes on.
    func ending() async -> Ending? {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enum Verdict {
                    case over(Ending?)
                    case waits
                }
                let verdict = state.withLock { state -> Verdict in
                    if let ending = state.ending { return .over(ending) }
                    if state.cancelled.remove(id) != nil { return .over(nil) }
                    state.waiting[id] = continuation
                    return .waits
                }
                if case .over(let ending) = verdict { continuation.resume(returning: ending) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let waiting = state.waiting.removeValue(forKey: id)
                if waiting == nil { state.cancelled.insert(id) }
                return waiting
            }
            continuation?.resume(returning: nil)
        }
    }
}

/// The exchanges of this process.
final class Exchanges: Sendable {
    private let running = Locked<[AttemptID: Exchange]>([:])

    /// Starts the work in a task of its own.
    func begin(_ id: AttemptID, _ work: @escaping @Sendable () async -> Exchange.Ending) -> Exchange {
        let exchange = Exchange()
        running.withLock { $0[id] = exchange }
        Task.detached { [self] in
            let ending = await work()
            running.withLock { _ = $0.removeValue(forKey: id) }
            exchange.finish(ending)
        }
        return exchange
    }

    subscript(_ id: AttemptID) -> Exchange? { running.withLock { $0[id] } }

    var all: [Exchange] { running.withLock { Array($0.values) } }
}
