import GatewayKitCore

/// Customers' saved cards: show, list by customer, delete. Every call needs the secret key.
///
/// A card's id is the customer and the card with a slash between (`cus_…/pm_…`).
struct SafepayVault: Vault {
    let client: SafepayClient
    let wallet: SafepayWallet

    let operations: Set<VaultOperation> = [.show, .list, .redact]

    func show(_ id: String, _ context: CallContext) async throws(GatewayError) -> VaultResult {
        let card = try walletID(id)
        let request = try wallet.cardRequest("safepay.show", .get, card)
        return try await call(request, context) { call async throws(GatewayError) in
            try await read(request, card, call)
        }
    }

    /// Deletes the card. How Safepay answers is not documented, so that it is gone is proven by asking for it; that
    /// settles an answer that was lost, too.
    func redact(_ id: String, _ context: CallContext) async throws(GatewayError) -> VaultResult {
        let card = try walletID(id)
        let request = try wallet.cardRequest("safepay.redact", .delete, card)
        let look = try wallet.cardRequest("safepay.show", .get, card)
        return try await call(request, context) { call async throws(GatewayError) in
            let cause: GatewayError
            switch await client.exchange(request, call) {
            case .success(let response):
                let facts = client.facts(response, request, call, nothingHappened: "Nothing was deleted.")
                if facts.saysNotFound { return .notFound(id: id) }
                if let refusal = facts.refusal() { throw refusal }
                cause = facts.unclear("Safepay's answer does not tell whether the card is deleted.", Self.showIt)
            case .failure(let error):
                var failure = GatewayError(error, in: call)
                guard error.reach != .notSent else { throw failure }
                failure.advice = Self.showIt
                cause = failure
            }
            guard case .notFound? = try? await read(look, card, call) else { return .unknown(cause: cause) }
            return .done(StoredInstrument(id: id, account: client.account.name, state: .redacted))
        }
    }

    private static let showIt: SafeText = "The card may have been deleted: show it to find out."

    /// All cards of one customer at once: how Safepay pages a wallet is not known. That the oldest comes first is a guess.
    func page(
        _ query: VaultQuery, after cursor: String?, _ context: CallContext
    ) async throws(GatewayError) -> VaultPage {
        guard let customer = query.shopperID else {
            throw client.invalid(
                "Safepay keeps saved cards by customer, and none is named.",
                "Nothing was sent. Name the shopper (cus_…).")
        }
        guard SafepaySession.isName(customer) else {
            throw client.invalid("The shopper is no customer of Safepay's.", "Nothing was sent. Correct it.")
        }
        guard query.metadata.isEmpty, query.providerState == nil, cursor == nil else {
            throw client.notSupported(
                "Safepay's list of a customer's cards has no filters and begins at its beginning.",
                "Nothing was sent. Leave filters and starting point out.")
        }
        return try await client.call(
            "safepay.wallet", context, outcome: { (_: VaultPage) in ("page", nil) }
        ) { call async throws(GatewayError) in
            let cards = try await wallet.cards(of: customer, in: call).map {
                $0.instrument(customer, client.account.name, call.redactor)
            }
            return VaultPage(instruments: query.order == .oldestFirst ? cards : cards.reversed(), next: nil)
        }
    }

    // MARK: - What Safepay cannot do

    func update(_ id: String, _ change: VaultUpdate, _ call: CallContext) async throws(GatewayError) -> VaultResult {
        throw client.notSupported(
            "Safepay's saved cards cannot be changed.", "Nothing was sent. Save the card anew with what has changed.")
    }

    func retain(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult {
        throw client.notSupported(
            "Safepay keeps every saved card until it is deleted: there is no retaining.",
            "Nothing was sent. Leave it out.")
    }

    func deleteMetadata(
        _ keys: [String], of id: String, _ call: CallContext
    ) async throws(GatewayError) -> VaultResult {
        throw client.notSupported("Safepay stores no metadata beside a card.", "Nothing was sent. Leave it out.")
    }

    // MARK: - Parts

    private func call(
        _ request: WireRequest, _ context: CallContext, _ body: (Call) async throws(GatewayError) -> VaultResult
    ) async throws(GatewayError) -> VaultResult {
        try await client.call(
            request.operation, context, outcome: { (result: VaultResult) in (result.outcomeName, nil) }, body)
    }

    private func read(
        _ request: WireRequest, _ id: SafepayWalletID, _ call: Call
    ) async throws(GatewayError) -> VaultResult {
        let facts = try await client.read(request, in: call)
        if facts.saysNotFound { return .notFound(id: id.text) }
        if let refusal = facts.refusal() { throw refusal }
        guard facts.isSuccess, let data = facts.envelope?.data, let card = SafepayWalletCard(data),
            card.token == id.card
        else {
            throw facts.unclear(
                "Safepay's answer is not about the card asked for, or could not be understood.",
                "Nothing was changed: it is safe to ask again.")
        }
        var stored = card.instrument(id.customer, client.account.name, facts.redactor)
        stored.requestID = facts.requestID
        return .done(stored)
    }

    private func walletID(_ id: String) throws(GatewayError) -> SafepayWalletID {
        guard let parts = SafepayWalletID(id) else {
            throw client.invalid(
                "This is no saved card.", "Nothing was sent. Give customer and card with a slash between: cus_…/pm_….")
        }
        return parts
    }
}
