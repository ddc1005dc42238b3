import GatewayKit
import GatewayKitCore

extension Root {
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

    private static let instrumentStdin = Option.flag(
        "instrument-stdin",
        help:
            "Read an instrument of any kind as one JSON object from stdin; 'gatewayctl help instrument-json' shows it.")

    /// `tokenize`.
    static let tokenize = Command(
        "tokenize",
        summary: "Hand a card or another instrument to a provider and get a token for it",
        discussion: """
            The card comes from a public test card, from stdin, or from a prompt without echo when stdin is a terminal. \
            It never goes on the command line, where every process of the machine could read it. Other instruments \
            (wallet payments, bank accounts, tokens of other vaults, stored cards with a fresh security code, offsite \
            methods) come as JSON on stdin, in the form at the end of this page.

            A run whose outcome is unknown ends with exit code 4: the card may have been stored. It is never sent a \
            second time by itself.
            """,
        examples: [
            .init(
                "gatewayctl tokenize --provider spreedly --sandbox --test-card visa",
                "Without any account, against the built-in sandbox:"),
            .init("gatewayctl tokenize --account eu --card-stdin < card.json", "With a configured account:"),
            .init("gatewayctl tokenize --account eu --instrument-stdin < bank.json", "A bank account:"),
            .init(
                "gatewayctl tokenize -p spreedly --sandbox --test-card visa -v "
                    + "--sandbox-fault spreedly.tokenize=reset-before-answer",
                "What happens when the answer is lost:"),
        ],
        options: AccountChoice.all + CardSource.all + [instrumentStdin] + ShopperOptions.all
            + [retain, metadata, option, localChecks, dryRun],
        rules: AccountChoice.rules + [.atMostOne(CardSource.testCard, CardSource.stdin, instrumentStdin)],
        appendix: [.instrumentJSON, .cardJSON]
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
        let read = try instrument(invocation)
        var request = TokenizationRequest(
            read.instrument, shopper: ShopperOptions.apply(invocation, to: read.shopper))
        if invocation[retain] { request.retain = true }
        request.checksLocally = invocation[localChecks]
        request.metadata = try invocation.metadata(metadata)
        for text in invocation[option] {
            let (name, value) = try invocation.pair(text, "--option")
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

    private static func instrument(_ invocation: Invocation) throws -> InstrumentJSON.Read {
        let terminal = invocation.terminal
        guard invocation[instrumentStdin] else {
            let read = try CardSource.read(invocation, now: terminal.now)
            return InstrumentJSON.Read(instrument: .card(read.card), shopper: read.shopper)
        }
        var read = try InstrumentJSON.read(
            terminal.readInput(awaiting: "the instrument as one JSON object"), terminal, now: terminal.now)
        guard let name = invocation[CardSource.name] else { return read }
        switch read.instrument {
        case .card(var card):
            card.holderName = name
            read.instrument = .card(card)
        case .bankAccount(var account):
            account.holderName = name
            read.instrument = .bankAccount(account)
        default:
            read.shopper.name = name
        }
        return read
    }
}

extension Terminal {
    /// The wall clock.
    var now: WallTime { WallTime(secondsSince1970: surroundings.wallClock().components.seconds) }
}
