/// Where an attempt, or a capture, void or refund, stands.
///
/// The words are the journal's, the table of successors is the law: nothing is written that it does not allow.
///
/// ```
/// prepared ──▶ sending ──▶ approved · pending · declined · nothingMoved · unknown
///     └─▶ abandoned            pending ──▶ resuming ──▶ approved · pending · declined · unknown
///                              unknown ──▶ approved · pending · declined · nothingMoved
/// ```
public enum AttemptState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Written down; no byte has left, and none can before the next step.
    case prepared
    /// One process has claimed it and may be sending it. It is never claimed a second time: whoever finds it in this
    /// state after a crash only looks it up.
    case sending
    /// It goes on: the shopper has something to do, or the provider has.
    case pending
    /// One process has claimed the going on after a next action. As ``sending``.
    case resuming
    /// Money moved, by explicit proof.
    case approved
    /// A definite no from the provider.
    case declined
    /// Certainly nothing happened: it was not sent, or its absence is proven.
    case nothingMoved
    /// Nobody knows yet.
    case unknown
    /// Given up before it was sent.
    case abandoned

    /// The states that may follow this one.
    public var successors: Set<AttemptState> {
        switch self {
        case .prepared: [.sending, .abandoned]
        case .sending: [.approved, .pending, .declined, .nothingMoved, .unknown]
        case .pending: [.resuming, .approved, .declined, .unknown]
        case .resuming: [.approved, .pending, .declined, .unknown]
        case .unknown: [.approved, .pending, .declined, .nothingMoved]
        case .approved, .declined, .nothingMoved, .abandoned: []
        }
    }

    /// Whether something may still come of it.
    public var isOpen: Bool { !successors.isEmpty }

    /// Whether it keeps its intent from another attempt: it is open, or it has paid the debt.
    public var holdsIntent: Bool { isOpen || self == .approved }

    /// Whether bytes may be under way.
    public var isUnderWay: Bool { self == .sending || self == .resuming }

    /// Whether its key is free again: nothing happened under it.
    public var freesKey: Bool { self == .nothingMoved || self == .abandoned }
}
