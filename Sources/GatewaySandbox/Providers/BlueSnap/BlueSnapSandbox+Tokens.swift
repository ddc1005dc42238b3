import GatewayKitCore

/// Making tokens, and sending details to them (dossier 1).
extension BlueSnapSandbox {
    /// That the body must be empty, and a parameter of another name is refused, are guesses; so is that an unknown
    /// shopper is 15008.
    func openSession(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        guard call.request.body.isEmpty else { throw .unreadable }
        var shopper: String?
        var demands = false
        for item in call.request.query {
            switch item.name {
            case "shopperId":
                guard shopper == nil, !item.value.isEmpty, item.value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                    throw .invalid("shopperId")
                }
                shopper = try store.shopper(item.value).id
            case "authenticationrequired3ds", "challengerequested3ds":
                guard ["true", "false"].contains(item.value.lowercased()) else { throw .invalid(item.name) }
                demands = demands || item.value.lowercased() == "true"
            default: throw .invalid(item.name, "There is no such parameter")
            }
        }
        var token = store.openToken(shopper: shopper, at: call.now)
        token.demandsAuthentication = demands
        store.tokens.replace(token, token: token.text)
        return located(token, call)
    }

    /// A token with a card that the server knows (dossier 1.3).
    func prefill(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ card: inout BlueSnapCard?,
        _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        let root = try readBody(call.request)
        for member in (try? root.members()) ?? [] where !["ccNumber", "expDate"].contains(member.name) {
            throw .invalid(member.name, "There is no such member")
        }
        guard let number = try? root["ccNumber"].string() else { throw .cardNumber }
        submitted = SubmittedCard(number: Sensitive(number))
        guard let text = try? root["expDate"].string(), let expiry = BlueSnapCard.expiry(text) else { throw .expiry }
        let read = try BlueSnapCard.read(number: number, type: nil, expiry: expiry, code: nil, now: call.now)
        card = read
        var token = store.openToken(shopper: nil, at: call.now)
        token.instrument = .card(read)
        store.tokens.replace(token, token: token.text)
        var outcome = located(token, call)
        outcome.card = read.summary
        outcome.submitted = submitted
        return outcome
    }

    private func located(_ token: BlueSnapToken, _ call: SandboxCall) -> SandboxOutcome {
        var reply = SandboxReply(status: 201)
        reply.set("location", call.origin + "/\(id)/services/2/payment-fields-tokens/" + token.text)
        return SandboxOutcome(reply: reply, outcome: .created, token: token.text)
    }

    /// A body without details is the SDK's probe for a token that is too old. Guesses: it is answered with an empty object;
    /// details that are sent again take the place of the first ones; another token in the header than in the path is 401.
    func tokenize(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ card: inout BlueSnapCard?,
        _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        let text = call.parameters.first ?? ""
        guard call.request.value(of: "token-authentication")?.equalsInConstantTime(text) == true else {
            throw .unauthorized
        }
        let root = try readBody(call.request)
        var token = try store.openToken(text, at: call.now)
        if let number = try? root["ccNumber"].string() {
            submitted = SubmittedCard(
                number: Sensitive(number), securityCode: (try? root["cvv"].string()).map { Sensitive($0) })
        }
        let sent = try BlueSnapSubmission(root, now: call.now) {
            [store, shopper = token.shopper] (type, lastFour) throws(BlueSnapRefusal) in
            guard let shopper else { throw .unknownShopper }
            return try store.shopper(shopper).card(type, lastFour)
        }
        token.contact.merge(sent.contact) { _, new in new }
        token.fraudSession = sent.fraudSession ?? token.fraudSession
        if let instrument = sent.instrument {
            token.instrument = instrument
            token.storesCard = sent.storesCard
            card = instrument.card
        }
        store.tokens.replace(token, token: text)
        guard let instrument = sent.instrument else {
            return SandboxOutcome(reply: reply { _ in }, outcome: sent.contact.isEmpty ? .read : .changed, token: text)
        }
        return SandboxOutcome(
            reply: shown(instrument), outcome: .created, token: text, card: card?.summary, submitted: submitted)
    }

    private func shown(_ instrument: BlueSnapInstrument) -> SandboxReply {
        let form = chosen[Self.submitChoice]
        guard form != "empty" else { return SandboxReply(status: 200) }
        return reply { body in
            if let card = instrument.card {
                body.set("ccType", card.type)
                body.set("last4Digits", card.lastFour)
                body.set("issuingCountry", card.country)
                guard form == "full" else { return }
                body.set("ccBin", card.firstSix)
                body.set("cardSubType", "CREDIT")
                body.set("binCategory", "CONSUMER")
                body.set("isRegulatedCard", "N")
                body.set("cardCategory", "CLASSIC")
                body.set("exp", card.expiry?.description)
            } else if case .bank(let bank) = instrument {
                body.set("paymentMethod", "ECP")
                body.set("ecpAccountNumber", bank.account)
                body.set("ecpRoutingNumber", bank.routing)
                body.set("ecpAccountType", bank.type)
            }
        }
    }
}
