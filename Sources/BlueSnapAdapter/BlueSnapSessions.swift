import GatewayKitCore

/// Tokens as sessions: opening, taking up, asking whether they are still good. Whoever knows a token may submit to it,
/// so its text is masked in every event and error.
struct BlueSnapSessions: SessionStatusSource {
    let client: BlueSnapClient

    /// The session whose token is made together with the card's, by the prefill call.
    static let prefillID = "prefill"

    /// Opens a token with the API user. It may be sent again: a token that nobody uses expires after an hour.
    func open(_ request: SessionRequest, _ context: CallContext) async throws(GatewayError) -> PaymentSession {
        var query: [(name: String, value: String)] = []
        if let shopper = request.shopperID {
            try check(shopper)
            query.append(("shopperId", shopper))
        }
        if request.authentication != nil { query.append(("authenticationrequired3ds", "true")) }
        if request.authentication == .challenge { query.append(("challengerequested3ds", "true")) }
        let request = try client.serverRequest(
            "bluesnap.open-session", .post, ["payment-fields-tokens"], query: query, repeatability: .read)
        return try await client.call(
            request.operation, context, outcome: { (_: PaymentSession) in ("session", nil) }
        ) { call async throws(GatewayError) in
            let response: WireResponse
            switch await client.exchange(request, call) {
            case .success(let answer): response = answer
            case .failure(let error):
                var failure = GatewayError(error, in: call)
                if error.reach != .notSent { failure.advice = Self.openAnother }
                throw failure
            }
            let facts = client.facts(response, request, call, nothingHappened: "Nothing was stored.")
            if let token = made(facts) { return token }
            guard facts.isSuccess else { throw facts.failure(.apiUser, else: Self.openAnother) }
            throw facts.unclear("BlueSnap's answer has no token that could be used.", Self.openAnother)
        }
    }

    private static let openAnother: SafeText =
        "Nothing was stored: at most a token was made, which expires. Open another session."

    /// The session of a token that an answer has made: what stands behind the last slash of `Location`.
    func made(_ facts: BlueSnapAnswerFacts) -> PaymentSession? {
        guard facts.isSuccess, let location = facts.response.fields["location"],
            let text = location.split(separator: "/", omittingEmptySubsequences: false).last,
            let token = try? BlueSnapToken(
                String(text), servers: BlueSnapEnvironments.servers(client.account.environment))
        else { return nil }
        return PaymentSession(reference: SessionReference(account: client.account.name, id: token.text))
    }

    /// BlueSnap's numbers of shoppers are whole numbers.
    private func check(_ shopper: String) throws(GatewayError) {
        guard (1...19).contains(shopper.utf8.count), shopper.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw client.invalid(
                "A shopper at BlueSnap has a number.", "Nothing was sent. Give the vaulted shopper's number.")
        }
    }

    /// Whether a token still takes submissions, by a submission of nothing (BlueSnap's SDKs probe tokens so). BlueSnap
    /// tells only that a token is over; one that is told as open may have its card already.
    func status(of session: SessionReference, _ context: CallContext) async throws(GatewayError) -> SessionStatus {
        let token = try client.token(session)
        let request = try client.probe(token)
        return try await client.call(
            request.operation, context, secrets: [token.sensitive],
            outcome: { (status: SessionStatus) in (status.phase.description, nil) }
        ) { call async throws(GatewayError) in
            switch await client.exchange(request, call) {
            case .failure(let error): throw GatewayError(ofRead: error, in: call)
            case .success(let response):
                return try read(
                    client.facts(response, request, call, nothingHappened: "Nothing was changed."), session)
            }
        }
    }

    private func read(
        _ facts: BlueSnapAnswerFacts, _ session: SessionReference
    ) throws(GatewayError) -> SessionStatus {
        var status = SessionStatus(reference: session, phase: .unknown)
        status.requestID = facts.requestID
        if facts.object != nil || (facts.isSuccess && facts.response.body.isEmpty) {
            status.phase = .open
            return status
        }
        let found = facts.leading(facts.items)
        if case .token(.notFound)? = found?.meaning, facts.isRefusal {
            throw facts.failure(
                .notFound, "BlueSnap does not know this token.", "Nothing was changed. Open another session.",
                found?.item)
        }
        switch facts.fault(of: session) as BlueSnapAttempt<SessionStatus>? {
        case .unusable(let unusable)?: return unusable.status
        case .refused(let error)?: throw error
        case .done?, nil: break
        }
        // Somebody who knows the token has looked at what was sent: that it is wrong says nothing about the token.
        if facts.response.status == 400, let name = found?.item.name {
            status.providerWord = facts.redactor.redact(name)
            return status
        }
        if facts.isRefusal || facts.isThrottled { throw facts.failure(.token, else: Self.askAgain) }
        throw facts.unclear(
            "BlueSnap's answer about the token could not be understood.",
            Self.askAgain, found?.item)
    }

    private static let askAgain: SafeText = "Nothing was changed: it is safe to ask again."
}
