/// An address that a browser or a web view reports, split by one strict reading so that it can be judged.
///
/// Readers of addresses disagree about user information, backslashes, tabs, dot segments, encoded slashes and odd ports,
/// and whoever writes an address by hand chooses the reader that serves him. So nothing is repaired here: what two
/// readers could read differently is refused. A browser never reports any of it, because it writes the address anew.
/// (`Foundation.URL` repairs several of these.)
public struct ReportedURL: Sendable, Equatable {
    /// An item of the query, decoded once; a plus sign is a space. An escape that is none stays as it is.
    public struct Item: Sendable, Equatable {
        /// The name.
        public let name: String
        /// The value; empty where there is no equals sign. It may be a credential.
        public let value: String
    }

    /// Addresses longer than this many bytes are refused.
    public static let maximumLength = 16_384

    /// Scheme, host and port.
    public let origin: WireURL.Origin
    /// The parts of the path between slashes, decoded; one slash at the end adds none.
    public let segments: [String]
    /// The items of the query in their order. Items without any text are left out.
    public let query: [Item]
    /// Whether there was a question mark.
    public let hasQuery: Bool
    /// Whether there was a fragment. Its text is not kept: it is the page's own business.
    public let hasFragment: Bool
    /// Every name that some reader might find in the query, in one spelling.
    private let looseNames: [String]

    /// Reads an address.
    /// - Throws: ``WireURL/Refusal``, whose reason does not repeat the address.
    public init(_ text: String) throws(WireURL.Refusal) {
        guard text.utf8.count <= Self.maximumLength else { throw Self.refusal("the address is too long to be judged") }
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw Self.refusal("the address is empty") }
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }) else {
            throw Self.refusal("the address has a space, a backslash, a control or a non-ASCII character")
        }
        let isSecure: Bool
        var rest: Substring
        let lowered = text.prefix(8).lowercased()
        if lowered == "https://" {
            (isSecure, rest) = (true, text.dropFirst(8))
        } else if lowered.hasPrefix("http://") {
            (isSecure, rest) = (false, text.dropFirst(7))
        } else {
            throw Self.refusal("the address is no absolute http or https address")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        rest = rest.dropFirst(authority.count)
        let fragment = rest.firstIndex(of: "#")
        rest = rest[..<(fragment ?? rest.endIndex)]
        let question = rest.firstIndex(of: "?")
        origin = try WireURL.readAuthority(authority, isSecure: isSecure)
        segments = try Self.readPath(rest[..<(question ?? rest.endIndex)])
        let queryText = question.map { rest[rest.index(after: $0)...] } ?? ""
        query = Self.items(of: queryText, between: ["&"]).map {
            Item(name: EscapedText.decodingForm($0.name), value: EscapedText.decodingForm($0.value))
        }
        looseNames = Self.items(of: queryText, between: ["&", ";"]).map { Self.looseName(String($0.name)) }
        hasQuery = question != nil
        hasFragment = fragment != nil
    }

    /// A provider's base address in the form in which addresses are compared.
    public init(_ base: WireURL) {
        origin = base.origin
        segments = base.path.split(separator: "/").map { EscapedText.decodingOnce(String($0)) }
        query = []
        looseNames = []
        hasQuery = false
        hasFragment = false
    }

    /// Whether scheme, host, port and path are the same, compared byte by byte.
    public func isSamePlace(as other: ReportedURL) -> Bool {
        origin == other.origin && Self.areSame(segments, other.segments)
    }

    /// The segments behind those of `base`; `nil` when the address does not lie below it.
    public func segments(below base: ReportedURL) -> [String]? {
        guard origin == base.origin, segments.count >= base.segments.count,
            Self.areSame(Array(segments.prefix(base.segments.count)), base.segments)
        else { return nil }
        return Array(segments.dropFirst(base.segments.count))
    }

    /// The values of the items with exactly this name.
    public func values(of name: String) -> [String] {
        query.filter { $0.name.isIdentical(to: name) }.map(\.value)
    }

    /// Whether all readers find the same under a name: it stands there once or not at all, and nothing else in the query
    /// can be taken for it (other case, semicolons between items, brackets, further escapes, what frameworks rename).
    public func isUnambiguous(_ name: String) -> Bool {
        let loose = Self.looseName(name)
        let count = looseNames.count { $0.isIdentical(to: loose) }
        return count <= 1 && count == values(of: name).count
    }

    /// Whether two lists of segments are the same byte for byte. (`==` of strings takes the Kelvin sign for a K.)
    static func areSame(_ left: [String], _ right: [String]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    }

    private static func refusal(_ reason: SafeText) -> WireURL.Refusal { WireURL.Refusal(reason: reason) }

    private static func readPath(_ text: Substring) throws(WireURL.Refusal) -> [String] {
        var parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if parts.last?.isEmpty == true { parts.removeLast() }
        var segments: [String] = []
        for part in parts {
            guard let segment = EscapedText.decodingStrictly(part) else {
                throw refusal("the path has an escape that is none, or none of text")
            }
            guard !segment.isEmpty else { throw refusal("the path has an empty segment") }
            guard segment != ".", segment != ".." else { throw refusal("the path has a dot segment") }
            guard segment.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0x2F && $0 != 0x5C }) else {
                throw refusal("the path has an escaped slash, backslash or control character")
            }
            guard EscapedText.decodingOnce(segment).isIdentical(to: segment) else {
                throw refusal("the path is escaped twice")
            }
            segments.append(segment)
        }
        return segments
    }

    private static func items(
        of text: Substring, between separators: Set<Character>
    ) -> [(name: Substring, value: Substring)] {
        text.split { separators.contains($0) }.map { item in
            guard let equals = item.firstIndex(of: "=") else { return (item, "") }
            return (item[..<equals], item[item.index(after: equals)...])
        }
    }

    /// A name as the most lenient readers take it: unescaped until nothing changes, without spaces around it, without
    /// brackets and what is behind them, dots and spaces as underscores, in lower case.
    private static func looseName(_ text: String) -> String {
        var name = text
        for _ in 0..<3 { name = EscapedText.decodingForm(name[...]) }
        let end = name.unicodeScalars.firstIndex { $0 == "[" || $0.value == 0 } ?? name.endIndex
        let kept = name.unicodeScalars[..<end].drop { $0.value <= 0x20 }.reversed().drop { $0.value <= 0x20 }.reversed()
        var loose = ""
        for scalar in kept { loose.unicodeScalars.append(scalar == "." || scalar == " " ? "_" : scalar) }
        return loose.lowercased()
    }
}

extension ReportedURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin only: path and query may carry what is confidential.
    public var description: String { "address at \(origin)" }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Percent-escapes of addresses that somebody else wrote.
enum EscapedText {
    /// Decoded once; `nil` when an escape is broken or the bytes are no UTF-8.
    static func decodingStrictly(_ text: Substring) -> String? {
        let (bytes, isWhole) = decoded(text, plusIsSpace: false)
        guard isWhole else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Decoded once; a broken escape stays as it is.
    static func decodingOnce(_ text: String) -> String {
        String(decoding: decoded(text[...], plusIsSpace: false).bytes, as: UTF8.self)
    }

    /// Decoded once as a form is, with plus signs for spaces; a broken escape stays as it is.
    static func decodingForm(_ text: Substring) -> String {
        String(decoding: decoded(text, plusIsSpace: true).bytes, as: UTF8.self)
    }

    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        var isWhole = true
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
                if digits.count == 2, let high = digits.first, let low = digits.last {
                    bytes.append(UInt8(high << 4 | low))
                    rest = rest.dropFirst(2)
                    continue
                }
                isWhole = false
            }
            bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? 0x20 : byte)
        }
        return (bytes, isWhole)
    }
}

extension String {
    /// Whether both texts have the same bytes, which `==` does not ask: it takes canonically equivalent texts for equal.
    func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
