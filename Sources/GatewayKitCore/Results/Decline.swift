/// A definite no: the provider, the issuer or a network refused, and nothing was charged or stored.
public struct Decline: Sendable, Hashable {
    /// Why, in GatewayKit's words.
    public var reason: Reason
    /// The provider's own code, untouched; keep it beside the reason.
    public var providerCode: String?
    /// The provider's words, scrubbed.
    public var message: SafeText
    /// The id of the request at the provider.
    public var requestID: String?

    /// Describes a decline.
    public init(_ reason: Reason, providerCode: String?, message: SafeText, requestID: String? = nil) {
        self.reason = reason
        self.providerCode = providerCode
        self.message = message
        self.requestID = requestID
    }

    /// Why something was declined. More reasons may be added in any release.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String, CaseIterable {
            case cardDeclined, accountNotActive, doNotHonor, insufficientFunds, limitExceeded, expiredCard
            case incorrectExpiry, incorrectSecurityCode, incorrectAddress, invalidNumber, invalidAmount
            case currencyNotSupported, merchantNotConfigured, closedCard, restrictedCard, lostOrStolen
            case cardKindNotAccepted, fraudSuspected, sanctions, callIssuer, issuerUnavailable, processingError
            case authenticationRequired, authenticationFailed, transactionNotAllowed, notSupported, duplicate, unlisted
        }
        private let name: Name

        /// Declined without a more specific reason.
        public static let cardDeclined = Reason(name: .cardDeclined)
        /// The provider account may not handle real cards yet; a card outside the provider's public test list was sent.
        public static let accountNotActive = Reason(name: .accountNotActive)
        /// The issuer refuses and does not say why.
        public static let doNotHonor = Reason(name: .doNotHonor)
        /// There is not enough money.
        public static let insufficientFunds = Reason(name: .insufficientFunds)
        /// A limit of the card, of the amount or of the number of payments, is reached.
        public static let limitExceeded = Reason(name: .limitExceeded)
        /// The card has expired.
        public static let expiredCard = Reason(name: .expiredCard)
        /// The date of expiry is not the card's.
        public static let incorrectExpiry = Reason(name: .incorrectExpiry)
        /// The security code is not the card's.
        public static let incorrectSecurityCode = Reason(name: .incorrectSecurityCode)
        /// The address or postal code is not the cardholder's.
        public static let incorrectAddress = Reason(name: .incorrectAddress)
        /// There is no such card or account.
        public static let invalidNumber = Reason(name: .invalidNumber)
        /// The amount is not acceptable: too little, too much, or not in steps that the network knows.
        public static let invalidAmount = Reason(name: .invalidAmount)
        /// The merchant account or the card does not work in this currency.
        public static let currencyNotSupported = Reason(name: .currencyNotSupported)
        /// The merchant's own account at the gateway is not set up for this.
        public static let merchantNotConfigured = Reason(name: .merchantNotConfigured)
        /// The card or its account is closed.
        public static let closedCard = Reason(name: .closedCard)
        /// The card may not be used here or for this.
        public static let restrictedCard = Reason(name: .restrictedCard)
        /// The card was reported as lost or stolen: do not try again.
        public static let lostOrStolen = Reason(name: .lostOrStolen)
        /// Cards of this kind, such as prepaid or virtual ones, are not taken.
        public static let cardKindNotAccepted = Reason(name: .cardKindNotAccepted)
        /// Somebody suspects fraud. Do not tell the shopper so.
        public static let fraudSuspected = Reason(name: .fraudSuspected)
        /// Refused because of sanctions.
        public static let sanctions = Reason(name: .sanctions)
        /// The cardholder should call the issuer.
        public static let callIssuer = Reason(name: .callIssuer)
        /// The issuer could not be reached, and the gateway refused for that.
        public static let issuerUnavailable = Reason(name: .issuerUnavailable)
        /// The gateway or the network failed, and says that it did not go through.
        public static let processingError = Reason(name: .processingError)
        /// The issuer wants the cardholder to be authenticated: pay again with 3-D Secure.
        public static let authenticationRequired = Reason(name: .authenticationRequired)
        /// The cardholder was not authenticated.
        public static let authenticationFailed = Reason(name: .authenticationFailed)
        /// The issuer does not let this card make payments of this kind.
        public static let transactionNotAllowed = Reason(name: .transactionNotAllowed)
        /// The gateway cannot do this with this instrument.
        public static let notSupported = Reason(name: .notSupported)
        /// The gateway takes it for a repetition of an earlier payment, which may have gone through.
        public static let duplicate = Reason(name: .duplicate)
        /// The provider gave a reason that has no row in the adapter's table: read its code and message.
        public static let unlisted = Reason(name: .unlisted)

        /// Every reason there is in this release.
        public static let all: [Reason] = Name.allCases.map { Reason(name: $0) }

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
