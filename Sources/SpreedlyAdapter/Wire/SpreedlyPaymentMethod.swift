import GatewayKitCore

/// How a payment method is written for Spreedly (API V1, "Create payment method").
enum SpreedlyPaymentMethod {
    /// Writes the object under `payment_method`. Names go as one `full_name`, which Spreedly splits itself. Where names
    /// and addresses stand differs by kind: inside a card, a bank account and a Google Pay payment, beside an Apple Pay
    /// payment and another vault's token.
    static func write(_ request: TokenizationRequest, into json: inout JSONObjectWriter) {
        let shopper = request.shopper
        let name = holder(request.instrument, shopper)
        switch request.instrument {
        case .card(let card):
            json.object("credit_card") { json in
                json.set("full_name", name)
                json.set("number", card.number.sensitive)
                json.set("verification_value", card.securityCode?.sensitive)
                json.set("month", card.expiry?.month)
                json.set("year", card.expiry?.year)
                write(contactOf: shopper, into: &json)
            }
        case .storedCard(let card):
            json.object("credit_card") { $0.set("verification_value", card.securityCode.sensitive) }
        case .applePay(let payment):
            json.object("apple_pay") { write(payment, into: &$0) }
            json.set("full_name", name)
            write(contactOf: shopper, into: &json)
        case .googlePay(let payment):
            json.object("google_pay") { json in
                write(payment, into: &json)
                json.set("full_name", name)
                write(contactOf: shopper, into: &json)
            }
        case .bankAccount(let account):
            json.object("bank_account") { json in
                json.set("bank_routing_number", account.routingNumber)
                json.set("bank_account_number", account.accountNumber)
                json.set("bank_account_type", account.type.rawValue)
                json.set("bank_account_holder_type", account.holderType.rawValue)
                json.set("full_name", name)
                json.set("bank_name", account.bankName)
                write(contactOf: shopper, into: &json, country: account.country.rawValue)
            }
        case .foreignToken(let token):
            json.set("payment_method_type", "third_party_token")
            json.set("reference", token.reference)
            json.set("gateway_type", token.vault)
            json.set("full_name", name)
            write(contactOf: shopper, into: &json)
        case .offsite(let method):
            json.set("payment_method_type", method.kind)
        case .shopperCard, .cardNumber:
            break  // refused by SpreedlyChecks
        }
        json.set("email", shopper.email)
        write(request.metadata, into: &json)
        json.set("retained", request.retain)
        for option in SpreedlyOption.allCases {
            request.options[option.rawValue]?.write(option.wireName, into: &json)
        }
    }

    /// Writes a change of a stored payment method: flat, whatever its kind (API V1, "Update payment method").
    static func write(_ change: VaultUpdate, into json: inout JSONObjectWriter) {
        json.set("full_name", change.shopper.name)
        json.set("month", change.expiry?.month)
        json.set("year", change.expiry?.year)
        write(contactOf: change.shopper, into: &json)
        json.set("email", change.shopper.email)
        write(change.metadata, into: &json)
    }

    /// The name on the card or account, or else the shopper's; blank text is no name.
    static func holder(_ instrument: PaymentInstrument, _ shopper: Shopper) -> String? {
        let own: String? =
            switch instrument {
            case .card(let card): card.holderName
            case .bankAccount(let account): account.holderName
            default: nil
            }
        return [own, shopper.name].lazy.compactMap { $0 }.first { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func write(_ payment: WalletPayment, into json: inout JSONObjectWriter) {
        json.set("payment_data", json: payment.payload)
        json.set("test_card_number", payment.testCard.map { Sensitive($0.number) })
    }

    private static func write(_ metadata: [TokenizationRequest.Metadata], into json: inout JSONObjectWriter) {
        guard !metadata.isEmpty else { return }
        json.object("metadata") { json in
            for entry in metadata { entry.value.write(entry.key, into: &json) }
        }
    }

    /// - Parameter country: Stands in for that of the billing address.
    private static func write(
        contactOf shopper: Shopper, into json: inout JSONObjectWriter, country: String? = nil
    ) {
        json.set("company", shopper.company)
        var billing = shopper.billingAddress
        if let country, billing?.country == nil {
            billing = billing ?? Address()
            billing?.country = country
        }
        write(billing, prefix: "", into: &json)
        json.set("phone_number", shopper.phone)
        write(shopper.shippingAddress, prefix: "shipping_", into: &json)
        json.set("shipping_phone_number", shopper.shippingPhone)
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
