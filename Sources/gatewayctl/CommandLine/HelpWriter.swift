/// Writes the help pages from the command tree.
struct HelpWriter: Sendable {
    let tree: CommandTree
    /// Characters per line.
    let width: Int

    init(tree: CommandTree, width: Int = 80) {
        self.tree = tree
        self.width = max(width, 40)
    }

    /// The page of the command or topic at `names` (the root's without names); `nil` when there is none.
    func page(of names: [String]) -> String? {
        if let path = tree.path(names) { return page(path) }
        if names.count == 1, let topic = tree.topics.first(where: { $0.name == names.first }) { return page(topic) }
        return nil
    }

    private func page(_ path: [Command]) -> String {
        guard let command = path.last else { return "" }
        let isRoot = path.count == 1
        var lines = ["Usage: " + usage(path), ""]
        lines += TextLayout.wrap(command.summary + ".", width: width)
        section("Examples", examples(command), &lines)
        if !command.discussion.isEmpty { lines += [""] + TextLayout.wrap(command.discussion, width: width) }
        section("Commands", columns(command.subcommands.map { ($0.name, $0.summary + ".") }), &lines)
        section("Arguments", columns(command.positionals.map { ($0.spec.placeholder, describe($0.spec)) }), &lines)
        section("Options", options(command.options), &lines)
        lines += command.rules.flatMap { [""] + TextLayout.wrap(describe($0, of: command), width: width) }
        section("Options of every command", options(tree.globals), &lines)
        for topic in command.appendix { lines += ["", topic.summary + ":"] + blocks(topic) }
        if isRoot {
            section("Further pages", columns(tree.topics.map { ("help " + $0.name, $0.summary + ".") }), &lines)
        }
        if !command.subcommands.isEmpty {
            let name = path.map(\.name)
            let help = ([tree.root.name, "help"] + name.dropFirst() + ["COMMAND"]).joined(separator: " ")
            lines += [""] + TextLayout.wrap("Run '\(help)' for the help of a command.", width: width)
        }
        return lines.joined(separator: "\n")
    }

    private func page(_ topic: HelpTopic) -> String {
        ([topic.summary + "."] + blocks(topic)).joined(separator: "\n")
    }

    /// Each with an empty line before it.
    private func blocks(_ topic: HelpTopic) -> [String] {
        var lines: [String] = []
        for block in topic.blocks(tree) {
            lines.append("")
            switch block {
            case .text(let text): lines += TextLayout.wrap(text, width: width)
            case .table(let rows): lines += columns(rows)
            }
        }
        return lines
    }

    private func section(_ title: String, _ body: [String], _ lines: inout [String]) {
        if !body.isEmpty { lines += ["", title + ":"] + body }
    }

    private func columns(_ rows: [(left: String, right: String)]) -> [String] {
        TextLayout.columns(rows, width: width)
    }

    // MARK: Usage

    private func usage(_ path: [Command]) -> String {
        guard let command = path.last else { return "" }
        let name = path.map(\.name).joined(separator: " ")
        var words: [String] = []
        if !command.subcommands.isEmpty { words.append("COMMAND") }
        let specs = command.options.map(\.spec)
        let ruled = Set(command.rules.flatMap(\.names))
        words += specs.filter { $0.isRequired && !ruled.contains($0.name) }.map(\.usage)
        words += command.rules.map { rule in
            let members = rule.names.compactMap { name in specs.first { $0.name == name }?.usage }
            let choice = members.joined(separator: " | ")
            return rule.count == .exactlyOne ? "(\(choice))" : "[\(choice)]"
        }
        words.append("[options]")
        words += command.positionals.map(\.spec.usage)
        let behindName = "Usage: ".count + name.count + 1
        let fits = words.allSatisfy { behindName + $0.count <= width }
        let indent = String(repeating: " ", count: fits ? behindName : 4)
        var lines = [name]
        for word in words {
            let last = lines.last ?? ""
            let prefix = lines.count == 1 ? "Usage: ".count : 0
            if prefix + last.count + 1 + word.count > width, last.count > indent.count || !fits {
                lines.append(indent + word)
            } else {
                lines[lines.count - 1] = last.hasSuffix(" ") ? last + word : last + " " + word
            }
        }
        return lines.joined(separator: "\n")
    }

    private func examples(_ command: Command) -> [String] {
        command.examples.flatMap { example in
            TextLayout.wrap(example.explanation, width: width - 2).map { "  " + $0 } + ["      " + example.line]
        }
    }

    // MARK: Options

    private func options(_ options: [any OptionDeclaration]) -> [String] {
        let specs = options.map(\.spec)
        let anyShort = specs.contains { $0.short != nil }
        return columns(
            specs.map { spec in
                let short = spec.short.map { "-\($0), " } ?? (anyShort ? "    " : "")
                let name = spec.kind == .toggle ? "--[no-]" + spec.name : spec.usage
                return (short + name, describe(spec))
            })
    }

    private func describe(_ spec: OptionSpec) -> String {
        var parts = [spec.help]
        if case .words(let words) = spec.hint { parts.append("Values: \(words.joined(separator: ", ")).") }
        if spec.kind == .list { parts.append("May be repeated.") }
        if spec.isRequired { parts.append("Required.") }
        if let text = spec.defaultText { parts.append("[default:\u{A0}\(text)]") }
        if let variable = spec.environment { parts.append("[env:\u{A0}\(variable)]") }
        return parts.joined(separator: " ")
    }

    private func describe(_ spec: PositionalSpec) -> String {
        var parts = [spec.help]
        if case .words(let words) = spec.hint { parts.append("Values: \(words.joined(separator: ", ")).") }
        return parts.joined(separator: " ")
    }

    private func describe(_ rule: OptionRule, of command: Command) -> String {
        let names = rule.names.map { "--" + $0 }.joined(separator: ", ")
        return rule.count == .exactlyOne
            ? "Exactly one of \(names) is needed." : "At most one of \(names) may be given."
    }
}
