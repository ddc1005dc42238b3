import GatewayKitCore

/// A payment as the reporter tells it: `data` of `GET /reporter/api/v1/payments/{tracker}`.
struct SafepayReport {
    let json: JSONValue

    var token: String? { json["token"].nonEmptyText }
    var environment: String? { json["environment"].nonEmptyText }
    var word: String? { json["state"].nonEmptyText }
    var mode: String? { json["mode"].nonEmptyText }
    var customer: String? { json["customer"]["token"].nonEmptyText }
    var apiKey: String? { json["client"]["api_key"].nonEmptyText }
    var isLive: Bool? { environment.map { $0 == "production" } }
    var createdAt: WallTime? { Self.time(json["created_at"]) }
    var updatedAt: WallTime? { Self.time(json["updated_at"]) }

    /// What was to be paid; there on unpaid trackers too.
    var total: Money? { Money.safepay(minor: json["purchase_totals"]["quote_amount"]) }

    /// What was paid: there on paid trackers only.
    struct Charge {
        let token: String
        let tracker: String?
        let amount: Money?
        let balance: Money?
    }

    var charge: Charge? {
        let charge = json["charge"]
        guard let token = charge["token"].nonEmptyText else { return nil }
        return Charge(
            token: token, tracker: charge["tracker"].nonEmptyText, amount: Money.safepay(minor: charge["amount"]),
            balance: Money.safepay(minor: charge["balance"]))
    }

    var hasCharge: Bool { json["charge"].present != nil }

    /// What the tracker waits for at its own processor, such as `PAYER_AUTH_ENROLLMENT`.
    var nextAction: String? {
        json["intent"].nonEmptyText.flatMap { json["next_actions"][$0]["kind"].nonEmptyText }
    }

    /// The next action once a card came.
    static let actionsAfterCard: Set<String> = [
        "PAYER_AUTH_ENROLLMENT", "PAYER_AUTH_VALIDATION", "AUTHORIZATION", "CAPTURE",
    ]

    /// The card of the last attempt that succeeded.
    var succeededCard: CardSummary? {
        let attempts = json["attempts"].items.filter { (try? $0["is_success"].present?.bool()) == true }
        return attempts.last.map { SafepayWalletCard.summary($0["payment_method"]) }
    }

    /// The last authorization that an attempt got: what a reversal names.
    var authorization: String? {
        json["attempts"].items.reversed().lazy.compactMap { $0["authorization"]["token"].nonEmptyText }.first
    }

    /// `{"seconds", "nanos"}`, the latter left out where it is zero.
    private static func time(_ json: JSONValue) -> WallTime? {
        guard let seconds = try? json["seconds"].present?.integer() else { return nil }
        return WallTime(secondsSince1970: Int64(seconds))
    }
}
