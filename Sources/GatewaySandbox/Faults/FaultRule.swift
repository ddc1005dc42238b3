/// When a fault strikes: at which calls, how often, and after how many.
///
/// Text form: `TARGET=KIND[+processed|+unprocessed][%PERCENT][*COUNT|*always][@AFTER]`, where the target is
/// `provider.operation`, `provider` or `*`. Examples: `spreedly.tokenize=reset-before-answer*2`,
/// `spreedly=status:503+processed@3`, `*=slow:50%25*always`.
public struct FaultRule: Sendable, Hashable {
    /// The provider whose calls are meant; `nil` means any.
    public var provider: String?
    /// The operation that is meant, such as `tokenize`; `nil` means any.
    public var operation: String?
    /// What goes wrong.
    public var kind: FaultKind
    /// How many times it strikes; `nil` means always.
    public var count: Int?
    /// How many calls that it could strike pass unharmed first.
    public var after: Int
    /// The chance that it strikes a call, in percent from 1 to 100; the dice come from the sandbox's seed.
    public var percent: Int
    /// Whether the provider does its work all the same; `nil` leaves that to ``FaultKind/processesRequest``.
    public var processing: Bool?

    /// Describes a rule. Numbers out of range are brought into it: `count` is at least 0, `after` at least 0,
    /// `percent` from 1 to 100.
    public init(
        _ kind: FaultKind, provider: String? = nil, operation: String? = nil, count: Int? = 1, after: Int = 0,
        percent: Int = 100, processing: Bool? = nil
    ) {
        self.provider = provider
        self.operation = operation
        self.kind = kind
        self.count = count.map { max(0, $0) }
        self.after = max(0, after)
        self.percent = min(100, max(1, percent))
        self.processing = processing
    }

    /// Whether the provider does its work under this rule.
    public var processesRequest: Bool { processing ?? kind.processesRequest }

    func matches(provider: String, operation: String) -> Bool {
        (self.provider ?? provider) == provider && (self.operation ?? operation) == operation
    }
}

extension FaultRule: CustomStringConvertible {
    /// The text form; ``init(_:)`` reads it back.
    public var description: String {
        var text = provider ?? "*"
        if let operation { text += "." + operation }
        text += "=\(kind)"
        // A kind's argument may itself end like a suffix: then every suffix is written out.
        let isPlain = !kind.description.contains { "+%*@".contains($0) }
        if let processing { text += processing ? "+processed" : "+unprocessed" }
        if percent != 100 || !isPlain { text += "%\(percent)" }
        if count != 1 || !isPlain { text += "*" + (count.map { "\($0)" } ?? "always") }
        if after != 0 || !isPlain { text += "@\(after)" }
        return text
    }

    /// Reads the text form. Throws ``FaultSyntaxError``, whose description names what is wrong.
    public init(_ text: String) throws(FaultSyntaxError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw FaultSyntaxError("a fault has the form TARGET=KIND, such as spreedly.tokenize=stall")
        }
        let target = try Self.target(text[..<equals])
        var rest = text[text.index(after: equals)...]
        let after = Self.takeSuffix("@", from: &rest) { Self.number($0) }
        let count: Int?? = Self.takeSuffix("*", from: &rest) { suffix -> Int?? in
            suffix == "always" ? .some(.none) : Self.number(suffix).map { .some($0) }
        }
        let percent = Self.takeSuffix("%", from: &rest) { Self.number($0) }
        let processing = Self.takeSuffix("+", from: &rest) { suffix -> Bool? in
            suffix == "processed" ? true : suffix == "unprocessed" ? false : nil
        }
        if let percent, !(1...100).contains(percent) { throw FaultSyntaxError("a chance is from 1 to 100 percent") }
        self.init(
            try FaultKind(String(rest)), provider: target.provider, operation: target.operation, count: count ?? 1,
            after: after ?? 0, percent: percent ?? 100, processing: processing)
    }

    private static func target(
        _ text: Substring
    ) throws(FaultSyntaxError) -> (provider: String?, operation: String?) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isName = { (part: Substring) in
            !part.isEmpty && part.utf8.allSatisfy { $0 == 0x2D || $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x7A }
        }
        guard let provider = parts.first, parts.allSatisfy({ $0 == "*" || isName($0) }) else {
            throw FaultSyntaxError("a fault's target is PROVIDER.OPERATION, PROVIDER or *")
        }
        let operation = parts.count == 2 ? parts.last : nil
        return (provider == "*" ? nil : String(provider), operation == "*" ? nil : operation.map { String($0) })
    }

    /// Takes what follows the last `mark`, if it can be read; leaves the text alone otherwise.
    private static func takeSuffix<Value>(
        _ mark: Character, from text: inout Substring, read: (Substring) -> Value?
    ) -> Value? {
        guard let at = text.lastIndex(of: mark), let value = read(text[text.index(after: at)...]) else { return nil }
        text = text[..<at]
        return value
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            return nil
        }
        return Int(text)
    }
}
