import GatewayKitCore

/// The cards that a customer has saved.
struct SafepayWallet: Sendable {
    let client: SafepayClient

    func listRequest(_ customer: String) throws(GatewayError) -> WireRequest {
        try client.request(
            "safepay.wallet", .get, ["user", "customers", "v1", customer, "wallet"], endsWithSlash: true, .merchant,
            repeatability: .read)
    }

    func cardRequest(
        _ operation: WireRequest.Operation, _ method: HTTPMethod, _ id: SafepayWalletID
    ) throws(GatewayError) -> WireRequest {
        try client.request(
            operation, method, ["user", "customers", "v1", id.customer, "wallet", id.card], .merchant,
            repeatability: method == .get ? .read : .once)
    }

    /// All cards of a customer, in Safepay's order. A list must not lose a card in silence: an entry that cannot be read,
    /// and a count that says that there are more, are errors.
    func cards(of customer: String, in call: Call) async throws(GatewayError) -> [SafepayWalletCard] {
        let facts = try await client.read(listRequest(customer), in: call)
        if let refusal = facts.refusal() { throw refusal }
        let data = facts.isSuccess ? facts.envelope?.data : nil
        // The PHP SDK calls the list `wallet`, beside a `count`.
        guard let data, let list = [data["wallet"], data].first(where: { $0.kind == .array }) else {
            // A wallet without cards may have no list.
            if let data, data.kind == .object, (try? data["count"].present?.integer()) == 0 { return [] }
            throw facts.unclear(
                "Safepay's list of the customer's cards could not be understood.",
                "Nothing was changed: it is safe to ask again.")
        }
        var cards: [SafepayWalletCard] = []
        for item in list.items {
            guard let card = SafepayWalletCard(item), facts.id(card.token) != nil else {
                throw facts.failure(
                    .unreadableAnswer, "An entry of the customer's cards has no name that can be read.",
                    "Nothing was changed. Ask Safepay's support.")
            }
            cards.append(card)
        }
        let count = (try? data["count"].present?.integer()) ?? nil
        guard count == nil || count == cards.count else {
            throw facts.failure(
                .unreadableAnswer, "Safepay's list of the customer's cards is not whole.",
                "Nothing was changed. How Safepay pages it is not known: ask its support.")
        }
        return cards
    }
}
