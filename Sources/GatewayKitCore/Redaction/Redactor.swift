/// Finds card data and secrets in text and masks them.
///
/// Three searches run over the text and over what is left of it when up to four layers of escapes (percent, JSON, XML)
/// are undone, and over whatever can be read as base64 or hexadecimal, twice over:
/// - **card numbers**: each window of 12 to 19 digits, written together or in groups, that ``CardBrand`` takes for a
///   card number keeps at most its first six and last four digits; windows of fewer than 16 digits keep the last four;
/// - **exact values**: the secrets given to ``init(secrets:)`` and ``adding(_:)`` become `[FILTERED]`, those of 12 to
///   19 digits are masked like a card number;
/// - **fields**: values under names such as `cvv`, `password` or `Authorization` become `[FILTERED]`, blank ones
///   `[BLANK]`; a value that the provider has masked itself (`XXXX-XXXX-XXXX-1111`) stays.
///
/// Limits, chosen so that logs stay readable and the work bounded: an exact value shorter than six bytes is masked only
/// where no letter or digit stands beside it; digits spread over several fields or lines are not put together; text
/// beyond ``sizeLimit`` bytes is cut off with a note, never passed on unsearched. The redactor errs towards masking: a
/// long number that happens to look like a card is masked, so values of an id type go through
/// ``redact(identifier:)``. Redacting twice is harmless.
public struct Redactor: Sendable {
    /// Knows the patterns (card numbers, field names) and no particular secret.
    public static let standard = Redactor()

    /// How many bytes of one text are shown: the rest is replaced by a note.
    public static let sizeLimit = 256 * 1024

    /// How many bytes beyond the limit are searched, so that the cut does not hide a secret's second half.
    private static let lookAhead = 4096

    private let secrets: ExactValues

    /// A redactor that also masks these exact values in every encoding. Empty and white-space values are ignored.
    public init(secrets: [Sensitive<String>] = []) {
        self.init(ExactValues(secrets, beside: nil))
    }

    private init(_ secrets: ExactValues) {
        self.secrets = secrets
    }

    /// The same redactor with more exact values.
    public func adding(_ secrets: [Sensitive<String>]) -> Redactor {
        Redactor(ExactValues(secrets, beside: self.secrets))
    }

    /// Masks everything that is or may be card data or a secret.
    public func redact(_ text: String) -> String {
        if secrets.patterns.isEmpty, PlainText.isHarmless(text.utf8) { return text }
        return redact(bytes: Array(text.utf8))
    }

    /// Masks exact secrets only: for values of an id type, whose digits an operator must be able to read.
    public func redact(identifier: String) -> String {
        if secrets.patterns.isEmpty, identifier.utf8.count <= Self.sizeLimit { return identifier }
        return masked(Array(identifier.utf8), patterns: false)
    }

    /// Scrubs a body of unknown content; bytes that are not UTF-8 are shown as replacement characters.
    public func redact(bytes: [UInt8]) -> String {
        masked(bytes, patterns: true)
    }

    /// ``redact(_:)`` as a value that may be shown.
    public func scrub(_ text: String) -> SafeText {
        SafeText(alreadyScrubbed: redact(text))
    }

    private func masked(_ bytes: [UInt8], patterns: Bool) -> String {
        guard bytes.count > Self.sizeLimit else {
            let scan = scan(bytes, patterns: patterns)
            return scan.isClean
                ? String(decoding: bytes, as: UTF8.self) : MaskedText(bytes, scan).text(bytes.indices)
        }
        let searched = Array(bytes.prefix(Self.sizeLimit + Self.lookAhead))
        let text = MaskedText(searched, scan(searched, patterns: patterns)).text(0..<Self.sizeLimit)
        return text + "[\(bytes.count - Self.sizeLimit) more bytes not shown]"
    }

    func scan(_ bytes: [UInt8], patterns: Bool = true) -> RedactionScan {
        RedactionScan(bytes, RedactionScan.Rules(secrets: secrets.patterns, patterns: patterns))
    }
}

extension Redactor: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says nothing about the secrets.
    public var description: String { "Redactor" }
    /// Says nothing about the secrets.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows nothing of the secrets.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// The exact values of a redactor. They are prepared at its first search: most calls end without one.
private final class ExactValues: Sendable {
    private let values: [Sensitive<String>]
    private let others: ExactValues?
    private let prepared = Locked<SecretPatterns?>(nil)

    init(_ values: [Sensitive<String>], beside others: ExactValues?) {
        self.values = values
        self.others = others
    }

    var patterns: SecretPatterns {
        if let patterns = prepared.withLock({ $0 }) { return patterns }
        var patterns = others?.patterns ?? SecretPatterns()
        for value in values { value.withExposed { patterns.insert($0) } }
        prepared.withLock { [patterns] in $0 = patterns }
        return patterns
    }
}

/// The quick look that most messages pass: interpolation into ``SafeText`` takes it for every value.
private enum PlainText {
    /// Whether the text has too few digits, no escape, no `name: value` and no long word: nothing a search could find.
    static func isHarmless(_ text: String.UTF8View) -> Bool {
        var digits = 0
        var word = 0
        for byte in text {
            switch byte {
            case 0x25, 0x26, 0x5C, 0x3A, 0x3D, 0x3C, 0x22, 0x27, 0x80...: return false
            case 0x30...0x39:
                digits += 1
                if digits >= 12 { return false }
            default: break
            }
            word = EncodedRuns.sextet(byte) == nil ? 0 : word + 1
            if word >= 16 { return false }
        }
        return true
    }
}
