import GatewayKitCore

/// A page that stands for PayPal's: what it takes, and how it went.
struct BlueSnapPayPalPage: Sendable {
    enum State: Sendable { case open, paid, cancelled }

    let id: String
    let token: String
    let amount: Money
    /// Of the payment, if there is one.
    let invoice: String
    var state = State.open
}

/// PayPal (dossier 2.2): the flow takes the money by itself when the shopper agrees.
extension BlueSnapSandbox {
    /// What is said of a token that was charged by card is a guess, as is that the same page is given again for the same
    /// amount, and that a new one takes the old one's place.
    func payPalToken(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        var token = try serviceToken(call, store)
        switch token.usedFor {
        case "PAYPAL": throw .payPalUsed
        case .some: throw .payPalUnauthorized
        case nil: break
        }
        let query = try query(call, ["amount", "currency", "req-confirm-shipping", "no-shipping"])
        let code = query["currency"] ?? ""
        guard BlueSnapCatalogue.payPalCurrencies.contains(code), let currency = try? Currency(code) else {
            throw .payPalCurrency
        }
        let amount = try Self.amount(query["amount"] ?? "", currency)
        if let id = token.page, let page = store.pages[id], page.amount == amount {
            return answer(page, call, .read)
        }
        let page = BlueSnapPayPalPage(
            id: "EC-" + store.mint.secret(17).uppercased(), token: token.text, amount: amount,
            invoice: store.transactionNumber())
        store.pages.add(page, token: page.id)
        token.page = page.id
        store.tokens.replace(token, token: token.text)
        return answer(page, call, .created)
    }

    private func answer(
        _ page: BlueSnapPayPalPage, _ call: SandboxCall, _ outcome: LedgerEntry.Outcome
    ) -> SandboxOutcome {
        let address = call.origin + "/\(id)/paypal/checkout/" + page.id
        return SandboxOutcome(reply: reply { $0.set("paypalUrl", address) }, outcome: outcome, token: page.id)
    }

    /// In major units, with no more decimals than the currency has.
    static func amount(_ text: String, _ currency: Currency) throws(BlueSnapRefusal) -> Money {
        let money: Money
        do {
            money = try Money(text, currency)
        } catch {
            if case .tooPrecise = error {
                throw BlueSnapRefusal(
                    "AMOUNT_EXCEEDED_MAXIMUM_ALLOWED_FRACTION_DIGITS", 14021, "The amount has too many decimals")
            }
            throw .invalid("amount")
        }
        guard money.minorUnits > 0 else { throw .invalid("amount") }
        return money
    }

    /// Words other than `SUCCESS` are guesses, and so is the refusal where there was no payment.
    func payPalStatus(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        let token = try serviceToken(call, store)
        guard let id = token.page, let page = store.pages[id] else {
            throw BlueSnapRefusal("ORDER_NOT_FOUND", 10000, "The order is not found")
        }
        let word =
            switch page.state {
            case .open: "PENDING"
            case .paid: "SUCCESS"
            case .cancelled: "FAIL"
            }
        return SandboxOutcome(reply: reply { $0.set("processingStatus", word) }, outcome: .read, token: page.invoice)
    }

    // MARK: - Pages

    func payPalPage(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        guard let page = openPage(call, store) else { throw .of(404, user: user) }
        let cancel = endAddress("pay_pal_cancel", call) + "?token=" + page.id
        let content = """
            <h1>Pay Example Shop</h1>
            <p>Amount: <strong>\(page.amount.decimalText) \(page.amount.currency.code)</strong></p>
            <form method="post" action="/\(id)/paypal/checkout/\(page.id)"><button>Pay</button></form>
            <p><a href="\(cancel)">Cancel and return</a></p>
            """
        return SandboxOutcome(reply: Self.page(200, "PayPal (sandbox)", content), outcome: .read, token: page.id)
    }

    /// Takes the money once; whoever presses the button again is led to the same end.
    func payPalPay(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        guard var page = store.pages[call.parameters.first ?? ""] else { throw .of(404, user: user) }
        var reply = SandboxReply(status: 302)
        reply.set("location", endAddress("pay_pal_proceed", call) + "?INVOICE_ID=" + page.invoice)
        if case .paid = page.state { return SandboxOutcome(reply: reply, outcome: .read, token: page.invoice) }
        guard openPage(call, store) != nil, var token = store.tokens[page.token] else { throw .of(404, user: user) }
        page.state = .paid
        store.pages.replace(page, token: page.id)
        token.usedFor = "PAYPAL"
        store.add(
            BlueSnapTransaction(
                id: page.invoice, kind: .authCapture, amount: page.amount, source: .payPal, createdAt: call.now))
        store.tokens.replace(token, token: token.text)
        return SandboxOutcome(
            reply: reply, outcome: .created, token: page.invoice,
            movement: LedgerMovement(
                kind: "purchase", amount: page.amount.minorUnits, currency: page.amount.currency.code))
    }

    func payPalCancel(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        let id = call.request.query.first { $0.name == "token" }?.value ?? ""
        guard var page = store.pages[id], case .open = page.state else {
            return payPalEnd(call, "Your payment was cancelled.")
        }
        page.state = .cancelled
        store.pages.replace(page, token: id)
        var outcome = payPalEnd(call, "Your payment was cancelled.")
        outcome.outcome = .changed
        return outcome
    }

    func payPalEnd(_ call: SandboxCall, _ words: String) -> SandboxOutcome {
        SandboxOutcome(reply: Self.page(200, "BlueSnap (sandbox)", "<p>\(words)</p>"), outcome: .read)
    }

    /// The page while it can still be paid: its token is not too old and not used otherwise, and has no newer page.
    private func openPage(_ call: SandboxCall, _ store: BlueSnapStore) -> BlueSnapPayPalPage? {
        guard let page = store.pages[call.parameters.first ?? ""], case .open = page.state,
            let token = try? store.openToken(page.token, at: call.now), token.page == page.id
        else { return nil }
        return page
    }

    private func endAddress(_ name: String, _ call: SandboxCall) -> String {
        call.origin + "/\(id)/jsp/dev_scripts/iframeCheck/\(name).html"
    }

    private static func page(_ status: Int, _ title: String, _ content: String) -> SandboxReply {
        let text = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>
            <body>
            \(content)
            </body></html>

            """
        return SandboxReply(
            status: status, header: [.init(name: "content-type", value: "text/html; charset=utf-8")],
            body: Array(text.utf8))
    }
}
