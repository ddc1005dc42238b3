/// A field of a form for a card.
public enum CardInputField: Sendable, Hashable, CustomStringConvertible {
    /// The card number.
    case number
    /// Month and year of expiry, in one field.
    case expiry
    /// The security code (CVV, CVC, CID).
    case securityCode
    /// What else the form asks for.
    case additional(AdditionalField)

    /// The stable spelling: `number`, `expiry`, `securityCode`, or that of the additional field.
    public var description: String {
        switch self {
        case .number: "number"
        case .expiry: "expiry"
        case .securityCode: "securityCode"
        case .additional(let field): field.description
        }
    }

    /// The field of this spelling; `nil` when there is none.
    public init?(_ spelling: String) {
        let own: [CardInputField] = [.number, .expiry, .securityCode]
        guard
            let field = own.first(where: { $0.description == spelling })
                ?? AdditionalField(spelling).map(Self.additional)
        else { return nil }
        self = field
    }
}

/// A field of one line of text that a form for a card may have besides number, expiry and security code.
///
/// More may be added in any release. What is typed goes to the ``Card``'s holder name and to the ``Shopper``.
public struct AdditionalField: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String, CaseIterable {
        case name, email, phone, company, line1, line2, line3, city, region, postalCode, country
    }

    private let name: Name

    private init(_ name: Name) {
        self.name = name
    }

    /// The field of this spelling; `nil` when there is none.
    public init?(_ spelling: String) {
        guard let name = Name(rawValue: spelling) else { return nil }
        self.name = name
    }

    /// The cardholder's whole name.
    public static let name = AdditionalField(.name)
    /// The shopper's e-mail address.
    public static let email = AdditionalField(.email)
    /// The shopper's telephone number.
    public static let phone = AdditionalField(.phone)
    /// The shopper's company.
    public static let company = AdditionalField(.company)
    /// The first line of the billing address.
    public static let line1 = AdditionalField(.line1)
    /// The second line of the billing address.
    public static let line2 = AdditionalField(.line2)
    /// The third line of the billing address.
    public static let line3 = AdditionalField(.line3)
    /// The city of the billing address.
    public static let city = AdditionalField(.city)
    /// The state, province or region of the billing address.
    public static let region = AdditionalField(.region)
    /// The postal code of the billing address.
    public static let postalCode = AdditionalField(.postalCode)
    /// The country of the billing address, as ISO 3166-1 alpha-2 code.
    public static let country = AdditionalField(.country)

    /// Every additional field, in the order in which a form shows them.
    public static let all: [AdditionalField] = Name.allCases.map(AdditionalField.init)

    /// The stable spelling, the same as that of ``issueField``.
    public var description: String { name.rawValue }

    /// The name under which issues tell of this field.
    public var issueField: FieldIssue.Field {
        switch name {
        case .name: .name
        case .email: .email
        case .phone: .phone
        case .company: .company
        case .line1: .line1
        case .line2: .line2
        case .line3: .line3
        case .city: .city
        case .region: .region
        case .postalCode: .postalCode
        case .country: .country
        }
    }

    /// Puts a text where it belongs.
    func put(_ text: String, into shopper: inout Shopper) {
        var billing = shopper.billingAddress ?? Address()
        switch name {
        case .name: shopper.name = text
        case .email: shopper.email = text
        case .phone: shopper.phone = text
        case .company: shopper.company = text
        case .line1: billing.line1 = text
        case .line2: billing.line2 = text
        case .line3: billing.line3 = text
        case .city: billing.city = text
        case .region: billing.region = text
        case .postalCode: billing.postalCode = text
        case .country: billing.country = text
        }
        if !billing.isEmpty { shopper.billingAddress = billing }
    }
}

/// What a form for a card asks for. The number is always asked for.
public struct CardInputForm: Sendable, Hashable {
    /// Whether there is a field for the month of expiry; if so, it must be filled in.
    public var asksForExpiry: Bool
    /// Whether there is a field for the security code; if so, it must be filled in, except for brands whose cards may
    /// have none (``CardBrand/mayLackSecurityCode``).
    public var asksForSecurityCode: Bool
    /// The additional fields, in their order, each once.
    public var additional: [AdditionalField]
    /// Which of the additional fields must be filled in; others than those in ``additional`` do not count.
    public var required: Set<AdditionalField>
    /// How many years ahead a card may expire, see ``CardExpiry/issues(at:yearsAhead:)``.
    public var yearsAhead: Int
    /// Whether the application checks a number of its own accord as soon as it is complete; see ``NumberCheck``.
    public var checksNumber: Bool

    /// Describes a form.
    public init(
        additional: [AdditionalField] = [], required: Set<AdditionalField> = [], asksForExpiry: Bool = true,
        asksForSecurityCode: Bool = true, yearsAhead: Int = 20, checksNumber: Bool = false
    ) {
        self.additional = additional
        self.required = required
        self.asksForExpiry = asksForExpiry
        self.asksForSecurityCode = asksForSecurityCode
        self.yearsAhead = yearsAhead
        self.checksNumber = checksNumber
    }

    /// All fields in their order.
    public var fields: [CardInputField] {
        var fields: [CardInputField] = [.number]
        if asksForExpiry { fields.append(.expiry) }
        if asksForSecurityCode { fields.append(.securityCode) }
        for field in additional.map(CardInputField.additional) where !fields.contains(field) { fields.append(field) }
        return fields
    }
}
