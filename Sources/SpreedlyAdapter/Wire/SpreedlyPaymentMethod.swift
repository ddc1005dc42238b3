import GatewayKitCore

/// How a payment method is written for Spreedly (API V1, "Create credit card").
enum SpreedlyPaymentMethod {
    /// Writes the object under `payment_method`. Names go as one `full_name`, which Spreedly splits itself.
    static func write(_ card: Card, _ request: TokenizationRequest, into json: inout JSONObjectWriter) {
        let shopper = request.shopper
        json.object("credit_card") { json in
            json.set("full_name", holder(card, shopper))
            json.set("number", card.number.sensitive)
            json.set("verification_value", card.securityCode?.sensitive)
            json.set("month", card.expiry?.month)
            json.set("year", card.expiry?.year)
            json.set("company", shopper.company)
            write(shopper.billingAddress, prefix: "", into: &json)
            json.set("phone_number", shopper.phone)
            write(shopper.shippingAddress, prefix: "shipping_", into: &json)
            json.set("shipping_phone_number", shopper.shippingPhone)
        }
        json.set("email", shopper.email)
        if !request.metadata.isEmpty {
            json.object("metadata") { json in
                for entry in request.metadata { entry.value.write(entry.key, into: &json) }
            }
        }
        json.set("retained", request.retain)
        for option in SpreedlyOption.allCases {
            request.options[option.rawValue]?.write(option.wireName, into: &json)
        }
    }

    /// The name on the card, or else the shopper's; blank text is no name.
    static func holder(_ card: Card, _ shopper: Shopper) -> String? {
        [card.holderName, shopper.name].lazy.compactMap { $0 }.first { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func write(_ address: Address?, prefix: String, into json: inout JSONObjectWriter) {
        guard let address else { return }
        json.set(prefix + "address1", address.line1)
        json.set(prefix + "address2", address.line2)
        json.set(prefix + "city", address.city)
        json.set(prefix + "state", address.region)
        json.set(prefix + "zip", address.postalCode)
        json.set(prefix + "country", address.country)
    }
}

extension OptionValue {
    fileprivate func write(_ name: String, into json: inout JSONObjectWriter) {
        switch self {
        case .flag(let value): json.set(name, value)
        case .integer(let value): json.set(name, value)
        case .text(let value): json.set(name, value)
        }
    }
}

/// The options of the create call that core has no word for.
enum SpreedlyOption: String, CaseIterable {
    case allowBlankName, allowExpiredDate, allowBlankDate, eligibleForCardUpdater, provisionNetworkToken

    var wireName: String {
        switch self {
        case .allowBlankName: "allow_blank_name"
        case .allowExpiredDate: "allow_expired_date"
        case .allowBlankDate: "allow_blank_date"
        case .eligibleForCardUpdater: "eligible_for_card_updater"
        case .provisionNetworkToken: "provision_network_token"
        }
    }

    var description: OptionDescription {
        switch self {
        case .allowBlankName:
            OptionDescription(rawValue, .flag, help: "Store a card without a name.")
        case .allowExpiredDate:
            OptionDescription(rawValue, .flag, help: "Store a card whose date has passed.")
        case .allowBlankDate:
            OptionDescription(rawValue, .flag, help: "Store a card without an expiry date.")
        case .eligibleForCardUpdater:
            OptionDescription(rawValue, .flag, help: "Let Spreedly keep number and date up to date.")
        case .provisionNetworkToken:
            OptionDescription(rawValue, .flag, help: "Ask the card network for a network token.")
        }
    }
}
