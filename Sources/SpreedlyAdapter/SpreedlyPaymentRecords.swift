import GatewayKitCore

/// Reads the answers of look-ups.
struct SpreedlyPaymentRecords {
    let facts: SpreedlyAnswerFacts

    /// A page of the list: its payments, and where the next page begins.
    struct Page {
        let transactions: [SpreedlyPaymentTransaction]
        let next: String?
    }

    private var response: WireResponse { facts.response }

    /// The transaction asked for.
    /// - Throws: ``GatewayError``, with ``GatewayError/Code/notFound`` where Spreedly says that it has none.
    func shown() throws(GatewayError) -> SpreedlyPaymentTransaction {
        let json = SpreedlyBody.json(response.body)
        // A transaction that failed may be shown with the status that its own call had.
        let isShown = (200..<300).contains(response.status) || [402, 422].contains(response.status)
        guard isShown, let transaction = json.flatMap({ SpreedlyPaymentTransaction($0["transaction"]) }) else {
            throw failure(json)
        }
        return transaction
    }

    /// A page of which `count` entries were asked for.
    func page(_ count: Int) throws(GatewayError) -> Page {
        let json = SpreedlyBody.json(response.body)
        guard (200..<300).contains(response.status), let list = json?["transactions"],
            list.kind == .array || list.kind == .object
        else { throw failure(json) }
        let items = list.items
        var transactions: [SpreedlyPaymentTransaction] = []
        for item in items {
            // A list must not lose anybody's payment in silence, and the last one is the way to the next page.
            guard let transaction = SpreedlyPaymentTransaction(item) ?? SpreedlyPaymentTransaction(item["transaction"]),
                transaction.record(facts.account, facts.redactor) != nil
            else {
                throw facts.failure(
                    .unreadableAnswer, "An entry of Spreedly's list has no id that can be read.",
                    "Nothing was changed. Ask Spreedly's support, with the request id.")
            }
            transactions.append(transaction)
        }
        return Page(transactions: transactions, next: items.count < count ? nil : transactions.last?.id)
    }

    /// The record of a transaction, with the reason where it was declined.
    func record(_ transaction: SpreedlyPaymentTransaction) -> PaymentRecord? {
        var record = transaction.record(facts.account, facts.redactor)
        record?.requestID = facts.requestID
        if transaction.outcome == .failed || transaction.isDuplicate { record?.decline = facts.decline(transaction) }
        return record
    }

    /// Whether Spreedly itself says that there is no such transaction. Other 404s come from a wrong address.
    var saysNotFound: Bool {
        guard response.status == 404, let json = SpreedlyBody.json(response.body) else { return false }
        return SpreedlyErrorEntry.list(json["errors"]).contains { error in
            ["errors.transaction_not_found", "errors.not_found"].contains(error.key)
        }
    }

    private func failure(_ json: JSONValue?) -> GatewayError {
        let errors = json.map { SpreedlyErrorEntry.list($0["errors"]) } ?? []
        let first = errors.first ?? json.flatMap { SpreedlyErrorEntry.words($0) }
        if let code = SpreedlyErrors.refusals[response.status] { return facts.refused(code, errors, first) }
        if let error = facts.credentialsError(errors), response.status == 422 {
            return facts.credentialsRefused(error)
        }
        let isServer = response.status >= 500 || response.status == 408
        let isRefused = response.status == 422 && !errors.isEmpty
        return facts.failure(
            isServer ? .providerUnavailable : isRefused ? .requestRefused : .unreadableAnswer,
            "Spreedly's answer to the look-up could not be used.",
            "Nothing was changed: it is safe to ask again.", first)
    }
}

/// Puts captures, voids and credits under the payments that they belong to.
struct SpreedlyPaymentTree {
    private var childrenOf: [String: [PaymentRecord]] = [:]

    /// - Parameter records: In the provider's order, newest first.
    init(_ records: [PaymentRecord]) {
        for record in records {
            guard let parent = record.parentID, parent != record.id else { continue }
            childrenOf[parent, default: []].append(record)
        }
    }

    /// The record with its children and theirs, oldest first. Four levels are more than any payment has.
    func completed(_ record: PaymentRecord, depth: Int = 4) -> PaymentRecord {
        guard depth > 0, let children = childrenOf[record.id] else { return record }
        var copy = record
        copy.children = children.reversed().map { completed($0, depth: depth - 1) }
        return copy
    }
}
