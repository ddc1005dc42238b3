import GatewayKitCore

/// The calls that begin a payment at a gateway.
enum SpreedlyStart: String {
    case purchase, authorize, verify
    case generalCredit = "general_credit"

    var kind: PaymentRecord.Kind {
        switch self {
        case .purchase: .purchase
        case .authorize: .authorization
        case .verify: .verification
        case .generalCredit: .credit
        }
    }

    var operation: WireRequest.Operation {
        switch self {
        case .purchase: "spreedly.purchase"
        case .authorize: "spreedly.authorize"
        case .verify: "spreedly.verify"
        case .generalCredit: "spreedly.general-credit"
        }
    }
}

/// Payments through Spreedly (API V1, "Gateways" and "Transactions"). Every call needs the access secret, and is sent at
/// most once: Spreedly knows no idempotency key.
struct SpreedlyPayments: Charging, Capturing, Voiding, Refunding, Crediting {
    let client: SpreedlyClient

    func charge(_ request: PaymentRequest, _ context: CallContext) async throws(NothingMoved) -> PaymentResult {
        switch request.kind {
        case .purchase: try await start(.purchase, request, context)
        case .authorize: try await start(.authorize, request, context)
        case .verify: try await start(.verify, request, context)
        }
    }

    func credit(_ request: PaymentRequest, _ context: CallContext) async throws(NothingMoved) -> PaymentResult {
        try await start(.generalCredit, request, context)
    }

    func capture(_ request: ChildRequest, _ context: CallContext) async throws(NothingMoved) -> PaymentResult {
        try await change("spreedly.capture", "capture.json", [.capture], request, hasAmount: true, context)
    }

    func void(_ request: ChildRequest, _ context: CallContext) async throws(NothingMoved) -> PaymentResult {
        try await change("spreedly.void", "void.json", [.void], request, hasAmount: false, context)
    }

    func refund(_ request: ChildRequest, _ context: CallContext) async throws(NothingMoved) -> PaymentResult {
        try await change("spreedly.credit", "credit.json", [.refund], request, hasAmount: true, context)
    }

    private func start(
        _ start: SpreedlyStart, _ request: PaymentRequest, _ context: CallContext
    ) async throws(NothingMoved) -> PaymentResult {
        let reference = PaymentReference(account: client.account.name, ownReference: request.ownReference)
        let issues = client.localIssues(start, request)
        guard issues.isEmpty else { return .invalid(issues) }
        let expected = SpreedlyExpectedPayment(
            kinds: [start.kind], amount: start == .verify ? nil : request.amount, token: request.token,
            ownReference: request.ownReference)
        return try await move(expected, reference, context) { () throws(GatewayError) in
            try client.check(request)
            let gateway = try client.gatewayToken()
            let body = try client.transactionBody { SpreedlyPaymentBody.write(request, start, into: &$0) }
            return try client.vaultRequest(
                start.operation, .post, ["gateways", gateway, start.rawValue + ".json"], body: body)
        }
    }

    private func change(
        _ operation: WireRequest.Operation, _ verb: String, _ kinds: Set<PaymentRecord.Kind>, _ request: ChildRequest,
        hasAmount: Bool, _ context: CallContext
    ) async throws(NothingMoved) -> PaymentResult {
        let reference = PaymentReference(account: client.account.name, ownReference: request.ownReference)
        if hasAmount, request.amount.minorUnits <= 0 {
            return .invalid([FieldIssue(.amount, .notAccepted, message: "The amount must be more than nothing.")])
        }
        let expected = SpreedlyExpectedPayment(
            kinds: kinds, amount: hasAmount ? request.amount : nil, parentID: request.payment.providerID,
            ownReference: request.ownReference)
        return try await move(expected, reference, context) { () throws(GatewayError) in
            try client.check(ownReference: request.ownReference)
            let payment = try client.id(of: request.payment)
            let body = try client.transactionBody {
                SpreedlyPaymentBody.write(request, hasAmount: hasAmount, into: &$0)
            }
            return try client.vaultRequest(operation, .post, ["transactions", payment, verb], body: body)
        }
    }

    /// One call from its first event to its last.
    private func move(
        _ expected: SpreedlyExpectedPayment, _ reference: PaymentReference, _ context: CallContext,
        _ build: () throws(GatewayError) -> WireRequest
    ) async throws(NothingMoved) -> PaymentResult {
        let request: WireRequest
        do throws(GatewayError) {
            request = try build()
        } catch {
            return try client.notSent(error, reference)
        }
        let call = client.pipeline.begin(request.operation, context)
        return try await client.ending(call) { () async throws(NothingMoved) in
            try await client.move(request, expected, reference, SpreedlyMoneyProofs.rows, call)
        }
    }
}

extension SpreedlyClient {
    /// Sends a request that moves money, and reads its answer.
    func move(
        _ request: WireRequest, _ expected: SpreedlyExpectedPayment, _ reference: PaymentReference,
        _ proofs: [NoMovementProof], _ call: Call
    ) async throws(NothingMoved) -> PaymentResult {
        let money = MoneyCall(reference, pipeline: pipeline, call: call, proofs: proofs)
        return try await moveMoney(money, request) { response in
            let facts = facts(response, request, call, nothingHappened: "Nothing was moved.")
            return SpreedlyPaymentAnswer(facts: facts, expected: expected, proofs: proofs).read()
        }
    }

    func facts(
        _ response: WireResponse, _ request: WireRequest, _ call: Call, nothingHappened: SafeText
    ) -> SpreedlyAnswerFacts {
        SpreedlyAnswerFacts(
            response: response, call: call, account: account.name, redactor: call.redactor.adding(request.secrets),
            now: wallClock.now(), nothingHappened: nothingHappened)
    }

    /// Tells the observer how a payment's call ended.
    func ending(
        _ call: Call, _ body: () async throws(NothingMoved) -> PaymentResult
    ) async throws(NothingMoved) -> PaymentResult {
        do throws(NothingMoved) {
            let result = try await body()
            var detail: SafeText?
            if case .unknown(_, let cause) = result { detail = cause.message }
            pipeline.end(call, outcome: result.outcomeName, detail: detail)
            return result
        } catch {
            pipeline.end(call, outcome: error.error.code.description, detail: error.error.message)
            throw error
        }
    }

    /// An error of what was certainly not sent.
    func notSent(_ error: GatewayError, _ reference: PaymentReference) throws(NothingMoved) -> PaymentResult {
        guard let nothing = NothingMoved(notSent: error) else { return .unknown(reference, cause: error) }
        throw nothing
    }
}
