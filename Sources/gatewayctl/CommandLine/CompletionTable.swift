/// The shells that completions are written for.
enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish

    /// The whole script.
    func script(for table: CompletionTable) -> String {
        switch self {
        case .bash: table.bashScript
        case .zsh: table.zshScript
        case .fish: table.fishScript
        }
    }
}

/// The command tree as the completion scripts need it: one flat entry per command.
struct CompletionTable: Sendable {
    /// Something to offer.
    struct Offer: Sendable {
        let word: String
        let description: String
    }

    struct Entry: Sendable {
        /// The names below the root.
        let names: [String]
        let commands: [Offer]
        /// Long spellings, `--no-` forms included.
        let options: [Offer]
        /// Options that take a value, with all their spellings.
        let valued: [(spellings: [String], hint: CompletionHint)]
        /// Per positional; the last one holds for all that follow if `repeats`.
        let positionals: [CompletionHint]
        let repeats: Bool

        /// The names with spaces between: the key of the scripts' tables.
        var key: String { names.joined(separator: " ") }
    }

    let tool: String
    let entries: [Entry]

    init(tree: CommandTree) {
        tool = tree.root.name
        entries = tree.everyCommand.map { names, command in
            let specs = (command.options + tree.globals).map(\.spec)
            // `help` takes names of commands and topics, which only the tree knows.
            let isHelp = names == ["help"]
            let pages = tree.root.subcommands.map(\.name) + tree.topics.map(\.name)
            return Entry(
                names: names, commands: command.subcommands.map { Offer(word: $0.name, description: $0.summary) },
                options: specs.flatMap { spec in
                    let offer = Offer(word: spec.spelling, description: spec.help)
                    return spec.kind == .toggle
                        ? [offer, Offer(word: "--no-" + spec.name, description: "Off: " + spec.help)] : [offer]
                },
                valued: specs.filter(\.takesValue).map { spec in
                    ([spec.spelling] + (spec.short.map { ["-\($0)"] } ?? []), spec.hint)
                },
                positionals: isHelp ? [.words(pages)] : command.positionals.map(\.spec.hint),
                repeats: !isHelp && command.positionals.last?.spec.arity == .repeating)
        }
    }

    /// `text` as one word of a POSIX shell.
    static func quote(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
