import GatewayKitCore

/// How payments are kept, and what they do to the instrument.
extension SpreedlyVault {
    mutating func begin(
        _ kind: SpreedlyTransaction.Kind, _ verdict: SpreedlyTestGateway.Verdict, _ method: SpreedlyMethod,
        at now: WallTime
    ) -> (transaction: SpreedlyTransaction, method: SpreedlyMethod) {
        let used = use(method, verdict, at: now)
        var transaction = SpreedlyTransaction(
            createdAt: now, kind: kind, methodToken: method.token, isRetained: used.storage == .retained)
        transaction.payment = atGateway(verdict)
        return (keep(transaction, at: now), used)
    }

    mutating func goOn(
        _ old: SpreedlyTransaction, _ verdict: SpreedlyTestGateway.Verdict, _ method: SpreedlyMethod, at now: WallTime
    ) -> (transaction: SpreedlyTransaction, method: SpreedlyMethod) {
        let used = use(method, verdict, at: now)
        var transaction = old
        transaction.payment = atGateway(verdict)
        transaction.payment?.updatedAt = now
        replace(transaction)
        return (transaction, used)
    }

    mutating func follow(
        _ kind: SpreedlyTransaction.Kind, _ verdict: SpreedlyTestGateway.Verdict, at now: WallTime
    ) -> SpreedlyTransaction {
        var transaction = SpreedlyTransaction(createdAt: now, kind: kind, methodToken: "", isRetained: false)
        transaction.payment = atGateway(verdict)
        return keep(transaction, at: now)
    }

    /// A payment that goes through keeps the instrument or uses it up, and takes its security code either way. That one
    /// that is declined leaves a cached instrument cached is a guess.
    private mutating func use(
        _ old: SpreedlyMethod, _ verdict: SpreedlyTestGateway.Verdict, at now: WallTime
    ) -> SpreedlyMethod {
        var method = old
        guard verdict.payment.response != nil, method.storage == .cached || method.storage == .retained else {
            return method
        }
        method.codeLength = 0
        if verdict.moved, method.storage == .cached {
            method.storage = verdict.payment.form.retains ? .retained : .used
        }
        method.updatedAt = now
        replace(method)
        return method
    }

    /// Gives what the gateway answered an id there.
    private mutating func atGateway(_ verdict: SpreedlyTestGateway.Verdict) -> SpreedlyPayment {
        var payment = verdict.payment
        guard payment.response != nil, payment.state == .succeeded else { return payment }
        payment.gatewayTransactionID = mint.gatewayID()
        if payment.parent == nil { payment.response?.networkTransactionID = "NTI" + mint.gatewayID() }
        return payment
    }

    private mutating func keep(_ new: SpreedlyTransaction, at now: WallTime) -> SpreedlyTransaction {
        var transaction = new
        transaction.token = mint.ulid(at: now)
        add(transaction)
        return transaction
    }
}

extension TokenMint {
    /// Eight characters, as short as the test gateway's.
    fileprivate mutating func gatewayID() -> String { String(unorderedToken().prefix(8)) }
}
