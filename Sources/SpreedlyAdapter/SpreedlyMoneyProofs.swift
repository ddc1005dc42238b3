import GatewayKitCore

/// The answers that prove that no money moved although they are no result, by status and shape of the body. What has no
/// row proves nothing: 408, 409, every 5xx (503 with `errors.circuit_breaker_open` too, whose meaning rests on a
/// fixture's name), HTML from whoever stands in between, and a 429 without Spreedly's own words, which anybody on the
/// way may have written, about the answer as well as about the request.
enum SpreedlyMoneyProofs {
    /// The shapes of bodies.
    enum Shape: String, CaseIterable {
        /// Spreedly's own list of errors, without a transaction and without a word about duplicates.
        case errors
        /// No body.
        case empty
        /// Anything else.
        case other
    }

    /// For calls that begin a payment or change one.
    static let rows: [NoMovementProof] = [
        row(400, .errors, "Spreedly could not read the request, and what it cannot read it cannot carry out."),
        row(401, .errors, "Spreedly did not know the credentials: it looks at nothing else before."),
        row(401, .empty, "A 401 says that the request was not applied for lack of credentials (RFC 9110, 15.5.2)."),
        row(402, .errors, "Spreedly refused before the gateway: its environment may not do this."),
        row(403, .errors, "Spreedly knew the credentials, but they may not do this: it was not begun."),
        row(404, .errors, "Spreedly did not find what the path names, so there was nothing to carry out."),
        row(405, .errors, "Spreedly has no such call."),
        row(415, .errors, "Spreedly did not take the body's type, and read nothing of it."),
        row(422, .errors, "A list of errors in place of a transaction: Spreedly refused before the gateway."),
        row(429, .errors, "Spreedly's own limit refused the request before it was looked at."),
    ]

    /// For going on with a payment: that it may not go on does not tell what became of it, so only what refuses the
    /// caller proves anything.
    static let completionRows = rows.filter { [401, 403, 429].contains($0.status) }

    static func proves(_ status: Int, _ shape: Shape, _ rows: [NoMovementProof]) -> Bool {
        rows.contains { $0.status == status && $0.shape == shape.rawValue }
    }

    /// The shape of a body that holds no transaction.
    static func shape(_ body: [UInt8], _ errors: [SpreedlyErrorEntry]) -> Shape {
        if body.isEmpty { return .empty }
        return errors.isEmpty || errors.contains(where: tellsOfDuplicate) ? .other : .errors
    }

    private static func tellsOfDuplicate(_ error: SpreedlyErrorEntry) -> Bool {
        guard let key = error.key else { return false }
        let word = key.hasPrefix("errors.") ? String(key.dropFirst("errors.".count)) : key
        return SpreedlyErrors.declineReasons[word] == .duplicate
    }

    private static func row(_ status: Int, _ shape: Shape, _ reason: SafeText) -> NoMovementProof {
        NoMovementProof(status, shape: shape.rawValue, reason: reason)
    }
}
