import GatewayKitCore

/// Captures, voids and credits (dossier 2.1, 9).
extension SpreedlySandbox {
    func capture(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        try follow(token, .capture, call) { parent, payment in
            let left = (parent.amount ?? 0) - parent.captured
            let amount = payment.amount ?? left
            payment.amount = amount
            guard amount != 44 else { return SpreedlyTestGateway.declined(&payment, "capture") }
            guard !parent.isVoided, amount > 0, amount <= left else {
                return SpreedlyTestGateway.declined(
                    &payment, "capture", code: "10010", "There is no such amount left to capture.")
            }
            parent.captured += amount
            return SpreedlyTestGateway.succeeded(&payment, "capture")
        }
    }

    func credit(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        try follow(token, .credit, call) { parent, payment in
            let left = (parent.amount ?? 0) - parent.credited
            let amount = payment.amount ?? left
            payment.amount = amount
            guard amount != 44 else { return SpreedlyTestGateway.declined(&payment, "credit") }
            guard !parent.isVoided, amount > 0, amount <= left else {
                return SpreedlyTestGateway.declined(
                    &payment, "credit", code: "10009",
                    "The partial refund amount must be less than or equal to the remaining amount")
            }
            parent.credited += amount
            return SpreedlyTestGateway.succeeded(&payment, "credit")
        }
    }

    func void(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        try follow(token, .void, call) { parent, payment in
            payment.amount = nil
            payment.currency = nil
            guard !parent.isVoided, parent.captured == 0, parent.credited == 0 else {
                return SpreedlyTestGateway.declined(
                    &payment, "void", code: "10600", "The payment is voided, captured or credited already.")
            }
            parent.isVoided = true
            return SpreedlyTestGateway.succeeded(&payment, "void")
        }
    }

    /// Which payments may be followed by what: captures follow authorizations, credits purchases and captures, voids all
    /// three (dossier 9); that anything else is refused with `errors` is a guess.
    private static func parents(of kind: SpreedlyTransaction.Kind) -> Set<SpreedlyTransaction.Kind> {
        switch kind {
        case .capture: [.authorization, .offsiteAuthorization]
        case .credit: [.purchase, .offsitePurchase, .capture]
        default: [.purchase, .offsitePurchase, .authorization, .offsiteAuthorization, .capture]
        }
    }

    private func follow(
        _ token: String, _ kind: SpreedlyTransaction.Kind, _ call: SandboxCall,
        _ decide: (inout SpreedlyPayment, inout SpreedlyPayment) -> SpreedlyTestGateway.Verdict
    ) throws(SpreedlyRefusal) -> SandboxOutcome {
        let root = call.request.body.isEmpty ? nil : try readBody(call.request)
        let form =
            root.map { SpreedlyPaymentForm($0, amount: kind == .void ? .none : .optional, wantsToken: false) }
            ?? SpreedlyPaymentForm()
        return try vault.withLock { (vault) throws(SpreedlyRefusal) in
            guard var parent = vault.transactions[token] else { throw .unknownReference }
            guard form.issues.isEmpty else { throw SpreedlyRefusal(422, form.issues) }
            guard var paid = parent.payment, parent.succeeded, Self.parents(of: kind).contains(parent.kind) else {
                throw .referenceDidNotSucceed
            }
            if let currency = form.currency, currency != paid.currency {
                throw SpreedlyRefusal(422, [.invalid("currency_code")])
            }
            var payment = SpreedlyPayment()
            payment.form = form
            payment.parent = token
            payment.gatewayToken = paid.gatewayToken
            payment.amount = form.amount
            payment.currency = paid.currency
            let verdict = decide(&paid, &payment)
            parent.payment = paid
            vault.replace(parent)
            let transaction = vault.follow(kind, verdict, at: call.now)
            return outcome(of: transaction, nil, movement(transaction, verdict.moved))
        }
    }
}
