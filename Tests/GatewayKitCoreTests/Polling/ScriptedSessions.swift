import GatewayKitCore

/// A provider's sessions that play one step of a script per question, and the last one again and again.
final class ScriptedSessions: SessionStatusSource {
    enum Step: Sendable {
        case answer(SessionStatus)
        case fail(GatewayError)
        /// Ends with the task's cancellation only.
        case hang
        /// Fails when its time limit is over, on the clock.
        case stall

        /// An answer with a phase, and a word of the provider's.
        static func says(_ phase: SessionStatus.Phase, _ word: String? = nil) -> Step {
            .answer(SessionStatus(reference: ScriptedSessions.reference, phase: phase, providerWord: word))
        }

        static func fails(_ code: GatewayError.Code, retryAfter: Duration? = nil) -> Step {
            .fail(.scripted(code, retryAfter: retryAfter))
        }
    }

    static let reference = SessionReference(account: .known("eu"), id: "session-of-tests")

    private let clock: ManualClock
    private let state: Locked<(steps: ArraySlice<Step>, timeouts: [Duration?], correlationIDs: [String?])>

    init(_ steps: [Step], clock: ManualClock) {
        self.clock = clock
        state = Locked((steps[...], [], []))
    }

    var timeouts: [Duration?] { state.withLock { $0.timeouts } }
    var correlationIDs: [String?] { state.withLock { $0.correlationIDs } }
    var count: Int { timeouts.count }

    func status(
        of session: SessionReference, _ call: CallContext
    ) async throws(GatewayError) -> SessionStatus {
        let step = state.withLock { state -> Step? in
            state.timeouts.append(call.timeout)
            state.correlationIDs.append(call.correlationID)
            return state.steps.count > 1 ? state.steps.popFirst() : state.steps.first
        }
        switch step {
        case .answer(let status)?: return status
        case .fail(let error)?: throw error
        case .hang?:
            do { try await ManualClock().sleep(until: .now.advanced(by: .seconds(3_600))) } catch {}
            throw .scripted(.cancelled)
        case .stall?:
            do { try await clock.sleep(until: clock.now.advanced(by: call.timeout ?? .zero)) } catch {}
            throw .scripted(.timedOut)
        case nil: throw .scripted(.notFound)
        }
    }
}

extension GatewayError {
    /// An error of a script.
    static func scripted(_ code: Code, retryAfter: Duration? = nil) -> GatewayError {
        GatewayError(
            code, message: "Scripted.", advice: "None.", reach: .answered,
            answer: Answer(status: 500, retryAfter: retryAfter))
    }
}

/// A watch with everything around it under control.
struct WatchBench {
    let clock = ManualClock()
    let source: ScriptedSessions
    private let watcher: SessionWatcher

    /// With the longest jitter there is: none.
    init(_ steps: [ScriptedSessions.Step]) {
        source = ScriptedSessions(steps, clock: clock)
        watcher = SessionWatcher(source, clock: clock, random: RandomSource { 0 })
    }

    func updates(_ policy: PollingPolicy = PollingPolicy(), knowing known: SessionStatus? = nil) -> SessionUpdates {
        watcher.updates(of: ScriptedSessions.reference, policy: policy, knowing: known, correlationID: "case-7")
    }

    /// Watches to the end and lets every wait pass.
    func run(
        _ policy: PollingPolicy = PollingPolicy(), knowing known: SessionStatus? = nil
    ) async -> (updates: [SessionUpdate], waits: [Duration], took: Duration) {
        let start = clock.now
        let updates = updates(policy, knowing: known)
        let watching = Task {
            var seen: [SessionUpdate] = []
            for await update in updates { seen.append(update) }
            return seen
        }
        let waking = Task { [clock] in
            var waits: [Duration] = []
            while !Task.isCancelled {
                let wait = await clock.wakeNext()
                if wait > .zero { waits.append(wait) }
            }
            return waits
        }
        let seen = await watching.value
        waking.cancel()
        return (seen, await waking.value, start.duration(to: clock.now))
    }
}
