import GatewayKitCore

/// A shop's customer, and the cards that are saved for them (dossier 4.3).
struct SafepayCustomer: Sendable {
    struct SavedCard: Sendable {
        var card: SafepayCard
        var savedAt: WallTime
    }

    var token: String
    var firstName = ""
    var lastName = ""
    var email = ""
    var phone = ""
    var country = ""
    var isGuest = false
    var wallet: [SavedCard] = []
    var createdAt: WallTime
    var updatedAt: WallTime

    static let members: Set<String> = ["first_name", "last_name", "email", "phone_number", "country", "is_guest"]

    /// Takes the members that a body has.
    ///
    /// That everything but `is_guest` must be there for a new customer is a guess, and so is the form of e-mail addresses
    /// and countries; lengths of names and the phone number's text are known.
    mutating func take(_ json: JSONValue, isNew: Bool) throws(SafepayRefusal) {
        try SafepayBody.check(json, Self.members)
        func text(_ name: String, _ old: String, _ isRight: (String) -> Bool) throws(SafepayRefusal) -> String {
            guard let text = try SafepayBody.optionalText(name, json) else {
                guard !isNew else { throw .malformed(name) }
                return old
            }
            guard isRight(text) else { throw .malformed(name) }
            return text
        }
        firstName = try text("first_name", firstName) { (2...40).contains($0.count) }
        lastName = try text("last_name", lastName) { (2...40).contains($0.count) }
        email = try text("email", email) { $0.contains("@") }
        country = try text("country", country) { $0.utf8.count == 2 && $0.utf8.allSatisfy { 0x41...0x5A ~= $0 } }
        isGuest = try SafepayBody.flag("is_guest", json) ?? isGuest
        let number = try? json["phone_number"].present?.string()
        guard isNew || json["phone_number"].present != nil else { return }
        guard let number, (7...16).contains(number.utf8.count),
            number.drop(while: { $0 == "+" }).utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { throw SafepayRefusal(400, "phone_number: the phone number supplied is not a number") }
        phone = number
    }

    func write(client: String, to body: inout AnswerWriter) {
        body.set("token", token)
        body.set("merchant_api_key", client)
        body.set("email", email)
        body.set("first_name", firstName)
        body.set("last_name", lastName)
        body.set("phone_number", phone)
        body.set("country", country)
        body.set("is_guest", isGuest)
        body.set("is_deleted", false)
        body.set(safepay: "created_at", createdAt)
        body.set(safepay: "updated_at", updatedAt)
    }

    /// A saved card; members beside the dossier's are from a third-party client that was made from Safepay's Postman
    /// collection. What the numbers of kinds and schemes mean is a guess.
    func write(_ saved: SavedCard, client: String, to body: inout AnswerWriter) {
        body.set("token", saved.card.token)
        body.set("customer", token)
        body.set("merchant_api_key", client)
        body.set("kind", 1)
        body.set("is_deleted", false)
        body.set("usage_count", 0)
        body.object("cybersource") { card in
            card.set("customer_payment_method", saved.card.token)
            card.set("scheme", Int(saved.card.typeCode) ?? 0)
            card.set("bin", saved.card.summary.firstSix)
            card.set("last_four", saved.card.summary.lastFour)
            card.set("expiry_month", saved.card.month)
            card.set("expiry_year", saved.card.year)
            card.set(safepay: "created_at", saved.savedAt)
            card.set(safepay: "updated_at", saved.savedAt)
        }
        body.set(safepay: "created_at", saved.savedAt)
        body.set(safepay: "updated_at", saved.savedAt)
    }
}

extension SafepayStore {
    func customer(_ token: String) throws(SafepayRefusal) -> SafepayCustomer {
        guard let customer = customers[token] else { throw .unknownCustomer }
        return customer
    }

    /// Cards with the same number are the same card, whatever their date (a guess). The text is the provider's.
    mutating func save(_ card: SafepayCard, for token: String?, at now: WallTime) throws(SafepayRefusal) {
        guard let token, var customer = customers[token] else {
            throw .action(.authorization, "cannot add payment method: no user")
        }
        guard !customer.wallet.contains(where: { $0.card.fingerprint == card.fingerprint }) else {
            throw .action(.authorization, "cannot add payment method: duplicate ")
        }
        customer.wallet.append(.init(card: card, savedAt: now))
        customers.replace(customer, token: token)
    }
}
