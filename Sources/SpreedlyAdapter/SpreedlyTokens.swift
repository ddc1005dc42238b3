import GatewayKitCore

/// Tokenization at Spreedly: one create call. Spreedly wants no session; the environment takes its place.
struct SpreedlyTokens: TokenProvider {
    let client: SpreedlyClient

    static let sessionID = "environment"

    func openSession(
        _ request: SessionRequest, _ call: CallContext
    ) async throws(GatewayError) -> PaymentSession {
        try request.refuseAuthentication(of: client.account.name)
        return PaymentSession(reference: reference)
    }

    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession {
        guard reference == self.reference else {
            throw invalid(
                "This session belongs to another account or provider.",
                "Open a session on account \(client.account.name).")
        }
        return PaymentSession(reference: reference)
    }

    private var reference: SessionReference {
        SessionReference(account: client.account.name, id: Self.sessionID)
    }

    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ context: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        _ = try attach(session.reference)
        try checkOptions(request)
        if request.checksLocally {
            let issues = localIssues(request)
            guard issues.isEmpty else { return .invalid(issues) }
        }
        if case .offsite(let method) = request.instrument {
            return .actionRequired(client.offsiteForm(method))
        }
        let wireRequest: WireRequest
        do throws(SpreedlyWriteError) {
            wireRequest = try write(request)
        } catch {
            switch error {
            case .signing(let error): throw error
            case .json(let error):
                throw invalid(
                    "The request cannot be written: \(error.message).", "Nothing was sent. Correct the input.")
            }
        }
        let call = client.pipeline.begin(wireRequest.operation, context)
        do {
            let result = try await send(wireRequest, SpreedlySubject(request.instrument), call)
            var detail: SafeText?
            if case .unknown(_, let cause) = result { detail = cause.message }
            client.pipeline.end(call, outcome: result.outcomeName, detail: detail)
            return result
        } catch {
            client.pipeline.end(call, outcome: error.code.description, detail: error.message)
            throw error
        }
    }

    private func write(_ request: TokenizationRequest) throws(SpreedlyWriteError) -> WireRequest {
        if case .storedCard(let card) = request.instrument {
            return try client.recache(card.token) { SpreedlyPaymentMethod.write(request, into: &$0) }
        }
        return try client.createPaymentMethod { SpreedlyPaymentMethod.write(request, into: &$0) }
    }

    private func send(
        _ request: WireRequest, _ subject: SpreedlySubject, _ call: Call
    ) async throws(GatewayError) -> TokenizationResult {
        let response: WireResponse
        do {
            response = try await client.pipeline.send(request, in: call)
        } catch {
            let failure = GatewayError(error, in: call)
            guard error.reach == .notSent else { return .unknown(reference, cause: failure) }
            throw failure
        }
        let answer = SpreedlyTokenAnswer(
            facts: SpreedlyAnswerFacts(
                response: response, call: call, account: client.account.name,
                redactor: call.redactor.adding(request.secrets), now: client.wallClock.now(),
                nothingHappened: "Nothing was stored."), subject: subject, isSigned: client.authentication.isSigned)
        switch try answer.read() {
        case .result(let result): return result
        case .unclear(let cause): return .unknown(reference, cause: cause)
        }
    }
}
