/// What a command line asks for.
enum ParseResult: Sendable {
    case run(ParsedCommand)
    /// Show the help of the command at these names.
    case help([String])
    case version
}

/// A command with the texts that were given to it, all checked.
struct ParsedCommand: Sendable {
    /// The commands from the root down.
    let path: [Command]
    /// By long name, from the command line or the environment.
    let options: [String: GivenValue]
    let positionals: [String]

    /// The names below the root.
    var names: [String] { path.dropFirst().map(\.name) }
}

/// The texts given for one option, and where.
struct GivenValue: Sendable, Equatable {
    /// Where a value came from.
    enum Origin: Sendable, Equatable {
        case commandLine
        case environment(String)
    }

    var texts: [String]
    let origin: Origin
}

/// Reads an argument vector against a command tree. It does no input or output.
struct Parser: Sendable {
    let tree: CommandTree

    /// Reads `arguments` (without the program's name), with `environment` filling in what is absent.
    ///
    /// The card-number guard comes before everything else.
    func parse(_ arguments: [String], environment: [String: String] = [:]) throws(UsageError) -> ParseResult {
        if CardNumberGuard.refuses(arguments) { throw UsageError(CardNumberGuard.refusal, path: []) }
        // No option takes a value that starts with a dash, so this cannot be one.
        let asksForHelp = arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
        do throws(UsageError) {
            var reading = Reading(tree: tree)
            try reading.take(arguments)
            if asksForHelp || reading.given["help"] != nil { return .help(reading.names) }
            if reading.given["version"] != nil { return .version }
            return .run(try reading.finish(environment))
        } catch {
            guard asksForHelp, !error.isUnknownCommand else { throw error }
            return .help(error.path)
        }
    }

    /// The output format that a command line asks for although it cannot be parsed: the last one that is recognised.
    static func formatAsked(in arguments: [String], environment: [String: String]) -> OutputFormat {
        let spec = GlobalOptions.output.spec
        let spellings = [spec.spelling] + (spec.short.map { ["-\($0)"] } ?? [])
        var format = spec.environment.flatMap { environment[$0] }.flatMap(OutputFormat.init)
        var previous = ""
        for argument in arguments.prefix(while: { $0 != "--" }) {
            for spelling in spellings {
                var text = argument[...]
                if previous != spelling {
                    guard argument.hasPrefix(spelling) else { continue }
                    text = text.dropFirst(spelling.count)
                    if text.first == "=" { text.removeFirst() }
                }
                format = OutputFormat(rawValue: String(text)) ?? format
            }
            previous = argument
        }
        return format ?? .text
    }
}

/// The state of one reading.
private struct Reading {
    let tree: CommandTree
    var path: [Command]
    var given: [String: GivenValue] = [:]
    var positionals: [String] = []

    init(tree: CommandTree) {
        self.tree = tree
        path = [tree.root]
    }

    var command: Command { path.last ?? tree.root }
    var names: [String] { path.dropFirst().map(\.name) }
    var title: String { ([tree.root.name] + names).joined(separator: " ") }
    var known: [OptionSpec] { (command.options + tree.globals).map(\.spec) }

    func error(_ message: String, suggestion: String? = nil) -> UsageError {
        UsageError(message, path: names, suggestion: suggestion)
    }

    mutating func take(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var optionsEnded = false
        while let argument = rest.popFirst() {
            if optionsEnded || argument == "-" || !argument.hasPrefix("-") {
                try takeWord(argument)
            } else if argument == "--" {
                optionsEnded = true
            } else if argument.hasPrefix("--") {
                try takeLong(argument.dropFirst(2), &rest)
            } else {
                try takeShort(argument.dropFirst(), &rest)
            }
        }
    }

    // MARK: Words

    private mutating func takeWord(_ word: String) throws(UsageError) {
        if !command.subcommands.isEmpty {
            guard let next = command.subcommand(word) else { throw unknownCommand(word) }
            path.append(next)
            return
        }
        let specs = command.positionals.map(\.spec)
        let spec = positionals.count < specs.count ? specs[positionals.count] : specs.last
        guard let spec, positionals.count < specs.count || spec.arity == .repeating else {
            throw error("unexpected argument \(Echo.show(word)) for '\(title)'")
        }
        guard spec.accepts(word) else {
            throw error(
                "\(spec.placeholder) takes \(spec.expectation), not \(Echo.show(word))",
                suggestion: suggestion(for: word, among: spec.hint))
        }
        positionals.append(word)
    }

    private func unknownCommand(_ word: String) -> UsageError {
        var names = Suggestions.near(word, among: command.subcommands.map(\.name))
        if names.isEmpty {
            // Perhaps the name of the group was left out.
            names = tree.everyCommand.filter { $0.names.count > 1 && $0.names.last == word }
                .map { $0.names.joined(separator: " ") }
        }
        return UsageError(
            "unknown command \(Echo.show(word)) for '\(title)'", path: self.names,
            suggestion: Suggestions.question(names), isUnknownCommand: true)
    }

    // MARK: Options

    private mutating func takeLong(_ body: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let name = String(body.prefix { $0 != "=" })
        let attached = body.count > name.count ? String(body.dropFirst(name.count + 1)) : nil
        if let spec = known.first(where: { $0.name == name }) {
            try take(spec, as: spec.spelling, value: attached, &rest)
        } else if name.hasPrefix("no-"),
            let spec = known.first(where: { $0.kind == .toggle && "no-" + $0.name == name })
        {
            guard attached == nil else { throw error("'--\(spec.name)' and '--no-\(spec.name)' take no value") }
            try record(spec, "false")
        } else {
            throw unknownOption("--" + name, candidates: longSpellings(known))
        }
    }

    private mutating func takeShort(_ cluster: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = cluster
        while let letter = letters.popFirst() {
            guard let spec = known.first(where: { $0.short == letter }) else {
                throw unknownOption("-" + String(letter), candidates: [])
            }
            guard spec.takesValue else {
                if letters.first == "=" { throw error("'-\(letter)' takes no value") }
                try record(spec, "true")
                continue
            }
            if letters.first == "=" { letters.removeFirst() }
            let attached = letters.isEmpty && cluster.last != "=" ? nil : String(letters)
            try take(spec, as: "-" + String(letter), value: attached, &rest)
            return
        }
    }

    private mutating func take(
        _ spec: OptionSpec, as spelling: String, value attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard spec.takesValue else {
            guard attached == nil else { throw error("'\(spelling)' takes no value") }
            return try record(spec, "true")
        }
        if let attached { return try record(spec, attached) }
        guard let next = rest.first else {
            throw error("'\(spelling)' takes \(spec.expectation), and there is none behind it")
        }
        guard next == "-" || !next.hasPrefix("-") else {
            throw error(
                "'\(spelling)' takes \(spec.expectation), and an option follows; "
                    + "write a value that starts with a dash as '\(spec.spelling)=VALUE'")
        }
        rest.removeFirst()
        try record(spec, next)
    }

    private mutating func record(_ spec: OptionSpec, _ text: String) throws(UsageError) {
        try check(spec, text, source: "'\(spec.spelling)'")
        guard var value = given[spec.name] else {
            given[spec.name] = GivenValue(texts: [text], origin: .commandLine)
            return
        }
        switch spec.kind {
        case .flag: return
        case .list: value.texts.append(text)
        case .toggle:
            guard value.texts == [text] else {
                throw error("'--\(spec.name)' and '--no-\(spec.name)' contradict each other")
            }
        case .value: throw error("'\(spec.spelling)' was given twice; it takes one value")
        }
        given[spec.name] = value
    }

    private func check(_ spec: OptionSpec, _ text: String, source: String) throws(UsageError) {
        guard !spec.accepts(text) else { return }
        throw error(
            "\(source) takes \(spec.expectation), not \(Echo.show(text))",
            suggestion: suggestion(for: text, among: spec.hint))
    }

    private func longSpellings(_ specs: [OptionSpec]) -> [String] {
        specs.flatMap { $0.kind == .toggle ? [$0.spelling, "--no-" + $0.name] : [$0.spelling] }
    }

    private func unknownOption(_ spelling: String, candidates: [String]) -> UsageError {
        let owner = tree.everyCommand.first { entry in
            entry.names.starts(with: names) && entry.names.count > names.count
                && longSpellings(entry.command.options.map(\.spec)).contains(spelling)
        }
        if let owner {
            let whole = ([tree.root.name] + owner.names).joined(separator: " ")
            return error("'\(spelling)' stands behind its command: '\(whole) \(spelling)'")
        }
        return error(
            "unknown option \(Echo.show(spelling)) for '\(title)'",
            suggestion: Suggestions.question(Suggestions.near(spelling, among: candidates)))
    }

    private func suggestion(for text: String, among hint: CompletionHint) -> String? {
        guard case .words(let words) = hint else { return nil }
        return Suggestions.question(Suggestions.near(text, among: words))
    }

    // MARK: The end

    mutating func finish(_ environment: [String: String]) throws(UsageError) -> ParsedCommand {
        guard command.run != nil else {
            let names = command.subcommands.map(\.name).joined(separator: ", ")
            throw error("'\(title)' needs one of its commands: \(names)")
        }
        try fillIn(environment)
        for spec in command.positionals.map(\.spec).dropFirst(positionals.count) where spec.arity == .required {
            throw error("\(spec.placeholder) is missing: '\(title)' takes \(spec.expectation)")
        }
        for spec in known where spec.isRequired && given[spec.name] == nil {
            let other = spec.environment.map { ", or \($0) in the environment" } ?? ""
            throw error("'\(spec.usage)' is required\(other)")
        }
        for rule in command.rules { try check(rule) }
        return ParsedCommand(path: path, options: given, positionals: positionals)
    }

    /// A variable gives way to the command line, also to another option of the same rule there.
    private mutating func fillIn(_ environment: [String: String]) throws(UsageError) {
        let typed = Set(given.keys)
        for spec in known where given[spec.name] == nil {
            guard let variable = spec.environment, let text = environment[variable], !text.isEmpty else { continue }
            guard !command.rules.contains(where: { $0.names.contains(spec.name) && !typed.isDisjoint(with: $0.names) })
            else { continue }
            let texts = spec.kind == .list ? text.split(separator: ",").map(String.init) : [text]
            for text in texts { try check(spec, text, source: "\(variable) in the environment") }
            // A flag that a variable switches off is as good as absent.
            if spec.kind == .flag, ["0", "false", "no", "off"].contains(text.lowercased()) { continue }
            given[spec.name] = GivenValue(texts: texts, origin: .environment(variable))
        }
    }

    private func check(_ rule: OptionRule) throws(UsageError) {
        let specs = rule.names.compactMap { name in known.first { $0.name == name } }
        let present = specs.filter { given[$0.name] != nil }
        if present.count > 1 {
            let sources = present.map { spec in
                switch given[spec.name]?.origin {
                case .environment(let variable): "\(variable) (in the environment)"
                case .commandLine, nil: "'\(spec.spelling)'"
                }
            }
            throw error(sources.joined(separator: " and ") + " exclude each other; give one of them")
        }
        if present.isEmpty, rule.count == .exactlyOne {
            throw error("one of " + specs.map { "'\($0.usage)'" }.joined(separator: ", ") + " is required")
        }
    }
}
