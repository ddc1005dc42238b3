import GatewayKitCore

/// A refusal in one of the shapes that Safepay's services use (dossier 5.1). Which text goes with which status is a
/// guess, but for the texts that the dossier lists.
struct SafepayRefusal: Error, Sendable, Equatable {
    enum Shape: Sendable, Equatable {
        /// Order and user services: a list of texts, and a general message.
        case service
        /// The layer in front of them that checks credentials.
        case access
        /// Plans and subscriptions.
        case bare
        /// The reporter. That its refusals are like those of plans, with its own flag, is a guess.
        case reporter
        /// The front end, when a path or a method is wrong.
        case frontEnd
    }

    var status: Int
    var text: String
    var shape: Shape

    init(_ status: Int, _ text: String, _ shape: Shape = .service) {
        self.status = status
        self.text = text
        self.shape = shape
    }

    static let noCredential = SafepayRefusal(
        401, "strategies/union: [strategies/secret: no such merchant, strategies/token: no such token]", .access)
    static let invalidState = SafepayRefusal(400, "Tracker is in an invalid state")
    /// That the wrong key is answered like this, by both generations, is a guess.
    static let unknownClient = SafepayRefusal(404, "client not found")
    static let unknownTracker = SafepayRefusal(404, "tracker not found")
    static let unknownPayment = SafepayRefusal(404, "payment not found", .reporter)
    static let unknownCustomer = SafepayRefusal(404, "customer not found")
    static let unknownMethod = SafepayRefusal(404, "payment method not found")
    static let unsupportedMetaKey = SafepayRefusal(400, "unsupported meta key")
    static let unreadableBody = SafepayRefusal(400, "the body is not a JSON object")
    static let wrongContentType = SafepayRefusal(415, "the content type must be application/json")

    static func malformed(_ name: String) -> SafepayRefusal {
        SafepayRefusal(400, "\(name): the value is missing or malformed")
    }

    /// That members which nobody knows are refused is a guess.
    static func unknownMember(_ name: String) -> SafepayRefusal {
        SafepayRefusal(400, "there is no member \(name) here")
    }

    static func action(_ action: SafepayAction, _ cause: String) -> SafepayRefusal {
        SafepayRefusal(400, "error performing action '\(action.rawValue)': \(cause)")
    }

    /// In the provider's manner, for a status that comes from elsewhere.
    static func of(_ status: Int) -> SafepayRefusal {
        switch status {
        case 401: noCredential
        case 403: SafepayRefusal(403, "Unauthorized access")
        case 404: SafepayRefusal(404, "not found")
        case 405, 502, 504: SafepayRefusal(status, "", .frontEnd)
        case 429: SafepayRefusal(429, "too many requests")
        case 500...: SafepayRefusal(status, "the service is not available")
        default: SafepayRefusal(status, "the request cannot be processed")
        }
    }

    /// - Parameter isHidden: Whether a service's refusal comes with the status 200, so that only the message tells.
    func reply(isHidden: Bool = false) -> SandboxReply {
        guard status >= 400 else { return SandboxReply(status: status) }
        switch shape {
        case .service:
            return .json(
                isHidden ? 200 : status,
                AnswerWriter.object { body in
                    body.setNull("data")
                    body.object("status") { status in
                        status.array("errors") { $0.append(text) }
                        status.set("message", general)
                    }
                })
        case .access:
            return .json(
                status,
                AnswerWriter.object { body in
                    body.set("code", "error.unauthorized_access")
                    body.set("message", text)
                })
        case .bare:
            return .json(status, AnswerWriter.object { $0.set("error", text) })
        case .reporter:
            return .json(
                status,
                AnswerWriter.object { body in
                    body.set("ok", false)
                    body.set("error", text)
                })
        case .frontEnd:
            return SafepayHTML.reply(status, title: "\(status) \(ReasonPhrase.of(status))", body: "<hr>")
        }
    }

    /// The general message beside the texts; a guess.
    private var general: String {
        switch status {
        case 401, 403: "unauthorized"
        case 404: "not found"
        case 409: "conflict"
        case 500...: "internal server error"
        default: "bad request"
        }
    }
}
