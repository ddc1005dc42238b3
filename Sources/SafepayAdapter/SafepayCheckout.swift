import GatewayKitCore

/// Safepay's pages: the v1 page of an order, in a browser or a web view; the v3 page of a tracker; the page of a plan.
///
/// | session | surface | page |
/// | --- | --- | --- |
/// | v1 | `browser` | `/checkout/pay` with both addresses of the shop |
/// | v1 | `mobile` | `/checkout/pay` without: it ends on `/checkout/external/mobile` |
/// | v3 | `browser`, `mobile`, `embedded` | `/embedded/` with `source` `hosted`, `mobile`, `popup` |
/// | v3 `subscription` | `subscription` | `/checkout/subscribe` of a plan, which names no tracker |
///
/// A v3 page carries a passport token, which is good for about an hour; a v1 page carries nothing secret.
struct SafepayCheckout: HostedCheckout {
    let client: SafepayClient
    let sessions: any SessionStatusSource

    var keywordRule: KeywordRule? { SafepayCheckoutRules.keywords }

    func page(
        _ request: CheckoutPageRequest, for session: PaymentSession, _ context: CallContext
    ) async throws(GatewayError) -> CheckoutPage {
        let safepay = try client.session(session.reference)
        try check(request, for: safepay)
        let url: String
        switch (safepay.generation, request.surface) {
        case (.order, .browser):
            let (returnURL, cancelURL) = try bothAddresses(request)
            url = SafepayPageAddress.hosted(
                client.pageURL, tracker: safepay.tracker, environment: safepay.environment,
                order: request.orderReference, returnURL: returnURL, cancelURL: cancelURL)
        case (.order, .mobile):
            guard request.returnURL == nil, request.cancelURL == nil else {
                throw client.invalid(
                    "Safepay's v1 page in a web view leads back to no address of the shop's.",
                    "Nothing was sent. Leave both addresses out, or use the surface browser.")
            }
            url = SafepayPageAddress.mobile(
                client.pageURL, tracker: safepay.tracker, environment: safepay.environment,
                order: request.orderReference)
        case (.order, _):
            throw client.notSupported(
                "A v1 session has a page for browsers and one for web views.",
                "Nothing was sent. Use one of these surfaces, or open a session with an embedded page.")
        case (.tracker, .subscription):
            url = try await subscriptionPage(request, safepay, context)
        case (.tracker, _):
            url = try await trackerPage(request, safepay, context)
        }
        return CheckoutPage(
            session: session.reference, url: url, surface: request.surface, amount: safepay.amount,
            returnURL: request.returnURL, cancelURL: request.cancelURL, orderReference: request.orderReference)
    }

    func verdict(on url: String, of page: CheckoutPage) -> CheckoutVerdict {
        let session: SafepaySession
        do throws(GatewayError) {
            session = try client.session(page.session)
        } catch {
            return CheckoutVerdict(.ignore, reason: "The page is none of account \(client.account.name)'s.")
        }
        let key = client.account.secret(SafepayProvider.secretKey)
        return SafepayCheckoutRules.rules(
            pages: client.pageURL, session: session, page: page, signature: key.map { SafepaySignature(secretKey: $0) }
        ).verdict(on: url)
    }

    func proof(of page: CheckoutPage, _ context: CallContext) async throws(GatewayError) -> SessionStatus {
        let session = try client.session(page.session)
        guard page.surface != .subscription else {
            throw client.notSupported(
                "Safepay's page of a plan names no tracker, so there is nothing to read that proves it.",
                "Nothing was sent. Look at the subscription in Safepay's dashboard.")
        }
        guard page.amount == nil || page.amount == session.amount else {
            throw client.invalid(
                "The page's amount is not its session's.", "Nothing was sent. Use the page as it was made.")
        }
        return try await sessions.status(of: page.session, context)
    }

    // MARK: - Pages with a passport token

    private func trackerPage(
        _ request: CheckoutPageRequest, _ session: SafepaySession, _ context: CallContext
    ) async throws(GatewayError) -> String {
        if request.surface == .browser, request.returnURL == nil {
            throw client.invalid(
                "The page leads back to no address.",
                "Nothing was sent. Give the return address, or use the surface mobile or embedded.")
        }
        let source =
            switch request.surface {
            case .mobile: "mobile"
            case .embedded: "popup"
            case .browser, .subscription: "hosted"
            }
        let token = try await passport(context)
        return token.withExposed { token in
            SafepayPageAddress.embedded(
                client.pageURL, tracker: session.tracker, environment: session.environment, token: token,
                source: source, customer: session.customer ?? request.shopperID, order: request.orderReference,
                returnURL: request.returnURL, cancelURL: request.cancelURL)
        }
    }

    private func subscriptionPage(
        _ request: CheckoutPageRequest, _ session: SafepaySession, _ context: CallContext
    ) async throws(GatewayError) -> String {
        guard session.mode == .subscription else {
            throw client.invalid(
                "The session is not for a subscription.", "Nothing was sent. Open one with the purpose subscription.")
        }
        guard let plan = request.planID else {
            throw client.invalid("The page of a plan needs the plan.", "Nothing was sent. Give the plan's id (plan_…).")
        }
        let (returnURL, cancelURL) = try bothAddresses(request)
        let token = try await passport(context)
        return token.withExposed { token in
            SafepayPageAddress.subscription(
                client.pageURL, plan: plan, token: token, environment: session.environment,
                order: request.orderReference, returnURL: returnURL, cancelURL: cancelURL)
        }
    }

    /// The account's own token where it has no secret key to get a fresh one with.
    private func passport(_ context: CallContext) async throws(GatewayError) -> Sensitive<String> {
        if client.account.secret(SafepayProvider.secretKey) == nil,
            let token = client.account.secret(SafepayProvider.passportToken)
        {
            return token
        }
        return try await client.call(
            "safepay.passport", context, outcome: { (_: Sensitive<String>) in ("passport", nil) }
        ) { call async throws(GatewayError) in
            try await client.passport(in: call)
        }
    }

    // MARK: - Checks

    private func check(_ request: CheckoutPageRequest, for session: SafepaySession) throws(GatewayError) {
        if let amount = request.amount, amount != session.amount {
            throw client.invalid(
                "The amount is not the one that the session was opened with.",
                "Nothing was sent. Leave the amount out, or open a session with this one.")
        }
        if let shopper = request.shopperID {
            guard SafepaySession.isName(shopper), session.customer.map({ $0 == shopper }) ?? true,
                session.generation == .tracker
            else {
                throw client.invalid(
                    "The shopper is no customer of Safepay's, or not the session's.",
                    "Nothing was sent. Give the customer (cus_…) that the session was opened for; v1 has none.")
            }
        }
        guard !request.collectsShipping else {
            throw client.notSupported(
                "Safepay's pages ask for no shipping address.", "Nothing was sent. Ask for it yourself.")
        }
        if request.planID != nil, request.surface != .subscription {
            throw client.invalid("Only the page of a plan takes a plan.", "Nothing was sent. Leave the plan out.")
        }
        if let plan = request.planID, !SafepaySession.isName(plan) {
            throw client.invalid("The plan is no plan of Safepay's.", "Nothing was sent. Give the plan's id (plan_…).")
        }
        if let address = request.returnURL { try check(address, "return address") }
        if let address = request.cancelURL { try check(address, "cancel address") }
    }

    private func bothAddresses(
        _ request: CheckoutPageRequest
    ) throws(GatewayError) -> (returnURL: String, cancelURL: String) {
        guard let returnURL = request.returnURL, let cancelURL = request.cancelURL else {
            throw client.invalid(
                "The page leads back to two addresses, and one of them is missing.",
                "Nothing was sent. Give the return address and the cancel address.")
        }
        return (returnURL, cancelURL)
    }

    private func check(_ address: String, _ name: SafeText) throws(GatewayError) {
        let url: ReportedURL
        do throws(WireURL.Refusal) {
            url = try ReportedURL(address)
        } catch {
            throw client.invalid(
                "The \(name) cannot be used: \(error.reason).", "Nothing was sent. Give a plain https address.")
        }
        guard !url.hasQuery, !url.hasFragment else {
            throw client.invalid(
                "The \(name) has a query or a fragment; Safepay's page appends its own and spoils an address that has one.",
                "Nothing was sent. Leave it out: the order's number comes back as order_id.")
        }
        let isSandbox = client.account.environment.kind == .sandbox && url.origin.isLoopback
        guard url.origin.isSecure || isSandbox else {
            throw client.invalid(
                "The \(name) is not https.", "Nothing was sent. Give an https address; http is for the sandbox only.")
        }
    }
}
