/// An answer with `code`, `message` and `classifier` (dossier 3.4). Only `NOT_FOUND` and its two messages are known; the
/// other classifiers, and which status a body that is wrong gets, are guesses.
struct HellgateRefusal: Error, Sendable, Equatable {
    var status: Int
    var message: String
    var classifier: String

    init(_ status: Int, _ message: String, _ classifier: String) {
        self.status = status
        self.message = message
        self.classifier = classifier
    }

    static let keyRefused = HellgateRefusal(401, "", "")
    static let unknownSession = HellgateRefusal(404, "The session was not found", "NOT_FOUND")
    static let unknownContext = HellgateRefusal(404, "The session_context was not found", "NOT_FOUND")
    static let unknownToken = HellgateRefusal(404, "The token was not found", "NOT_FOUND")
    static let completed = HellgateRefusal(409, "The session has been completed", "CONFLICT")
    static let wrongContentType = HellgateRefusal(
        415, "The content type must be application/json", "UNSUPPORTED_MEDIA_TYPE")
    static let unreadableBody = HellgateRefusal(400, "The body is not a JSON object", "BAD_REQUEST")

    static func malformed(_ name: String) -> HellgateRefusal {
        HellgateRefusal(400, "The value of \(name) is missing or malformed", "BAD_REQUEST")
    }

    static func unknownMember(_ name: String) -> HellgateRefusal {
        HellgateRefusal(400, "There is no member \(name) here", "BAD_REQUEST")
    }

    /// In the provider's manner, for a status that comes from elsewhere.
    static func of(_ status: Int) -> HellgateRefusal {
        switch status {
        case 401: keyRefused
        case 404: HellgateRefusal(404, "The resource was not found", "NOT_FOUND")
        case 403: HellgateRefusal(403, "This is not permitted", "FORBIDDEN")
        case 409: completed
        case 429: HellgateRefusal(429, "Too many requests", "TOO_MANY_REQUESTS")
        case 500...: HellgateRefusal(status, "The service is not available", "INTERNAL_SERVER_ERROR")
        default: HellgateRefusal(status, "The request cannot be processed", "BAD_REQUEST")
        }
    }

    /// The body of a 401 may be empty, and is here.
    var reply: SandboxReply {
        guard status >= 400, status != 401 else { return SandboxReply(status: status) }
        return .json(
            status,
            AnswerWriter.object { body in
                body.set("code", status)
                body.set("message", message)
                body.set("classifier", classifier)
            })
    }
}
