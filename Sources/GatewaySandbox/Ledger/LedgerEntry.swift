import GatewayKitCore

/// One thing that happened at the imitated provider, whatever its client was told.
public struct LedgerEntry: Sendable, Hashable {
    /// What became of the answer.
    public enum Delivery: String, Sendable, Hashable {
        /// All of it was handed to the network, undisturbed.
        case sent
        /// All of it was handed to the network, changed by a fault.
        case altered
        /// Some or all of it was kept back.
        case lost
    }

    /// Counts from 1 and without gaps; entries that fell out of a full ledger keep their numbers.
    public let number: Int
    /// The sandbox's time.
    public let time: WallTime
    /// The provider, such as `spreedly`.
    public let provider: String
    /// The operation, such as `tokenize`.
    public let operation: String
    /// What the provider did: `created`, `changed`, `read` or `refused`.
    public let outcome: Outcome
    /// The status of the answer that the provider gave.
    public let status: Int
    /// What the provider made or showed, by its token.
    public let token: String?
    /// The card in question, as far as it may be shown.
    public let card: CardSummary?
    /// The reference that the client sent with a payment, in the provider's member for it.
    public internal(set) var ownReference: String?
    /// The money that moved, if any did.
    public internal(set) var movement: LedgerMovement?
    /// The fault that struck, in its text form.
    public let fault: String?
    /// What became of the answer.
    public internal(set) var delivery: Delivery

    /// What a provider did.
    public struct Outcome: Sendable, Hashable, CustomStringConvertible {
        /// The stable spelling.
        public let description: String

        /// Something new exists.
        public static let created = Outcome(description: "created")
        /// Something that existed is different now.
        public static let changed = Outcome(description: "changed")
        /// Something was shown; nothing changed.
        public static let read = Outcome(description: "read")
        /// The request was refused; nothing changed.
        public static let refused = Outcome(description: "refused")
    }
}
