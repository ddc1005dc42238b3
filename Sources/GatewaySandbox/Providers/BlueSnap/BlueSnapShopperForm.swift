import GatewayKitCore

/// What a client writes about a shopper: the call of the SDK (dossier 2.3) and that of the Payment API (4.4) share most
/// members.
///
/// Guesses: a member of another name is refused; what a shopper has and the body does not name stays.
struct BlueSnapShopperForm {
    var texts: [String: String] = [:]
    var shipping: [String: String]?
    var sources: [JSONValue] = []
    var banks: [JSONValue] = []
    var choice: (method: String, card: JSONValue)?

    private static let otherNames: Set<String> = [
        "vaultedShopperId", "shippingContactInfo", "chosenPaymentMethod", "paymentSources", "transactionFraudInfo",
        "softDescriptor", "merchantShopperId", "personalIdentificationNumber",
    ]

    init(_ root: JSONValue) throws(BlueSnapRefusal) {
        for member in (try? root.members()) ?? [] {
            if BlueSnapShopper.fields.contains(member.name) {
                guard let text = try? member.value.string(), text.utf8.count <= 100 else { throw .invalid(member.name) }
                texts[member.name] = text
            } else if !Self.otherNames.contains(member.name) {
                throw .invalid(member.name, "There is no such member")
            }
        }
        let state = texts["state"].flatMap { $0.isEmpty ? nil : $0 }
        try BlueSnapSubmission.check(country: texts["country"], state: state, "")
        if let email = texts["email"], !email.isEmpty, !BlueSnapSubmission.isEmail(email) { throw .invalid("email") }
        if let contact = root["shippingContactInfo"].present { shipping = try Self.contact(contact) }
        if let info = root["paymentSources"].present {
            guard info.kind == .object else { throw .invalid("paymentSources") }
            sources = info["creditCardInfo"].items
            banks = info["ecpDetails"].items
        }
        if let chosen = root["chosenPaymentMethod"].present {
            let methods: Set = ["CC", "APPLE_PAY", "GOOGLE_PAY", "PAYPAL", "ECP", "ACH"]
            guard let method = try? chosen["chosenPaymentMethodType"].string(), methods.contains(method) else {
                throw .invalid("chosenPaymentMethodType")
            }
            choice = (method, chosen["creditCard"])
        }
        if let fraud = root["transactionFraudInfo"].present, let text = fraud["fraudSessionId"].present {
            guard let text = try? text.string(), (1...32).contains(text.utf8.count) else {
                throw .invalid("fraudSessionId")
            }
        }
    }

    /// `address` may stand beside `address1` with the same text (dossier 2.3).
    static func contact(_ json: JSONValue) throws(BlueSnapRefusal) -> [String: String] {
        guard let members = try? json.members() else { throw .invalid("contact") }
        var contact: [String: String] = [:]
        for member in members {
            guard BlueSnapShopper.contactFields.contains(member.name) || ["address", "phone"].contains(member.name),
                let text = try? member.value.string()
            else { throw .invalid(member.name) }
            if member.name != "phone" { contact[member.name == "address" ? "address1" : member.name] = text }
        }
        let state = contact["state"].flatMap { $0.isEmpty ? nil : $0 }
        try BlueSnapSubmission.check(country: contact["country"], state: state, "")
        return contact
    }

    func apply(to shopper: inout BlueSnapShopper) {
        shopper.texts.merge(texts) { _, new in new }
        shopper.texts = shopper.texts.filter { !$0.value.isEmpty }
        if let country = texts["country"] { shopper.texts["country"] = country.lowercased() }
        if let shipping { shopper.shipping = shipping }
    }

    /// The type, last four digits and date of a chosen card.
    static func card(_ json: JSONValue, of shopper: BlueSnapShopper) throws(BlueSnapRefusal) -> BlueSnapCard {
        guard let type = try? json["cardType"].string(), let lastFour = try? json["cardLastFourDigits"].string() else {
            throw .invalid("cardLastFourDigits")
        }
        let card = try shopper.card(type, lastFour)
        guard let month = try? json["expirationMonth"].present?.scalarText(),
            let year = try? json["expirationYear"].present?.scalarText()
        else { return card }
        guard BlueSnapCard.expiry(month: month[...], year: year[...]) == card.expiry else { throw .unknownMethod }
        return card
    }
}

extension BlueSnapSandbox {
    /// Guesses: the answer has no body; a new card wants consent, which the SDK demands (dossier 7.6); a token without a
    /// shopper, or for another one, is 15008.
    func configureShopper(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        guard let text = call.request.value(of: "token-authentication") else { throw .unauthorized }
        let root = try readBody(call.request)
        let token = try store.openToken(text, at: call.now)
        guard let id = token.shopper, (try? root["vaultedShopperId"].scalarText()) == id else { throw .unknownShopper }
        var shopper = try store.shopper(id)
        let form = try BlueSnapShopperForm(root)
        for name in ["firstName", "lastName"] where form.texts[name]?.isEmpty != false { throw .invalid(name) }
        form.apply(to: &shopper)
        for source in form.sources {
            guard let named = try? source["pfToken"].string() else { throw .invalid("pfToken") }
            // The SDK's retry names the old token here.
            let sent = try store.livingToken(named, at: call.now)
            if case .card(let card) = sent.instrument {
                guard sent.storesCard == true else { throw .invalid("storeCard", "The shopper has not consented") }
                shopper.keep(card)
            }
        }
        if let choice = form.choice {
            var chosen = BlueSnapShopper.Choice(method: choice.method)
            if choice.method == "CC" {
                guard !form.sources.isEmpty else { throw .invalid("paymentSources") }
                chosen.card = try BlueSnapShopperForm.card(choice.card, of: shopper)
            }
            shopper.choice = chosen
        }
        store.shoppers.replace(shopper, token: id)
        return SandboxOutcome(reply: SandboxReply(status: 204), outcome: .changed, token: id)
    }
}
