import GatewayKitCore

/// The cards that a customer has saved.
struct SafepayWallet: Sendable {
    let client: SafepayClient

    private func listRequest(_ customer: String, page: Int) throws(GatewayError) -> WireRequest {
        try client.request(
            "safepay.list-wallet", .get, ["user", "customers", "v1", customer, "wallet"], endsWithSlash: true,
            query: [("limit", String(Self.pageSize)), ("page", String(page)), ("direction", "ASC")], .merchant,
            repeatability: .read)
    }

    private static let pageSize = 100
    /// More cards than any person has.
    private static let mostPages = 10

    func cardRequest(
        _ operation: WireRequest.Operation, _ method: HTTPMethod, _ id: SafepayWalletID
    ) throws(GatewayError) -> WireRequest {
        try client.request(
            operation, method, ["user", "customers", "v1", id.customer, "wallet", id.card], .merchant,
            repeatability: method == .get ? .read : .once)
    }

    /// All cards of a customer, the oldest first. A list must not lose a card in silence: an entry that cannot be read, and
    /// a `count` that the pages together do not reach, are errors.
    func cards(of customer: String, in call: Call) async throws(GatewayError) -> [SafepayWalletCard] {
        var cards: [SafepayWalletCard] = []
        for number in 1...Self.mostPages {
            let facts = try await client.read(listRequest(customer, page: number), in: call)
            let (found, count) = try read(facts)
            let isNews = found.contains { card in !cards.contains { $0.token == card.token } }
            cards += found
            guard let count, count > cards.count else {
                if let count, count < cards.count { throw notWhole(facts) }
                return cards
            }
            guard isNews, number < Self.mostPages else { throw notWhole(facts) }
        }
        return cards
    }

    private func notWhole(_ facts: SafepayAnswerFacts) -> GatewayError {
        facts.failure(
            .unreadableAnswer, "Safepay's list of the customer's cards is not whole.",
            "Nothing was changed. Ask Safepay's support.")
    }

    private func read(
        _ facts: SafepayAnswerFacts
    ) throws(GatewayError) -> (cards: [SafepayWalletCard], count: Int?) {
        if let refusal = facts.refusal() { throw refusal }
        let data = facts.isSuccess ? facts.envelope?.data : nil
        let count = data.flatMap { (try? $0["count"].present?.integer()) ?? nil }
        // The PHP SDK calls the list `wallet`, beside a `count`.
        guard let data, let list = [data["wallet"], data].first(where: { $0.kind == .array }) else {
            // A wallet without cards may have no list.
            if count == 0 { return ([], 0) }
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
        return (cards, count)
    }
}
