/// What a checkout wants to know from the shopper, and what it takes.
///
/// A value: it draws nothing and sends nothing. A form of the shop's own asks it what is missing
/// (``issues(with:cardHolder:paying:consentToStore:)``), and keeps the requirements that it hands back when the shopper
/// changes the address or the currency.
public struct CheckoutRequirements: Sendable, Hashable {
    /// What the checkout is for.
    public var purpose: Purpose
    /// Whether the e-mail address is demanded.
    public var wantsEmail: Bool
    /// Whether the whole billing address is demanded, not only name, country and postal code.
    public var wantsFullBilling: Bool
    /// Whether an address to ship to is demanded.
    public var wantsShipping: Bool
    /// Whether the shopper may change the currency.
    public var allowsCurrencyChange: Bool
    /// Whether the form leaves out the switch by which a shopper consents to keeping the card; see ``storeSwitch(for:)``.
    public var hidesStoreCardSwitch: Bool
    /// Whether the shopper must be authenticated (3-D Secure).
    public var wantsAuthentication: Bool

    /// Describes a checkout; the defaults are those of BlueSnap's SDKs.
    public init(
        _ purpose: Purpose, wantsEmail: Bool = true, wantsFullBilling: Bool = false, wantsShipping: Bool = false,
        allowsCurrencyChange: Bool = true, hidesStoreCardSwitch: Bool = false, wantsAuthentication: Bool = false
    ) {
        self.purpose = purpose
        self.wantsEmail = wantsEmail
        self.wantsFullBilling = wantsFullBilling
        self.wantsShipping = wantsShipping
        self.allowsCurrencyChange = allowsCurrencyChange
        self.hidesStoreCardSwitch = hidesStoreCardSwitch
        self.wantsAuthentication = wantsAuthentication
    }

    /// What a checkout is for.
    public enum Purpose: Sendable, Hashable {
        /// To pay a price.
        case payment(Price)
        /// To subscribe; the price may be the plan's, and not be known here.
        case subscription(Price?)
        /// To write down the shopper and the method chosen, for later; no price.
        case shopperConfiguration
    }

    /// With what the shopper is about to pay.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        /// A card that the shopper types.
        case newCard
        /// A card that the provider has stored for the shopper.
        case storedCard
        /// Apple Pay, Google Pay or PayPal, which bring contact and addresses themselves.
        case wallet
    }

    /// The price, where the checkout has one.
    public var price: Price? {
        switch purpose {
        case .payment(let price): price
        case .subscription(let price): price
        case .shopperConfiguration: nil
        }
    }

    /// Whether the shopper must consent to keeping the card: a new card that is charged again later, without the shopper.
    public func needsConsent(paying method: Method) -> Bool {
        guard method == .newCard else { return false }
        switch purpose {
        case .payment: return false
        case .subscription, .shopperConfiguration: return true
        }
    }

    /// What a form does with the switch by which a shopper consents.
    public enum StoreSwitch: String, Sendable, Hashable {
        /// There is none: nothing is kept, or it is kept already.
        case absent
        /// The shopper may switch it on.
        case offered
        /// The shopper must switch it on. A checkout that cannot do without the consent shows the switch although
        /// ``CheckoutRequirements/hidesStoreCardSwitch`` is set: a hidden one could never be switched on.
        case demanded
    }

    /// What a form does with the switch.
    public func storeSwitch(for method: Method) -> StoreSwitch {
        if needsConsent(paying: method) { return .demanded }
        return method == .newCard && !hidesStoreCardSwitch ? .offered : .absent
    }

    /// What is missing or wrong, all at once, in the order of a form; empty when the checkout can go on.
    ///
    /// Billing wants name, country and postal code; full billing also the first line, the city, and the state where the
    /// country has states (``CountryRules``). Shipping wants all of that; the receiver's name is the shopper's unless
    /// another one is given. What is given although it is not demanded is checked too. Issues of shipping name its
    /// fields (``FieldIssue/Field/ofShipping``).
    /// - Parameters:
    ///   - cardHolder: The name on the card, where it is not the shopper's.
    ///   - method: With what the shopper is about to pay.
    ///   - consentToStore: Whether the shopper lets the card be kept.
    public func issues(
        with shopper: Shopper, cardHolder: String? = nil, paying method: Method = .newCard, consentToStore: Bool = false
    ) -> [FieldIssue] {
        var found: [FieldIssue] = []
        if method == .wallet {
            // What a wallet brings replaces these; only what is there can be wrong.
            found += Self.emailIssues(shopper.email, isDemanded: false)
            return found
        }
        Self.append(ShopperRules.problem(ofName: cardHolder ?? shopper.name), .name, to: &found)
        found += Self.emailIssues(shopper.email, isDemanded: wantsEmail)
        found += Self.issues(of: shopper.billingAddress ?? Address(), isWhole: wantsFullBilling)
        if wantsShipping {
            var shipping: [FieldIssue] = []
            Self.append(ShopperRules.problem(ofName: shopper.shippingName ?? shopper.name), .name, to: &shipping)
            shipping += Self.issues(of: shopper.shippingAddress ?? Address(), isWhole: true)
            found += shipping.map(\.ofShipping)
        }
        if needsConsent(paying: method), !consentToStore {
            found.append(
                FieldIssue(
                    .consent, .missing,
                    message: "A card that is to be charged later is kept only with the shopper's consent."))
        }
        return found
    }

    private static func emailIssues(_ email: String?, isDemanded: Bool) -> [FieldIssue] {
        guard let problem = ShopperRules.problem(ofEmail: email), isDemanded || problem != .missing else { return [] }
        var found: [FieldIssue] = []
        append(problem, .email, to: &found)
        return found
    }

    private static func issues(of address: Address, isWhole: Bool) -> [FieldIssue] {
        var found: [FieldIssue] = []
        if address.country == nil {
            append(.missing, .country, to: &found)
        } else {
            found += address.issues
        }
        append(
            ShopperRules.problem(ofState: address.region, in: address.country, isDemanded: isWhole), .region, to: &found
        )
        append(ShopperRules.problem(ofPostalCode: address.postalCode, in: address.country), .postalCode, to: &found)
        for (text, field) in [(address.city, FieldIssue.Field.city), (address.line1, .line1)] {
            guard let problem = ShopperRules.problem(ofLine: text), isWhole || problem != .missing else { continue }
            append(problem, field, to: &found)
        }
        return found
    }

    private static func append(_ problem: FieldIssue.Problem?, _ field: FieldIssue.Field, to issues: inout [FieldIssue])
    {
        guard let problem else { return }
        issues.append(FieldIssue(field, problem, message: message(of: problem, field)))
    }

    private static func message(of problem: FieldIssue.Problem, _ field: FieldIssue.Field) -> SafeText {
        switch (field, problem) {
        case (_, .missing): "The \(words(field)) is missing."
        case (.name, _): "The name has one word: give first and last name."
        case (.email, .malformed): "The e-mail address has no form such as name@shop.example."
        case (.region, _): "The country has no such state: use its code, such as CA for California."
        case (_, .tooShort): "The \(words(field)) is too short."
        case (_, .tooLong): "The \(words(field)) is too long."
        default: "The \(words(field)) has other characters than letters, digits, spaces and hyphens."
        }
    }

    private static func words(_ field: FieldIssue.Field) -> SafeText {
        switch field {
        case .line1: "first line of the address"
        case .postalCode: "postal code"
        case .region: "state"
        case .email: "e-mail address"
        default: "\(field)"
        }
    }
}

extension FieldIssue {
    fileprivate var ofShipping: FieldIssue {
        var copy = self
        copy.field = field.ofShipping
        return copy
    }
}
