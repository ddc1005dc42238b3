import GatewayKit
import GatewayKitCore

extension Root {
    private static let email = Option.value("email", "ADDRESS", reading: .text, help: "The shopper's e-mail address.")
    private static let phone = Option.value("phone", "NUMBER", reading: .text, help: "The shopper's telephone number.")
    private static let company = Option.value("company", "NAME", reading: .text, help: "The shopper's company.")
    private static let line1 = Option.value("line1", "TEXT", reading: .text, help: "First line of the billing address.")
    private static let line2 = Option.value("line2", "TEXT", reading: .text, help: "Second line of it.")
    private static let city = Option.value("city", "TEXT", reading: .text, help: "City of the billing address.")
    private static let region = Option.value("region", "TEXT", reading: .text, help: "State, province or region of it.")
    private static let postalCode = Option.value("postal-code", "CODE", reading: .text, help: "Postal code of it.")
    private static let country = Option.value(
        "country", "CC", reading: .text, help: "Country of it, two letters (ISO 3166).")
    private static let retain = Option.flag(
        "retain", help: "Keep the card beyond one payment. Needs the shopper's consent.")
    private static let metadata = Option.list(
        "metadata", "KEY=VALUE", reading: .text, help: "Your own data to store beside the token.")
    private static let option = Option.list(
        "option", "NAME=VALUE", reading: .text,
        help: "An option of this provider; 'gatewayctl providers' lists them.")
    private static let localChecks = Option.toggle(
        "local-checks", default: true, help: "Check the card here before anything is sent.")
    private static let dryRun = Option.flag(
        "dry-run", help: "Build the request, print it redacted, send nothing.")

    private static let shopperOptions: [any OptionDeclaration] = [
        email, phone, company, line1, line2, city, region, postalCode, country,
    ]

    /// `tokenize`.
    static let tokenize = Command(
        "tokenize",
        summary: "Hand a card to a provider and get a token for it",
        discussion: """
            The card comes from a public test card, from stdin, or from a prompt without echo when stdin is a terminal. \
            It never goes on the command line, where every process of the machine could read it.

            A run whose outcome is unknown ends with exit code 4: the card may have been stored. It is never sent a \
            second time by itself.
            """,
        examples: [
            .init(
                "gatewayctl tokenize --provider spreedly --sandbox --test-card visa",
                "Without any account, against the built-in sandbox:"),
            .init("gatewayctl tokenize --account eu --card-stdin < card.json", "With a configured account:"),
            .init(
                "gatewayctl tokenize -p spreedly --sandbox --test-card visa -v "
                    + "--sandbox-fault spreedly.tokenize=reset-before-answer",
                "What happens when the answer is lost:"),
        ],
        options: AccountChoice.all + CardSource.all + shopperOptions
            + [retain, metadata, option, localChecks, dryRun],
        rules: AccountChoice.rules + CardSource.rules
    ) { invocation in
        let terminal = invocation.terminal
        let isDryRun = invocation[dryRun]
        let dryObserver = DryRunObserver()
        do {
            let opened = try AccountChoice.open(
                invocation,
                observer: isDryRun ? dryObserver : terminal.isVerbose ? TerminalObserver(terminal: terminal) : nil,
                transport: isDryRun ? DryRunTransport() : nil)
            let tokens = try opened.gateway.requireTokens()
            let request = try request(invocation, opened)
            let context = CallContext(timeout: invocation[GlobalOptions.timeout])
            let result = try await tokens.tokenize(request, context)
            return ResultReport.write(result, opened.settings, terminal)
        } catch let error as GatewayError {
            guard error.code == .dryRun, let text = dryObserver.request else {
                return ResultReport.write(error, terminal)
            }
            terminal.say("Dry run: nothing was sent.")
            terminal.emit(
                Report(schema: "gatewayctl.dry-run/1", fields: [Field("Request", "request", .text(text))]))
            return .done
        }
    }

    private static func request(
        _ invocation: Invocation, _ opened: AccountChoice.Opened
    ) throws -> TokenizationRequest {
        let read = try CardSource.read(invocation, now: invocation.terminal.now)
        var shopper = read.shopper
        shopper.email = invocation[email] ?? shopper.email
        shopper.phone = invocation[phone] ?? shopper.phone
        shopper.company = invocation[company] ?? shopper.company
        var billing = shopper.billingAddress ?? Address()
        billing.line1 = invocation[line1] ?? billing.line1
        billing.line2 = invocation[line2] ?? billing.line2
        billing.city = invocation[city] ?? billing.city
        billing.region = invocation[region] ?? billing.region
        billing.postalCode = invocation[postalCode] ?? billing.postalCode
        billing.country = invocation[country] ?? billing.country
        shopper.billingAddress = billing.isEmpty ? nil : billing
        var request = TokenizationRequest(.card(read.card), shopper: shopper)
        if invocation[retain] { request.retain = true }
        request.checksLocally = invocation[localChecks]
        for text in invocation[metadata] {
            let (key, value) = try pair(text, "--metadata", invocation)
            request.metadata.append(.init(key: key, value: value))
        }
        for text in invocation[option] {
            let (name, value) = try pair(text, "--option", invocation)
            let known = opened.provider.tokenizationOptions.map(\.name)
            guard known.contains(name) else {
                let near = Suggestions.question(Suggestions.near(name, among: known)) ?? ""
                throw invocation.usageError(
                    "\(opened.provider.displayName) has no option '\(Echo.show(name))'. \(near)"
                        + " Its options: \(known.joined(separator: ", "))")
            }
            request.options[name] = value
        }
        return request
    }

    private static func pair(
        _ text: String, _ option: String, _ invocation: Invocation
    ) throws -> (String, OptionValue) {
        guard let split = text.firstIndex(of: "="), split != text.startIndex else {
            throw invocation.usageError("'\(option)' takes NAME=VALUE")
        }
        return (String(text[..<split]), OptionValue(reading: String(text[text.index(after: split)...])))
    }
}

extension Terminal {
    /// The wall clock.
    var now: WallTime { WallTime(secondsSince1970: surroundings.wallClock().components.seconds) }
}
