import GatewayKitCore

/// Acorn's codes, in GatewayKit's words. A code without a row stays unlisted, with its text beside it.
enum AcornErrors {
    static let declines: [String: Decline.Reason] = ["card_refused": .cardDeclined]

    static let problems: [String: FieldIssue.Problem] = ["expired_card": .expired, "bad_number": .malformed]

    static let fields: [String: FieldIssue.Field] = ["number": .number, "year": .expiryYear, "code": .securityCode]

    /// Statuses that prove that nothing was stored (the invented dossier, section 3).
    static let refusals: [Int: GatewayError.Code] = [
        400: .requestRefused, 401: .credentialsRefused, 403: .notPermitted, 404: .notFound, 405: .requestRefused,
        415: .requestRefused, 429: .rateLimited,
    ]

    static func issue(_ error: AcornError, _ redactor: Redactor) -> FieldIssue? {
        guard let field = error.field else { return nil }
        return FieldIssue(
            fields[field] ?? .other, problems[error.code] ?? .unlisted, origin: .provider,
            providerCode: redactor.redact(error.code), providerField: redactor.redact(field),
            message: redactor.scrub(error.message))
    }
}
