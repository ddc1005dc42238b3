import GatewayKitCore

/// How a card and what goes with it are written.
struct HellgateCardData {
    let card: Card
    /// The eight additional fields, those that are there; the API wants no empty texts.
    let additional: [(name: String, value: String)]

    init(_ card: Card, _ shopper: Shopper) {
        self.card = card
        let billing = shopper.billingAddress
        let all: [(String, String?)] = [
            ("cardholder_name", Self.unlessBlank(card.holderName) ?? shopper.name),
            ("email", shopper.email),
            ("billing_address_line_1", billing?.line1),
            ("billing_address_line_2", billing?.line2),
            ("billing_address_line_3", billing?.line3),
            ("billing_address_postal_code", billing?.postalCode),
            ("billing_address_city", billing?.city),
            ("billing_address_country", billing?.country),
        ]
        additional = all.compactMap { name, value in Self.unlessBlank(value).map { (name, $0) } }
    }

    /// The claims that are encrypted for a session (the Android SDK's claims set).
    func writeClaims(into json: inout JSONObjectWriter) {
        writeCard(into: &json)
        for field in additional { json.set(field.name, field.value) }
    }

    /// The body for the vault that a session names. The first iOS SDK sends the security code to Guardian as
    /// `issuer_identification_number`, and to the other vault a mask that shows the whole card: neither is done here.
    func write(for kind: HellgateVaultAccess.Kind, into json: inout JSONObjectWriter) {
        switch kind {
        case .guardian:
            writeCard(into: &json)
        case .basisTheory:
            json.set("type", "card")
            json.object("data") { data in
                data.set("number", card.number.sensitive)
                data.set("expiry_month", card.expiry?.month)
                data.set("expiry_year", card.expiry?.year)
                data.set("cvc", card.securityCode?.sensitive)
            }
        }
    }

    private func writeCard(into json: inout JSONObjectWriter) {
        json.set("account_number", card.number.sensitive)
        json.set("expiry_month", card.expiry?.month)
        json.set("expiry_year", card.expiry?.year)
        json.set("security_code", card.securityCode?.sensitive)
    }

    /// The result that goes to the session together with the vault's token.
    func writeResult(vaultToken: String, into json: inout JSONObjectWriter) {
        json.set("token_id", vaultToken)
        guard !additional.isEmpty else { return }
        json.object("additional_data") { data in
            for field in additional { data.set(field.name, field.value) }
        }
    }

    private static func unlessBlank(_ text: String?) -> String? {
        guard let text, !text.allSatisfy(\.isWhitespace) else { return nil }
        return text
    }
}
