import GatewayKitCore

/// Tokenization at BlueSnap: what the shopper pays with is submitted to a token that was opened before, which then
/// stands for it in one payment.
struct BlueSnapTokens: TokenProvider {
    let client: BlueSnapClient
    let sessions: BlueSnapSessions

    /// Opens a token. With ``SessionRequest/Entry/cardData`` no token is made yet: the card that the caller sends into
    /// the session makes it, with the API user (BlueSnap's "prefilled token", for 3-D Secure with a card that the
    /// merchant holds). That call takes neither a shopper nor a wish for authentication.
    func openSession(_ request: SessionRequest, _ call: CallContext) async throws(GatewayError) -> PaymentSession {
        guard request.entry == .cardData else { return try await sessions.open(request, call) }
        guard request.shopperID == nil, request.authentication == nil else {
            throw client.notSupported(
                "BlueSnap's prefilled tokens take no shopper and no wish for authentication.",
                "Nothing was sent. Leave them out, or open a session without an entry.")
        }
        return PaymentSession(reference: prefill)
    }

    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession {
        if reference != prefill { _ = try client.token(reference) }
        return PaymentSession(reference: reference)
    }

    private var prefill: SessionReference {
        SessionReference(account: client.account.name, id: BlueSnapSessions.prefillID)
    }

    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ context: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        let reference = session.reference
        if reference == prefill { return try await prefilled(request, context) }
        let token = try client.token(reference)
        try checkPlace(request)
        if request.checksLocally {
            let issues = localIssues(request)
            guard issues.isEmpty else { return .invalid(issues) }
        }
        let subject = BlueSnapSubject(request.instrument)
        let body = try submission(request)
        let secrets = [token.sensitive] + subject.secrets
        return try await client.call(
            "bluesnap.tokenize", context, secrets: secrets, outcome: Self.end
        ) { call async throws(GatewayError) in
            let end = try await client.withToken(reference, context, in: call) {
                (token, reference, call) async throws(GatewayError) -> BlueSnapAttempt<TokenizationResult> in
                let request = client.tokenRequest(
                    "bluesnap.tokenize", .put, ["payment-fields-tokens", token.text], token, body: body,
                    repeatability: .once)
                switch await client.exchange(request, call) {
                case .success(let response):
                    return try BlueSnapTokenAnswer(
                        facts: client.facts(response, request, call, nothingHappened: "Nothing was stored."),
                        subject: subject, reference: reference, isTest: token.isTest
                    ).read(id: token.text)
                case .failure(let error):
                    return .done(try unknown(reference, error, call, subject.advice))
                }
            }
            switch end {
            case .done(let result): return result
            case .unusable(let unusable): return .sessionUnusable(unusable.status)
            case .refused(let error): throw error
            }
        }
    }

    /// A lost answer is unknown; what certainly was not sent is thrown.
    private func unknown(
        _ reference: SessionReference, _ error: TransportError, _ call: Call, _ advice: SafeText
    ) throws(GatewayError) -> TokenizationResult {
        var failure = GatewayError(error, in: call)
        guard error.reach != .notSent else { throw failure }
        failure.advice = advice
        return .unknown(reference, cause: failure)
    }

    private static func end(_ result: TokenizationResult) -> (name: String, detail: SafeText?) {
        guard case .unknown(_, let cause) = result else { return (result.outcomeName, nil) }
        return (result.outcomeName, cause.message)
    }

    // MARK: - Prefilled tokens

    /// Makes a token of a card that the caller holds, with the API user. Only number and expiry are taken.
    private func prefilled(
        _ request: TokenizationRequest, _ context: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        guard case .card(let card) = request.instrument else {
            throw client.notSupported(
                "BlueSnap's prefilled tokens are made of whole cards only.",
                "Nothing was sent. Open a session without an entry for everything else.")
        }
        try checkPlace(request)
        guard card.securityCode == nil, request.retain == nil, request.fraudSessionID == nil,
            request.shopper == Shopper()
        else {
            throw client.notSupported(
                "BlueSnap's prefilled tokens take a card's number and expiry, and nothing beside them.",
                "Nothing was sent. Leave the rest out and send it with the payment, or open a session without an entry."
            )
        }
        if request.checksLocally {
            let issues = localIssues(request, wantsSecurityCode: false)
            guard issues.isEmpty else { return .invalid(issues) }
        }
        let subject = BlueSnapSubject(request.instrument)
        let wire = try client.serverRequest(
            "bluesnap.prefill", .post, ["payment-fields-tokens", "prefill"],
            body: try client.body { json in
                json.set("ccNumber", card.number.sensitive)
                json.set("expDate", card.expiry?.description)
            }, repeatability: .once)
        return try await client.call(
            wire.operation, context, secrets: subject.secrets, outcome: Self.end
        ) { call async throws(GatewayError) in
            switch await client.exchange(wire, call) {
            case .success(let response):
                let facts = client.facts(response, wire, call, nothingHappened: "Nothing was stored.")
                return try BlueSnapTokenAnswer(
                    facts: facts, subject: subject, reference: prefill,
                    isTest: client.account.environment.kind != .live
                ).read(prefilled: sessions.made(facts))
            case .failure(let error):
                return try unknown(prefill, error, call, BlueSnapTokenAnswer.prefillAdvice)
            }
        }
    }
}
