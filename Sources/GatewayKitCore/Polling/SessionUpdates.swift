/// One thing that is learned while a session is watched.
public indirect enum SessionUpdate: Sendable, Equatable {
    /// An answer, laid upon those before it (``SessionStatus/followed(by:)``). `isChange` is false when it tells nothing
    /// new.
    case status(SessionStatus, isChange: Bool)
    /// A question failed; the watching goes on unless an end follows.
    case pollFailed(GatewayError)
    /// The last update.
    case ended(SessionEnd)
}

/// What is learned of a session while it is watched: for each question an answer or a failure, and one end.
///
/// It never throws. Nothing runs behind it: it asks and waits in the task that iterates, so dropping the iterator is all
/// it takes to stop, and cancelling the task ends it at once with ``SessionEnd/Reason/cancelled``. The deadline counts
/// from the first call of `next`. Iterating twice watches twice.
public struct SessionUpdates: AsyncSequence, Sendable {
    /// What it gives.
    public typealias Element = SessionUpdate
    /// It never throws.
    public typealias Failure = Never

    let watcher: SessionWatcher
    let session: SessionReference
    let policy: PollingPolicy
    let known: Beside<SessionStatus>?
    let correlationID: String?

    /// Asks nothing yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(updates: self)
    }

    /// Watches until the end, for whom only that matters.
    public func untilEnd(isolation actor: isolated (any Actor)? = #isolation) async -> SessionEnd {
        var iterator = makeAsyncIterator()
        while true {
            if case .ended(let end)? = await iterator.next() { return end }
        }
    }

    /// Asks, waits and asks again, as a ``SessionPoll`` decides.
    public struct Iterator: AsyncIteratorProtocol {
        private let updates: SessionUpdates
        private var poll: SessionPoll?
        private var step: SessionPoll.Step?

        init(updates: SessionUpdates) {
            self.updates = updates
        }

        /// The next update; `nil` behind the end.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> SessionUpdate? {
            while true {
                switch step {
                case nil:
                    guard poll == nil else { return nil }
                    poll = SessionPoll(updates.policy, now: updates.watcher.clock.now, knowing: updates.known?.value)
                    take(.woke)
                case .wait(let instant):
                    let isDue = await updates.watcher.clock.waits(until: instant)
                    take(isDue ? .woke : .cancelled)
                case .ask(let timeout):
                    if let update = await ask(timeout, isolation: actor) { return update }
                case .end(let end):
                    step = nil
                    return .ended(end)
                }
            }
        }

        private mutating func take(_ event: SessionPoll.Event) {
            let watcher = updates.watcher
            step = poll?.take(event, now: watcher.clock.now, random: watcher.random.next())
        }

        /// `nil` when the task was cancelled meanwhile: that is an end, not a failure.
        private mutating func ask(
            _ timeout: Duration, isolation actor: isolated (any Actor)?
        ) async -> SessionUpdate? {
            guard !Task.isCancelled else {
                take(.cancelled)
                return nil
            }
            let event = await updates.question(timeout)
            if case .failed = event, Task.isCancelled {
                take(.cancelled)
                return nil
            }
            take(event)
            switch event {
            case .answered(let answer): return .status(poll?.status ?? answer, isChange: poll?.hasNews ?? true)
            case .failed(let error): return .pollFailed(error)
            case .woke, .cancelled: return nil
            }
        }
    }

    /// Asks once, in a task of its own: a task keeps the memory of its deepest call until it ends, and the one that
    /// waits for hours is not to keep that of a whole HTTP exchange.
    private func question(_ timeout: Duration) async -> SessionPoll.Event {
        let asking = Task { [watcher, session, correlationID] () -> SessionPoll.Event in
            do throws(GatewayError) {
                return .answered(
                    try await watcher.source.status(
                        of: session, CallContext(timeout: timeout, correlationID: correlationID)))
            } catch {
                return .failed(error)
            }
        }
        return await withTaskCancellationHandler {
            await asking.value
        } onCancel: {
            asking.cancel()
        }
    }
}
