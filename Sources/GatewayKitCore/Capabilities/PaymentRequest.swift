/// One attempt to pay: what to charge, and what tells this attempt from every other.
public struct PaymentRequest: Sendable, Hashable {
    /// What to do.
    public var kind: Kind
    /// How much; zero only for ``Kind/verify``.
    public var amount: Money
    /// The provider's token of the instrument to charge.
    public var token: String
    /// The reference that this attempt sends to the provider. Unique to the attempt: it is how the attempt is found
    /// again. 1 to 64 ASCII letters, digits, hyphens and underscores.
    public var ownReference: String
    /// The shop's own number of the order, sent beside the reference where the provider has a place for it.
    public var orderReference: String?
    /// What is paid for, for people.
    public var description: String?
    /// Who pays, as far as it is known.
    public var shopper = Shopper()
    /// The address of the shopper's device.
    public var shopperIPAddress: String?
    /// Whether the instrument is to be kept if the payment succeeds, with the shopper's consent.
    public var retainOnSuccess: Bool?
    /// The use of credentials on file, where it is one.
    public var storedCredential: StoredCredential?
    /// Where the provider sends the shopper after a next action; needed for payments that may have one.
    public var returnURL: String?
    /// Options that only one provider knows, by the names that its adapter lists in
    /// ``GatewayProvider/paymentOptions``. An unknown name is refused before anything is sent.
    public var options: [String: OptionValue] = [:]

    /// Describes an attempt.
    public init(_ kind: Kind, _ amount: Money, token: String, ownReference: String) {
        self.kind = kind
        self.amount = amount
        self.token = token
        self.ownReference = ownReference
    }

    /// What a payment does at first.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Takes money at once.
        case purchase
        /// Reserves money; a capture takes it.
        case authorize
        /// Checks the instrument, without an amount.
        case verify
    }

    /// The card networks' frame for payments with credentials on file.
    public struct StoredCredential: Sendable, Hashable, Codable {
        /// Who starts the payment.
        public var initiator: Initiator
        /// Why.
        public var reason: Reason
        /// The card network's id of the first payment of the series (``PaymentRecord/networkTransactionID``), for a
        /// payment that the merchant starts.
        public var networkTransactionID: String?

        /// Describes a use of credentials on file.
        public init(_ initiator: Initiator, _ reason: Reason, networkTransactionID: String? = nil) {
            self.initiator = initiator
            self.reason = reason
            self.networkTransactionID = networkTransactionID
        }

        /// Who starts a payment.
        public enum Initiator: String, Sendable, Hashable, Codable, CaseIterable {
            /// The shopper, who is there.
            case cardholder
            /// The merchant, without the shopper.
            case merchant
        }

        /// Why a payment is made with credentials on file.
        public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
            /// In regular intervals.
            case recurring
            /// When something calls for it.
            case unscheduled
            /// A part of a sum.
            case installment
        }
    }
}

/// A capture, void or refund of a payment.
public struct ChildRequest: Sendable, Hashable {
    /// The payment, with the provider's id.
    public var payment: PaymentReference
    /// How much. Providers have a short form for "all of it"; it is never used, so that what was meant is what is sent.
    public var amount: Money
    /// The reference of this one operation, as ``PaymentRequest/ownReference``.
    public var ownReference: String
    /// Why, for the provider's record where it has a place for it.
    public var reason: String?

    /// Describes an operation.
    public init(of payment: PaymentReference, _ amount: Money, ownReference: String, reason: String? = nil) {
        self.payment = payment
        self.amount = amount
        self.ownReference = ownReference
        self.reason = reason
    }
}
