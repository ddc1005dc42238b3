/// What a shopper pays with.
///
/// Kinds are added as adapters learn them; an adapter that does not know a kind answers with
/// ``GatewayError/Code/notSupported``, before anything is sent. No kind shows more of itself than may be shown.
public enum PaymentInstrument: Sendable {
    /// A card whose number the caller holds. It is subject to PCI DSS: see `Docs/Security.md`.
    case card(Card)
    /// A card that the provider has stored, and the security code that the shopper has just typed for it.
    case storedCard(StoredCard)
    /// A card that the provider has stored for a shopper, chosen by what may be shown of it, in a session of that shopper.
    case shopperCard(ShopperCard)
    /// A card number alone: the provider checks it and tells what it knows of the card. Gives no token to charge.
    case cardNumber(CardNumber)
    /// What Apple Pay handed to the shop (`PKPaymentToken.paymentData`).
    case applePay(WalletPayment)
    /// What Google Pay handed to the shop (the payment method token).
    case googlePay(WalletPayment)
    /// A bank account whose number the caller holds.
    case bankAccount(BankAccount)
    /// A reference to an instrument that another vault or gateway has stored.
    case foreignToken(ForeignToken)
    /// A method whose data the shopper gives on a page of the provider's.
    case offsite(OffsiteMethod)

    /// Whether it holds a card number, a security code or a bank account number in the clear. Live accounts take such
    /// instruments only if they say so (``AccountSettings/acceptsRawCardData``).
    public var isRaw: Bool {
        switch self {
        case .card, .cardNumber, .storedCard, .bankAccount: true
        case .shopperCard, .applePay, .googlePay, .foreignToken, .offsite: false
        }
    }

    /// The stable name of the kind: `card`, `storedCard`, `shopperCard`, `cardNumber`, `applePay`, `googlePay`,
    /// `bankAccount`, `foreignToken`, `offsite`.
    public var kindName: String {
        switch self {
        case .card: "card"
        case .storedCard: "storedCard"
        case .shopperCard: "shopperCard"
        case .cardNumber: "cardNumber"
        case .applePay: "applePay"
        case .googlePay: "googlePay"
        case .bankAccount: "bankAccount"
        case .foreignToken: "foreignToken"
        case .offsite: "offsite"
        }
    }

    /// What is wrong with it at `now`, all at once, by rules that hold at every provider; empty when nothing is.
    public func issues(at now: WallTime) -> [FieldIssue] {
        switch self {
        case .card(let card): card.issues(at: now)
        case .storedCard(let card): card.issues
        case .shopperCard(let card): card.issues(at: now)
        case .cardNumber(let number): number.issues
        case .applePay(let payment): payment.issues(of: .applePay)
        case .googlePay(let payment): payment.issues(of: .googlePay)
        case .bankAccount(let account): account.issues
        case .foreignToken(let token): token.issues
        case .offsite(let method): method.issues
        }
    }
}
