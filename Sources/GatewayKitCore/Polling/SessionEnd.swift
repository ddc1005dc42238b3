/// How the watching of a session ended, and what is known of the session then.
public struct SessionEnd: Sendable, Equatable {
    /// Why it ended.
    public var reason: Reason
    /// The last that is known of the session; `nil` when no question was ever answered. Unless ``reason`` is
    /// ``Reason/finished`` it is not final: what was pending still is, and may yet succeed.
    public var status: SessionStatus?
    /// What became of the last question, if it failed.
    public var failure: GatewayError?
    /// How many questions were asked.
    public var polls: Int

    /// Describes an end.
    public init(_ reason: Reason, status: SessionStatus? = nil, failure: GatewayError? = nil, polls: Int = 0) {
        self.reason = reason
        self.status = status
        self.failure = failure
        self.polls = polls
    }

    /// Why the watching of a session ended. Only ``finished`` says anything about the session itself.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The session reached a terminal phase: nothing more will come of it.
        case finished
        /// The policy's time is over. The outcome is still open.
        case deadline
        /// The watching task was cancelled. The outcome is still open.
        case cancelled
        /// A question failed in a way that will not change by asking again: ``SessionEnd/failure`` tells which, such
        /// as ``GatewayError/Code/notFound`` or ``GatewayError/Code/credentialsRefused``.
        case permanentFailure
        /// As many questions in a row failed as the policy allows: ``SessionEnd/failure`` is the last one's.
        case tooManyFailures
    }
}

extension GatewayError {
    /// Whether asking again with the same account and reference would fail the same way.
    var isPermanent: Bool {
        let permanent: Set<Code> = [
            .configuration, .invalidInput, .notSupported, .refusedHost, .credentialsRefused, .notPermitted, .notFound,
            .requestRefused, .sessionUnusable, .dryRun,
        ]
        return permanent.contains(code)
    }
}
