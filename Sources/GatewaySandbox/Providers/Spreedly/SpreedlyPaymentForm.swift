import GatewayKitCore

/// Reads the body of a call that begins a payment, captures, voids or credits (dossier 2.2).
///
/// Guesses, because no source tells: amounts are JSON integers above zero and nothing else; whatever else is of the
/// wrong type or not among the known words is `errors.invalid` on its name; a verification that names an amount is
/// refused; an address that is no object is refused.
struct SpreedlyPaymentForm: Sendable {
    var issues: [SpreedlyRefusal.Item] = []
    var token: String?
    var amount: Int64?
    var currency: String?
    var orderID: String?
    var ip: String?
    var description: String?
    var email: String?
    var merchantName: String?
    var merchantLocation: String?
    var retains = false
    var initiator: String?
    var reason: String?
    var networkTransactionID: String?
    var metadata: SpreedlyMetadata?
    var redirectURL: String?
    var callbackURL: String?
    var attempts3DS = false
    var hasBrowserInfo = false
    var scaProvider: String?

    enum AmountRule {
        case required, optional, none
    }

    init() {}

    init(_ root: JSONValue, amount rule: AmountRule, wantsToken: Bool) {
        let json = root["transaction"]
        guard json.kind == .object else {
            // Nothing is asked of a capture, void or credit of all of it (dossier 2.2).
            if wantsToken || json.present != nil {
                issues = [json.present == nil ? .blank("transaction") : .invalid("transaction")]
            }
            return
        }
        var fields = SpreedlyFields()
        if wantsToken { token = fields.requiredText("payment_method_token", json["payment_method_token"]) }
        readAmount(json, rule, &fields)
        orderID = SpreedlyFields.unlessBlank(fields.text("order_id", json["order_id"]))
        ip = fields.text("ip", json["ip"])
        description = fields.text("description", json["description"])
        email = fields.text("email", json["email"])
        merchantName = fields.text("merchant_name_descriptor", json["merchant_name_descriptor"])
        merchantLocation = fields.text("merchant_location_descriptor", json["merchant_location_descriptor"])
        retains = fields.flag("retain_on_success", json) ?? false
        initiator = word("stored_credential_initiator", json, ["merchant", "cardholder"], &fields)
        reason = word("stored_credential_reason_type", json, ["recurring", "unscheduled", "installment"], &fields)
        networkTransactionID = fields.text("network_transaction_id", json["network_transaction_id"])
        metadata = fields.metadata(json["transaction_metadata"])
        redirectURL = fields.text("redirect_url", json["redirect_url"])
        callbackURL = fields.text("callback_url", json["callback_url"])
        _ = word("callback_format", json, ["json", "xml"], &fields)
        attempts3DS = fields.flag("attempt_3dsecure", json) ?? false
        _ = fields.flag("attempt_network_token", json)
        hasBrowserInfo = SpreedlyFields.unlessBlank(fields.text("browser_info", json["browser_info"])) != nil
        scaProvider = fields.text("sca_provider_key", json["sca_provider_key"])
        if let version = json["three_ds_version"].present, version.kind != .string, version.kind != .number {
            fields.issues.append(.invalid("three_ds_version"))
        }
        for name in ["billing_address", "shipping_address"] {
            guard let address = json[name].present else { continue }
            if address.kind != .object { fields.issues.append(.invalid(name)) }
        }
        issues = fields.issues
        checkThreeDS()
    }

    private mutating func readAmount(_ json: JSONValue, _ rule: AmountRule, _ fields: inout SpreedlyFields) {
        let value = json["amount"]
        switch (rule, value.kind) {
        case (.none, .absent), (.none, .null), (.optional, .absent), (.optional, .null): break
        case (.required, .absent), (.required, .null): fields.issues.append(.blank("amount"))
        case (.none, _): fields.issues.append(.invalid("amount"))
        default:
            let text = value.kind == .number ? try? value.scalarText() : nil
            amount = text.flatMap { SpreedlyFields.isDigits($0) ? Int64($0) : nil }
            if (amount ?? 0) <= 0 { fields.issues.append(.invalid("amount")) }
        }
        let code = fields.text("currency_code", json["currency_code"])
        if let code {
            currency = (try? Currency(code)).flatMap { $0.code == code ? code : nil }
            if currency == nil { fields.issues.append(.invalid("currency_code")) }
        } else if rule == .required {
            fields.issues.append(.blank("currency_code"))
        }
    }

    private func word(
        _ name: String, _ json: JSONValue, _ words: Set<String>, _ fields: inout SpreedlyFields
    ) -> String? {
        guard let text = fields.text(name, json[name]) else { return nil }
        if !words.contains(text) { fields.issues.append(.invalid(name)) }
        return text
    }

    /// No provider of 3-D Secure can be made here, so none is known.
    private mutating func checkThreeDS() {
        guard scaProvider != nil else { return }
        issues.append(
            attempts3DS
                ? SpreedlyRefusal.Item(
                    attribute: "attempt_3dsecure", key: "errors.unsupported_flag_with_spreedly_3ds_authentication",
                    message: "Attempt 3dsecure is not supported with Spreedly 3DS authentication")
                : SpreedlyRefusal.Item(
                    attribute: "sca_provider_key", key: "errors.sca_provider_not_found",
                    message: "Unable to find the specified SCA provider."))
    }
}
