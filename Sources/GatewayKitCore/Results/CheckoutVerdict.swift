/// What an address that the shopper's browser has reached says about a checkout. A hint: read the proof before acting.
public struct CheckoutVerdict: Sendable, Hashable {
    /// What it says.
    public var kind: Kind
    /// Why, in words, for logs; never the address's own text.
    public var reason: SafeText
    /// The provider's id of what was paid, where the address carries one; unproven like everything in it.
    public var paymentID: String?

    /// Describes a verdict.
    public init(_ kind: Kind, reason: SafeText, paymentID: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.paymentID = paymentID
    }

    /// What an address says. There is no case for "paid": no address proves that.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Nothing: go on.
        case ignore
        /// The page's way ended, but neither well nor badly: read the proof.
        case pending
        /// The page's way ended well, as it says: read the proof.
        case successCandidate
        /// The page's way ended badly, as it says: read the proof once, for it may be paid all the same.
        case failureHint
        /// The shopper gave up, as it says: read the proof once.
        case cancelled
        /// A step of the shopper's authentication ended well. No end of the payment.
        case authenticationDone
        /// A step of the shopper's authentication ended badly. No end of the payment, and no decline.
        case authenticationFailed
        /// It claims to be ours and is not: wrong session, wrong or doubled signature. Take no notice of what it says.
        case untrusted
    }
}
