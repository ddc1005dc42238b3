public import GatewayKitCore

/// The id of an attempt. It is also the reference that the attempt sends to the provider, so that it can be found there
/// again: 28 lower-case letters and digits, unique to this one attempt.
public struct AttemptID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The id.
    public let description: String

    /// An id as it was read; whether there is such an attempt is the store's to say.
    public init(reading text: String) {
        description = text
    }

    /// A new id. Few digits in a row, so that no redactor takes it for a card number.
    static func make(_ random: RandomSource) -> AttemptID {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        var text = "gk"
        for _ in 0..<2 {
            var rest = random.next()
            for _ in 0..<13 {
                text.append(alphabet[Int(rest & 31)])
                rest >>= 5
            }
        }
        return AttemptID(reading: text)
    }
}

/// One thing that is sent to a provider at most once: an attempt to pay an intent, or a capture, void or refund of a
/// payment. A row of the journal.
///
/// It holds no card data and no token.
public struct PaymentAttempt: Sendable, Hashable {
    /// The id, and the reference that the provider gets.
    public let id: AttemptID
    /// The intent that it belongs to.
    public let intentID: String
    /// What it does.
    public let kind: Kind
    /// The payment that a capture, void or refund is of.
    public let parentID: AttemptID?
    /// The attempt whose transaction a capture, void or refund acts on: the payment, or one capture of it.
    public let targetID: AttemptID?
    /// The caller's key: the same key asks for the same thing again.
    public internal(set) var key: String
    /// The account, which never changes.
    public let account: AccountName
    /// How much was asked for.
    public let amount: Money
    /// A keyed MAC over what was asked for, without card data: tells whether a key is used for something else.
    public internal(set) var fingerprint: [UInt8]
    /// Who asked for a credit, capture, void or refund.
    public internal(set) var requestedBy: String?
    /// Why it was asked for.
    public internal(set) var reason: String?
    /// Whether the shopper pays on a page of the provider's: nothing is sent for the shopper, and the page's session tells
    /// what became of it.
    public let usesPage: Bool
    /// A keyed MAC over the token alone, bound to the key: tells whether a key came back with another token. `nil` where
    /// there is no token, and in journals of older releases.
    public internal(set) var tokenFingerprint: [UInt8]?
    /// When it was written down, on the store's clock.
    public let createdAt: WallTime

    /// Where it stands.
    public internal(set) var state: State = .prepared
    /// Counts the changes; a change is made only by who has seen the one before.
    public internal(set) var version: Int64 = 1
    /// When it was claimed for sending.
    public internal(set) var sentAt: WallTime?
    /// When the exchange must have ended: later, the state ``AttemptState/sending`` means that a process died.
    public internal(set) var answerDueAt: WallTime?
    /// When it was changed last.
    public internal(set) var changedAt: WallTime
    /// The provider's id of the transaction, once known.
    public internal(set) var providerID: String?
    /// What the provider told last, without the token.
    public internal(set) var record: PaymentRecord?
    /// The amount that the provider confirmed with its approval; it may be less than was asked for.
    public internal(set) var confirmedAmount: Money?
    /// Why it was declined.
    public internal(set) var decline: Decline?
    /// Why it stands where it stands, in words.
    public internal(set) var note: SafeText?
    /// Whether the approval was found after the order had been given up.
    public internal(set) var isLateApproval = false
    /// How often it was looked up to be settled.
    public internal(set) var looks = 0
    /// When it is to be looked up next.
    public internal(set) var nextLookAt: WallTime?
    /// What the shopper has to do next, or the page, sealed. It may hold what lets anybody go on with the payment, and is
    /// gone as soon as the attempt is over.
    public internal(set) var sealedAction: Sealed?

    /// The state's type.
    public typealias State = AttemptState

    /// What an attempt does.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Takes money at once.
        case purchase
        /// Reserves money.
        case authorize
        /// Checks an instrument.
        case verify
        /// Gives money without an earlier payment.
        case credit
        /// Takes what was reserved.
        case capture
        /// Cancels.
        case void
        /// Gives back.
        case refund

        /// Whether it is an operation on a payment, not a payment.
        public var isChild: Bool {
            switch self {
            case .purchase, .authorize, .verify, .credit: false
            case .capture, .void, .refund: true
            }
        }

        /// The kind of record that a provider has of it.
        public var recordKind: PaymentRecord.Kind {
            switch self {
            case .purchase: .purchase
            case .authorize: .authorization
            case .verify: .verification
            case .credit: .credit
            case .capture: .capture
            case .void: .void
            case .refund: .refund
            }
        }

        init(_ kind: PaymentRequest.Kind) {
            switch kind {
            case .purchase: self = .purchase
            case .authorize: self = .authorize
            case .verify: self = .verify
            }
        }
    }

    init(
        _ new: NewAttempt, intentID: String, account: AccountName, amount: Money, parentID: AttemptID?,
        targetID: AttemptID?, at now: WallTime
    ) {
        id = new.id
        self.intentID = intentID
        kind = new.kind
        self.parentID = parentID
        self.targetID = targetID
        key = new.key
        self.account = account
        self.amount = amount
        fingerprint = new.fingerprint
        requestedBy = new.requestedBy
        reason = new.reason
        usesPage = new.usesPage
        tokenFingerprint = new.tokenFingerprint
        createdAt = now
        changedAt = now
    }

    /// The amount that was approved: what the provider confirmed, or what was asked for where it named none.
    public var approvedAmount: Money { confirmedAmount ?? amount }

    /// Points at the transaction, at the provider.
    public var reference: PaymentReference {
        PaymentReference(account: account, ownReference: id.description, providerID: providerID)
    }
}

/// An attempt as it is asked for, before the store lets it in.
public struct NewAttempt: Sendable, Hashable {
    /// The id it is to have.
    public let id: AttemptID
    /// What it is to do.
    public let kind: PaymentAttempt.Kind
    /// The caller's key.
    public let key: String
    /// The keyed MAC over what is asked for.
    public let fingerprint: [UInt8]
    /// For a capture or refund: how much; `nil` is all of the rest, which the store computes. Not used otherwise.
    public var amount: Money?
    /// Who asks for a credit, capture, void or refund.
    public var requestedBy: String?
    /// Why.
    public var reason: String?
    /// Whether the shopper is to pay on a page of the provider's.
    public var usesPage = false
    /// The keyed MAC over the token alone.
    public var tokenFingerprint: [UInt8]?

    /// Describes an attempt.
    public init(id: AttemptID, kind: PaymentAttempt.Kind, key: String, fingerprint: [UInt8]) {
        self.id = id
        self.kind = kind
        self.key = key
        self.fingerprint = fingerprint
    }

    private init(_ other: NewAttempt, id: AttemptID) {
        self.init(id: id, kind: other.kind, key: other.key, fingerprint: other.fingerprint)
        amount = other.amount
        requestedBy = other.requestedBy
        reason = other.reason
        usesPage = other.usesPage
        tokenFingerprint = other.tokenFingerprint
    }

    /// The same under another id.
    func withID(_ id: AttemptID) -> NewAttempt { NewAttempt(self, id: id) }
}
