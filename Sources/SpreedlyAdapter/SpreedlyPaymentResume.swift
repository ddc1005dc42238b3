import GatewayKitCore

extension SpreedlyPayments {
    /// Shows the payment first: one that is over answers with what came of it, one that waits for an offsite page cannot
    /// be helped by a call, and the amount that the last step has to agree with is the one shown here.
    func resume(_ payment: PaymentReference, _ context: CallContext) async throws(NothingMoved) -> PaymentResult {
        let (id, show): (String, WireRequest)
        do throws(GatewayError) {
            id = try client.id(of: payment)
            show = try client.vaultRequest("spreedly.complete", .get, ["transactions", id + ".json"])
        } catch {
            return try client.notSent(error, payment)
        }
        let call = client.pipeline.begin("spreedly.complete", context)
        return try await client.ending(call) { () async throws(NothingMoved) in
            let facts: SpreedlyAnswerFacts
            switch await client.answer(show, call) {
            case .success(let response):
                facts = client.facts(response, show, call, nothingHappened: "Nothing was moved.")
            case .failure(let error):
                return try client.notSent(GatewayError(error, in: call), payment)
            }
            return try await goOn(payment, id, facts, call)
        }
    }

    private func goOn(
        _ payment: PaymentReference, _ id: String, _ facts: SpreedlyAnswerFacts, _ call: Call
    ) async throws(NothingMoved) -> PaymentResult {
        let shown: SpreedlyPaymentTransaction
        do throws(GatewayError) {
            shown = try SpreedlyPaymentRecords(facts: facts).shown()
        } catch {
            // Reading moves nothing, but this payment may have moved money since.
            return .unknown(payment, cause: error)
        }
        let expected = SpreedlyExpectedPayment(
            kinds: [shown.recordKind], amount: shown.amount, id: id, ownReference: payment.ownReference)
        let isOffsite = shown.kind?.hasPrefix("Offsite") == true
        guard shown.outcome == .pending, !isOffsite else {
            let answer = SpreedlyPaymentAnswer(facts: facts, expected: expected, proofs: [])
            switch answer.read(shown) {
            case .result(let result): return result
            case .refused(let error, _), .unclear(let error, _): return .unknown(payment, cause: error)
            }
        }
        let request: WireRequest
        do throws(GatewayError) {
            let body = try client.emptyBody()
            request = try client.vaultRequest(
                "spreedly.complete", .post, ["transactions", id, "complete.json"], body: body)
        } catch {
            return try client.notSent(error, payment)
        }
        return try await client.move(request, expected, payment, SpreedlyMoneyProofs.completionRows, call)
    }
}

extension SpreedlyClient {
    /// One exchange, its failure as a value.
    func answer(_ request: WireRequest, _ call: Call) async -> Result<WireResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await pipeline.send(request, in: call))
        } catch {
            return .failure(error)
        }
    }

    /// `{}`.
    fileprivate func emptyBody() throws(GatewayError) -> JSONBody {
        var writer = JSONWriter()
        writer.object { _ in }
        do throws(JSONError) {
            return try writer.finish()
        } catch {
            throw unusable("The request cannot be written: \(error.message).", "Nothing was sent.")
        }
    }
}
