/// One transaction as its provider has it: a payment, or a capture, void or refund of one.
///
/// Everything in it may be shown and stored: it holds no card data.
public struct PaymentRecord: Sendable, Hashable {
    /// The provider's id of the transaction.
    public var id: String
    /// The account that it belongs to.
    public var account: AccountName
    /// What was done.
    public var kind: Kind
    /// What came of it, in GatewayKit's words.
    public var state: State
    /// The provider's own word for the state, untouched.
    public var providerState: String?
    /// The provider's own word for what was done, untouched.
    public var providerKind: String?
    /// The amount that the provider confirms; `nil` where it names none, as for a void. It may be less than was asked
    /// for: compare it.
    public var amount: Money?
    /// The reference that the attempt sent, as the provider gives it back.
    public var ownReference: String?
    /// The provider's id of the payment that this one captures, voids or refunds.
    public var parentID: String?
    /// What was done to this payment afterwards, as far as the answer tells; in the provider's order.
    public var children: [PaymentRecord] = []
    /// Why it was declined, where it was.
    public var decline: Decline?
    /// The card network's id of the transaction, for later payments without the shopper.
    public var networkTransactionID: String?
    /// The id at the gateway or acquirer behind the provider.
    public var gatewayTransactionID: String?
    /// The result of the address check, by the provider's code.
    public var avsCode: String?
    /// The result of the security code check, by the provider's code.
    public var cvvCode: String?
    /// Whether somebody is to look at the payment before it counts (fraud review).
    public var needsReview = false
    /// The token that was charged.
    public var token: PaymentToken?
    /// Whether the provider marks it as made with test data.
    public var isTest: Bool?
    /// When the provider made it.
    public var createdAt: WallTime?
    /// When the provider last changed it.
    public var updatedAt: WallTime?
    /// The id of the request at the provider: quote it in support requests.
    public var requestID: String?

    /// Describes a transaction.
    public init(id: String, account: AccountName, kind: Kind, state: State) {
        self.id = id
        self.account = account
        self.kind = kind
        self.state = state
    }

    /// What a transaction does. A word that an adapter does not know reads as ``other``.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String { case purchase, authorization, verification, capture, void, refund, credit, other }
        private let name: Name

        /// Takes money at once.
        public static let purchase = Kind(name: .purchase)
        /// Reserves money.
        public static let authorization = Kind(name: .authorization)
        /// Checks an instrument with no amount, or one that is given back.
        public static let verification = Kind(name: .verification)
        /// Takes what was reserved.
        public static let capture = Kind(name: .capture)
        /// Cancels a payment before it is settled.
        public static let void = Kind(name: .void)
        /// Gives back what was taken.
        public static let refund = Kind(name: .refund)
        /// Gives money without an earlier payment.
        public static let credit = Kind(name: .credit)
        /// Something else, or a word that is not in the adapter's table.
        public static let other = Kind(name: .other)

        /// The stable spelling.
        public var description: String { name.rawValue }
        /// Reads the stable spelling.
        public init?(_ text: String) {
            guard let name = Name(rawValue: text) else { return nil }
            self.name = name
        }
        private init(name: Name) { self.name = name }
    }

    /// What came of a transaction. A word that an adapter does not know, and two words that contradict each other, read
    /// as ``unknown``.
    public struct State: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String { case succeeded, pending, failed, unknown }
        private let name: Name

        /// It was done.
        public static let succeeded = State(name: .succeeded)
        /// It goes on: the shopper has something to do, or the provider has.
        public static let pending = State(name: .pending)
        /// It was certainly not done: declined, refused, given up by the provider.
        public static let failed = State(name: .failed)
        /// Nobody knows yet, the provider included.
        public static let unknown = State(name: .unknown)

        /// The stable spelling.
        public var description: String { name.rawValue }
        /// Reads the stable spelling.
        public init?(_ text: String) {
            guard let name = Name(rawValue: text) else { return nil }
            self.name = name
        }
        private init(name: Name) { self.name = name }
    }
}
