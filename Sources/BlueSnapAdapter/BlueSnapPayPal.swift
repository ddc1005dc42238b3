import GatewayKitCore

/// PayPal through BlueSnap: a page of PayPal's that takes the money itself, when the shopper agrees.
///
/// Because it takes money, application code opens it through `PaymentService`, which records the intent before the
/// address is handed out. Open one page a session: BlueSnap answers for the session, not for the page, and a second page
/// with another amount takes the first one's place. PayPal always comes back to an address of BlueSnap's own, so it is
/// for web views and for browsers whose addresses somebody watches; a return address of the shop's has no place.
struct BlueSnapPayPal: HostedCheckout {
    let client: BlueSnapClient

    func page(
        _ request: CheckoutPageRequest, for session: PaymentSession, _ context: CallContext
    ) async throws(GatewayError) -> CheckoutPage {
        let amount = try check(request)
        // The currency's own digits, in major units: BlueSnap refuses more (14021), and no `Double` writes them.
        var query = [("amount", amount.decimalText), ("currency", amount.currency.code)]
        if request.collectsShipping { query += [("req-confirm-shipping", "0"), ("no-shipping", "2")] }
        return try await client.tokenCall(
            "bluesnap.paypal-token", session.reference, context, outcome: { (_: CheckoutPage) in ("page", nil) }
        ) { (token, reference, call) async throws(GatewayError) -> BlueSnapAttempt<CheckoutPage> in
            let wire = client.tokenRequest(
                "bluesnap.paypal-token", .get, ["tokenized-services", "paypal-token"], token,
                query: query.map { (name: $0.0, value: $0.1) }, repeatability: .read)
            switch await client.exchange(wire, call) {
            case .failure(let error): throw GatewayError(ofRead: error, in: call)
            case .success(let response):
                let facts = client.facts(response, wire, call, nothingHappened: "No money was moved.")
                let fault: BlueSnapAttempt<CheckoutPage>? = facts.fault(of: reference)
                if let fault { return fault }
                guard facts.isSuccess else { throw facts.payPalFailure(amount.currency) }
                guard let url = facts.object?["paypalUrl"].nonEmptyText, allows(url) else {
                    throw facts.unclear(
                        "BlueSnap's answer has no address of PayPal's.", "No money was moved: it is safe to ask again.")
                }
                return .done(
                    CheckoutPage(
                        session: reference, url: url, surface: request.surface, amount: amount,
                        returnURL: end(Self.proceed), cancelURL: end(Self.cancel),
                        orderReference: request.orderReference))
            }
        }
    }

    /// Strict (``CheckoutURLRules``): `proceed` with an `INVOICE_ID` is a ``CheckoutVerdict/Kind/successCandidate`` with
    /// that id, without one it is ``CheckoutVerdict/Kind/pending``, with several ``CheckoutVerdict/Kind/untrusted``.
    /// BlueSnap's addresses name no session: whoever knows them can make one up.
    func verdict(on url: String, of page: CheckoutPage) -> CheckoutVerdict {
        CheckoutURLRules(
            pageBases: [ReportedURL(endBase)],
            places: [
                .init(
                    Self.endFolder + [Self.proceed], .success,
                    choice: .init("INVOICE_ID", [:], absent: .ended, other: .success)),
                .init(Self.endFolder + [Self.cancel], .cancelled),
            ],
            paymentParameter: "INVOICE_ID"
        ).verdict(on: url)
    }

    /// Asks BlueSnap for the state of the session's payment (`transaction-status`). The session is never renewed here: a
    /// new one knows nothing of the payment. The answer tells a status only, not the amount: it is the amount that the
    /// session's page was opened for.
    func proof(of page: CheckoutPage, _ context: CallContext) async throws(GatewayError) -> SessionStatus {
        var context = context
        context.renewal = nil
        return try await client.read(
            "bluesnap.transaction-status", page.session, context, outcome: "proof",
            request: { token in
                client.tokenRequest(
                    "bluesnap.transaction-status", .get, ["tokenized-services", "transaction-status"], token,
                    repeatability: .read)
            },
            parse: { (facts, json, reference) throws(GatewayError) in
                guard let word = json["processingStatus"].nonEmptyText else {
                    throw facts.unclear("BlueSnap's answer tells no status.", "It is safe to ask again.")
                }
                var status = SessionStatus(
                    reference: reference, phase: Self.phases[word.uppercased()] ?? .unknown,
                    providerWord: facts.redactor.redact(word))
                status.requestID = facts.requestID
                status.payment = payment(status, page)
                return status
            })
    }

    /// BlueSnap tells neither number nor amount here. A session takes one payment, of the amount that BlueSnap made its
    /// page for, so the page's own stand in: the order's number is the payment's id.
    private func payment(_ status: SessionStatus, _ page: CheckoutPage) -> PaymentRecord? {
        guard status.phase == .succeeded, let amount = page.amount, let order = page.orderReference else { return nil }
        var record = PaymentRecord(id: order, account: client.account.name, kind: .purchase, state: .succeeded)
        record.amount = amount
        record.providerState = status.providerWord
        record.requestID = status.requestID
        return record
    }

    /// `processingStatus`, in any case, as the Payment API tells it: the values of this call are published nowhere. What
    /// is not here is neither success nor failure; `FAIL` is not, because nothing tells that it is final.
    private static let phases: [String: SessionStatus.Phase] = [
        "SUCCESS": .succeeded, "PENDING": .processing, "PENDING_MERCHANT_REVIEW": .processing,
    ]

    // MARK: - Checks

    private func check(_ request: CheckoutPageRequest) throws(GatewayError) -> Money {
        guard let amount = request.amount, amount.minorUnits > 0 else {
            throw client.invalid(
                "A PayPal page needs the amount that it is to take.", "Nothing was sent. Give an amount above zero.")
        }
        guard request.returnURL == nil, request.cancelURL == nil else {
            throw client.notSupported(
                "PayPal comes back to addresses of BlueSnap's own, which the page tells; none of the shop's is taken.",
                "Nothing was sent. Leave the addresses out, and watch for those of the page.")
        }
        guard request.surface != .subscription, request.planID == nil else {
            throw client.notSupported(
                "BlueSnap's PayPal page takes single payments only.", "Nothing was sent. Leave the plan out.")
        }
        return amount
    }

    private static let endFolder = ["jsp", "dev_scripts", "iframeCheck"]
    private static let proceed = "pay_pal_proceed.html"
    private static let cancel = "pay_pal_cancel.html"

    /// Below which PayPal comes back. BlueSnap's SDKs watch for addresses of the sandbox's host, in production too.
    private var endBase: WireURL {
        client.account.baseURL ?? BlueSnapEnvironments.tokenBaseURLs[.sandbox] ?? client.baseURL
    }

    private func end(_ page: String) -> String {
        (Self.endFolder + [page]).reduce(endBase) { $0.appending($1) }.wireText.withExposed { $0 }
    }

    /// Whether a shopper may be sent there: to PayPal, to BlueSnap, or to the account's own address.
    private func allows(_ url: String) -> Bool {
        guard let origin = try? ReportedURL(url).origin else { return false }
        if let own = client.account.baseURL, origin == own.origin { return true }
        return origin.isSecure && origin.port == 443
            && ["paypal.com", "bluesnap.com"].contains { origin.host == $0 || origin.host.hasSuffix("." + $0) }
    }
}

extension BlueSnapAnswerFacts {
    fileprivate func payPalFailure(_ currency: Currency) -> GatewayError {
        guard response.status == 400 || response.status == 422,
            let item = items.first(where: { $0.name == "PAYPAL_UNSUPPORTED_CURRENCY" })
        else { return failure(.token, else: "No money was moved: it is safe to ask again.") }
        return failure(
            .requestRefused, "PayPal is not offered in \(currency.code).",
            "No money was moved. The profile lists the currencies for PayPal.", item)
    }
}
