import GatewayKitCore

/// The result of a command, written as text or as JSON.
///
///     Report(schema: "gatewayctl.tokenize/1", fields: [
///         Field("Token", "token", .identifier(token.id)),
///         Field("Reusable", "reusable", .bool(true)),
///     ])
struct Report: Sendable {
    /// The name and version of the JSON form. Adding a field keeps the version; any other change raises it.
    let schema: String
    var fields: [Field]

    init(schema: String, fields: [Field]) {
        self.schema = schema
        self.fields = fields
    }
}

/// One named value of a report.
struct Field: Sendable {
    /// For a person; may change in any release.
    let label: String
    /// For a program; stable within the schema's version.
    let key: String
    let value: OutputValue

    init(_ label: String, _ key: String, _ value: OutputValue) {
        self.label = label
        self.key = key
        self.value = value
    }
}

/// What a field may hold.
indirect enum OutputValue: Sendable {
    /// Words: card data and secrets in them are masked.
    case text(String)
    /// An id that an operator must be able to read in full: only known secrets in it are masked.
    case identifier(String)
    case number(Int)
    case bool(Bool)
    case list([OutputValue])
    case object([Field])
    /// Absent: `null` in JSON, left out of text.
    case null

    /// Words that have passed the redactor; they pass it once more, as it may know more by now.
    static func text(_ text: SafeText) -> OutputValue { .text(text.description) }

    /// The words, or `null`.
    static func text(orNull text: String?) -> OutputValue { text.map { .text($0) } ?? .null }

    /// The id, or `null`.
    static func identifier(orNull text: String?) -> OutputValue { text.map { .identifier($0) } ?? .null }
}
