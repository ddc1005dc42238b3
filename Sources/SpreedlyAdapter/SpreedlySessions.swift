import GatewayKitCore

/// Where a transaction stands (API V1, "Show transaction" and "Transaction status"). Its token is the session's id.
///
/// With the access secret the whole transaction is asked for, otherwise the reduced view that apps and pages may read.
struct SpreedlySessions: SessionStatusSource {
    let client: SpreedlyClient

    func status(
        of session: SessionReference, _ context: CallContext
    ) async throws(GatewayError) -> SessionStatus {
        guard session.accountName == client.account.name.description else {
            throw invalid("This session belongs to another account.", "Ask account \(client.account.name) for its own.")
        }
        // The environment takes the place of a session for create calls, and is always ready for another.
        if session.id == SpreedlyTokens.sessionID { return SessionStatus(reference: session, phase: .open) }
        guard PaymentToken.isWellFormed(id: session.id) else {
            throw invalid("This is no token of a transaction.", "Nothing was sent. Give the token of a transaction.")
        }
        let request = client.transactionStatus(session.id)
        let call = client.pipeline.begin(request.operation, context)
        do throws(GatewayError) {
            let response: WireResponse
            do throws(TransportError) {
                response = try await client.pipeline.send(request, in: call)
            } catch {
                throw GatewayError(ofRead: error, in: call)
            }
            let facts = SpreedlyAnswerFacts(
                response: response, call: call, account: client.account.name,
                redactor: call.redactor.adding(request.secrets), now: client.wallClock.now(),
                nothingHappened: "Nothing was changed.")
            let status = try SpreedlySessionAnswer(facts: facts, session: session).read()
            client.pipeline.end(call, outcome: status.phase.description)
            return status
        } catch {
            client.pipeline.end(call, outcome: error.code.description, detail: error.message)
            throw error
        }
    }

    private func invalid(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(.invalidInput, message: message, advice: advice, account: client.account.name)
    }
}

/// Reads the answer to the question where a transaction stands.
struct SpreedlySessionAnswer {
    let facts: SpreedlyAnswerFacts
    let session: SessionReference

    private var redactor: Redactor { facts.redactor }

    /// - Throws: ``GatewayError`` for everything that is not a readable transaction with this token.
    func read() throws(GatewayError) -> SessionStatus {
        let json = SpreedlyBody.json(facts.response.body)
        let errors = json.map { SpreedlyErrorEntry.list($0["errors"]) } ?? []
        let first = errors.first ?? json.flatMap { SpreedlyErrorEntry.words($0) }
        let status = facts.response.status
        // A transaction that failed is shown with 200; that 422 may show one too is told of its other calls.
        guard (200..<300).contains(status) || status == 422,
            let transaction = json.flatMap({ SpreedlyPaymentTransaction($0["transaction"]) ?? Self.bare($0) })
        else {
            throw failure(status, errors, first)
        }
        guard transaction.mayBe(session.id) else {
            throw facts.failure(
                .unreadableAnswer, "Spreedly's answer is about another transaction than the one asked for.", askAgain)
        }
        return told(transaction)
    }

    /// Whether the reduced view is wrapped is not established.
    private static func bare(_ root: JSONValue) -> SpreedlyPaymentTransaction? {
        guard root["errors"].present == nil, root["state"].kind == .string else { return nil }
        return SpreedlyPaymentTransaction(root)
    }

    private func failure(
        _ status: Int, _ errors: [SpreedlyErrorEntry], _ first: SpreedlyErrorEntry?
    ) -> GatewayError {
        guard let code = SpreedlyErrors.refusals[status] else {
            return facts.failure(
                status >= 500 || status == 408 ? .providerUnavailable : .unreadableAnswer,
                "Spreedly's answer with status \(count: status) does not tell where the transaction stands.", askAgain,
                first)
        }
        if code == .notFound, facts.credentialsError(errors) == nil {
            return facts.failure(
                code, "Spreedly has no such transaction.",
                "Nothing was changed. Check the token, and whether it belongs to account \(facts.account).", first)
        }
        return facts.refused(code, errors, first)
    }

    private var askAgain: SafeText { "Nothing was changed: it is safe to ask again." }

    private func told(_ transaction: SpreedlyPaymentTransaction) -> SessionStatus {
        let state = transaction.outcome
        var status = SessionStatus(
            reference: session, phase: state.phase, providerWord: transaction.state.map(redactor.redact(_:)))
        status.requestID = facts.requestID
        if state == .failed { status.decline = facts.decline(transaction) }
        if transaction.movesMoney {
            status.payment = transaction.record(facts.account, redactor, id: session.id)
            status.payment?.requestID = facts.requestID
            status.payment?.decline = status.decline
        }
        if state == .succeeded { status.token = transaction.token(facts.account, redactor) }
        return status
    }
}

extension PaymentRecord.State {
    /// A session that stands behind a transaction in this state.
    fileprivate var phase: SessionStatus.Phase {
        switch self {
        case .succeeded: .succeeded
        case .failed: .failed
        case .pending: .processing
        default: .unknown
        }
    }
}
