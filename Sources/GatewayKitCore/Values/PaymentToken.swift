/// A provider's reference to a stored instrument. It can be charged only with the account's credentials.
public struct PaymentToken: Sendable, Hashable {
    /// The token, in the provider's own form.
    public var id: String
    /// The account that it belongs to.
    public var account: AccountName
    /// How often it can be used, as far as the provider tells. Advisory: the provider decides when it is used.
    public var usage: Usage
    /// When the provider will forget it, if it said so. Advisory.
    public var expiresAt: WallTime?
    /// What it was made of, where the adapter tells such kinds apart.
    public var origin: Origin?
    /// What may be shown of the card, if it is one or stands for one.
    public var card: CardSummary?
    /// What may be shown of the bank account, if it is one.
    public var bankAccount: BankAccountSummary?
    /// The provider's own word for the kind of instrument, such as `credit_card`.
    public var providerKind: String?
    /// Whether the provider marks it as made from test data.
    public var isTest: Bool?
    /// A value that is equal for equal card numbers of the same account, if the provider gives one.
    public var fingerprint: String?
    /// The provider's own word for the token's state, untouched.
    public var providerState: String?
    /// The id of the transaction that made the token, if the provider records one.
    public var transactionID: String?
    /// The id of the request at the provider: quote it in support requests.
    public var requestID: String?
    /// What authenticating the shopper (3-D Secure) goes on with, where making the token began it and
    /// ``GatewayRuntime/sealer`` is there. Bound to account, session and token.
    public var authenticationData: Sealed?

    /// Describes a token.
    public init(id: String, account: AccountName, usage: Usage) {
        self.id = id
        self.account = account
        self.usage = usage
    }

    /// What a token was made of, for callers that go on differently after each. More kinds may be added in any release.
    public struct Origin: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case newCard, shopperCard, cardNumber, applePay, googlePay, bankAccount, completedPayment
        }
        private let name: Name

        /// A card that the shopper has just given.
        public static let newCard = Origin(name: .newCard)
        /// A card that the provider had stored for the shopper.
        public static let shopperCard = Origin(name: .shopperCard)
        /// A number that was checked and nothing more: there is nothing to charge.
        public static let cardNumber = Origin(name: .cardNumber)
        /// A payment of Apple Pay's.
        public static let applePay = Origin(name: .applePay)
        /// A payment of Google Pay's.
        public static let googlePay = Origin(name: .googlePay)
        /// A bank account.
        public static let bankAccount = Origin(name: .bankAccount)
        /// A payment that the provider has completed by itself, as PayPal does: it must not be charged again.
        public static let completedPayment = Origin(name: .completedPayment)

        /// Whether a charge comes next: not after a mere check, and not where the payment is complete.
        public var isChargeable: Bool { name != .cardNumber && name != .completedPayment }

        /// The stable spelling, such as `newCard`.
        public var description: String { name.rawValue }
    }

    /// How often a token can be used.
    public enum Usage: String, Sendable, Hashable {
        /// For one payment.
        case single
        /// For any number of payments.
        case reusable
        /// The provider does not say.
        case unknown
    }
}
