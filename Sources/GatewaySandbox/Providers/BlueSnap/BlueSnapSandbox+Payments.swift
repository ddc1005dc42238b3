import GatewayKitCore

/// Charges (dossier 4.1, 4.2).
extension BlueSnapSandbox {
    /// What a payment is made with.
    struct Source {
        var source: BlueSnapTransaction.Source
        var shopper: String?
        var token: BlueSnapToken?
    }

    func charge(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ card: inout BlueSnapCard?,
        _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        let root = try readBody(call.request)
        guard let word = try? root["cardTransactionType"].string(), let kind = BlueSnapTransaction.Kind(rawValue: word)
        else { throw .invalid("cardTransactionType") }
        guard kind == .authCapture || kind == .authOnly else { throw .wrongMethod }
        let form = try BlueSnapPaymentForm(root, known: BlueSnapPaymentForm.cardNames, holder: "cardHolderInfo")
        let source = try source(form, call, store, &submitted)
        card = source.source.card
        guard source.source.card != nil else { throw .otherMethod }
        try checkHolder(form, source)
        if source.token?.demandsAuthentication == true, root["threeDSecure"].present == nil {
            throw .declined("THREE_D_SECURITY_AUTHENTICATION_REQUIRED")
        }
        return finish(kind, form, source, call, &store, submitted)
    }

    /// Bank accounts. PayPal is paid at its page and not here. Guesses: a token may hold the account; it is pending for a
    /// day, and comes to success.
    func chargeAlternative(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome
    {
        let root = try readBody(call.request)
        let form = try BlueSnapPaymentForm(root, known: BlueSnapPaymentForm.bankNames, holder: "payerInfo")
        guard root["paypalTransaction"].present == nil else {
            throw BlueSnapRefusal("PAYMENT_METHOD_NOT_SUPPORTED", 14011, "The payment method is not supported")
        }
        guard (try? root["authorizedByShopper"].bool()) == true else {
            throw BlueSnapRefusal(
                "PAYMENT_NOT_AUTHORIZED_BY_SHOPPER", 16004, "The payment was not authorized by the shopper")
        }
        var submitted: SubmittedCard?
        let source = try source(form, call, store, &submitted)
        guard case .bank = source.source else { throw .otherMethod }
        try checkHolder(form, source)
        return finish(.authCapture, form, source, call, &store, nil)
    }

    /// Holder's names are required unless the shopper is known (dossier 4.2).
    func checkHolder(_ form: BlueSnapPaymentForm, _ source: Source) throws(BlueSnapRefusal) {
        guard source.shopper == nil else { return }
        for (name, billing) in [("firstName", "billingFirstName"), ("lastName", "billingLastName")] {
            let text = form.holder[name] ?? source.token?.contact[billing] ?? ""
            guard !text.isEmpty else { throw .noHolder }
        }
    }

    /// Exactly one of the ways to name what to pay with (dossier 4.2); a token may be named with its own shopper, which is
    /// a guess.
    func source(
        _ form: BlueSnapPaymentForm, _ call: SandboxCall, _ store: BlueSnapStore, _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> Source {
        let root = form.instrument
        let hasNumber = root["creditCard"]["cardNumber"].present != nil
        let ways = [form.token != nil, hasNumber, root["wallet"].present != nil, root["ecpTransaction"].present != nil]
        guard ways.count(where: { $0 }) <= 1 else { throw .manySources }
        let shopper = try form.shopper.map { (id) throws(BlueSnapRefusal) in try store.shopper(id) }
        if let text = form.token {
            let token = try store.openToken(text, at: call.now)
            guard shopper == nil || token.shopper == nil || token.shopper == shopper?.id else { throw .unknownShopper }
            return Source(
                source: try source(of: token), shopper: shopper?.id ?? token.shopper, token: token)
        }
        if hasNumber {
            let (card, sent) = try read(root["creditCard"], call, &submitted)
            submitted = sent
            return Source(source: .card(card, wallet: nil), shopper: shopper?.id)
        }
        if let wallet = root["wallet"].present {
            guard let type = try? wallet["walletType"].string(),
                let text = try? wallet["encodedPaymentToken"].string(), ["APPLE_PAY", "GOOGLE_PAY"].contains(type)
            else { throw .invalid("wallet") }
            let card = type == "APPLE_PAY" ? try BlueSnapWallet.applePay(text) : try BlueSnapWallet.googlePay(text)
            return Source(source: .card(card, wallet: type), shopper: shopper?.id)
        }
        if let bank = root["ecpTransaction"].present {
            return Source(source: .bank(try BlueSnapBank(bank)), shopper: shopper?.id)
        }
        guard let shopper else { throw form.shopper == nil ? .noSource : .unknownShopper }
        return Source(source: .card(try card(root["creditCard"], of: shopper), wallet: nil), shopper: shopper.id)
    }

    private func read(
        _ json: JSONValue, _ call: SandboxCall, _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> (BlueSnapCard, SubmittedCard) {
        if let number = try? json["cardNumber"].string() { submitted = SubmittedCard(number: Sensitive(number)) }
        return try BlueSnapPaymentForm.card(json, now: call.now)
    }

    private func source(of token: BlueSnapToken) throws(BlueSnapRefusal) -> BlueSnapTransaction.Source {
        switch token.instrument {
        case nil, .numberAlone: throw .emptyToken
        case .card(let card), .stored(let card): .card(card, wallet: nil)
        case .wallet(let kind, let card): .card(card, wallet: kind)
        case .bank(let bank): .bank(bank)
        }
    }

    /// The card that is named, the one that was chosen, or the only one. That an expired one is told as a decline is a
    /// guess.
    private func card(_ json: JSONValue, of shopper: BlueSnapShopper) throws(BlueSnapRefusal) -> BlueSnapCard {
        if json.present != nil { return try BlueSnapShopperForm.card(json, of: shopper) }
        if let card = shopper.choice?.card { return card }
        guard let first = shopper.sources.first else { throw .unknownMethod }
        guard shopper.sources.count == 1 else { throw .manySources }
        return first.card
    }

    // MARK: - Ends

    /// A charge or a subscription's first payment: what is decided, kept and told.
    private func finish(
        _ kind: BlueSnapTransaction.Kind, _ form: BlueSnapPaymentForm, _ source: Source, _ call: SandboxCall,
        _ store: inout BlueSnapStore, _ submitted: SubmittedCard?
    ) -> SandboxOutcome {
        var refusal: BlueSnapRefusal?
        var status: String?
        var moved = true
        switch verdict(form, source, call) {
        case .approved(let word):
            status = word
            moved = word == nil
        case .refused(let found, moved: false):
            return SandboxOutcome(
                reply: found.reply(self.form), outcome: .refused, card: source.source.card?.summary,
                ownReference: form.ownReference, submitted: submitted)
        case .refused(let found, moved: true): refusal = found
        }
        let shopper = keepShopper(
            form, source, &store, storesCard: form.storesCard || source.token?.storesCard == true)
        let made = keep(kind, form, source, shopper, call, &store, status: status)
        let movement = LedgerMovement(
            kind: kind == .authOnly ? "authorization" : "purchase", amount: made.amount.minorUnits,
            currency: made.amount.currency.code)
        return SandboxOutcome(
            reply: refusal?.reply(self.form) ?? shown(made, call), outcome: .created, token: made.id,
            card: source.source.card?.summary, ownReference: form.ownReference, movement: moved ? movement : nil,
            submitted: submitted)
    }

    func verdict(_ form: BlueSnapPaymentForm, _ source: Source, _ call: SandboxCall) -> BlueSnapDecision.Verdict {
        if let card = source.source.card, card.expiry?.isExpired(at: call.now) == true {
            return .refused(.declined("EXPIRED_CARD"))
        }
        return BlueSnapDecision.start(form.amount, source.source.card, form)
    }

    func keep(
        _ kind: BlueSnapTransaction.Kind, _ form: BlueSnapPaymentForm, _ source: Source, _ shopper: String,
        _ call: SandboxCall, _ store: inout BlueSnapStore, status: String?
    ) -> BlueSnapTransaction {
        var made = BlueSnapTransaction(
            id: store.transactionNumber(), kind: kind, amount: form.amount, source: source.source, createdAt: call.now)
        made.ownReference = form.ownReference
        made.holder = form.holder
        made.status = status
        made.descriptor = try? form.root["softDescriptor"].present?.string()
        made.recurring = try? form.root["recurringTransaction"].present?.string()
        made.shopper = shopper
        store.add(made)
        return made
    }

    /// Makes a shopper of a holder who is none yet (dossier 4.3), and uses up the token.
    func keepShopper(
        _ form: BlueSnapPaymentForm, _ source: Source, _ store: inout BlueSnapStore, storesCard: Bool
    ) -> String {
        var shopper: BlueSnapShopper
        if let id = source.shopper, let known = store.shoppers[id] {
            shopper = known
        } else {
            shopper = BlueSnapShopper(id: store.shopperNumber())
            shopper.texts = form.holder
            store.shoppers.add(shopper, token: shopper.id)
        }
        if case .card(let card, nil) = source.source, storesCard { shopper.keep(card) }
        shopper.lastMethod = source.source.card == nil ? "ECP" : "CC"
        store.shoppers.replace(shopper, token: shopper.id)
        if var token = source.token {
            token.usedFor = token.instrument?.method
            store.tokens.replace(token, token: token.text)
        }
        return shopper.id
    }

    func shown(_ transaction: BlueSnapTransaction, _ call: SandboxCall) -> SandboxReply {
        let word = chosen[Self.statusChoice]
        return reply { transaction.write(to: &$0, success: word, now: call.now) }
    }
}
