import GatewayKitCore

/// Reads the answer of `complete-action`: what is proven becomes a result or an error, everything else is unclear.
struct HellgateTokenAnswer {
    /// What an answer says.
    enum Reading {
        case result(TokenizationResult)
        /// No token was made of the card, and why.
        case refused(GatewayError)
        /// The session knows better.
        /// - Parameter mayBeOurs: Whether the session's result must be this card's.
        case unclear(GatewayError, mayBeOurs: Bool)
    }

    let facts: HellgateAnswerFacts
    let sessions: HellgateSessions
    let reference: SessionReference
    let card: Card

    func read() -> Reading {
        if facts.saysNotFound {
            return .result(
                .sessionUnusable(HellgateSessions.expired(reference, requestID: facts.requestID)))
        }
        if let refusal = facts.refusal() { return .refused(refusal) }
        guard facts.isSuccess, let body = facts.json.flatMap({ HellgateSessionBody($0) }) else {
            // A conflict: the session was completed before, and nobody says with which card.
            return .unclear(
                facts.unclear("Hellgate's answer does not tell what became of the card.", Self.askTheSession),
                mayBeOurs: facts.response.status != 409)
        }
        let status = sessions.status(reference, body, facts, [card.number.sensitive])
        if status.phase == .succeeded, var token = status.token {
            token.card = card.summary
            token.requestID = facts.requestID
            return .result(.token(token))
        }
        if let decline = status.decline { return .result(.declined(decline)) }
        return .unclear(
            facts.failure(
                .unreadableAnswer, "Hellgate's answer says neither that the card was stored nor that it was not.",
                Self.askTheSession), mayBeOurs: true)
    }

    static let askTheSession: SafeText =
        "The card may have been stored: ask the session for its status, do not send the card again."
}
