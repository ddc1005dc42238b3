import GatewayKitCore

/// A token as it is kept and shown (dossier 3.3).
struct HellgateToken: Sendable {
    var id: String
    var createdAt: WallTime
    var summary: CardSummary
    var issuer: String
    var length: Int
    var cardholderName: String?
    var expiresAt: WallTime?

    /// No network token is made for an ephemeral one (dossier 1.1); that every other one is active is a guess.
    var networkTokenStatus: String? { expiresAt == nil ? "active" : nil }

    func write(to body: inout AnswerWriter) {
        let lastFour = summary.lastFour ?? ""
        body.set("id", id)
        body.set("created_at", createdAt.rfc3339WithMilliseconds)
        body.set("expiry_month", summary.expiry?.month ?? 0)
        body.set("expiry_year", summary.expiry?.year ?? 0)
        body.set("issuer_identification_number", issuer)
        body.set(
            "masked_account_number",
            (summary.firstSix ?? "") + String(repeating: "*", count: max(0, length - 10)) + lastFour)
        body.set("scheme", Self.scheme(summary.brand))
        body.setOrNull("cardholder_name", cardholderName)
        body.set("account_number_last_four", lastFour)
        body.set("account_number_length", length)
        body.setOrNull("network_token_status", networkTokenStatus)
        body.setOrNull("expires_at", expiresAt?.rfc3339WithMilliseconds)
        body.setNull("invalidated_at")
    }

    private static func scheme(_ brand: CardBrand?) -> String {
        switch brand {
        case .visa: "VISA"
        case .mastercard: "Mastercard"
        case .americanExpress: "American Express"
        case .discover: "Discover"
        case .dinersClub: "Diners Club"
        case .jcb: "JCB"
        case .unionPay: "UnionPay"
        default: "Unknown"
        }
    }
}
