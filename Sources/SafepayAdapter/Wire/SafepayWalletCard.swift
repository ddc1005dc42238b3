import GatewayKitCore

/// A card in a customer's wallet. Its members are not documented for customers; those of Safepay's Android SDK for
/// shoppers' wallets are read, and the names that setting up a payment uses.
struct SafepayWalletCard {
    let token: String
    private let json: JSONValue

    /// `nil` without a token.
    init?(_ json: JSONValue) {
        guard let token = json["token"].nonEmptyText ?? json["payment_method_token"].nonEmptyText,
            SafepaySession.isName(token)
        else { return nil }
        self.token = token
        self.json = json
    }

    var summary: CardSummary { Self.summary(json) }

    /// The provider's own word for the brand.
    var brandWord: String? { Self.brandWord(json) }

    func instrument(_ customer: String, _ account: AccountName, _ redactor: Redactor) -> StoredInstrument {
        var stored = StoredInstrument(
            id: SafepayWalletID(customer: customer, card: token).text, account: account, state: .retained)
        stored.providerKind = (json["instrument_type"].nonEmptyText ?? json["kind"].nonEmptyText)
            .map(redactor.redact(_:))
        stored.card = summary
        stored.fingerprint = json["deduplication_key"].nonEmptyText.map(redactor.redact(identifier:))
        stored.createdAt = json["created_at"].nonEmptyText.flatMap { WallTime(rfc3339: $0) }
        return stored
    }

    private static func brandWord(_ json: JSONValue) -> String? {
        json["scheme"].nonEmptyText ?? json["card_type"].nonEmptyText ?? json["card_type_code"].nonEmptyText
            ?? json["cybersource"]["scheme"].nonEmptyText
    }

    /// What may be shown of a card, under any of the names that Safepay's answers use.
    static func summary(_ json: JSONValue) -> CardSummary {
        let inner = json["cybersource"]
        func text(_ names: String...) -> String? {
            names.lazy.compactMap { json[$0].nonEmptyText ?? inner[$0].nonEmptyText }.first
        }
        let month = text("expiration_month", "expiry_month").flatMap { Int($0) }
        let year = text("expiration_year", "expiry_year").flatMap { Int($0) }
        let brand = [brandWord(json), json["card_type_code"].nonEmptyText].lazy.compactMap { $0?.lowercased() }
            .compactMap { SafepayErrors.brands[$0] }.first
        return CardSummary(
            brand: brand, lastFour: text("last_four", "last_4"),
            firstSix: text("bin_number", "bin").map { String($0.prefix(6)) },
            expiry: month.flatMap { month in year.flatMap { CardExpiry(month: month, year: $0 < 100 ? 2000 + $0 : $0) }
            })
    }
}

/// A saved card's id: the customer and the card, as in the address of the wallet, because Safepay finds neither without
/// the other. `cus_…/pm_…`.
struct SafepayWalletID: Hashable {
    let customer: String
    let card: String

    init(customer: String, card: String) {
        self.customer = customer
        self.card = card
    }

    /// `nil` for what is no such pair.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(SafepaySession.isName) else { return nil }
        customer = parts[0]
        card = parts[1]
    }

    var text: String { customer + "/" + card }
}
