import GatewayKit
import GatewayKitCore

/// What the commands that hand over an instrument share: its options, one call, the result.
enum TokenizeRun {
    private static let retain = Option.flag(
        "retain", help: "Keep the card beyond one payment. Needs the shopper's consent.")
    private static let metadata = Option.list(
        "metadata", "KEY=VALUE", reading: .text, help: "Your own data to store beside the token.")
    private static let option = Option.list(
        "option", "NAME=VALUE", reading: .text,
        help: "An option of this provider; 'gatewayctl providers' lists them.")
    private static let fraudSession = Option.value(
        "fraud-session", "ID", reading: .text,
        help: "The id of the fraud session in which the shopper's device was looked at.")
    private static let localChecks = Option.toggle(
        "local-checks", default: true, help: "Check the card here before anything is sent.")
    private static let instrumentStdin = Option.flag(
        "instrument-stdin",
        help:
            "Read an instrument of any kind as one JSON object from stdin; 'gatewayctl help instrument-json' shows it.")

    static let options: [any OptionDeclaration] =
        AccountRun.options + CardSource.all + [instrumentStdin] + ShopperOptions.all
        + [retain, metadata, option, fraudSession, localChecks]
    static let rules = AccountChoice.rules + [.atMostOne(CardSource.testCard, CardSource.stdin, instrumentStdin)]

    /// Whether the instrument is read from stdin.
    static func readsStdin(_ invocation: Invocation) -> Bool {
        invocation[CardSource.stdin] || invocation[instrumentStdin]
    }

    /// Reads the instrument, lets `body` send it, and writes the result.
    static func run(
        _ invocation: Invocation,
        _ body: (any TokenProvider, AccountSettings, TokenizationRequest, CallContext) async throws(GatewayError) ->
            TokenizationResult
    ) async throws -> ExitCode {
        // What is thrown stored nothing; what may have stored something is a result.
        try await AccountRun.run(invocation, isRead: true) { opened, call, terminal in
            let tokens = try opened.gateway.requireTokens()
            let request = try request(invocation, opened)
            return ResultReport.write(
                try await body(tokens, opened.settings, request, call), opened.settings, terminal,
                schema: AccountRun.schema(invocation))
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
        request.fraudSessionID = invocation[fraudSession]
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
