/// One thing that is wrong with one field of the input, told by our own checks or by the provider.
public struct FieldIssue: Sendable, Hashable {
    /// Which field, in GatewayKit's words.
    public var field: Field
    /// What is wrong with it.
    public var problem: Problem
    /// Who found it.
    public var origin: Origin
    /// The provider's own code, untouched: keep it for support requests. `nil` when our own check found the issue.
    public var providerCode: String?
    /// The provider's own name of the field, when it gave one.
    public var providerField: String?
    /// What happened and what to do, for a person; scrubbed.
    public var message: SafeText

    /// Describes an issue.
    public init(
        _ field: Field, _ problem: Problem, origin: Origin = .local, providerCode: String? = nil,
        providerField: String? = nil, message: SafeText
    ) {
        self.field = field
        self.problem = problem
        self.origin = origin
        self.providerCode = providerCode
        self.providerField = providerField
        self.message = message
    }

    /// Who found an issue.
    public enum Origin: String, Sendable, Hashable {
        /// Our own check: nothing was sent.
        case local
        /// The provider's answer.
        case provider
    }
}

extension FieldIssue {
    /// A field of the input. More fields may be added in any release; `description` is the stable spelling that
    /// `gatewayctl` prints.
    public struct Field: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case number, expiryMonth, expiryYear, securityCode, name, firstName, lastName, company, email, phone
            case line1, line2, line3, city, region, postalCode, country, metadata, option, amount, currency, other
            case routingNumber, accountNumber, accountType, holderType, bankName, walletPayload, vault, reference
            case method, returnURL, token, brand, shopper, consent
        }
        private let name: Name
        private let shipping: Bool

        private init(_ name: Name, shipping: Bool = false) {
            self.name = name
            self.shipping = shipping
        }

        /// The card number (PAN).
        public static let number = Field(.number)
        /// The month of expiry.
        public static let expiryMonth = Field(.expiryMonth)
        /// The year of expiry.
        public static let expiryYear = Field(.expiryYear)
        /// The card's security code (CVV, CVC, CID).
        public static let securityCode = Field(.securityCode)
        /// The whole name.
        public static let name = Field(.name)
        /// The first name, where a provider wants it apart.
        public static let firstName = Field(.firstName)
        /// The last name, where a provider wants it apart.
        public static let lastName = Field(.lastName)
        /// The company.
        public static let company = Field(.company)
        /// The e-mail address.
        public static let email = Field(.email)
        /// The telephone number.
        public static let phone = Field(.phone)
        /// The first address line.
        public static let line1 = Field(.line1)
        /// The second address line.
        public static let line2 = Field(.line2)
        /// The third line of an address.
        public static let line3 = Field(.line3)
        /// The city.
        public static let city = Field(.city)
        /// The state, province or region.
        public static let region = Field(.region)
        /// The postal code.
        public static let postalCode = Field(.postalCode)
        /// The country.
        public static let country = Field(.country)
        /// An entry of the metadata.
        public static let metadata = Field(.metadata)
        /// A provider option.
        public static let option = Field(.option)
        /// An amount.
        public static let amount = Field(.amount)
        /// A currency.
        public static let currency = Field(.currency)
        /// A bank's routing number.
        public static let routingNumber = Field(.routingNumber)
        /// A bank account's number.
        public static let accountNumber = Field(.accountNumber)
        /// The kind of a bank account.
        public static let accountType = Field(.accountType)
        /// Whose a bank account is.
        public static let holderType = Field(.holderType)
        /// The name of a bank.
        public static let bankName = Field(.bankName)
        /// What a wallet handed over.
        public static let walletPayload = Field(.walletPayload)
        /// The vault or gateway that knows a reference.
        public static let vault = Field(.vault)
        /// A reference of another vault.
        public static let reference = Field(.reference)
        /// The kind of an offsite method.
        public static let method = Field(.method)
        /// Where the shopper's browser comes back to.
        public static let returnURL = Field(.returnURL)
        /// The token of a stored instrument.
        public static let token = Field(.token)
        /// The brand of a card.
        public static let brand = Field(.brand)
        /// The shopper at the provider.
        public static let shopper = Field(.shopper)
        /// The shopper's consent to keep an instrument.
        public static let consent = Field(.consent)
        /// A field that GatewayKit has no name for; see ``FieldIssue/providerField``.
        public static let other = Field(.other)

        /// The same field of the shipping address.
        public var ofShipping: Field { Field(name, shipping: true) }

        /// The stable spelling, such as `expiryYear` or `shipping.postalCode`.
        public var description: String { shipping ? "shipping." + name.rawValue : name.rawValue }
    }

    /// What is wrong with a field. More kinds may be added in any release.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case missing, malformed, tooShort, tooLong, checkDigit, expired, tooFarAhead, unknownBrand, notAccepted
            case unlisted
        }
        private let kind: Kind

        /// Required, but absent or blank.
        public static let missing = Problem(kind: .missing)
        /// Not of the form that the field must have.
        public static let malformed = Problem(kind: .malformed)
        /// Too few characters.
        public static let tooShort = Problem(kind: .tooShort)
        /// Too many characters.
        public static let tooLong = Problem(kind: .tooLong)
        /// The card number's check digit does not match: most often a typing error.
        public static let checkDigit = Problem(kind: .checkDigit)
        /// The date has passed.
        public static let expired = Problem(kind: .expired)
        /// The date is further ahead than cards are issued for.
        public static let tooFarAhead = Problem(kind: .tooFarAhead)
        /// No known card brand has such numbers.
        public static let unknownBrand = Problem(kind: .unknownBrand)
        /// Well-formed, but not accepted here.
        public static let notAccepted = Problem(kind: .notAccepted)
        /// The provider named a problem that has no row in the adapter's table: read its code and message.
        public static let unlisted = Problem(kind: .unlisted)

        /// The stable spelling.
        public var description: String { kind.rawValue }
    }
}
