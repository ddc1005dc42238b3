import GatewayKitCore

/// Tokenization at Acorn: one call. Acorn wants no session; the account takes its place.
struct AcornTokens: TokenProvider {
    let client: AcornClient

    private var reference: SessionReference { SessionReference(account: client.account.name, id: "account") }

    func openSession(
        _ request: SessionRequest, _ call: CallContext
    ) async throws(GatewayError) -> PaymentSession {
        PaymentSession(reference: reference)
    }

    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession {
        guard reference == self.reference else {
            throw invalid("This session belongs to another account or provider.")
        }
        return PaymentSession(reference: reference)
    }

    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ context: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        _ = try attach(session.reference)
        if let option = request.options.keys.min() { throw invalid("Acorn has no option '\(option)'.") }
        guard case .card(let card) = request.instrument else { throw invalid("Acorn stores cards only.") }
        let issues = request.checksLocally ? card.issues(at: client.wallClock.now()) : []
        guard issues.isEmpty else { return .invalid(issues) }
        let wireRequest = client.storeCard(try AcornCard.write(card, orElse: invalid("The card cannot be written.")))
        let call = client.pipeline.begin(wireRequest.operation, context)
        do {
            let result = try await send(wireRequest, call)
            client.pipeline.end(call, outcome: result.outcomeName)
            return result
        } catch {
            client.pipeline.end(call, outcome: error.code.description, detail: error.message)
            throw error
        }
    }

    private func send(_ request: WireRequest, _ call: Call) async throws(GatewayError) -> TokenizationResult {
        let response: WireResponse
        do {
            response = try await client.pipeline.send(request, in: call)
        } catch {
            let failure = GatewayError(error, in: call)
            guard error.reach == .notSent else { return .unknown(reference, cause: failure) }
            throw failure
        }
        let answer = AcornTokenAnswer(
            response: response, call: call, redactor: call.redactor.adding(request.secrets),
            now: client.wallClock.now())
        switch try answer.read() {
        case .result(let result): return result
        case .unclear(let cause): return .unknown(reference, cause: cause)
        }
    }

    private func invalid(_ message: SafeText) -> GatewayError {
        GatewayError(
            .invalidInput, message: message, advice: "Nothing was sent. Correct the input.",
            account: client.account.name)
    }
}
