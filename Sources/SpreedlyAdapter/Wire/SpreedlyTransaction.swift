import GatewayKitCore

/// The `transaction` that a create call answers with (API V1; field list from recordings of 2026). Everything is read
/// leniently: Spreedly adds members without notice, and clients that broke over a missing one charged twice.
struct SpreedlyTransaction {
    let token: String?
    let succeeded: Bool?
    let state: String?
    let message: String?
    let messageKey: String?
    let paymentMethod: SpreedlyStoredMethod?

    /// The transaction of an answer, or `nil` when the answer has none.
    init?(_ root: JSONValue) {
        let json = root["transaction"]
        guard json.kind == .object else { return nil }
        token = Self.text(json["token"])
        succeeded = try? json["succeeded"].present?.bool()
        state = Self.text(json["state"])
        message = Self.text(json["message"])
        messageKey = Self.text(json["message_key"])
        paymentMethod = SpreedlyStoredMethod(json["payment_method"])
    }

    /// Whether Spreedly says explicitly that it worked. An unknown state is no success, whatever else the answer says;
    /// when one of the two members is missing the other must say so.
    var isSuccess: Bool {
        switch (succeeded, state) {
        case (true, "succeeded"), (true, nil), (nil, "succeeded"): true
        default: false
        }
    }

    /// Whether Spreedly says explicitly that it did not work.
    var isFailure: Bool {
        succeeded != true && ["failed", "gateway_processing_failed", "gateway_setup_failed"].contains(state)
    }

    private static func text(_ json: JSONValue) -> String? {
        guard let text = try? json.present?.scalarText(), !text.isEmpty else { return nil }
        return text
    }
}

/// The `payment_method` of an answer.
struct SpreedlyStoredMethod {
    let token: String?
    let storageState: String?
    let isTest: Bool?
    let fingerprint: String?
    let summary: CardSummary
    let errors: [SpreedlyErrorEntry]

    init?(_ json: JSONValue) {
        guard json.kind == .object else { return nil }
        func text(_ name: String) -> String? {
            guard let text = try? json[name].present?.scalarText(), !text.isEmpty else { return nil }
            return text
        }
        token = text("token")
        storageState = text("storage_state")
        isTest = try? json["test"].present?.bool()
        fingerprint = text("fingerprint")
        errors = SpreedlyErrorEntry.list(json["errors"])
        let month = try? json["month"].present?.integer()
        let year = try? json["year"].present?.integer()
        let expiry = month.flatMap { month in year.flatMap { CardExpiry(month: month, year: $0) } }
        summary = CardSummary(
            brand: text("card_type").flatMap { SpreedlyErrors.brands[$0] ?? CardBrand(id: $0) },
            lastFour: text("last_four_digits"), firstSix: text("first_six_digits"), expiry: expiry)
    }

    /// What the storage state says about repeated use (API V1).
    var usage: PaymentToken.Usage {
        switch storageState {
        case "retained": .reusable
        case "cached": .single
        default: .unknown
        }
    }
}
