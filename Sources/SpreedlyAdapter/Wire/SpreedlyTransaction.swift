import GatewayKitCore

/// The `transaction` that a create call answers with (API V1; field list from recordings of 2026). Everything is read
/// leniently: Spreedly adds members without notice, and clients that broke over a missing one charged twice.
struct SpreedlyTransaction {
    let token: String?
    let succeeded: Bool?
    let state: String?
    let message: String?
    let messageKey: String?
    let errors: [SpreedlyErrorEntry]
    let paymentMethod: SpreedlyStoredMethod?
    private let hasState: Bool

    /// The transaction of an answer, or `nil` when the answer has none.
    init?(_ root: JSONValue) {
        let json = root["transaction"]
        guard json.kind == .object else { return nil }
        token = json["token"].nonEmptyText
        succeeded = try? json["succeeded"].present?.bool()
        state = json["state"].nonEmptyText
        hasState = json["state"].present != nil
        message = json["message"].nonEmptyText
        messageKey = json["message_key"].nonEmptyText
        paymentMethod = SpreedlyStoredMethod(json["payment_method"])
        errors = SpreedlyErrorEntry.list(json["errors"]) + (paymentMethod?.errors ?? [])
    }

    /// Whether Spreedly says explicitly that it worked: `succeeded` is true, and the state is the matching word or
    /// absent. A state that is unknown or cannot be read is no success, whatever else the answer says.
    var isSuccess: Bool {
        succeeded == true && (state == "succeeded" || !hasState)
    }

    /// Whether Spreedly says explicitly that it did not work. An answer that names a stored card all the same
    /// contradicts itself and is neither.
    var isFailure: Bool {
        succeeded != true && paymentMethod?.hasToken != true
            && ["failed", "gateway_processing_failed", "gateway_setup_failed"].contains(state)
    }
}

/// The `payment_method` of an answer.
struct SpreedlyStoredMethod {
    /// `nil` also for what cannot be a token: something else than text, or text with spaces or control characters.
    let token: String?
    let hasToken: Bool
    let storageState: String?
    let isTest: Bool?
    let fingerprint: String?
    let summary: CardSummary
    let errors: [SpreedlyErrorEntry]

    init?(_ json: JSONValue) {
        guard json.kind == .object else { return nil }
        hasToken = json["token"].present != nil
        token = (try? json["token"].present?.string()).flatMap { text in
            let isToken = (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            return isToken ? text : nil
        }
        storageState = json["storage_state"].nonEmptyText
        isTest = try? json["test"].present?.bool()
        fingerprint = json["fingerprint"].nonEmptyText
        errors = SpreedlyErrorEntry.list(json["errors"])
        let month = try? json["month"].present?.integer()
        let year = try? json["year"].present?.integer()
        let expiry = month.flatMap { month in year.flatMap { CardExpiry(month: month, year: $0) } }
        summary = CardSummary(
            brand: json["card_type"].nonEmptyText.flatMap { SpreedlyErrors.brands[$0] ?? CardBrand(id: $0) },
            lastFour: json["last_four_digits"].nonEmptyText, firstSix: json["first_six_digits"].nonEmptyText,
            expiry: expiry)
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

extension JSONValue {
    /// The text of a scalar, or `nil` when there is none or it is empty.
    var nonEmptyText: String? {
        guard let text = try? present?.scalarText(), !text.isEmpty else { return nil }
        return text
    }
}
