import GatewayKitCore

/// How a payment is written for Spreedly (API V1, "Purchase", "Authorize", "Verify", "General credit", "Capture",
/// "Credit", "Void").
///
/// `order_id` carries the attempt's own reference: it is the only member that every transaction gives back and that is
/// free. The shop's number of the order stands beside it in `transaction_metadata`.
enum SpreedlyPaymentBody {
    /// What begins a payment.
    static func write(
        _ request: PaymentRequest, _ kind: SpreedlyStart, into json: inout JSONObjectWriter
    ) {
        json.set("payment_method_token", request.token)
        if kind != .verify {
            // Minor units, an integer.
            json.set("amount", request.amount.minorUnits)
        }
        json.set("currency_code", request.amount.currency.code)
        json.set("order_id", request.ownReference)
        json.set("description", request.description)
        json.set("ip", request.shopperIPAddress)
        json.set("email", request.shopper.email)
        if let order = request.orderReference {
            json.object("transaction_metadata") { $0.set("order_reference", order) }
        }
        json.set("retain_on_success", request.retainOnSuccess)
        if let stored = request.storedCredential {
            json.set("stored_credential_initiator", stored.initiator.rawValue)
            json.set("stored_credential_reason_type", stored.reason.rawValue)
            json.set("network_transaction_id", stored.networkTransactionID)
        }
        write(request.shopper.billingAddress, request.shopper.name, request.shopper.phone, "billing_address", &json)
        write(
            request.shopper.shippingAddress, request.shopper.shippingName ?? request.shopper.name,
            request.shopper.shippingPhone ?? request.shopper.phone, "shipping_address", &json)
        json.set("redirect_url", request.returnURL)
        for option in SpreedlyPaymentOption.allCases {
            switch request.options[option.rawValue] {
            case .flag(let value): json.set(option.wireName, value)
            case .integer(let value): json.set(option.wireName, value)
            case .text(let value): json.set(option.wireName, value)
            case nil: break
            }
        }
        // XML would be the default.
        if request.options[SpreedlyPaymentOption.callbackURL.rawValue] != nil { json.set("callback_format", "json") }
    }

    /// A capture or credit: the amount is always written, although Spreedly takes none for all of it.
    static func write(_ request: ChildRequest, hasAmount: Bool, into json: inout JSONObjectWriter) {
        if hasAmount {
            json.set("amount", request.amount.minorUnits)
            json.set("currency_code", request.amount.currency.code)
        }
        json.set("order_id", request.ownReference)
        json.set("description", request.reason)
    }

    private static func write(
        _ address: Address?, _ name: String?, _ phone: String?, _ member: String, _ json: inout JSONObjectWriter
    ) {
        guard let address, !address.isEmpty else { return }
        json.object(member) { json in
            json.set("name", name)
            json.set("address1", address.line1)
            json.set("address2", address.line2)
            json.set("city", address.city)
            json.set("state", address.region)
            json.set("zip", address.postalCode)
            json.set("country", address.country)
            json.set("phone_number", phone)
        }
    }
}

/// The options of a payment that core has no word for.
enum SpreedlyPaymentOption: String, CaseIterable {
    case attempt3DSecure, threeDSVersion, browserInfo, callbackURL, scaProviderKey, attemptNetworkToken
    case merchantNameDescriptor, merchantLocationDescriptor

    var wireName: String {
        switch self {
        case .attempt3DSecure: "attempt_3dsecure"
        case .threeDSVersion: "three_ds_version"
        case .browserInfo: "browser_info"
        case .callbackURL: "callback_url"
        case .scaProviderKey: "sca_provider_key"
        case .attemptNetworkToken: "attempt_network_token"
        case .merchantNameDescriptor: "merchant_name_descriptor"
        case .merchantLocationDescriptor: "merchant_location_descriptor"
        }
    }

    private var kind: OptionDescription.Kind {
        switch self {
        case .attempt3DSecure, .attemptNetworkToken: .flag
        case .threeDSVersion, .browserInfo, .callbackURL, .scaProviderKey, .merchantNameDescriptor,
            .merchantLocationDescriptor:
            .text
        }
    }

    var description: OptionDescription {
        let help: SafeText =
            switch self {
            case .attempt3DSecure: "Ask the gateway for its own 3-D Secure."
            case .threeDSVersion: "The version of 3-D Secure for attempt3DSecure, such as 2."
            case .browserInfo: "What the browser's helper of Spreedly collected, as it came (base64)."
            case .callbackURL: "Where Spreedly tells of changes, in JSON."
            case .scaProviderKey: "The provider of 3-D Secure at Spreedly; not together with attempt3DSecure."
            case .attemptNetworkToken: "Pay with the card network's token where there is one."
            case .merchantNameDescriptor: "The merchant's name on the statement."
            case .merchantLocationDescriptor: "The merchant's place on the statement."
            }
        return OptionDescription(rawValue, kind, help: help)
    }

    func takes(_ value: OptionValue) -> Bool {
        switch (kind, value) {
        case (.flag, .flag), (.text, .text): true
        // A version is a number to whoever types it.
        case (.text, .integer): self == .threeDSVersion
        default: false
        }
    }
}
