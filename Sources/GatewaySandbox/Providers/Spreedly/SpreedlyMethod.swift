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
    /// ``redacted``.
    enum Storage: String, Sendable, CaseIterable {
        case cached, retained, redacted, used
    }

    enum Instrument: Sendable {
        case creditCard, applePay, googlePay, sprel
        case bankAccount(SpreedlyBankAccount)
        case thirdPartyToken(gatewayType: String, reference: String)

        /// `payment_method_type`.
        var word: String {
            switch self {
            case .creditCard: "credit_card"
            case .applePay: "apple_pay"
            case .googlePay: "google_pay"
            case .sprel: "sprel"
            case .bankAccount: "bank_account"
            case .thirdPartyToken: "third_party_token"
            }
        }
    }

    var instrument = Instrument.creditCard
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
    /// The name of the public test card, which decides what the test gateway does with it.
    var testCard: String?

    /// Of instruments with a card behind them.
    var summary: CardSummary? {
        switch instrument {
        case .creditCard, .applePay, .googlePay: break
        case .sprel, .bankAccount, .thirdPartyToken: return nil
        }
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

    /// Fields and order of a recorded answer (dossier 1.4) for cards. No recording shows the others: that wallets have
    /// a card's members, and the rest the common ones and their own, is a guess.
    func write(to body: inout AnswerWriter) {
        writeHead(to: &body)
        switch instrument {
        case .creditCard, .applePay, .googlePay:
            writeCard(to: &body)
            return
        case .bankAccount(let account):
            writeHolder(to: &body)
            account.write(to: &body, isRedacted: storage == .redacted)
        case .thirdPartyToken(let gatewayType, let reference):
            writeHolder(to: &body)
            body.set("gateway_type", gatewayType)
            body.set("third_party_token", storage == .redacted ? "" : reference)
        case .sprel:
            writeHolder(to: &body)
        }
        writeKind(to: &body)
        body.setOrNull("fingerprint", fingerprint.isEmpty ? nil : fingerprint)
    }

    private func writeHead(to body: inout AnswerWriter) {
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
    }

    private func writeHolder(to body: inout AnswerWriter) {
        body.setOrNull("first_name", firstName)
        body.setOrNull("last_name", lastName)
        for name in Self.billingFields { body.setOrNull(name, address[name]) }
        body.setOrNull("full_name", fullName)
    }

    private func writeCard(to body: inout AnswerWriter) {
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
        writeKind(to: &body)
        body.set("fingerprint", fingerprint)
        body.set("verification_value", String(repeating: "X", count: codeLength))
        body.set("number", storage == .redacted ? "" : "XXXX-XXXX-XXXX-" + lastFour)
    }

    private func writeKind(to body: inout AnswerWriter) {
        body.set("payment_method_type", instrument.word)
        body.array("errors") { _ in }
    }

    /// Spreedly's words where they are not our ids (dossier 1.4).
    static func word(for brand: CardBrand) -> String {
        switch brand {
        case .mastercard: "master"
        default: brand.id
        }
    }
}
