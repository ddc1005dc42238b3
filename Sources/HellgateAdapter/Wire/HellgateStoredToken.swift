import GatewayKitCore

/// A token as `GET /tokens/{id}` and the list show it (Commerce API 2.0). The mask is not read: its form differs from
/// page to page of the documentation.
struct HellgateStoredToken {
    let id: String
    private let json: JSONValue

    /// `nil` without an id that can be a token.
    init?(_ json: JSONValue) {
        guard json.kind == .object, let id = json["id"].nonEmptyText, PaymentToken.isWellFormed(id: id) else {
            return nil
        }
        self.id = id
        self.json = json
    }

    func instrument(_ account: AccountName, _ redactor: Redactor) -> StoredInstrument {
        func shown(_ name: String) -> String? { json[name].nonEmptyText.map(redactor.redact(_:)) }
        // There is no state of the token itself in the documents: what is there is kept, unless it says otherwise.
        let isInvalidated = json["invalidated_at"].present != nil
        var stored = StoredInstrument(id: id, account: account, state: isInvalidated ? .unknown : .retained)
        stored.providerState = isInvalidated ? "invalidated" : shown("network_token_status") ?? shown("status")
        stored.providerKind = shown("type")
        stored.card = card
        stored.shopper.name = shown("cardholder_name")
        stored.createdAt = json["created_at"].nonEmptyText.flatMap { WallTime(rfc3339: $0) }
        return stored
    }

    private var card: CardSummary {
        let month = try? json["expiry_month"].present?.integer()
        let year = try? json["expiry_year"].present?.integer()
        let issuer = json["issuer_identification_number"].nonEmptyText.flatMap { text in
            text.utf8.count == 6 || text.utf8.count == 8 ? String(text.prefix(6)) : nil
        }
        let brand = json["scheme"].nonEmptyText.map { $0.lowercased() }
        return CardSummary(
            brand: brand.flatMap { HellgateErrors.brands[$0] }, lastFour: json["account_number_last_four"].nonEmptyText,
            firstSix: issuer, expiry: month.flatMap { month in year.flatMap { CardExpiry(month: month, year: $0) } })
    }
}
