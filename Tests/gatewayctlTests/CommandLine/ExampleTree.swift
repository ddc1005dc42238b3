@testable import gatewayctl

/// A small tree with every kind of option and positional.
enum Example {
    enum Size: String, Sendable, CaseIterable { case small, large }

    static let provider = Option.value(
        "provider", short: "p", "NAME", reading: .oneOf(["spreedly", "bluesnap"]), environment: "DEMO_PROVIDER",
        help: "The provider.")
    static let account = Option.value(
        "account", short: "a", "NAME", reading: .text, environment: "DEMO_ACCOUNT", help: "A configured account.")
    static let testCard = Option.value("test-card", "NAME", reading: .text, help: "A public test card.")
    static let cardStdin = Option.flag("card-stdin", help: "Read the card as JSON from stdin.")
    static let dryRun = Option.flag("dry-run", short: "n", help: "Send nothing.")
    static let retain = Option.toggle("retain", short: "r", default: true, help: "Keep the card.")
    static let metadata = Option.list("metadata", short: "m", "TEXT", reading: .text, help: "Metadata of the card.")
    static let port = Option.value(
        "port", "N", reading: .integer(in: 0...65535), default: 0, environment: "DEMO_PORT", help: "Listen here.")
    static let size = Option.value("size", "SIZE", reading: ValueReader<Size>.choice, required: true, help: "How big.")
    static let file = Option.value("config", "FILE", reading: .file, help: "The configuration.")
    static let word = Positional.required("WORD", reading: .text, help: "The word.")
    static let level = Positional.optional("LEVEL", reading: .integer(in: 1...9), help: "The level.")
    static let rest = Positional.repeating("ITEM", reading: .text, help: "More items.")

    static let tokenize = Command(
        "tokenize", summary: "Turn a card into a token",
        discussion: "The card comes from stdin or is a public test card; it never stands on the command line.",
        examples: [.init("demo tokenize --provider spreedly --test-card visa", "A token for a test card:")],
        options: [provider, account, testCard, cardStdin, dryRun, retain, metadata, file],
        rules: [.exactlyOne(provider, account), .atMostOne(testCard, cardStdin)]
    ) { invocation in
        invocation.terminal.say("talk about \(invocation[provider] ?? "nothing")")
        invocation.terminal.detail("detail")
        invocation.terminal.emit(
            Report(schema: "demo.tokenize/1", fields: [Field("Dry run", "dryRun", .bool(invocation[dryRun]))]))
        return .done
    }

    static let inspect = Command(
        "inspect", summary: "Explain a card", options: [size], positionals: [word, level]
    ) { _ in .providerSaidNo }

    static let list = Command("list", summary: "List cards", positionals: [rest]) { _ in .done }
    static let serve = Command("serve", summary: "Serve", options: [port]) { _ in throw CancellationError() }

    static let tree = CommandTree(
        root: Command(
            "demo", summary: "Shows the command line",
            subcommands: [
                tokenize,
                Command("card", summary: "Work on cards", subcommands: [inspect, list]),
                serve, Root.help, Root.completions,
            ]),
        version: "1.2.3",
        topics: [.exitCodes, .environment(further: HelpTopic.colorVariables)])
}
