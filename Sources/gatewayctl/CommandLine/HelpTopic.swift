/// A page of the help that belongs to no single command.
struct HelpTopic: Sendable {
    /// A paragraph or a table.
    enum Block: Sendable {
        case text(String)
        case table([(left: String, right: String)])
    }

    let name: String
    /// One line without a full stop.
    let summary: String
    /// Makes the page; the tree tells what it declares.
    let blocks: @Sendable (CommandTree) -> [Block]
}

extension HelpTopic {
    /// The table of exit codes.
    static let exitCodes = HelpTopic(name: "exit-codes", summary: "What each exit code means to a script") { tree in
        [
            .text("The exit code of \(tree.root.name) tells a script how a run ended:"),
            .table(ExitCode.allCases.map { ("\($0.rawValue)", "\($0.name): \($0.meaning)") }),
            .text(
                """
                With --output json a failed run prints one object with the schema \(tree.root.name).error/1, which \
                holds the same code and its word.
                """),
        ]
    }

    /// Every variable that an option of the tree falls back to, and those that are not an option's.
    static func environment(further: [(name: String, meaning: String)]) -> HelpTopic {
        HelpTopic(name: "environment", summary: "Which environment variables are read") { tree in
            var rows: [(left: String, right: String)] = []
            for (owner, spec) in allOptions(of: tree) {
                guard let variable = spec.environment, !rows.contains(where: { $0.left == variable }) else { continue }
                rows.append((variable, "Used for \(spec.spelling)\(owner) when that is absent."))
            }
            rows += further.map { ($0.name, $0.meaning) }
            return [
                .text("An option on the command line wins over its variable. An empty variable counts as unset."),
                .table(rows.sorted { $0.left < $1.left }),
            ]
        }
    }

    /// The variables about colour.
    static let colorVariables: [(name: String, meaning: String)] = [
        ("NO_COLOR", "Any value but the empty one switches colour off, unless --color says always."),
        ("TERM", "The value dumb switches colour off, unless --color says always."),
    ]

    private static func allOptions(of tree: CommandTree) -> [(owner: String, spec: OptionSpec)] {
        tree.globals.map { ("", $0.spec) }
            + tree.everyCommand.flatMap { entry in
                entry.command.options.map { (" of '\(entry.names.joined(separator: " "))'", $0.spec) }
            }
    }
}
