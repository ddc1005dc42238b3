import GatewayKitCore

/// A payment method as it is kept and shown. The card number is not in it.
struct SpreedlyMethod: Sendable {
    static let billingFields = [
        "address1", "address2", "city", "state", "zip", "country", "phone_number", "company",
    ]
    static let shippingFields = [
        "shipping_address1", "shipping_address2", "shipping_city", "shipping_state", "shipping_zip",
        "shipping_country", "shipping_phone_number",
    ]

    /// A method is cached until it is retained; a cached one is used up by one transaction. Nothing leads back from
    /// ``redacted``. No call that is imitated here makes a method ``used`` yet.
    enum Storage: String, Sendable, CaseIterable {
        case cached, retained, redacted, used
    }

    var token = ""
    var createdAt = WallTime(secondsSince1970: 0)
    var updatedAt = WallTime(secondsSince1970: 0)
    var storage = Storage.cached
    var email: String?
    var data: JSONValue?
    var metadata: SpreedlyMetadata?
    var brand: CardBrand?
    var firstSix = ""
    var firstEight = ""
    var lastFour = ""
    var firstName: String?
    var lastName: String?
    var month: Int?
    var year: Int?
    /// ``billingFields`` and ``shippingFields``, those that were sent.
    var address: [String: String] = [:]
    var isEligibleForUpdater = true
    var isManaged = true
    var fingerprint = ""
    var codeLength = 0

    var summary: CardSummary {
        let expiry = month.flatMap { month in year.flatMap { CardExpiry(month: month, year: $0) } }
        return CardSummary(brand: brand, lastFour: lastFour, firstSix: firstSix, expiry: expiry)
    }

    private var fullName: String? {
        let parts = [firstName, lastName].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// A full name of one word becomes the last name (a guess).
    mutating func setFullName(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        lastName = words.last.map { String($0) }
        firstName = words.count > 1 ? words.dropLast().joined(separator: " ") : nil
    }

    /// Only what is sensitive goes, unless personal data is to go too. What counts as personal is a guess.
    mutating func redact(removingPersonalData: Bool) {
        storage = .redacted
        codeLength = 0
        guard removingPersonalData else { return }
        firstName = nil
        lastName = nil
        email = nil
        data = nil
        metadata = nil
        address = [:]
    }

    /// Fields and order of a recorded answer (dossier 1.4).
    func write(to body: inout AnswerWriter) {
        body.set("token", token)
        body.set("created_at", createdAt.rfc3339WithMilliseconds)
        body.set("updated_at", updatedAt.rfc3339WithMilliseconds)
        body.setOrNull("email", email)
        body.setOrNull("data", data)
        body.set("storage_state", storage.rawValue)
        body.set("test", true)
        if let metadata { body.object("metadata") { metadata.write(to: &$0) } } else { body.setNull("metadata") }
        body.setNull("callback_url")
        body.setNull("last_successfully_used")
        body.set("last_four_digits", lastFour)
        body.set("first_six_digits", firstSix)
        body.setOrNull("card_type", brand.map(Self.word))
        body.setOrNull("first_name", firstName)
        body.setOrNull("last_name", lastName)
        body.setOrNull("month", month)
        body.setOrNull("year", year)
        for name in Self.billingFields { body.setOrNull(name, address[name]) }
        body.setOrNull("full_name", fullName)
        body.set("eligible_for_card_updater", isEligibleForUpdater)
        for name in Self.shippingFields { body.setOrNull(name, address[name]) }
        body.set("issuer_identification_number", firstEight)
        body.set("click_to_pay", false)
        body.set("managed", isManaged)
        body.object("bin_metadata") { $0.set("message", "(not enrolled)") }
        body.set("subscribed_to_mastercard_abu", false)
        body.set("payment_method_type", "credit_card")
        body.array("errors") { _ in }
        body.set("fingerprint", fingerprint)
        body.set("verification_value", String(repeating: "X", count: codeLength))
        body.set("number", storage == .redacted ? "" : "XXXX-XXXX-XXXX-" + lastFour)
    }

    /// Spreedly's words where they are not our ids (dossier 1.4).
    static func word(for brand: CardBrand) -> String {
        switch brand {
        case .mastercard: "master"
        default: brand.id
        }
    }
}
