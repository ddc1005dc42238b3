/// Watches sessions with the clock and the randomness that it is given.
///
/// One value serves any number of sessions, each in the task that iterates over its updates. A session that waits is
/// one suspended task with one pending timer: no thread, and nothing that runs.
public struct SessionWatcher: Sendable {
    /// Who is asked.
    public let source: any SessionStatusSource
    let clock: any GatewayClock
    let random: RandomSource

    /// Watches with a clock and randomness of the caller's choice: ``ManualClock`` in tests.
    public init(
        _ source: any SessionStatusSource, clock: any GatewayClock = ContinuousClock(), random: RandomSource = .system
    ) {
        self.source = source
        self.clock = clock
        self.random = random
    }

    /// Watches with the clock and the randomness of the program's surroundings.
    public init(_ source: any SessionStatusSource, _ runtime: GatewayRuntime) {
        self.init(source, clock: runtime.clock, random: runtime.random)
    }

    /// Watches a session: reads only, so it may be repeated, and several may watch the same one.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - policy: When to ask, and for how long.
    ///   - known: What an earlier watch learned. What is terminal already ends at once, without a question.
    ///   - correlationID: The caller's own id, copied into the events of every question. Must not be card data.
    public func updates(
        of session: SessionReference, policy: PollingPolicy = PollingPolicy(), knowing known: SessionStatus? = nil,
        correlationID: String? = nil
    ) -> SessionUpdates {
        SessionUpdates(
            watcher: self, session: session, policy: policy, known: known.map { .value($0) },
            correlationID: correlationID)
    }
}

extension SessionStatusSource {
    /// Watches a session with the system's clock and randomness; ``SessionWatcher`` takes others.
    ///
    /// ```swift
    /// for await update in sessions.updates(of: session.reference) {
    ///     switch update {
    ///     case .status(let status, isChange: true): show(status.phase)
    ///     case .status, .pollFailed: break
    ///     case .ended(let end): settle(end)
    ///     }
    /// }
    /// ```
    public func updates(
        of session: SessionReference, policy: PollingPolicy = PollingPolicy(), knowing known: SessionStatus? = nil,
        correlationID: String? = nil
    ) -> SessionUpdates {
        SessionWatcher(self).updates(of: session, policy: policy, knowing: known, correlationID: correlationID)
    }
}
