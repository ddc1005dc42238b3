import GatewayKit
import GatewayKitCore

/// `checkout url`.
enum CheckoutURL {
    private static let session = Option.value(
        "session", "SESSION", reading: .text, help: "The session to show a page for. Without it one is opened.")
    private static let purpose = Option.value(
        "purpose", "WHAT", reading: .oneOf(SessionRequest.Purpose.all.map(\.description)), default: "payment",
        help: "What the session is opened for.")
    private static let amount = Option.value(
        "amount", "AMOUNT", reading: .text, help: "How much, in major units: 1500.00.")
    private static let currency = Option.value(
        "currency", "CODE", reading: .text, help: "The currency by its ISO code, such as PKR.")
    private static let order = Option.value(
        "order", "NUMBER", reading: .text, help: "The shop's number of the order.")
    private static let shopper = Option.value(
        "shopper", "ID", reading: .text, help: "The provider's id of a shopper that it has stored.")
    private static let plan = Option.value(
        "plan", "ID", reading: .text, help: "The provider's id of the plan, for the surface subscription.")
    private static let shipping = Option.flag(
        "collect-shipping", help: "Have the provider ask for a shipping address.")

    static let command = Command(
        "url", summary: "Open a session and print the address of its page",
        discussion: """
            The address is this command's product: it goes to stdout, and to no log. Where it carries a token, whoever has \
            it can pay or store a card in this session: hand it to the shopper only.

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
                "gatewayctl checkout url -a shop --purpose storeInstrument --shopper cus_1 --surface embedded -o json",
                "A page that stores a card, for a frame:"),
        ],
        options: AccountRun.options + [session, purpose, amount, currency] + CheckoutPageOptions.all
            + [order, shopper, plan, shipping],
        rules: AccountChoice.rules
    ) { invocation in
        let money = try money(invocation)
        return try await AccountRun.run(invocation) { opened, call, terminal in
            let checkout = try opened.gateway.requireCheckout()
            let page = try await checkout.page(
                CheckoutPageRequest(
                    returnURL: invocation[CheckoutPageOptions.returnURL],
                    cancelURL: invocation[CheckoutPageOptions.cancelURL], orderReference: invocation[order],
                    amount: money, surface: invocation[CheckoutPageOptions.surface], shopperID: invocation[shopper],
                    planID: invocation[plan], collectsShipping: invocation[shipping]),
                for: try await paymentSession(invocation, opened, money, call), call)
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

    private static func paymentSession(
        _ invocation: Invocation, _ opened: AccountChoice.Opened, _ money: Money?, _ call: CallContext
    ) async throws -> PaymentSession {
        let tokens = try opened.gateway.requireTokens()
        if let id = invocation[session] {
            return try tokens.attach(SessionReference(account: opened.settings.name, id: id))
        }
        let isFrame = invocation[CheckoutPageOptions.surface] == .embedded
        return try await tokens.openSession(
            SessionRequest(
                SessionRequest.Purpose(invocation[purpose]) ?? .payment, entry: isFrame ? .embeddedPage : .hostedPage,
                amount: money, orderReference: invocation[order], shopperID: invocation[shopper]), call)
    }

    private static func money(_ invocation: Invocation) throws -> Money? {
        switch (invocation[amount], invocation[currency]) {
        case (nil, nil): return nil
        case (let text?, let code?):
            do throws(MoneyError) {
                return try Money(text, Currency(code))
            } catch {
                throw invocation.usageError("the amount cannot be used: \(error.description)")
            }
        default: throw invocation.usageError("'--amount' and '--currency' go together")
        }
    }
}
