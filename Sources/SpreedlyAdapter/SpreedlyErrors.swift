import GatewayKitCore

/// Spreedly's error keys and states, in GatewayKit's words. A key without a row stays unlisted, with its text beside it.
enum SpreedlyErrors {
    /// What an error key of a refused request says about its field (API V1; `errors.blank_card_type` from the web SDK's
    /// list of keys, `errors.invalid_cvv` from the Android SDK's).
    static let fieldProblems: [String: FieldIssue.Problem] = [
        "errors.blank": .missing,
        "errors.invalid": .malformed,
        "errors.expired": .expired,
        "errors.blank_card_type": .unknownBrand,
        "errors.invalid_cvv": .malformed,
    ]

    /// The field that a key means when the error names none.
    static let impliedFields: [String: FieldIssue.Field] = [
        "errors.blank_card_type": .number,
        "errors.invalid_cvv": .securityCode,
    ]

    /// Spreedly's attribute names.
    static let fields: [String: FieldIssue.Field] = [
        "number": .number,
        "month": .expiryMonth,
        "year": .expiryYear,
        "verification_value": .securityCode,
        "full_name": .name,
        "first_name": .firstName,
        "last_name": .lastName,
        "company": .company,
        "email": .email,
        "phone_number": .phone,
        "address1": .line1,
        "address2": .line2,
        "city": .city,
        "state": .region,
        "zip": .postalCode,
        "country": .country,
        "shipping_address1": .line1.ofShipping,
        "shipping_address2": .line2.ofShipping,
        "shipping_city": .city.ofShipping,
        "shipping_state": .region.ofShipping,
        "shipping_zip": .postalCode.ofShipping,
        "shipping_country": .country.ofShipping,
        "shipping_phone_number": .phone.ofShipping,
        "metadata": .metadata,
    ]

    /// Keys that tell of refused credentials, whatever the status: the status of the environment key's errors is not
    /// documented.
    static let credentialKeys: Set<String> = [
        "errors.access_denied",
        "errors.environment_key_parameter_required",
        "errors.invalid_environment_key_parameter",
        "errors.invalid_enhanced_authentication_params",
    ]

    /// Keys that are a definite no.
    static let declines: [String: Decline.Reason] = [
        "errors.account_inactive": .accountNotActive
    ]

    /// Card types that Spreedly spells in its own way. Both spellings of UnionPay and of Forbrugsforeningen are seen.
    static let brands: [String: CardBrand] = [
        "master": .mastercard,
        "unionpay": .unionPay,
        "union_pay": .unionPay,
        "forbrubsforeningen": .forbrugsforeningen,
        "forbrugsforeningen": .forbrugsforeningen,
    ]

    /// One error of a list, as an issue of a field; `nil` when it names no field.
    static func issue(_ error: SpreedlyErrorEntry, _ redactor: Redactor) -> FieldIssue? {
        let named = error.attribute.map { fields[$0] ?? .other }
        guard let field = named ?? error.key.flatMap({ impliedFields[$0] }) else { return nil }
        return FieldIssue(
            field, error.key.flatMap { fieldProblems[$0] } ?? .unlisted, origin: .provider,
            providerCode: error.key.map(redactor.redact(identifier:)),
            providerField: error.attribute.map { redactor.redact($0) },
            message: redactor.scrub(error.message ?? "Spreedly gave no message."))
    }
}
