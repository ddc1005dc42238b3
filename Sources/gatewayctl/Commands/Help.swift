extension Root {
    private static let names = Positional.repeating(
        "COMMAND", reading: .text, help: "A command, with its subcommand if it has one, or the name of a further page.")

    /// `help [COMMAND...]`.
    static let help = Command(
        "help",
        summary: "Show the help of a command or one of the further pages",
        examples: [
            .init("gatewayctl help completions", "The help of a command:"),
            .init("gatewayctl help environment", "Which environment variables are read:"),
        ],
        positionals: [names]
    ) { invocation in
        let wanted = invocation[names]
        let tree = invocation.tree
        guard let page = HelpWriter(tree: tree, width: invocation.terminal.helpWidth).page(of: wanted) else {
            let known = tree.everyCommand.map { $0.names.joined(separator: " ") } + tree.topics.map(\.name)
            let word = wanted.joined(separator: " ")
            throw UsageError(
                "there is no help on \(Echo.show(word))", path: [],
                suggestion: Suggestions.question(Suggestions.near(word, among: known)))
        }
        invocation.terminal.printPage(page)
        return .done
    }
}
