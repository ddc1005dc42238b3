import GatewayKitCore

/// Why the imitated BlueSnap does not do something, before it becomes one of the shapes in which BlueSnap says so.
struct BlueSnapRefusal: Error, Sendable {
    /// How a refusal is written (dossier 1.5). Some are always the same, such as the page of a 401.
    enum Form: String, Sendable, CaseIterable {
        case stringCode = "string-code"
        case numericCode = "numeric-code"
        case flat, text, html
    }

    enum Shape: Sendable, Equatable {
        /// As ``Form`` says.
        case message
        /// A sentence without any quotes.
        case plain(String)
        /// A page of the servlet container.
        case page
        case empty
    }

    var status: Int
    /// BlueSnap's `errorName`.
    var name = ""
    /// `nil` where no source tells the number: then none is sent.
    var code: Int?
    var words = ""
    var shape = Shape.message
    /// The member that is wrong.
    var property: String?
    /// The rule that a payment offended.
    var fraudEvent: String?

    init(_ name: String, _ code: Int?, _ words: String, status: Int = 400) {
        self.status = status
        self.name = name
        self.code = code
        self.words = words
    }

    private init(_ status: Int, shape: Shape) {
        self.status = status
        self.shape = shape
    }

    // MARK: - Access

    static let unauthorized = BlueSnapRefusal(401, shape: .page)
    static let wrongContentType = BlueSnapRefusal(415, shape: .page)
    /// Bare, as the SDK's table of errors wants it.
    static let payPalUnauthorized = BlueSnapRefusal(403, shape: .plain("\"Unauthorized\""))

    /// What BlueSnap says of an id that it does not know, or that is another merchant's: own words, to the same effect.
    static func foreign(_ id: String, user: String) -> BlueSnapRefusal {
        BlueSnapRefusal(403, shape: .plain("User \(user) is not authorized to view transaction \(shown(id))."))
    }

    /// In the provider's manner, for a status that comes from elsewhere.
    static func of(_ status: Int, user: String) -> BlueSnapRefusal {
        switch status {
        case 400: .invalid(nil, "The request cannot be processed")
        case 401, 404, 405, 415: BlueSnapRefusal(status, shape: .page)
        case 403: BlueSnapRefusal(403, shape: .plain("User \(user) is not authorized to perform this action."))
        case 409: BlueSnapRefusal(409, shape: .plain("A request with this idempotency key is still running."))
        case 429: BlueSnapRefusal(429, shape: .plain("Client request rate is too high"))
        case 503: BlueSnapRefusal(503, shape: .plain("Service is temporarily unavailable"))
        case 500: .failure
        case 402, 406..<500: .invalid(nil, "The request cannot be processed", status: status)
        case 500...: BlueSnapRefusal(status, shape: .page)
        default: BlueSnapRefusal(status, shape: .empty)
        }
    }

    // MARK: - Fields

    /// - Parameter name: The member; a name from outside is repeated only where it is a plain word.
    static func invalid(_ name: String?, _ words: String = "This value is missing or wrong", status: Int = 400)
        -> BlueSnapRefusal
    {
        var refusal = BlueSnapRefusal("VALIDATION_GENERAL_FAILURE", 10001, words, status: status)
        refusal.property = name.map(shown)
        return refusal
    }

    static let unreadable = BlueSnapRefusal("INVALID_INPUT", 21001, "The body is not a JSON object")
    static let failure = BlueSnapRefusal("SERVER_GENERAL_FAILURE", 10000, "Server general failure", status: 500)
    static let wrongMethod = BlueSnapRefusal("INVALID_HTTP_METHOD", 85, "This transaction wants another HTTP method")

    // MARK: - Tokens

    static let expiredToken = BlueSnapRefusal("EXPIRED_TOKEN", 14040, "Token is expired")
    static let unknownToken = BlueSnapRefusal("TOKEN_NOT_FOUND", 14041, "Token is not found")
    static let emptyToken = BlueSnapRefusal(
        "NO_PAYMENT_DETAILS_LINKED_TO_TOKEN", 14042, "No payment details linked to token")
    // The numbers of these are known from no source.
    static let cardNumber = BlueSnapRefusal("INVALID_CC_NUMBER", nil, "The card number is not valid")
    static let securityCode = BlueSnapRefusal("INVALID_CVV", nil, "The security code is not valid")
    static let expiry = BlueSnapRefusal("INVALID_EXP_DATE", nil, "The expiration date is not valid")
    static let payPalCurrency = BlueSnapRefusal(
        "PAYPAL_UNSUPPORTED_CURRENCY", nil, "The currency is not supported by PayPal")
    static let payPalUsed = BlueSnapRefusal("PAYPAL_TOKEN_ALREADY_USED", nil, "The token was already used for PayPal")
    static let brand = BlueSnapRefusal("CARD_TYPE_NOT_SUPPORTED", 22013, "The card type is not supported")

    static func usedToken(for method: String) -> BlueSnapRefusal {
        BlueSnapRefusal("TOKEN_WAS_ALREADY_USED_FOR_" + method, nil, "Token was already used")
    }

    // MARK: - Shoppers and rates

    static let unknownShopper = BlueSnapRefusal("SHOPPER_NOT_FOUND", 15008, "Shopper is not found")
    static let unknownMethod = BlueSnapRefusal(
        "BLS_NO_SUCH_SHOPPER_PAYMENT_METHOD", 10000, "The shopper has no such payment method")
    static let unknownCurrency = BlueSnapRefusal("PRICING_CURRENCY_NOT_FOUND", 13001, "The currency is not found")

    /// Nothing that could be the number of a card is repeated.
    static func shown(_ name: String) -> String {
        let digits = name.utf8.count { 0x30...0x39 ~= $0 }
        let isPlain =
            digits < 12
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2C, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
        return isPlain && (1...60).contains(name.utf8.count) ? name : "of this name"
    }
}

extension BlueSnapRefusal {
    func reply(_ form: Form) -> SandboxReply {
        switch shape {
        case .empty: return SandboxReply(status: status)
        case .page: return .blueSnapPage(status)
        case .plain(let sentence):
            return SandboxReply(
                status: status, header: [.init(name: "content-type", value: "text/plain;charset=UTF-8")],
                body: Array(sentence.utf8))
        case .message: break
        }
        switch form {
        case .html: return .blueSnapPage(status)
        case .text:
            return SandboxReply(
                status: status, header: [.init(name: "content-type", value: "application/json")],
                body: Array("\"\(name)\"".utf8))
        case .flat:
            return .json(
                status,
                AnswerWriter.object { body in
                    body.set("errorCode", code.map { "\($0)" })
                    body.set("errorDescription", words)
                    body.set("errorName", name)
                })
        case .stringCode, .numericCode:
            return .json(status, AnswerWriter.object { write(to: &$0, isNumeric: form == .numericCode) })
        }
    }

    private func write(to body: inout AnswerWriter, isNumeric: Bool) {
        body.array("message") { list in
            list.appendObject { item in
                item.set("errorName", name)
                if let code {
                    if isNumeric { item.set("code", code) } else { item.set("code", "\(code)") }
                }
                item.set("description", words)
                if let property {
                    item.object("invalidProperty") { invalid in
                        invalid.set("name", property)
                        invalid.set("messageValue", "")
                    }
                }
                if let fraudEvent {
                    item.object("fraudEvents") { events in
                        events.set("fraudReferenceId", "fr-1")
                        events.set("fraudTransactionId", "ft-1")
                        events.array("fraudEvent") { list in
                            list.appendObject { event in
                                event.set("fraudEventCode", fraudEvent)
                                event.set("fraudEventDecision", "D")
                                event.set("fraudEventExpression", fraudEvent)
                            }
                        }
                    }
                }
            }
        }
    }
}

extension SandboxReply {
    /// A page as Tomcat sends it for a status.
    static func blueSnapPage(_ status: Int) -> SandboxReply {
        let reason = status == 401 ? "Bad credentials" : ReasonPhrase.of(status)
        let page =
            "<!doctype html><html lang=\"en\"><head><title>HTTP Status \(status) – \(ReasonPhrase.of(status))</title>"
            + "<style type=\"text/css\">body {font-family:Tahoma,Arial,sans-serif;}</style></head>"
            + "<body><h1>HTTP Status \(status) – \(ReasonPhrase.of(status))</h1><hr class=\"line\" />"
            + "<p><b>Type</b> Status Report</p><p><b>Message</b> \(reason)</p><hr class=\"line\" />"
            + "<h3>Apache Tomcat</h3></body></html>"
        return SandboxReply(
            status: status, header: [.init(name: "content-type", value: "text/html;charset=utf-8")],
            body: Array(page.utf8))
    }
}
