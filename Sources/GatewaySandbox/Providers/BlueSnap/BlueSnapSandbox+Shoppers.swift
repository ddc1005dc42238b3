import GatewayKitCore

/// Vaulted shoppers of the Payment API (dossier 4.4).
extension BlueSnapSandbox {
    /// Version 1 of the API answers with the address alone; that an account's default is not version 1 is a guess.
    func createShopper(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        var shopper = BlueSnapShopper(id: store.shopperNumber())
        try write(try readBody(call.request), to: &shopper, call, &store, &submitted)
        store.shoppers.add(shopper, token: shopper.id)
        var answer = reply { [shopper] in shopper.write(to: &$0) }
        if call.request.value(of: "bluesnap-version") == "1.0" {
            answer = SandboxReply(status: 201)
        }
        answer.set("location", call.origin + "/\(id)/services/2/vaulted-shoppers/" + shopper.id)
        return SandboxOutcome(
            reply: answer, outcome: .created, token: shopper.id, card: shopper.sources.last?.card.summary,
            submitted: submitted)
    }

    func showShopper(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        let shopper = try store.shopper(call.parameters.first ?? "")
        return SandboxOutcome(
            reply: reply { shopper.write(to: &$0) }, outcome: .read, token: shopper.id,
            card: shopper.sources.last?.card.summary)
    }

    /// That what the body does not name is cleared (but for the cards) is a guess, the strict one: clients read first and
    /// send the whole.
    func updateShopper(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        var shopper = try store.shopper(call.parameters.first ?? "")
        shopper.texts = [:]
        shopper.shipping = nil
        try write(try readBody(call.request), to: &shopper, call, &store, &submitted)
        store.shoppers.replace(shopper, token: shopper.id)
        return SandboxOutcome(
            reply: reply { [shopper] in shopper.write(to: &$0) }, outcome: .changed, token: shopper.id,
            card: shopper.sources.last?.card.summary, submitted: submitted)
    }

    private func write(
        _ root: JSONValue, to shopper: inout BlueSnapShopper, _ call: SandboxCall, _ store: inout BlueSnapStore,
        _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) {
        let form = try BlueSnapShopperForm(root)
        for name in ["firstName", "lastName"] where form.texts[name]?.isEmpty != false { throw .invalid(name) }
        form.apply(to: &shopper)
        var used: [BlueSnapToken] = []
        for source in form.sources {
            if let text = try? source["pfToken"].string() {
                var token = try store.openToken(text, at: call.now)
                switch token.instrument {
                case .card(let card): shopper.keep(card, billing: Self.billing(token))
                case .bank(let bank): shopper.banks.append(bank)
                // Only what can be charged again is kept: a guess.
                case .stored, .wallet, .numberAlone, nil: throw .emptyToken
                }
                token.usedFor = token.instrument?.method
                used.append(token)
            } else {
                try write(source, to: &shopper, call, &submitted)
            }
        }
        for account in form.banks {
            let details = account["ecp"].present ?? account
            shopper.banks.append(try BlueSnapBank(details))
        }
        if let choice = form.choice {
            var chosen = BlueSnapShopper.Choice(method: choice.method)
            if choice.method == "CC" { chosen.card = try BlueSnapShopperForm.card(choice.card, of: shopper) }
            shopper.choice = chosen
        }
        for token in used { store.tokens.replace(token, token: token.text) }
    }

    /// A card with its number is added, one that is named with `status` `D` is deleted, one that is only named stays.
    private func write(
        _ source: JSONValue, to shopper: inout BlueSnapShopper, _ call: SandboxCall,
        _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) {
        let json = source["creditCard"]
        var billing: [String: String] = [:]
        if let contact = source["billingContactInfo"].present { billing = try BlueSnapShopperForm.contact(contact) }
        if json["cardNumber"].present != nil {
            let (card, sent) = try BlueSnapPaymentForm.card(json, now: call.now)
            submitted = sent
            shopper.keep(card, billing: billing)
            return
        }
        let named = try BlueSnapShopperForm.card(json, of: shopper)
        switch try? source["status"].present?.string() {
        case "D":
            shopper.sources.removeAll { $0.card == named }
            if shopper.choice?.card == named { shopper.choice = nil }
        case nil: break
        default: throw .invalid("status")
        }
    }

    private static func billing(_ token: BlueSnapToken) -> [String: String] {
        let names = [
            "FirstName": "firstName", "LastName": "lastName", "Country": "country", "State": "state", "City": "city",
            "Address": "address1", "Zip": "zip",
        ]
        var billing: [String: String] = [:]
        for (name, kept) in names { billing[kept] = token.contact["billing" + name] }
        billing["country"] = billing["country"]?.lowercased()
        return billing
    }
}
