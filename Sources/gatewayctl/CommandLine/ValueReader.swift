/// What a shell may offer as the value of an option or argument.
enum CompletionHint: Sendable, Equatable {
    /// Nothing: the value is free text.
    case none
    /// One of these words.
    case words([String])
    /// A file or directory.
    case file
}

/// Reads the text of one option or argument as a typed value.
struct ValueReader<Value: Sendable>: Sendable {
    /// What is accepted, in words that go on from "takes ", for example "a whole number from 1 to 9".
    let expectation: String
    /// What a shell may offer.
    let hint: CompletionHint
    /// The value, or `nil` when the text is not acceptable.
    let read: @Sendable (String) -> Value?
    /// How a default is spelled in help.
    let show: @Sendable (Value) -> String

    /// The words of a closed choice; empty otherwise.
    var choices: [String] {
        if case .words(let words) = hint { words } else { [] }
    }
}

extension ValueReader where Value == String {
    /// Any text but the empty one.
    static let text = ValueReader(
        expectation: "a text that is not empty", hint: .none, read: { $0.isEmpty ? nil : $0 }, show: { $0 })

    /// The path of a file, which need not exist.
    static let file = ValueReader(
        expectation: "the path of a file", hint: .file, read: { $0.isEmpty ? nil : $0 }, show: { $0 })

    /// One of `words`, spelled exactly so.
    static func oneOf(_ words: [String]) -> ValueReader {
        ValueReader(
            expectation: "one of " + words.joined(separator: ", "), hint: .words(words),
            read: { words.contains($0) ? $0 : nil }, show: { $0 })
    }

    /// Any text, with `words` offered by shells.
    static func suggesting(_ words: [String]) -> ValueReader {
        ValueReader(
            expectation: "a text that is not empty", hint: .words(words), read: { $0.isEmpty ? nil : $0 }, show: { $0 })
    }
}

extension ValueReader where Value == Int {
    /// A whole number in decimal digits, within `range`.
    static func integer(in range: ClosedRange<Int>) -> ValueReader {
        ValueReader(
            expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)", hint: .none,
            read: { text in
                guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }) else { return nil }
                return Int(text).flatMap { range.contains($0) ? $0 : nil }
            },
            show: { String($0) })
    }
}

extension ValueReader where Value == Duration {
    /// A time span: a number with up to three decimals and one of the units `ms`, `s` (when absent) or `m`.
    /// More than zero, at most 24 hours.
    static let duration = ValueReader(
        expectation: "a time such as 500ms, 30s or 2m, at most 24 hours", hint: .none,
        read: { Self.milliseconds($0).map { .milliseconds($0) } },
        show: { duration in
            let (seconds, attoseconds) = duration.components
            let milliseconds = attoseconds / 1_000_000_000_000_000
            return milliseconds == 0 ? "\(seconds)s" : "\(seconds * 1000 + milliseconds)ms"
        })

    private static func milliseconds(_ text: String) -> Int? {
        let units: [(suffix: String, factor: Int)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("", 1000)]
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let parts = text.dropLast(unit.suffix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2, !whole.isEmpty, whole.count <= 8,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let number = Int(whole)
        else { return nil }
        var thousandths = 0
        if parts.count == 2 {
            guard let fraction = parts.last, (1...3).contains(fraction.count),
                let value = Int(fraction + String(repeating: "0", count: 3 - fraction.count))
            else { return nil }
            thousandths = value
        }
        let product = (number * 1000 + thousandths) * unit.factor
        guard product % 1000 == 0, (1...86_400_000).contains(product / 1000) else { return nil }
        return product / 1000
    }
}

extension ValueReader where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One case of an enum, by its raw value.
    static var choice: ValueReader {
        let words = Value.allCases.map(\.rawValue)
        return ValueReader(
            expectation: "one of " + words.joined(separator: ", "), hint: .words(words), read: { Value(rawValue: $0) },
            show: { $0.rawValue })
    }
}
