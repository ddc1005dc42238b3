/// What is wrong with card data that was given as text. It tells fields and problems, never a value.
public struct InvalidCardInput: Error, Sendable, Hashable, CustomStringConvertible {
    /// Everything that was found, in the order number, expiry, security code; never empty.
    public let issues: [FieldIssue]

    init(_ first: FieldIssue, _ others: [FieldIssue] = []) {
        issues = [first] + others
    }

    init(_ field: FieldIssue.Field, _ problem: FieldIssue.Problem, _ message: SafeText) {
        issues = [FieldIssue(field, problem, message: message)]
    }

    /// The messages, one sentence after the other.
    public var description: String {
        issues.map(\.message.description).joined(separator: " ")
    }
}
