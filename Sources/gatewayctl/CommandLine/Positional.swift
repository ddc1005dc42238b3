/// What parsing, help and completion need to know of an argument that has no name on the command line.
struct PositionalSpec: Sendable {
    /// How often the argument stands.
    enum Arity: Sendable {
        case required
        case optional
        /// Any number of times, none included; must be the last.
        case repeating
    }

    /// Stands for the value in help, in capitals.
    let placeholder: String
    let arity: Arity
    let help: String
    let expectation: String
    let hint: CompletionHint
    let accepts: @Sendable (String) -> Bool

    /// `NAME`, `[NAME]` or `[NAME...]`.
    var usage: String {
        switch arity {
        case .required: placeholder
        case .optional: "[\(placeholder)]"
        case .repeating: "[\(placeholder)...]"
        }
    }
}

/// Anything that can stand in a command's list of positionals.
protocol PositionalDeclaration: Sendable {
    var spec: PositionalSpec { get }
}

/// A positional argument of the type that the command works with; read it with `invocation[positional]`.
struct Positional<Value: Sendable>: PositionalDeclaration {
    let spec: PositionalSpec
    let read: @Sendable ([String]) -> Value
}

extension Positional {
    /// Must be given; unwrap it with ``Invocation/require(_:)-(Positional<Value?>)``.
    static func required<Item: Sendable>(
        _ placeholder: String, reading reader: ValueReader<Item>, help: String
    ) -> Positional<Item?> where Value == Item? {
        single(placeholder, .required, reader, help)
    }

    /// May be given.
    static func optional<Item: Sendable>(
        _ placeholder: String, reading reader: ValueReader<Item>, help: String
    ) -> Positional<Item?> where Value == Item? {
        single(placeholder, .optional, reader, help)
    }

    /// May be given any number of times; the last of a command's positionals.
    static func repeating<Item: Sendable>(
        _ placeholder: String, reading reader: ValueReader<Item>, help: String
    ) -> Positional<[Item]> where Value == [Item] {
        Positional<[Item]>(
            spec: .init(
                placeholder: placeholder, arity: .repeating, help: help, expectation: reader.expectation,
                hint: reader.hint, accepts: { reader.read($0) != nil }),
            read: { $0.compactMap(reader.read) })
    }

    private static func single<Item: Sendable>(
        _ placeholder: String, _ arity: PositionalSpec.Arity, _ reader: ValueReader<Item>, _ help: String
    ) -> Positional<Item?> where Value == Item? {
        Positional<Item?>(
            spec: .init(
                placeholder: placeholder, arity: arity, help: help, expectation: reader.expectation, hint: reader.hint,
                accepts: { reader.read($0) != nil }),
            read: { $0.last.flatMap(reader.read) })
    }
}
