/// What parsing, help and completion need to know of an option, whatever the type of its value.
struct OptionSpec: Sendable {
    /// How the option is written.
    enum Kind: Sendable {
        /// `--name`; saying it twice is the same as saying it once.
        case flag
        /// `--name` or `--no-name`.
        case toggle
        /// `--name VALUE`, once.
        case value
        /// `--name VALUE`, as often as one likes.
        case list
    }

    /// The long name without its dashes: lower-case letters, digits and hyphens.
    let name: String
    /// The one-letter name without its dash.
    let short: Character?
    let kind: Kind
    /// Stands for the value in help: `NAME`, `N`.
    let placeholder: String
    /// One sentence or two for the help.
    let help: String
    /// What the value must be, going on from "takes ".
    let expectation: String
    let hint: CompletionHint
    /// The environment variable that is read when the option is absent; an empty one counts as unset.
    let environment: String?
    /// The default as help shows it.
    let defaultText: String?
    let isRequired: Bool
    /// Whether a text is acceptable as the value.
    let accepts: @Sendable (String) -> Bool

    /// Whether a value follows.
    var takesValue: Bool { kind == .value || kind == .list }
    /// `--name`.
    var spelling: String { "--" + name }
    /// `--name VALUE` or `--name`.
    var usage: String { takesValue ? "\(spelling) \(placeholder)" : spelling }
}

/// Anything that can stand in a command's list of options.
protocol OptionDeclaration: Sendable {
    var spec: OptionSpec { get }
}

/// An option whose value has the type that the command works with: `invocation[option]` gives it, already checked.
///
///     static let port = Option.value("port", "N", reading: .integer(in: 0...65535), help: "Listen on this port.")
///     …
///     let port = invocation[Self.port]   // Int?
struct Option<Value: Sendable>: OptionDeclaration {
    let spec: OptionSpec
    /// Turns the given texts (none when the option is absent) into the value.
    let read: @Sendable ([String]) -> Value
}

extension Option where Value == Bool {
    /// `--name`: false unless given. The environment variable takes 1, true, yes, on, and their opposites.
    static func flag(_ name: String, short: Character? = nil, environment: String? = nil, help: String) -> Option {
        Option(
            spec: .init(
                name: name, short: short, kind: .flag, placeholder: "", help: help, expectation: Truth.expectation,
                hint: .none, environment: environment, defaultText: nil, isRequired: false,
                accepts: { Truth.read($0) != nil }),
            read: { $0.last.flatMap(Truth.read) ?? false })
    }

    /// `--name` or `--no-name`.
    static func toggle(
        _ name: String, short: Character? = nil, default value: Bool, environment: String? = nil, help: String
    ) -> Option {
        Option(
            spec: .init(
                name: name, short: short, kind: .toggle, placeholder: "", help: help, expectation: Truth.expectation,
                hint: .none, environment: environment, defaultText: value ? "on" : "off", isRequired: false,
                accepts: { Truth.read($0) != nil }),
            read: { $0.last.flatMap(Truth.read) ?? value })
    }
}

extension Option {
    /// `--name VALUE`, absent unless given. With `required`, its absence is a usage error and
    /// ``Invocation/require(_:)-(Option<Value?>)`` unwraps it.
    static func value<Item: Sendable>(
        _ name: String, short: Character? = nil, _ placeholder: String, reading reader: ValueReader<Item>,
        environment: String? = nil, required: Bool = false, help: String
    ) -> Option<Item?> where Value == Item? {
        Option<Item?>(
            spec: .init(
                name: name, short: short, kind: .value, placeholder: placeholder, help: help, reader: reader,
                environment: environment, defaultText: nil, isRequired: required),
            read: { $0.last.flatMap(reader.read) })
    }

    /// `--name VALUE` with a default.
    static func value(
        _ name: String, short: Character? = nil, _ placeholder: String, reading reader: ValueReader<Value>,
        default value: Value, environment: String? = nil, help: String
    ) -> Option {
        Option(
            spec: .init(
                name: name, short: short, kind: .value, placeholder: placeholder, help: help, reader: reader,
                environment: environment, defaultText: reader.show(value), isRequired: false),
            read: { $0.last.flatMap(reader.read) ?? value })
    }

    /// `--name VALUE`, as often as one likes. The environment variable holds the values with commas between.
    static func list<Item: Sendable>(
        _ name: String, short: Character? = nil, _ placeholder: String, reading reader: ValueReader<Item>,
        environment: String? = nil, required: Bool = false, help: String
    ) -> Option<[Item]> where Value == [Item] {
        Option<[Item]>(
            spec: .init(
                name: name, short: short, kind: .list, placeholder: placeholder, help: help, reader: reader,
                environment: environment, defaultText: nil, isRequired: required),
            read: { $0.compactMap(reader.read) })
    }
}

extension OptionSpec {
    fileprivate init<Item>(
        name: String, short: Character?, kind: Kind, placeholder: String, help: String, reader: ValueReader<Item>,
        environment: String?, defaultText: String?, isRequired: Bool
    ) {
        self.init(
            name: name, short: short, kind: kind, placeholder: placeholder, help: help, expectation: reader.expectation,
            hint: reader.hint, environment: environment, defaultText: defaultText, isRequired: isRequired,
            accepts: { reader.read($0) != nil })
    }
}

/// How a yes or no is written in an environment variable.
private enum Truth {
    static let expectation = "1, true, yes, on, or 0, false, no, off"

    static func read(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "yes", "on": true
        case "0", "false", "no", "off": false
        default: nil
        }
    }
}

/// Options of which only one makes sense at a time.
struct OptionRule: Sendable {
    /// How many of them must be given.
    enum Count: Sendable {
        case exactlyOne
        case atMostOne
    }

    let count: Count
    /// The long names, in the order of the help.
    let names: [String]

    /// One of these must be given, and no second one.
    static func exactlyOne(_ options: any OptionDeclaration...) -> OptionRule {
        OptionRule(count: .exactlyOne, names: options.map(\.spec.name))
    }

    /// Two of these contradict each other.
    static func atMostOne(_ options: any OptionDeclaration...) -> OptionRule {
        OptionRule(count: .atMostOne, names: options.map(\.spec.name))
    }
}
