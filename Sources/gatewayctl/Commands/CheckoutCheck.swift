import GatewayKitCore

/// `checkout check`.
enum CheckoutCheck {
    private static let purposes = ["payment", "subscription", "shopperConfiguration"]
    private static let purpose = Option.value(
        "purpose", "WHAT", reading: .oneOf(purposes), default: "payment", help: "What the checkout is for.")
    private static let paying = Option.value(
        "paying", "WITH", reading: ValueReader<CheckoutRequirements.Method>.choice,
        default: CheckoutRequirements.Method.newCard, help: "With what the shopper is about to pay.")
    private static let email = Option.toggle(
        "email-demanded", default: true, help: "Whether the e-mail address is demanded.")
    private static let fullBilling = Option.flag("full-billing", help: "The whole billing address is demanded.")
    private static let shipping = Option.flag("shipping", help: "An address to ship to is demanded.")
    private static let consent = Option.flag("consent", help: "The shopper lets the card be kept.")
    private static let cardHolder = Option.value(
        "card-holder", "NAME", reading: .text, help: "The name on the card, where it is not the shopper's.")

    static let command = Command(
        "check", summary: "Tell what a checkout still wants to know of a shopper",
        discussion: """
            Reads the shopper as one JSON object from stdin: name, email, phone, billing and shipping as in 'gatewayctl \
            help card-json'. Sends nothing. Everything that is missing or wrong is told at once; the exit code is 65 when \
            there is anything.
            """,
        examples: [
            .init("gatewayctl checkout check --full-billing --shipping < shopper.json", "For goods that are shipped:"),
            .init(
                "gatewayctl checkout check --purpose subscription --consent -o json < shopper.json",
                "For a subscription:"
            ),
        ],
        options: [purpose, paying, email, fullBilling, shipping, consent, cardHolder]
    ) { invocation in
        let terminal = invocation.terminal
        let shopper = try read(terminal)
        let requirements = CheckoutRequirements(
            try purpose(invocation[purpose]), wantsEmail: invocation[email], wantsFullBilling: invocation[fullBilling],
            wantsShipping: invocation[shipping])
        let issues = requirements.issues(
            with: shopper, cardHolder: invocation[cardHolder], paying: invocation[paying],
            consentToStore: invocation[consent])
        terminal.emit(
            Report(
                schema: "gatewayctl.checkout-check/1",
                fields: [
                    Field("Complete", "complete", .bool(issues.isEmpty)),
                    Field(
                        "Switch for keeping the card", "storeSwitch",
                        .text(requirements.storeSwitch(for: invocation[paying]).rawValue)),
                    Field("Fields", "fields", .list(issues.map { .object(ResultReport.fields(of: $0)) })),
                ]))
        return issues.isEmpty ? .done : .badInput
    }

    /// Which price it is does not matter to what is demanded.
    private static func purpose(_ name: String) throws -> CheckoutRequirements.Purpose {
        switch name {
        case "subscription": .subscription(nil)
        case "shopperConfiguration": .shopperConfiguration
        default: .payment(try Price(amount: .zero(.usd)))
        }
    }

    private static func read(_ terminal: Terminal) throws -> Shopper {
        let bytes = try terminal.readInput(awaiting: "the shopper as one JSON object")
        do {
            return try CardJSON.shopper(try bytes.withExposed { try JSONValue(parsing: $0) })
        } catch let error as JSONError {
            throw Failure(
                .badInput, "the shopper on stdin cannot be read: \(error.message)",
                advice: ["'gatewayctl help card-json' shows the form."])
        }
    }
}
