/// What names, e-mail addresses and postal codes must look like for a checkout: the rules of BlueSnap's SDKs, which
/// other providers' forms share. Each answers with the problem, or `nil` when there is none. White space at both ends
/// does not count.
public enum ShopperRules {
    /// A name: two words, because providers want first and last name. One word is enough in Chinese, Japanese or Korean
    /// writing, where names are written without a space.
    public static func problem(ofName text: String?) -> FieldIssue.Problem? {
        let trimmed = trim(text)
        if trimmed.isEmpty { return .missing }
        return PersonName(trimmed).last.isEmpty && !trimmed.unicodeScalars.contains(where: isEastAsian)
            ? .malformed : nil
    }

    /// An e-mail address of ASCII letters, digits and `._%+-`, an `@`, a domain, and a last label of 2 to 64 letters;
    /// at most 254 characters (RFC 5321). Whether anybody reads it is not for a form to say.
    public static func problem(ofEmail text: String?) -> FieldIssue.Problem? {
        let trimmed = trim(text)
        if trimmed.isEmpty { return .missing }
        let bytes = Array(trimmed.utf8)
        if bytes.count > 254 { return .tooLong }
        let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, let local = parts.first, let domain = parts.last, !local.isEmpty,
            local.allSatisfy({ isAlphanumeric($0) || "._%+-".utf8.contains($0) }),
            domain.allSatisfy({ isAlphanumeric($0) || ".-".utf8.contains($0) }),
            let point = domain.lastIndex(of: UInt8(ascii: ".")), point > domain.startIndex
        else { return .malformed }
        let last = domain[point...].dropFirst()
        return (2...64).contains(last.count) && last.allSatisfy(isLetter) ? nil : .malformed
    }

    /// A line of an address, or a city: at least two characters.
    public static func problem(ofLine text: String?) -> FieldIssue.Problem? {
        let trimmed = trim(text)
        return trimmed.isEmpty ? .missing : trimmed.count < 2 ? .tooShort : nil
    }

    /// A postal code: 3 to 20 ASCII letters, digits, spaces and hyphens, where the country has any; no country's own
    /// form is checked. Where the country has none, anything goes.
    public static func problem(ofPostalCode text: String?, in country: String?) -> FieldIssue.Problem? {
        if let country, !CountryRules.hasPostalCode(country) { return nil }
        let trimmed = trim(text)
        if trimmed.isEmpty { return .missing }
        guard trimmed.utf8.allSatisfy({ isAlphanumeric($0) || $0 == 0x20 || $0 == 0x2D }) else { return .malformed }
        return trimmed.utf8.count < 3 ? .tooShort : trimmed.utf8.count > 20 ? .tooLong : nil
    }

    /// A state: one that the country has (``CountryRules/states(of:)``), by its code in any case. Where a country has no
    /// states for checkouts, none is demanded and anything goes: an adapter sends it where its provider has a place.
    public static func problem(ofState text: String?, in country: String?, isDemanded: Bool) -> FieldIssue.Problem? {
        guard let country, !CountryRules.states(of: country).isEmpty else { return nil }
        let trimmed = trim(text)
        if trimmed.isEmpty { return isDemanded ? .missing : nil }
        return CountryRules.hasState(trimmed, in: country) ? nil : .malformed
    }

    static func trim(_ text: String?) -> String {
        guard let text else { return "" }
        let front = text.drop(while: \.isWhitespace)
        guard let last = front.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(front[...last])
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }

    /// Hiragana, Katakana, Han, Hangul, with their extensions and half-width forms.
    private static func isEastAsian(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x11FF, 0x3040...0x30FF, 0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x323AF:
            true
        default: false
        }
    }
}

/// A whole name, split as providers want it that have two fields.
public struct PersonName: Sendable, Hashable {
    /// What stands before the first white space.
    public let first: String
    /// All that stands behind it; empty when there is one word only.
    public let last: String

    /// Splits at the first white space; both parts are trimmed. No word is lost: of `Ana Maria Lopez`, `Maria Lopez` is
    /// the last name.
    public init(_ whole: String) {
        let trimmed = ShopperRules.trim(whole)
        first = String(trimmed.prefix { !$0.isWhitespace })
        last = ShopperRules.trim(String(trimmed.dropFirst(first.count)))
    }
}

extension PersonName: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many parts there are; never the name.
    public var description: String {
        first.isEmpty ? "no name" : last.isEmpty ? "name of one word" : "first and last name"
    }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
