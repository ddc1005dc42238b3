/// An answer with an `errors` list (dossier 1.5 and 4.1).
struct SpreedlyRefusal: Error, Sendable, Equatable {
    struct Item: Sendable, Equatable {
        var attribute: String?
        var key: String
        var message: String
    }

    var status: Int
    var items: [Item]

    init(_ status: Int, _ items: [Item]) {
        self.status = status
        self.items = items
    }

    init(_ status: Int, _ key: String, _ message: String) {
        self.init(status, [Item(attribute: nil, key: key, message: message)])
    }

    static let accessDenied = SpreedlyRefusal(
        401, "errors.access_denied", "Unable to authenticate using the given environment key and access secret.")
    /// The status is a guess (dossier 4.1).
    static let keyMissing = SpreedlyRefusal(
        401, "errors.environment_key_parameter_required", "You must specify an environment_key parameter.")
    /// The status is a guess (dossier 4.1).
    static let keyUnknown = SpreedlyRefusal(
        401, "errors.invalid_environment_key_parameter", "The environment_key parameter is not valid.")
    /// Real cards in an environment that is not activated; 402 by Spreedly's documents and its Ruby client's tests,
    /// 422 by newer Android documents (dossier 1.5).
    static let accountInactive = SpreedlyRefusal(
        402, "errors.account_inactive",
        "This environment is not activated for real payment methods: only the public test numbers can be used.")
    /// 401 by Spreedly's mobile documents, for a set that is used a second time (dossier 1.1).
    static let signedSet = SpreedlyRefusal(
        401, "errors.invalid_enhanced_authentication_params", "The enhanced authentication parameters are not valid.")
    static let unknownPath = SpreedlyRefusal(
        404, "errors.dispatch_not_found", "Unable to find the specified path.")
    static let unknownGateway = SpreedlyRefusal(
        404, "errors.gateway_not_found", "Unable to find the specified gateway.")
    static let unknownReference = SpreedlyRefusal(
        404, "errors.reference_transaction_not_found", "Unable to find the specified reference transaction.")
    /// Status and words are those of the tests of Spreedly's Ruby client; the key is a guess.
    static let noSuchMethod = SpreedlyRefusal(
        422, "errors.payment_method_not_found",
        "There is no payment method corresponding to the specified payment method token.")
    /// The key is a guess (dossier 10).
    static let referenceDidNotSucceed = SpreedlyRefusal(
        422, "errors.reference_transaction_not_succeeded", "The reference transaction did not succeed.")
    /// Key and status are guesses (dossier 10).
    static let notPending = SpreedlyRefusal(
        422, "errors.transaction_not_pending", "The transaction does not wait for anything that this call could do.")
    static let invalidGatewayType = SpreedlyRefusal(
        422, "errors.invalid_gateway_type", "The gateway type is not one that this environment knows.")
    static let unknownMethod = SpreedlyRefusal(
        404, "errors.payment_method_not_found", "Unable to find the specified payment method.")
    /// That the text contains the token is told by the tests of a third-party client.
    static func unknownTransaction(_ token: String) -> SpreedlyRefusal {
        SpreedlyRefusal(404, "errors.transaction_not_found", "Unable to find the transaction \(token).")
    }
    /// Key and status are guesses: only what retaining a redacted method answers is known.
    static let redactedMethod = SpreedlyRefusal(
        422, "errors.payment_method_redacted", "The payment method has been redacted and cannot be changed.")
    static let circuitBreaker = SpreedlyRefusal(
        503, "errors.circuit_breaker_open", "The service is not available at present. Retry after 30 seconds.")
    /// Key and status are guesses: no source tells what becomes of a body that cannot be read.
    static let unreadableBody = SpreedlyRefusal(
        400, "errors.invalid_request_body", "The body is not a JSON object.")
    /// Key and status are guesses.
    static let unreadableForm = SpreedlyRefusal(
        400, "errors.invalid_request_body", "The body is not a form in which every field occurs once.")
    /// Key and status are guesses.
    static let wrongContentType = SpreedlyRefusal(
        415, "errors.unsupported_content_type", "The content type must be application/json.")

    var body: [UInt8] {
        AnswerWriter.object { root in
            root.array("errors") { list in
                for item in items {
                    list.appendObject { entry in
                        entry.set("attribute", item.attribute)
                        entry.set("key", item.key)
                        entry.set("message", item.message)
                    }
                }
            }
        }
    }
}

extension SpreedlyRefusal.Item {
    static func blank(_ attribute: String) -> Self {
        Self(attribute: attribute, key: "errors.blank", message: "\(humanised(attribute)) can't be blank")
    }

    static func invalid(_ attribute: String) -> Self {
        Self(attribute: attribute, key: "errors.invalid", message: "\(humanised(attribute)) is invalid")
    }

    /// Of a fresh security code; the attribute is a guess.
    static let invalidCode = Self(
        attribute: "verification_value", key: "errors.invalid_cvv", message: "Verification value is invalid")

    static func expired(_ attribute: String) -> Self {
        Self(attribute: attribute, key: "errors.expired", message: "\(humanised(attribute)) is expired")
    }

    /// The key is Spreedly's; that the attribute is `card_type` is a guess.
    static let blankCardType = Self(
        attribute: "card_type", key: "errors.blank_card_type", message: "Card type can't be blank")

    /// `first_name` becomes `First name`.
    private static func humanised(_ attribute: String) -> String {
        let words = attribute.split(separator: "_").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
