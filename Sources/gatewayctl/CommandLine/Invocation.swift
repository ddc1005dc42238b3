/// A command about to run: its checked arguments, the terminal, and the tree it stands in.
struct Invocation: Sendable {
    let tree: CommandTree
    let parsed: ParsedCommand
    let terminal: Terminal

    /// The value of an option of this command, or of ``GlobalOptions``; its default, `nil`, `false` or `[]` when absent.
    subscript<Value>(option: Option<Value>) -> Value {
        option.read(parsed.options[option.spec.name]?.texts ?? [])
    }

    /// The value of a positional of this command.
    subscript<Value>(positional: Positional<Value>) -> Value {
        let specs = (parsed.path.last?.positionals ?? []).map(\.spec)
        guard let place = specs.firstIndex(where: { $0.placeholder == positional.spec.placeholder }) else {
            return positional.read([])
        }
        let rest = parsed.positionals.dropFirst(place)
        return positional.read(Array(positional.spec.arity == .repeating ? rest : rest.prefix(1)))
    }

    /// Whether an option was given on the command line or by its environment variable, and where; `nil` for a default.
    func origin<Value>(of option: Option<Value>) -> GivenValue.Origin? {
        parsed.options[option.spec.name]?.origin
    }

    /// The value of an option that must be there. Parsing reports the absence of options declared as required; this
    /// reports it where the need shows only at run time.
    func require<Value>(_ option: Option<Value?>) throws(UsageError) -> Value {
        guard let value = self[option] else {
            throw UsageError("'\(option.spec.usage)' is required", path: parsed.names)
        }
        return value
    }

    /// The value of a positional that must be there.
    func require<Value>(_ positional: Positional<Value?>) throws(UsageError) -> Value {
        guard let value = self[positional] else {
            throw UsageError("\(positional.spec.placeholder) is missing", path: parsed.names)
        }
        return value
    }

    /// A usage error of this command, for what the table cannot express.
    func usageError(_ message: String) -> UsageError {
        UsageError(message, path: parsed.names)
    }
}
