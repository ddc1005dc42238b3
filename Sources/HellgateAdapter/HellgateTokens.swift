import GatewayKitCore

/// Tokenization at Hellgate: the session is asked how it wants the card, the card is handed in that way, and the session
/// is completed.
struct HellgateTokens: TokenProvider {
    let client: HellgateClient
    let sessions: HellgateSessions

    func openSession(_ request: SessionRequest, _ call: CallContext) async throws(GatewayError) -> PaymentSession {
        try request.refuseAuthentication(of: client.account.name)
        return try await sessions.open(call)
    }

    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession {
        try sessions.check(reference)
        return PaymentSession(reference: reference)
    }

    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ context: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        let reference = session.reference
        try sessions.check(reference)
        let card = try card(of: request)
        if request.checksLocally {
            let issues = localIssues(request, card)
            guard issues.isEmpty else { return .invalid(issues) }
        }
        let data = HellgateCardData(card, request.shopper)
        let secrets =
            [Sensitive(reference.id), card.number.sensitive] + [card.securityCode?.sensitive].compactMap { $0 }
        return try await client.call(
            "hellgate.tokenize", context, secrets: secrets,
            outcome: { (result: TokenizationResult) in
                guard case .unknown(_, let cause) = result else { return (result.outcomeName, nil) }
                return (result.outcomeName, cause.message)
            }
        ) { call async throws(GatewayError) in
            try await HellgateSubmission(
                client: client, sessions: sessions, reference: reference, data: data, call: call
            ).run()
        }
    }

    // MARK: - What is checked before anything is sent

    /// The card, unless something is asked for that Hellgate has no place for.
    private func card(of request: TokenizationRequest) throws(GatewayError) -> Card {
        guard case .card(let card) = request.instrument else {
            throw client.notSupported(
                "Hellgate's sessions take cards, no \(request.instrument.kindName).",
                "Nothing was sent. Use a card, or an account whose provider takes this instrument.")
        }
        if let name = request.options.keys.sorted().first {
            throw client.invalid("Hellgate has no option '\(name)'.", "Nothing was sent. Leave it out.")
        }
        guard request.metadata.isEmpty else {
            throw client.notSupported(
                "Hellgate stores no metadata beside a token.", "Nothing was sent. Keep it beside the token yourself.")
        }
        guard request.retain != false else {
            throw client.notSupported(
                "Hellgate keeps every token until it is deleted.",
                "Nothing was sent. Leave retain out, and delete the token by its vault after use.")
        }
        return card
    }

    /// Our own checks, plus what Hellgate cannot do without.
    private func localIssues(_ request: TokenizationRequest, _ card: Card) -> [FieldIssue] {
        var issues = request.instrument.issues(at: client.wallClock.now())
        if card.expiry == nil {
            issues.append(FieldIssue(.expiryMonth, .missing, message: "Hellgate needs the month and year of expiry."))
        }
        if card.securityCode == nil {
            issues.append(FieldIssue(.securityCode, .missing, message: "Hellgate needs the card's security code."))
        }
        return issues + request.shopper.issues
    }
}
