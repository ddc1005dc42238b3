import GatewayKitCore

/// Sessions: opening, taking up, asking. Whoever knows a session's id may complete it, so the id is masked in every
/// event and error.
struct HellgateSessions: SessionStatusSource {
    let client: HellgateClient

    func status(of session: SessionReference, _ context: CallContext) async throws(GatewayError) -> SessionStatus {
        try check(session)
        return try await client.call(
            "hellgate.status", context, secrets: [Sensitive(session.id)],
            outcome: { (status: SessionStatus) in (status.phase.description, nil) }
        ) { call async throws(GatewayError) in
            try await ask(session, in: call).status
        }
    }

    /// Opens a session with the API key.
    func open(_ context: CallContext) async throws(GatewayError) -> PaymentSession {
        let request = try client.openSession()
        return try await client.call(
            request.operation, context, outcome: { (_: PaymentSession) in ("session", nil) }
        ) { call async throws(GatewayError) in
            let response: WireResponse
            switch await client.exchange(request, call) {
            case .success(let answer): response = answer
            case .failure(let error):
                var failure = GatewayError(error, in: call)
                if error.reach != .notSent {
                    failure.advice =
                        "Nothing was stored: at most a session was opened, which expires. Open another one."
                }
                throw failure
            }
            let facts = client.facts(response, request, call, nothingHappened: "Nothing was stored.")
            if let refusal = facts.refusal() { throw refusal }
            guard facts.isSuccess, let id = facts.id(facts.json?["session_id"].nonEmptyText) else {
                throw facts.unclear(
                    "Hellgate's answer has no session.",
                    "Nothing was stored: at most a session was opened, which expires. Open another one.")
            }
            return PaymentSession(reference: SessionReference(account: client.account.name, id: id))
        }
    }

    /// Refuses what is no session of this account.
    func check(_ reference: SessionReference) throws(GatewayError) {
        guard reference.accountName == client.account.name.description else {
            throw client.invalid(
                "This session belongs to another account or provider.",
                "Nothing was sent. Open a session on account \(client.account.name).")
        }
        guard PaymentToken.isWellFormed(id: reference.id) else {
            throw client.invalid("This is no session.", "Nothing was sent. Give the id of a session.")
        }
    }

    /// What a session says of itself.
    struct Answer {
        let status: SessionStatus
        let body: HellgateSessionBody
    }

    /// Asks once, as a part of a call whose redactor knows the session's id.
    ///
    /// - Parameter secrets: What no token may hold besides the account's secrets.
    func ask(
        _ reference: SessionReference, in call: Call, without secrets: [Sensitive<String>] = []
    ) async throws(GatewayError) -> Answer {
        let request = client.status(reference.id)
        let response: WireResponse
        switch await client.exchange(request, call) {
        case .success(let answer): response = answer
        case .failure(let error):
            var failure = GatewayError(error, in: call)
            if error.reach != .notSent { failure.advice = "Nothing was changed: it is safe to ask again." }
            throw failure
        }
        let facts = client.facts(response, request, call, nothingHappened: "Nothing was changed.")
        if facts.saysNotFound {
            throw facts.failure(
                .notFound, "Hellgate does not know this session.",
                "Nothing was changed. It may have expired: open another one.")
        }
        if let refusal = facts.refusal(credentials: "the session", check: "Open another session.") { throw refusal }
        guard facts.isSuccess, let body = facts.json.flatMap({ HellgateSessionBody($0) }) else {
            throw facts.unclear(
                "Hellgate's answer about the session could not be understood.",
                "Nothing was changed: it is safe to ask again.")
        }
        return Answer(status: status(reference, body, facts, secrets), body: body)
    }

    /// The neutral words for a session's answer.
    func status(
        _ reference: SessionReference, _ body: HellgateSessionBody, _ facts: HellgateAnswerFacts,
        _ secrets: [Sensitive<String>]
    ) -> SessionStatus {
        var status = SessionStatus(
            reference: reference, phase: body.phase, providerWord: body.word.map(facts.redactor.redact(_:)))
        status.requestID = facts.requestID
        if body.phase == .succeeded, let id = facts.id(body.tokenID, without: secrets) {
            status.token = PaymentToken(id: id, account: client.account.name, usage: .unknown)
        }
        if body.isFailure { status.decline = facts.decline(body) }
        return status
    }

    /// What stands for a session that Hellgate does not know any more.
    static func expired(_ reference: SessionReference, requestID: String?) -> SessionStatus {
        var status = SessionStatus(reference: reference, phase: .expired, providerWord: HellgateErrors.notFound)
        status.requestID = requestID
        return status
    }
}

extension HellgateAnswerFacts {
    /// The decline that a failed session tells.
    func decline(_ body: HellgateSessionBody) -> Decline {
        Decline(
            body.reasonCode.flatMap { HellgateErrors.declines[$0] } ?? .unlisted,
            providerCode: body.reasonCode.map(redactor.redact(_:)),
            message: body.reason.map(redactor.scrub) ?? "Hellgate gave no reason.", requestID: requestID)
    }
}
