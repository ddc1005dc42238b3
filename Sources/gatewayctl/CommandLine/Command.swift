/// One command of the tool. Parsing, help and completions are all made from these values.
///
/// A command has either subcommands or a `run`; `Tests/gatewayctlTests` checks this and the other rules of the table.
struct Command: Sendable {
    /// What a command does with its checked arguments. It throws ``Failure`` for an end that it can explain.
    typealias Run = @Sendable (Invocation) async throws -> ExitCode

    /// A line that can be pasted into a shell, and what it shows.
    struct Example: Sendable {
        let line: String
        let explanation: String

        init(_ line: String, _ explanation: String) {
            self.line = line
            self.explanation = explanation
        }
    }

    /// Lower-case letters, digits and hyphens.
    let name: String
    /// One line without a full stop.
    let summary: String
    /// Paragraphs with an empty line between; wrapped by the help.
    let discussion: String
    let examples: [Example]
    let options: [any OptionDeclaration]
    let rules: [OptionRule]
    let positionals: [any PositionalDeclaration]
    /// Pages that the command's own help shows too, because nobody can use it without them.
    let appendix: [HelpTopic]
    let subcommands: [Command]
    /// `nil` for a command that only groups others.
    let run: Run?

    /// A command that does something.
    init(
        _ name: String, summary: String, discussion: String = "", examples: [Example] = [],
        options: [any OptionDeclaration] = [], rules: [OptionRule] = [],
        positionals: [any PositionalDeclaration] = [], appendix: [HelpTopic] = [], run: @escaping Run
    ) {
        self.init(
            name: name, summary: summary, discussion: discussion, examples: examples, options: options, rules: rules,
            positionals: positionals, appendix: appendix, subcommands: [], run: run)
    }

    /// A command that groups others.
    init(
        _ name: String, summary: String, discussion: String = "", examples: [Example] = [], subcommands: [Command]
    ) {
        self.init(
            name: name, summary: summary, discussion: discussion, examples: examples, options: [], rules: [],
            positionals: [], appendix: [], subcommands: subcommands, run: nil)
    }

    private init(
        name: String, summary: String, discussion: String, examples: [Example], options: [any OptionDeclaration],
        rules: [OptionRule], positionals: [any PositionalDeclaration], appendix: [HelpTopic], subcommands: [Command],
        run: Run?
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.options = options
        self.rules = rules
        self.positionals = positionals
        self.appendix = appendix
        self.subcommands = subcommands
        self.run = run
    }

    /// The subcommand of that name.
    func subcommand(_ name: String) -> Command? {
        subcommands.first { $0.name == name }
    }
}

/// The whole command line of a tool: its commands, what they share, and the help topics.
struct CommandTree: Sendable {
    /// The tool itself; its name is the program's name.
    let root: Command
    /// What `--version` prints behind the name.
    let version: String
    /// Options that every command takes, before or behind its name.
    let globals: [any OptionDeclaration]
    /// Pages of the help that belong to no single command.
    let topics: [HelpTopic]

    init(root: Command, version: String, globals: [any OptionDeclaration] = GlobalOptions.all, topics: [HelpTopic]) {
        self.root = root
        self.version = version
        self.globals = globals
        self.topics = topics
    }

    /// The commands along `names`, the root first; `nil` when there is no such command.
    func path(_ names: some Sequence<String>) -> [Command]? {
        var path = [root]
        for name in names {
            guard let next = path.last?.subcommand(name) else { return nil }
            path.append(next)
        }
        return path
    }

    /// Every command with its names from below the root, parents before children.
    var everyCommand: [(names: [String], command: Command)] {
        var found: [(names: [String], command: Command)] = []
        var open: [(names: [String], command: Command)] = [([], root)]
        while let next = open.popLast() {
            found.append(next)
            open.append(contentsOf: next.command.subcommands.reversed().map { (next.names + [$0.name], $0) })
        }
        return found
    }
}
