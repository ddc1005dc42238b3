import GatewayKitCore

/// Reads the answer of `PAYER_AUTH_SETUP`: what is proven becomes a result or an error, everything else is unclear.
struct SafepaySetupAnswer {
    /// What an answer says.
    enum Reading {
        case result(TokenizationResult)
        /// No token was made of the card, and why.
        case refused(GatewayError)
        case unclear(GatewayError)
    }

    let facts: SafepayAnswerFacts
    let session: SafepaySession
    let reference: SessionReference
    let method: SafepaySetup.Method
    let sealer: (any Sealer)?

    static let advice: SafeText =
        "The card may have been taken: ask the session for its status. Sending it again charges nothing."

    func read() -> Reading {
        if facts.saysNotFound { return .result(.sessionUnusable(unusable(.expired, nil))) }
        // Words are proof where they come with a status that refuses, or one that says the call was handled.
        let isDefinite = facts.isSuccessStatus || SafepayErrors.refusals[facts.response.status] != nil
        if isDefinite, let result = told() { return .result(result) }
        if let refusal = facts.refusal() { return .refused(refusal) }
        guard facts.isSuccess, let data = facts.envelope?.data,
            SafepayTracker(in: data).token ?? session.tracker == session.tracker
        else { return .unclear(unclear()) }
        let action = data["action"]
        guard let id = facts.id(action["payment_method"]["token"].nonEmptyText) else { return .unclear(unclear()) }
        return .result(.token(token(id, action)))
    }

    /// What Safepay's words mean, where the table knows them.
    private func told() -> TokenizationResult? {
        guard let envelope = facts.envelope, envelope.saysFailure else { return nil }
        if let (meaning, key, text) = facts.meaning {
            switch meaning {
            case .trackerState: return .sessionUnusable(unusable(.unknown, text))
            case .decline(let reason): return .declined(decline(reason, key))
            case .field(let field, let problem):
                return .invalid([
                    FieldIssue(
                        field, problem, origin: .provider, providerCode: envelope.code ?? key, providerField: key,
                        message: facts.redactor.scrub(SafepayErrors.words(of: text)))
                ])
            case .credentials, .unavailable: return nil
            }
        }
        guard envelope.errors.contains(where: SafepayErrors.isFailedAction) else { return nil }
        return .declined(decline(.unlisted, SafepaySetup.action))
    }

    private func decline(_ reason: Decline.Reason, _ key: String) -> Decline {
        Decline(
            reason, providerCode: (facts.envelope?.code ?? key), message: facts.words ?? "Safepay gave no reason.",
            requestID: facts.requestID)
    }

    /// - Parameter word: Safepay's words. A tracker in the wrong state may be a paid one: its phase is for asking.
    private func unusable(_ phase: SessionStatus.Phase, _ word: String?) -> SessionStatus {
        var status = SessionStatus(
            reference: reference, phase: phase,
            providerWord: (word ?? facts.envelope?.errors.first).map(facts.redactor.redact(_:)))
        status.requestID = facts.requestID
        return status
    }

    private func unclear() -> GatewayError {
        facts.unclear("Safepay's answer does not tell what became of the card.", Self.advice)
    }

    private func token(_ id: String, _ action: JSONValue) -> PaymentToken {
        let method = action["payment_method"]
        let usage: PaymentToken.Usage =
            switch self.method {
            case .savedCard: .reusable
            case .card, .transientToken: session.mode == .payment ? .single : .unknown
            }
        var token = PaymentToken(id: id, account: facts.account, usage: usage)
        if case .card(let card) = self.method {
            token.card = card.summary
        } else {
            token.card = SafepayWalletCard.summary(method)
        }
        token.providerKind = method["card_type"].nonEmptyText.map(facts.redactor.redact(_:))
        token.isTest = session.environment != "production"
        token.requestID = facts.requestID
        // Without a usable key the token is still a token.
        if let sealer, let data = SafepaySetup.authenticationData(of: action, tracker: session.tracker) {
            token.authenticationData = try? sealer.seal(
                data, context: Self.context(facts.account, reference, token: id))
        }
        return token
    }

    /// What authentication data is bound to: account, session (which has amount and currency) and token.
    static func context(_ account: AccountName, _ reference: SessionReference, token: String) -> [UInt8] {
        Array(["safepay-3ds", account.description, reference.id, token].joined(separator: "\n").utf8)
    }
}
