import GatewayKitCore
import GatewaySandbox
import Testing

@testable import gatewayctl

/// `rates`, `checkout profile`, `checkout check` and `shopper configure` over a sandbox that outlives the commands.
@Suite struct CheckoutDataCommands {
    private let sandbox: Sandbox
    private let environment: [String: String]

    init() throws {
        sandbox = Sandbox(SandboxConfiguration())
        try sandbox.start()
        let credentials = try #require(sandbox.credentials(for: "bluesnap"))
        environment = [
            "GATEWAYKIT_BLUESNAP_ENVIRONMENT": "sandbox",
            "GATEWAYKIT_BLUESNAP_BASE_URL": try #require(sandbox.baseURL(for: "bluesnap")),
            "BLUESNAP_USERNAME": try #require(credentials["username"]),
            "BLUESNAP_PASSWORD": try #require(credentials["password"]),
            "XDG_CONFIG_HOME": "/proc/nonexistent",
        ]
    }

    private func run(_ line: String, _ input: String = "") async -> (code: ExitCode, output: String, talk: String) {
        let device = BufferDevice(input: input)
        let code = await Commands.run(line, device, environment: environment)
        let leaks = LeakSearch([Sensitive(environment["BLUESNAP_PASSWORD"] ?? "")])
            .leaks(in: device.output + "\n" + device.talk)
        #expect(leaks.isEmpty, "\(line): \(leaks)")
        return (code, device.output, device.talk)
    }

    private func json(_ output: String) throws -> JSONValue { try JSONValue(parsing: Array(output.utf8)) }

    @Test("rates are told as they came, and a price is converted exactly")
    func rates() async throws {
        let told = await run("rates --base USD --quote JPY --quote EUR --convert 25.00 --tax 1.52 -o json")
        #expect(told.code == .done, "\(told)")
        let report = try json(told.output)
        #expect(try report["schema"].string() == "gatewayctl.rates/1")
        #expect(try report["base"].string() == "USD")
        let rows = report["rates"].items
        #expect(try rows.map { try $0["currency"].string() } == ["JPY", "EUR"])
        for row in rows {
            let currency = try Currency(row["currency"].string())
            let rates = CurrencyRates(base: .usd, rates: [.init(currency, try row["rate"].string())])
            let price = try Price(amount: Money("25.00", .usd), tax: Money("1.52", .usd))
                .converted(to: currency, by: rates)
            #expect(try row["amount"].string() == price.amount.decimalText)
            #expect(try row["tax"].string() == price.tax.decimalText)
            #expect(try row["total"].string() == price.total.decimalText)
        }
        let text = await run("rates --base EUR --quote USD")
        #expect(text.output.contains("USD"), "\(text)")
        sandbox.stop()
    }

    @Test("in a session, rates come from the session's own call")
    func ratesInSession() async throws {
        let opened = await run("session open -o json")
        let id = try json(opened.output)["session"].string()
        let told = await run("rates --session \(id) --quote JPY -v -o json")
        #expect(told.code == .done, "\(told)")
        #expect(sandbox.ledger.entries.last?.operation == "rates")
        #expect(!told.talk.contains(id), "\(told.talk)")
        sandbox.stop()
    }

    @Test("what cannot be used is told before anything is sent; a currency without a rate is the provider's no")
    func ratesRefused() async {
        for line in [
            "rates --base XXX", "rates --quote US", "rates --base USD --convert 1.234", "rates --tax 1.00",
            "rates --base USD --convert -1", "rates --base USD --convert x",
        ] {
            let refused = await run(line)
            #expect(refused.code == .usage, "\(line): \(refused)")
        }
        #expect(sandbox.ledger.count == 0)
        let unknown = await run("rates --base USD --quote SEK")
        #expect(unknown.code == .providerSaidNo, "\(unknown)")
        #expect(await run("rates --base USD --dry-run").code == .done)
        sandbox.stop()
    }

    @Test("a profile tells methods, brands in their order, currencies, and the returning shopper's cards")
    func profile() async throws {
        let told = await run("checkout profile --shopper 31009922 --base EUR -o json")
        #expect(told.code == .done, "\(told)")
        let report = try json(told.output)
        #expect(try report["schema"].string() == "gatewayctl.checkout-profile/1")
        #expect(report["methods"].items.count > 2)
        #expect(try report["brands"].items.first?["providerWord"].string() == "ELO")
        #expect(try report["brands"].items.first?["detected"].bool() == true)
        #expect(try report["base"].string() == "EUR")
        let cards = report["shopper"]["cards"].items
        #expect(try cards.map { try $0["expired"].bool() } == [false, true])
        let text = await run("checkout profile")
        #expect(text.code == .done && text.output.contains("Example Shop"), "\(text)")
        #expect(await run("checkout profile -p spreedly --sandbox").code == .configuration)
        sandbox.stop()
    }

    @Test("a check tells everything that is missing, and sends nothing")
    func check() async throws {
        let rita = """
            {"name":"Rita Quill","email":"rita@shop.example","billing":{"country":"US","region":"MA","postalCode":"02110"}}
            """
        #expect(await run("checkout check", rita).code == .done)
        let full = await run("checkout check --full-billing --shipping -o json", rita)
        #expect(full.code == .badInput)
        #expect(
            try json(full.output)["fields"].items.map { try $0["field"].string() }
                == [
                    "city", "line1", "shipping.country", "shipping.postalCode", "shipping.city", "shipping.line1",
                ])
        let subscription = await run("checkout check --purpose subscription -o json", rita)
        #expect(subscription.code == .badInput)
        #expect(try json(subscription.output)["storeSwitch"].string() == "demanded")
        #expect(await run("checkout check --purpose subscription --consent", rita).code == .done)
        #expect(await run("checkout check --paying wallet", "{}").code == .done)
        #expect(await run("checkout check --no-email-demanded", "{}").code == .badInput)
        #expect(await run("checkout check", "[]").code == .badInput)
        #expect(await run("checkout check", #"{"nmae":"x"}"#).code == .badInput)
        #expect(sandbox.ledger.count == 0)
        sandbox.stop()
    }

    @Test("a choice is written down, and the next profile tells it")
    func configure() async throws {
        let saved = await run("shopper configure --shopper 31009922 --name Rita\u{A0}Quill --choose payPal -o json")
        #expect(saved.code == .done, "\(saved)")
        #expect(try json(saved.output)["result"].string() == "saved")
        let told = try json(await run("checkout profile --shopper 31009922 -o json").output)
        #expect(try told["shopper"]["chosenMethod"].string() == "PAYPAL")
        let card = told["shopper"]["cards"].items.first
        let brand = try #require(try card?["providerBrand"].string())
        let expiry = try #require(try card?["expiry"].string())
        let stored = await run(
            "shopper configure --shopper 31009922 --name Rita\u{A0}Quill --choose storedCard --brand \(brand) "
                + "--last-four 1111 --expiry \(expiry)")
        #expect(stored.code == .done, "\(stored)")
        sandbox.stop()
    }

    @Test("without a choice, a name or a card's parts nothing is sent; a lost answer is unknown and may be sent again")
    func configureRefused() async {
        #expect(await run("shopper configure --shopper 31009922").code == .usage)
        #expect(await run("shopper configure --choose payPal").code == .usage)
        #expect(await run("shopper configure --shopper 31009922 --choose newCard --name A\u{A0}B").code == .usage)
        #expect(await run("shopper configure --shopper 31009922 --choose payPal").code == .badInput)
        #expect(!sandbox.ledger.entries.contains { $0.operation == "configure-shopper" })
        sandbox.faults.add(.answerLost, provider: "bluesnap", operation: "configure-shopper")
        let line = "shopper configure --shopper 31009922 --name Rita\u{A0}Quill --choose payPal"
        #expect(await run(line).code == .outcomeUnknown)
        #expect(await run(line).code == .done)
        sandbox.stop()
    }
}
