import GatewayKit
import GatewayKitCore

/// `checkout url`.
enum CheckoutURL {
    private static let session = Option.value(
        "session", "SESSION", reading: .text, help: "The session to show a page for. Without it one is opened.")
    private static let plan = Option.value(
        "plan", "ID", reading: .text, help: "The provider's id of the plan, for the surface subscription.")
    private static let shipping = Option.flag(
        "collect-shipping", help: "Have the provider ask for a shipping address.")

    static let command = Command(
        "url", summary: "Open a session and print the address of its page",
        discussion: """
            The address is this command's product: it goes to stdout, and to no log. Where it carries a token, whoever has \
            it can pay or store a card in this session: hand it to the shopper only.

            With an amount and no purpose the session is for a payment.

            By itself opening moves no money, but a page that takes money may be paid. Application code opens such pages \
            through PaymentService, which records the intent before the page is handed out, so that nobody is charged \
            twice; this command records nothing.
            """,
        examples: [
            .init(
                "gatewayctl checkout url -a shop --amount 1500.00 --currency PKR --order 1001 "
                    + "--return-url https://shop.example/back --cancel-url https://shop.example/away",
                "A page for a payment in a browser:"),
            .init(
                "gatewayctl checkout url -a shop --purpose storeInstrument --shopper-id cus_1 --surface embedded -o json",
                "A page that stores a card, for a frame:"),
        ],
        options: AccountRun.options + [session] + SessionOptions.all + CheckoutPageOptions.all + [plan, shipping],
        rules: AccountChoice.rules
    ) { invocation in
        let wish = try wish(invocation)
        return try await AccountRun.run(invocation) { opened, call, terminal in
            let checkout = try opened.gateway.requireCheckout()
            let page = try await checkout.page(
                CheckoutPageRequest(
                    returnURL: invocation[CheckoutPageOptions.returnURL],
                    cancelURL: invocation[CheckoutPageOptions.cancelURL], orderReference: wish.orderReference,
                    amount: wish.amount, surface: invocation[CheckoutPageOptions.surface], shopperID: wish.shopperID,
                    planID: invocation[plan], collectsShipping: invocation[shipping]),
                for: try await paymentSession(invocation, opened, wish, call), call)
            guard terminal.redactor.redact(identifier: page.url) == page.url else {
                throw Failure(
                    .configuration, "the page's address carries a secret of the account's, which is masked everywhere",
                    advice: ["Configure the secret key: then each page gets a token of its own."])
            }
            terminal.emit(
                Report(
                    schema: AccountRun.schema(invocation),
                    fields: SessionReport.fields(of: opened.settings) + [
                        Field("Session", "session", .identifier(page.session.id)),
                        Field("Surface", "surface", .text(page.surface.rawValue)),
                        Field("Amount", "amount", .text(orNull: page.amount?.description)),
                        Field("Return address", "returnURL", .identifier(orNull: page.returnURL)),
                        Field("Cancel address", "cancelURL", .identifier(orNull: page.cancelURL)),
                        Field("Page", "url", .identifier(page.url)),
                    ]))
            return .done
        }
    }

    /// What the session is opened for: a payment where there is an amount, and the card comes on the page.
    private static func wish(_ invocation: Invocation) throws -> SessionRequest {
        var wish = try SessionOptions.request(invocation)
        let surface = invocation[CheckoutPageOptions.surface]
        if wish.purpose == .token, wish.amount != nil { wish.purpose = .payment }
        if wish.entry == nil { wish.entry = surface == .embedded ? .embeddedPage : .hostedPage }
        return wish
    }

    private static func paymentSession(
        _ invocation: Invocation, _ opened: AccountChoice.Opened, _ wish: SessionRequest, _ call: CallContext
    ) async throws -> PaymentSession {
        let tokens = try opened.gateway.requireTokens()
        if let id = invocation[session] {
            return try tokens.attach(SessionReference(account: opened.settings.name, id: id))
        }
        return try await tokens.openSession(wish, call)
    }
}
