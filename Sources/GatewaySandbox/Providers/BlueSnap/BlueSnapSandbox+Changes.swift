import GatewayKitCore

/// Captures, voids, refunds and look-ups (dossier 4.1).
extension BlueSnapSandbox {
    /// PUT on transactions. Guesses: what a void of what was captured, a second void and a capture of what was voided are
    /// told, and that a capture takes metadata.
    func change(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        let root = try readBody(call.request)
        guard let word = try? root["cardTransactionType"].string(), let kind = BlueSnapTransaction.Kind(rawValue: word)
        else { throw .invalid("cardTransactionType") }
        guard kind == .capture || kind == .reversal else { throw .wrongMethod }
        let known: Set = [
            "cardTransactionType", "transactionId", "merchantTransactionId", "amount", "currency",
            "transactionMetaData", "softDescriptor",
        ]
        for member in (try? root.members()) ?? [] where !known.contains(member.name) { throw .invalid(member.name) }
        try BlueSnapPaymentForm.checkMetadata(root["transactionMetaData"])
        let transaction = try named(root, store)
        guard transaction.source.card != nil else { throw .otherMethod }
        guard transaction.status == nil else { throw .notAuthorized }
        switch transaction.kind {
        case .authOnly: break
        case .reversal: throw .declined("AUTHORIZATION_AMOUNT_ALREADY_REVERSED")
        case .capture, .authCapture: throw .captured
        }
        return kind == .capture
            ? try capture(transaction, root, call, &store) : try void(transaction, root, call, &store)
    }

    private func capture(
        _ old: BlueSnapTransaction, _ root: JSONValue, _ call: SandboxCall, _ store: inout BlueSnapStore
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        var transaction = old
        if let value = root["amount"].present {
            guard let text = try? value.decimalText() else { throw .invalid("amount") }
            let amount = try Self.amount(text, old.amount.currency)
            guard amount.minorUnits <= old.amount.minorUnits else { throw .declined("AUTHORIZATION_AMOUNT_NOT_VALID") }
            transaction.amount = amount
        }
        transaction.kind = .capture
        var refusal: BlueSnapRefusal?
        switch BlueSnapDecision.follow(transaction.amount) {
        case .approved: break
        case .refused(let found, moved: true): refusal = found
        case .refused(let found, moved: false): throw found
        }
        store.transactions.replace(transaction, token: old.id)
        return SandboxOutcome(
            reply: refusal?.reply(form) ?? shown(transaction, call), outcome: .changed, token: old.id,
            card: old.source.card?.summary,
            ownReference: BlueSnapPaymentForm.metadataReference(root) ?? old.ownReference,
            movement: LedgerMovement(
                kind: "capture", amount: transaction.amount.minorUnits, currency: transaction.amount.currency.code,
                parent: old.id))
    }

    private func void(
        _ old: BlueSnapTransaction, _ root: JSONValue, _ call: SandboxCall, _ store: inout BlueSnapStore
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        guard root["amount"].present == nil else { throw .invalid("amount") }
        guard call.now < old.createdAt.adding(seconds: 8 * 86_400) else { throw .declined("AUTHORIZATION_EXPIRED") }
        var transaction = old
        transaction.kind = .reversal
        store.transactions.replace(transaction, token: old.id)
        return SandboxOutcome(
            reply: shown(transaction, call), outcome: .changed, token: old.id, card: old.source.card?.summary,
            ownReference: BlueSnapPaymentForm.metadataReference(root) ?? old.ownReference,
            movement: LedgerMovement(kind: "void", parent: old.id))
    }

    private func named(_ root: JSONValue, _ store: BlueSnapStore) throws(BlueSnapRefusal) -> BlueSnapTransaction {
        if let value = root["transactionId"].present {
            guard let id = try? value.scalarText() else { throw .invalid("transactionId") }
            return try transaction(id, store)
        }
        guard let reference = try? root["merchantTransactionId"].string() else {
            throw BlueSnapRefusal("TRANSACTION_ID_REQUIRED", 20008, "A transaction id is required")
        }
        return try transaction(ownReference: reference, store)
    }

    private func transaction(_ id: String, _ store: BlueSnapStore) throws(BlueSnapRefusal) -> BlueSnapTransaction {
        guard let transaction = store.transactions[id] else { throw .foreign(id, user: user) }
        return transaction
    }

    private func transaction(
        ownReference: String, _ store: BlueSnapStore
    ) throws(BlueSnapRefusal) -> BlueSnapTransaction {
        let ids = store.transactions(ownReference: ownReference)
        guard ids.count <= 1 else { throw .manyTransactions }
        return try transaction(ids.first ?? ownReference, store)
    }

    // MARK: - Refunds

    func refund(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        let id = call.parameters.last ?? ""
        let root = call.request.body.isEmpty ? nil : try readBody(call.request)
        let known: Set = [
            "amount", "taxAmount", "reason", "cancelSubscriptions", "transactionMetaData", "vendorsRefundInfo",
        ]
        for member in (try? root?.members()) ?? [] where !known.contains(member.name) { throw .invalid(member.name) }
        let parent =
            call.parameters.first == "merchant" ? try transaction(ownReference: id, store) : try transaction(id, store)
        if let reason = root?["reason"].present {
            guard let text = try? reason.string(), text.utf8.count <= 4000 else { throw .invalid("reason") }
        }
        if let root { try BlueSnapPaymentForm.checkMetadata(root["transactionMetaData"]) }
        if let flag = root?["cancelSubscriptions"].present, flag.kind != .bool { throw .invalid("cancelSubscriptions") }
        let cancels = (try? root?["cancelSubscriptions"].present?.bool()) ?? true
        var amount: Money?
        if let value = root?["amount"].present {
            guard let text = try? value.decimalText() else { throw .invalid("amount") }
            amount = try Self.amount(text, parent.amount.currency)
        }
        return try refund(parent, amount, cancels: cancels, root, call, &store)
    }

    /// The older call: PUT with its wishes in the query, 204.
    func refundByQuery(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        let query = try query(call, ["amount", "reason", "cancelsubscriptions"])
        let parent = try transaction(call.parameters.first ?? "", store)
        var amount: Money?
        if let text = query["amount"] { amount = try Self.amount(text, parent.amount.currency) }
        var outcome = try refund(
            parent, amount, cancels: query["cancelsubscriptions"] != "false", nil, call, &store)
        if outcome.reply.status == 200 { outcome.reply = SandboxReply(status: 204) }
        return outcome
    }

    /// An authorization that was not captured is voided (dossier 4.1). The numbers of most refusals are not known; that a
    /// refund is pending for a bank account is a guess.
    private func refund(
        _ parent: BlueSnapTransaction, _ wanted: Money?, cancels: Bool, _ root: JSONValue?, _ call: SandboxCall,
        _ store: inout BlueSnapStore
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        let isVoid = parent.kind == .authOnly && parent.status == nil
        guard isVoid || parent.isMoney else { throw .notAuthorized }
        guard call.now < parent.createdAt.adding(seconds: 2 * 365 * 86_400) else {
            throw BlueSnapRefusal("REFUND_PERIOD_EXPIRED", nil, "The time for a refund is over")
        }
        guard parent.left > 0 else {
            throw BlueSnapRefusal("INVOICE_ALREADY_FULLY_REFUNDED", 14022, "The invoice was already fully refunded")
        }
        let amount = wanted ?? Money(minorUnits: parent.left, currency: parent.amount.currency)
        guard amount.minorUnits <= parent.left, !isVoid || amount == parent.amount else {
            throw BlueSnapRefusal("REFUND_MAX_AMOUNT_FAILURE", nil, "The amount is more than what is left")
        }
        var refusal: BlueSnapRefusal?
        switch BlueSnapDecision.follow(amount) {
        case .approved: break
        case .refused(let found, moved: true): refusal = found
        case .refused(let found, moved: false): throw found
        }
        let refund = BlueSnapTransaction.Refund(id: store.transactionNumber(), amount: amount, date: call.now)
        var changed = parent
        if isVoid { changed.kind = .reversal } else { changed.refunds.append(refund) }
        store.transactions.replace(changed, token: parent.id)
        if cancels { store.cancelSubscriptions(paidBy: parent.id) }
        var isPending = false
        if case .bank = parent.source { isPending = true }
        let answer = reply { [isPending] body in
            body.set("refundTransactionId", Int(refund.id) ?? 0)
            body.set("amount", decimal: amount.decimalText)
            body.set("taxAmount", decimal: "0")
            body.set("currency", amount.currency.code)
            body.set("date", BlueSnapTransaction.shortDate(call.now))
            body.set("reason", (try? root?["reason"].present?.string()) ?? "Per your instructions")
            body.set("refundStatus", isPending ? "PENDING" : "SUCCESS")
        }
        return SandboxOutcome(
            reply: refusal?.reply(form) ?? answer, outcome: .created, token: refund.id,
            card: parent.source.card?.summary, ownReference: root.flatMap { BlueSnapPaymentForm.metadataReference($0) },
            movement: isVoid
                ? LedgerMovement(kind: "void", parent: parent.id)
                : LedgerMovement(
                    kind: "refund", amount: amount.minorUnits, currency: amount.currency.code, parent: parent.id))
    }

    // MARK: - Look-ups

    /// By BlueSnap's id, or by the merchant's and the merchant with a comma between. That another merchant's number is
    /// told as a foreign transaction is a guess.
    func showTransaction(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        let name = call.parameters.first ?? ""
        guard chosen[Self.lookupChoice] == "own" else { throw .foreign(name, user: user) }
        let found: BlueSnapTransaction
        if let comma = name.lastIndex(of: ",") {
            guard name[name.index(after: comma)...] == merchant else { throw .foreign(name, user: user) }
            found = try transaction(ownReference: String(name[..<comma]), store)
        } else {
            found = try transaction(name, store)
        }
        let isCard = found.source.card != nil
        guard isCard == (call.operation == BlueSnapOperation.showTransaction.rawValue) else { throw .otherMethod }
        return SandboxOutcome(
            reply: shown(found, call), outcome: .read, token: found.id, card: found.source.card?.summary)
    }
}
