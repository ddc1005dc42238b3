import GatewayKit
import GatewayKitCore
import GatewayPayments

/// `pay checkout`.
enum PayCheckout {
    private static let returnURL = Option.value(
        "return-url", "URL", reading: .text, help: "Where the shopper's browser comes back to. No query.")
    private static let cancelURL = Option.value(
        "cancel-url", "URL", reading: .text, help: "Where the shopper's browser goes when the shopper gives up.")
    private static let surface = Option.value(
        "surface", "WHERE", reading: .oneOf(CheckoutPageRequest.Surface.allCases.map(\.rawValue)),
        default: CheckoutPageRequest.Surface.browser.rawValue, help: "Where the page is shown.")
    private static let shopper = Option.value(
        "shopper", "ID", reading: .text, help: "The provider's id of a shopper that it has stored.")

    static let checkout = Command(
        "checkout", summary: "Open a page of the provider's on which the shopper pays",
        discussion: """
            The page is printed only after the journal holds it. At most one page of an intent is open: the same intent \
            asked for again, under any key, gives the same page. 'gatewayctl pay resume' reads from the provider what \
            became of it, and so does 'gatewayctl pay reconcile'; an address that the browser came back to proves \
            nothing. Exit code 3 means that the page is open.
            """,
        examples: [
            .init(
                "gatewayctl pay checkout --account pk --amount 1500 --currency PKR --intent order-1001 "
                    + "--return-url https://shop.example/paid --cancel-url https://shop.example/cart",
                "For an order:")
        ],
        options: PayRun.options
            + [PayStart.amount, PayStart.currency, PayStart.intent, PayRun.key, PayStart.order]
            + [returnURL, cancelURL, surface, shopper],
        rules: AccountChoice.rules
    ) { invocation in
        try await PayRun.reading(invocation) {
            let debt = try PayStart.money(invocation)
            let opened = try PayRun.open(invocation)
            let id = invocation[PayStart.intent] ?? PayRun.newID(invocation, "i-")
            let key = invocation[PayRun.key] ?? PayRun.newID(invocation, "k-")
            let owed = try PaymentIntent(
                id: id, amount: debt, orderReference: invocation[PayStart.order],
                account: opened.account.settings.name)
            let page = CheckoutPageRequest(
                returnURL: invocation[returnURL], cancelURL: invocation[cancelURL],
                surface: CheckoutPageRequest.Surface(rawValue: invocation[surface]) ?? .browser,
                shopperID: invocation[shopper])
            let isEmbedded = page.surface == .embedded
            let session = SessionRequest(
                .payment, entry: isEmbedded ? .embeddedPage : .hostedPage, shopperID: invocation[shopper])
            let asked = CheckoutInstruction(
                key: key, session: session, page: page)
            return try await PayRun.move(invocation, opened, intent: id, key: key) { () async throws(NothingMoved) in
                try await opened.service.openCheckout(owed, asked, PayRun.call(invocation)).payment
            }
        }
    }
}
