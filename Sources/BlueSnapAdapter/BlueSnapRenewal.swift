import GatewayKitCore

/// How one try of a call with a token ended.
enum BlueSnapAttempt<Outcome: Sendable>: Sendable {
    /// With something that is not the token's fault.
    case done(Outcome)
    /// The answer says that the token cannot be used any more, and so that nothing was done.
    case unusable(BlueSnapUnusable)
    /// The token was refused without a word about its state (401).
    case refused(GatewayError)
}

/// A token that BlueSnap does not take any more.
struct BlueSnapUnusable: Sendable {
    /// ``GatewayError/Code/sessionUnusable``, for calls whose results have no place for it.
    var error: GatewayError
    /// Where the session stands.
    var status: SessionStatus
}

extension BlueSnapClient {
    /// Makes a call with a token. When BlueSnap says that the token is expired, used or not known to it, the caller's
    /// source of sessions (``CallContext/renewal``) is asked once and the call is made once more, with the new one;
    /// nothing else is ever repeated. A token that is refused with 401 is probed, since only the probe tells whether it
    /// is its age; without a source that is done for `probes` only.
    ///
    /// - Parameter probes: Whether BlueSnap answers 401 for a token that is too old, as its services for tokens do.
    /// - Parameter attempt: Sends and reads. It must end as `unusable` or `refused` only where the answer proves that
    ///   nothing was done, and write the token that it is given into address, header and body.
    /// - Returns: How the last try ended: `done`, or `unusable` when there is no source or the new session is unusable
    ///   too.
    /// - Throws: What `attempt` throws; ``GatewayError/Code/sessionUnusable`` with the source's words when it has none.
    func withToken<Outcome: Sendable>(
        _ reference: SessionReference, _ context: CallContext, in call: Call, probes: Bool = false,
        _ attempt: (BlueSnapToken, SessionReference, Call) async throws(GatewayError) -> BlueSnapAttempt<Outcome>
    ) async throws(GatewayError) -> BlueSnapAttempt<Outcome> {
        var call = call
        let token = try token(reference)
        call.redactor = call.redactor.adding([token.sensitive])
        let tried = try await attempt(token, reference, call)
        let isProbed = probes || context.renewal != nil
        let first = isProbed ? try await settled(tried, token, reference, call) : tried
        guard case .unusable(let unusable) = first, let renewal = context.renewal else { return first }

        let fresh = try await session(insteadOf: reference, from: renewal, unusable)
        let freshToken = try self.token(fresh)
        call.redactor = call.redactor.adding([freshToken.sensitive])
        return try await settled(try await attempt(freshToken, fresh, call), freshToken, fresh, call)
    }

    /// ``withToken(_:_:in:probes:_:)`` as a whole call, for capabilities that throw ``GatewayError/Code/sessionUnusable``.
    func tokenCall<Outcome: Sendable>(
        _ operation: WireRequest.Operation, _ reference: SessionReference, _ context: CallContext,
        outcome: (Outcome) -> (name: String, detail: SafeText?),
        _ attempt: (BlueSnapToken, SessionReference, Call) async throws(GatewayError) -> BlueSnapAttempt<Outcome>
    ) async throws(GatewayError) -> Outcome {
        let token = try token(reference)
        return try await call(operation, context, secrets: [token.sensitive], outcome: outcome) {
            (call) async throws(GatewayError) in
            switch try await withToken(reference, context, in: call, probes: true, attempt) {
            case .done(let outcome): return outcome
            case .unusable(let unusable): throw unusable.error
            case .refused(let error): throw error
            }
        }
    }

    /// A whole call that only reads, with a token: what is no object that tells no error is thrown.
    ///
    /// - Parameters:
    ///   - request: Builds the request, for the token at hand.
    ///   - parse: Reads the object of a success, and is told the session that was used, which is another one after a
    ///     renewal; it may throw `facts.unclear(…)`.
    func read<Value: Sendable>(
        _ operation: WireRequest.Operation, _ reference: SessionReference, _ context: CallContext, outcome: String,
        request: (BlueSnapToken) throws(GatewayError) -> WireRequest,
        parse: (BlueSnapAnswerFacts, JSONValue, SessionReference) throws(GatewayError) -> Value
    ) async throws(GatewayError) -> Value {
        try await tokenCall(operation, reference, context, outcome: { (_: Value) in (outcome, nil) }) {
            (token, reference, call) async throws(GatewayError) -> BlueSnapAttempt<Value> in
            let request = try request(token)
            switch await exchange(request, call) {
            case .failure(let error): throw GatewayError(ofRead: error, in: call)
            case .success(let response):
                let facts = facts(response, request, call, nothingHappened: "Nothing was changed.")
                let fault: BlueSnapAttempt<Value>? = facts.fault(of: reference)
                if let fault { return fault }
                if let object = facts.object { return .done(try parse(facts, object, reference)) }
                if facts.isSuccess {
                    throw facts.unclear(
                        "BlueSnap's answer could not be understood.", "Nothing was changed: it is safe to ask again.")
                }
                throw facts.failure(.token, else: "Nothing was changed: it is safe to ask again.")
            }
        }
    }

    private func settled<Outcome: Sendable>(
        _ attempt: BlueSnapAttempt<Outcome>, _ token: BlueSnapToken, _ reference: SessionReference, _ call: Call
    ) async throws(GatewayError) -> BlueSnapAttempt<Outcome> {
        guard case .refused(let error) = attempt else { return attempt }
        let request = try probe(token)
        guard case .success(let response) = await exchange(request, call) else { throw error }
        let facts = facts(response, request, call, nothingHappened: Self.nothingDone)
        let fault: BlueSnapAttempt<Outcome>? = facts.fault(of: reference)
        guard case .unusable(let unusable)? = fault else { throw error }
        return .unusable(unusable)
    }

    private func session(
        insteadOf reference: SessionReference, from renewal: any SessionRenewal, _ unusable: BlueSnapUnusable
    ) async throws(GatewayError) -> SessionReference {
        let session: PaymentSession
        do throws(GatewayError) {
            session = try await renewal.session(insteadOf: reference)
        } catch {
            var failure = unusable.error
            failure.message = failure.message + " There is no new session: \(error.message)"
            failure.advice = error.advice
            throw failure
        }
        guard session.reference != reference else {
            var failure = unusable.error
            failure.message = failure.message + " The source of new sessions gave the same one again."
            throw failure
        }
        return session.reference
    }

    /// Asks whether a token is still good: a submission of nothing (as BlueSnap's iOS SDK does it, `isTokenExpired`).
    func probe(_ token: BlueSnapToken) throws(GatewayError) -> WireRequest {
        tokenRequest(
            "bluesnap.status", .put, ["payment-fields-tokens", token.text], token,
            body: try body { $0.set("dummy", "check:") }, repeatability: .read)
    }

    static let nothingDone: SafeText = "Nothing was done."
}
