import GatewayKit
import GatewayKitCore

extension Root {
    /// `shopper create` and `shopper configure`.
    static let shoppers = Command(
        "shopper", summary: "Store a shopper at a provider, or write down what the shopper has chosen",
        subcommands: [ShopperCreate.command, ShopperConfigure.command])
}

/// `shopper configure`.
enum ShopperConfigure {
    private static let choices = ["newCard", "storedCard", "applePay", "googlePay", "payPal"]
    private static let shopper = Option.value(
        "shopper", "ID", reading: .text, required: true, help: "The provider's id of the shopper.")
    private static let choose = Option.value(
        "choose", "METHOD", reading: .oneOf(choices), required: true, help: "The method that the shopper has chosen.")
    private static let session = Option.value(
        "session", "SESSION", reading: .text,
        help: "The session that was opened for the shopper, and in which a new card was sent. Without it one is opened."
    )
    private static let name = Option.value("name", "NAME", reading: .text, help: "The shopper's whole name.")
    private static let brand = Option.value(
        "brand", "WORD", reading: .text, help: "Of a card: its brand, for a stored one in the provider's word.")
    private static let lastFour = Option.value(
        "last-four", "DIGITS", reading: .text, help: "Of a card: the last four digits.")
    private static let expiry = Option.value(
        "expiry", "MM/YYYY", reading: .text, help: "Of a card: the month until which it is good.")
    private static let fraudSession = Option.value(
        "fraud-session", "ID", reading: .text, help: "The id of the fraud session in which the device was looked at.")
    private static let consent = Option.flag(
        "consent", help: "The shopper lets the new card be kept.")

    static let command = Command(
        "configure", summary: "Write down a shopper's data and choice for payments to come",
        discussion: """
            Moves no money. Writing the same again changes nothing; a run whose outcome is unknown ends with exit code 4 \
            and may be repeated. A new card is sent before, in the same session, with 'gatewayctl session attach --retain'.
            """,
        examples: [
            .init(
                "gatewayctl shopper configure -a eu --shopper 31009922 --name 'Rita Quill' --choose payPal",
                "PayPal from now on:"),
            .init(
                "gatewayctl shopper configure -a eu --shopper 31009922 --name 'Rita Quill' --choose storedCard "
                    + "--brand VISA --last-four 1111 --expiry 11/2031",
                "A card that is stored already:"),
        ],
        options: AccountRun.options + [shopper, choose, session, name, brand, lastFour, expiry, consent, fraudSession]
            + ShopperOptions.all,
        rules: AccountChoice.rules
    ) { invocation in
        let id = try invocation.require(shopper)
        let choice = try choice(invocation)
        return try await AccountRun.run(invocation) { opened, call, terminal in
            let shoppers = try opened.gateway.requireShoppers()
            let tokens = try opened.gateway.requireTokens()
            let paymentSession: PaymentSession
            if let reference = invocation[session] {
                SessionInput.protect(reference, terminal)
                paymentSession = try tokens.attach(
                    SessionReference(account: opened.settings.name, id: reference))
            } else {
                paymentSession = try await tokens.openSession(SessionRequest(.storeInstrument, shopperID: id), call)
            }
            let result = try await shoppers.configure(
                ShopperConfiguration(
                    shopperID: id, shopper: ShopperOptions.apply(invocation, to: Shopper(name: invocation[name])),
                    choice: choice, consentToStore: invocation[consent],
                    fraudSessionID: invocation[fraudSession]),
                in: paymentSession, call)
            return write(result, opened.settings, terminal, schema: AccountRun.schema(invocation))
        }
    }

    private static func choice(_ invocation: Invocation) throws -> ShopperConfiguration.Choice {
        switch try invocation.require(choose) {
        case "applePay": return .applePay
        case "googlePay": return .googlePay
        case "payPal": return .payPal
        case let kind:
            let (word, digits) = (try invocation.require(brand), try invocation.require(lastFour))
            let text = try invocation.require(expiry)
            let month = try CardSource.checked { try CardExpiry.read(text, now: invocation.terminal.now) }
            if kind == "storedCard" {
                return .storedCard(ShopperCard(providerBrand: word, lastFour: digits, expiry: month))
            }
            return .newCard(CardSummary(brand: CardBrand(id: word.lowercased()), lastFour: digits, expiry: month))
        }
    }

    private static func write(
        _ result: ShopperConfigurationResult, _ settings: AccountSettings, _ terminal: Terminal, schema: String
    ) -> ExitCode {
        var fields: [Field] = []
        let code: ExitCode
        switch result {
        case .saved:
            fields = [Field("Result", "result", .text("saved"))]
            code = .done
        case .invalid(let issues):
            fields = [
                Field("Result", "result", .text("invalid")),
                Field("Fields", "fields", .list(issues.map { .object(ResultReport.fields(of: $0)) })),
            ]
            code = issues.allSatisfy { $0.origin == .local } ? .badInput : .providerSaidNo
        case .unknown(let cause):
            fields = [
                Field("Result", "result", .text("unknown")),
                Field("Cause", "cause", .object(ResultReport.fields(of: cause))),
            ]
            terminal.say("The outcome is unknown: \(cause.advice)", tone: .problem)
            code = .outcomeUnknown
        }
        terminal.emit(Report(schema: schema, fields: SessionReport.fields(of: settings) + fields))
        return code
    }
}
