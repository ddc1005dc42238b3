import GatewayKitCore

/// Calls that begin payments (dossier 2.1).
extension SpreedlySandbox {
    /// The order of the checks is the dossier's (2.5): fields and payment method before the gateway.
    func start(_ operation: SpreedlyOperation, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        let rule: SpreedlyPaymentForm.AmountRule = operation == .verify ? .none : .required
        let form = SpreedlyPaymentForm(try readBody(call.request), amount: rule, wantsToken: true)
        guard form.issues.isEmpty else { throw SpreedlyRefusal(422, form.issues) }
        let gateway = call.parameters.first ?? ""
        return try vault.withLock { (vault) throws(SpreedlyRefusal) in
            guard let token = form.token, let method = vault.methods[token] else { throw .noSuchMethod }
            guard vault.gateways[gateway] != nil else { throw .unknownGateway }
            var payment = SpreedlyPayment()
            payment.form = form
            payment.gatewayToken = gateway
            if operation != .verify {
                payment.amount = form.amount
                payment.currency = form.currency
            }
            let verdict = Self.verdict(operation, payment, method)
            let result = vault.begin(Self.kind(operation, method), verdict, method, at: call.now)
            return outcome(of: result.transaction, result.method, movement(result.transaction, verdict.moved))
        }
    }

    private static func verdict(
        _ operation: SpreedlyOperation, _ new: SpreedlyPayment, _ method: SpreedlyMethod
    ) -> SpreedlyTestGateway.Verdict {
        var payment = new
        switch method.storage {
        case .cached, .retained:
            return SpreedlyTestGateway.start(operation.verb, payment, method)
        // Words and state are guesses.
        case .used: payment.message = "The payment method has already been used."
        case .redacted: payment.message = "The payment method has been redacted."
        }
        payment.state = .failed
        return .init(payment: payment, moved: false)
    }

    private static func kind(_ operation: SpreedlyOperation, _ method: SpreedlyMethod) -> SpreedlyTransaction.Kind {
        var isOffsite = false
        if case .sprel = method.instrument { isOffsite = true }
        return switch operation {
        case .authorize: isOffsite ? .offsiteAuthorization : .authorization
        case .verify: .verification
        case .generalCredit: .generalCredit
        default: isOffsite ? .offsitePurchase : .purchase
        }
    }

    /// The next step of a payment that waits for the shopper. That one that waits for nothing, or at an offsite page,
    /// is refused is a guess (dossier 10).
    func complete(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        if !call.request.body.isEmpty { _ = try readBody(call.request) }
        return try vault.withLock { (vault) throws(SpreedlyRefusal) in
            guard let transaction = vault.transactions[token] else { throw .unknownTransaction(token) }
            guard let payment = transaction.payment, payment.state == .pending, payment.steps.first != .checkout,
                let method = vault.methods[transaction.methodToken]
            else { throw .notPending }
            let verb = transaction.kind == .authorization ? "authorize" : "purchase"
            let verdict = SpreedlyTestGateway.goOn(verb, payment)
            let result = vault.goOn(transaction, verdict, method, at: call.now)
            return outcome(of: result.transaction, result.method, movement(result.transaction, verdict.moved))
        }
    }

    func movement(_ transaction: SpreedlyTransaction, _ moved: Bool) -> LedgerMovement? {
        guard moved, let payment = transaction.payment else { return nil }
        let kind =
            switch transaction.kind {
            case .purchase, .offsitePurchase: "purchase"
            case .authorization, .offsiteAuthorization: "authorization"
            case .verification: "verification"
            case .capture: "capture"
            case .void: "void"
            case .credit: "refund"
            default: "credit"
            }
        return LedgerMovement(kind: kind, amount: payment.amount, currency: payment.currency, parent: payment.parent)
    }

    func outcome(
        of transaction: SpreedlyTransaction, _ method: SpreedlyMethod?, _ movement: LedgerMovement?
    ) -> SandboxOutcome {
        let body = AnswerWriter.object { $0.object("transaction") { transaction.write(method, to: &$0) } }
        let isRefused = movement == nil && transaction.payment?.state.hasFailed == true
        return SandboxOutcome(
            reply: .json(transaction.status, body), outcome: isRefused ? .refused : .created, token: transaction.token,
            card: method?.summary, ownReference: transaction.payment?.form.orderID, movement: movement)
    }
}
