/// Writes down at the provider who a shopper is and which method the shopper has chosen, for payments to come.
///
/// Moves no money.
public protocol ShopperConfiguring: Sendable {
    /// Sends the shopper's data and choice. Writing the same again changes nothing, so it may be repeated.
    ///
    /// - Parameter session: A session that was opened for the shopper (``SessionRequest/shopperID``), and in which a new
    ///   card was sent if that is the choice.
    /// - Throws: ``GatewayError`` when there is no usable answer;
    ///   ``GatewayError/Code/invalidInput`` without a shopper or a choice, before anything is sent;
    ///   ``GatewayError/Code/sessionUnusable`` when the session is too old, used up or not known.
    func configure(
        _ configuration: ShopperConfiguration, in session: PaymentSession, _ call: CallContext
    ) async throws(GatewayError) -> ShopperConfigurationResult
}

/// A shopper, and the method that the shopper has chosen.
public struct ShopperConfiguration: Sendable, Hashable {
    /// The provider's id of the shopper.
    public var shopperID: String?
    /// Who the shopper is.
    public var shopper: Shopper
    /// What the shopper has chosen.
    public var choice: Choice?
    /// The shopper's consent to keep a new card.
    public var consentToStore: Bool
    /// The id of the fraud session.
    public var fraudSessionID: String?

    /// Describes a configuration.
    public init(
        shopperID: String?, shopper: Shopper, choice: Choice?, consentToStore: Bool = false,
        fraudSessionID: String? = nil
    ) {
        self.shopperID = shopperID
        self.shopper = shopper
        self.choice = choice
        self.consentToStore = consentToStore
        self.fraudSessionID = fraudSessionID
    }

    /// A method that a shopper can choose.
    public enum Choice: Sendable, Hashable {
        /// The card that was just sent in the session.
        case newCard(CardSummary)
        /// A card that the provider has stored for the shopper.
        case storedCard(ShopperCard)
        /// Apple Pay.
        case applePay
        /// Google Pay.
        case googlePay
        /// PayPal.
        case payPal
    }
}

/// What came of writing down a shopper's choice.
public enum ShopperConfigurationResult: Sendable, Equatable {
    /// It is written down. The session is the one that was used: another one than was given if it had to be renewed.
    case saved(PaymentSession)
    /// One or more fields are wrong. Nothing was changed.
    case invalid([FieldIssue])
    /// It may have been written down: the same may be sent again. `cause` tells what went wrong.
    case unknown(cause: GatewayError)
}
