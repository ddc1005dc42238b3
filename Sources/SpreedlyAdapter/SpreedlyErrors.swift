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
        "errors.expired": .expiryYear,
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
        "bank_routing_number": .routingNumber,
        "routing_number": .routingNumber,
        "bank_account_number": .accountNumber,
        "account_number": .accountNumber,
        "bank_account_type": .accountType,
        "account_type": .accountType,
        "bank_account_holder_type": .holderType,
        "account_holder_type": .holderType,
        "bank_name": .bankName,
        "payment_data": .walletPayload,
        "apple_pay": .walletPayload,
        "google_pay": .walletPayload,
        "reference": .reference,
        "gateway_type": .vault,
        "payment_method_type": .method,
        "metadata": .metadata,
        "retained": .option,
        "allow_blank_name": .option,
        "allow_expired_date": .option,
        "allow_blank_date": .option,
        "eligible_for_card_updater": .option,
        "provision_network_token": .option,
    ]

    /// The answers that prove that nothing was stored, by status: the request was refused before anything was done
    /// (RFC 9110, section 15.5; RFC 6585), whatever the body is and whoever on the way refused it. 402 and 422 are
    /// Spreedly's own and prove it only together with a list of errors or a transaction that failed. No other status
    /// proves it: 408, 409 and what gateways answer for a client that went away (499, 460) least of all.
    static let refusals: [Int: GatewayError.Code] = [
        400: .requestRefused, 401: .credentialsRefused, 403: .notPermitted, 404: .notFound, 405: .requestRefused,
        406: .requestRefused, 410: .notFound, 411: .requestRefused, 413: .requestRefused, 414: .requestRefused,
        415: .requestRefused, 417: .requestRefused, 421: .requestRefused, 428: .requestRefused, 429: .rateLimited,
        431: .requestRefused, 451: .notPermitted,
    ]

    /// Keys that tell of refused credentials under whatever refusing status, since that of the environment key's errors
    /// is not documented. (Under 403 `errors.access_denied` tells of missing rights.)
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

    /// Card types that Spreedly spells in its own way. Both spellings of UnionPay and of Forbrugsforeningen are seen;
    /// the last two are active_merchant's, after which Spreedly names brands.
    static let brands: [String: CardBrand] = [
        "master": .mastercard,
        "unionpay": .unionPay,
        "union_pay": .unionPay,
        "forbrubsforeningen": .forbrugsforeningen,
        "forbrugsforeningen": .forbrugsforeningen,
        "maestro_no_luhn": .maestro,
        "tarjeta-d": .tarjetaD,
    ]

    /// The errors of a list as issues of fields, all of them as soon as one tells of a field; none when none does.
    static func issues(_ errors: [SpreedlyErrorEntry], _ redactor: Redactor) -> [FieldIssue] {
        let fields = errors.map(field)
        guard fields.contains(where: { $0 != nil }) else { return [] }
        return zip(errors, fields).map { error, field in
            FieldIssue(
                field ?? .other, error.key.flatMap { fieldProblems[$0] } ?? .unlisted, origin: .provider,
                providerCode: error.key.map(redactor.redact(_:)),
                providerField: error.attribute.map(redactor.redact(_:)),
                message: error.message.map(redactor.scrub) ?? "Spreedly gave no message.")
        }
    }

    private static func field(of error: SpreedlyErrorEntry) -> FieldIssue.Field? {
        if let known = error.attribute.flatMap({ fields[$0] }) ?? error.key.flatMap({ impliedFields[$0] }) {
            return known
        }
        let tellsOfAField = error.attribute != nil || error.key.map { fieldProblems[$0] != nil } == true
        return tellsOfAField ? .other : nil
    }
}
