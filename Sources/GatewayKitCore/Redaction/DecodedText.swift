/// Text in which one layer of escapes after another is undone, while every byte still knows where it came from.
///
/// A card number may be written `%34%31…`, `\u0034…`, `&#52;…`, in full-width digits, or in several of these at once.
/// Searching the decoded text and masking the source range finds all of them with one search.
struct DecodedText {
    /// The decoded bytes: UTF-8, unless the source was not.
    let bytes: [UInt8]
    /// For each byte, where its source begins and ends; empty when the text is the source itself.
    private let starts: [Int]
    private let ends: [Int]

    /// The source itself.
    init(_ source: [UInt8]) {
        self.init(bytes: source, starts: [], ends: [])
    }

    private init(bytes: [UInt8], starts: [Int], ends: [Int]) {
        self.bytes = bytes
        self.starts = starts
        self.ends = ends
    }

    /// The source range of a range of decoded bytes; an empty range stays empty.
    func source(_ range: Range<Int>) -> Range<Int> {
        guard !starts.isEmpty else { return range }
        if range.isEmpty {
            let position = range.lowerBound < starts.count ? starts[range.lowerBound] : ends.last ?? 0
            return position..<position
        }
        guard range.lowerBound >= 0, range.upperBound <= starts.count else { return 0..<0 }
        let start = starts[range.lowerBound]
        return start..<max(start, ends[range.upperBound - 1])
    }

    /// Whether there is anything in `bytes` to undo.
    static func holdsEscape(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { Escape.mayBegin(with: bytes[$0]) && Escape(in: bytes, at: $0) != nil }
    }

    /// The text with one more layer undone; `nil` when there is nothing to undo.
    func decoded() -> DecodedText? {
        let count = bytes.count
        var index = 0
        while index < count, !(Escape.mayBegin(with: bytes[index]) && Escape(in: bytes, at: index) != nil) {
            index += 1
        }
        guard index < count else { return nil }
        var plain = Array(bytes[..<index])
        let isSource = starts.isEmpty
        var plainStarts = isSource ? Array(0..<index) : Array(starts[..<index])
        var plainEnds = isSource ? Array(1..<index + 1) : Array(ends[..<index])
        plain.reserveCapacity(count)
        plainStarts.reserveCapacity(count)
        plainEnds.reserveCapacity(count)
        while index < count {
            let byte = bytes[index]
            var length = 1
            let before = plain.count
            if Escape.mayBegin(with: byte), let escape = Escape(in: bytes, at: index) {
                escape.append(to: &plain)
                length = escape.length
            } else {
                plain.append(byte)
            }
            let start = isSource ? index : starts[index]
            let end = isSource ? index + length : ends[index + length - 1]
            var added = before
            while added < plain.count {
                plainStarts.append(start)
                plainEnds.append(end)
                added += 1
            }
            index += length
        }
        return DecodedText(bytes: plain, starts: plainStarts, ends: plainEnds)
    }

    /// How many layers are undone: what was written first, then escaped for JSON, then put into a form, then logged.
    static let layers = 4

    /// The source and its decoded layers, outermost first.
    static func layers(of source: [UInt8]) -> [DecodedText] {
        var result = [DecodedText(source)]
        while result.count <= layers, let next = result.last?.decoded() { result.append(next) }
        return result
    }
}

/// One escape sequence, or one character that stands for an ASCII digit, space or hyphen.
private struct Escape {
    let length: Int
    private let value: UInt32
    /// Whether `value` is one byte, perhaps of a longer UTF-8 sequence, or else a character.
    private let isByte: Bool

    static func mayBegin(with byte: UInt8) -> Bool {
        byte == 0x25 || byte == 0x5C || byte == 0x26 || byte >= 0xC2
    }

    init?(in text: [UInt8], at index: Int) {
        let found: Escape? =
            switch text[index] {
            case 0x25: Self.percent(text, index)
            case 0x5C: Self.backslash(text, index)
            case 0x26: Self.entity(text, index)
            default: Self.lookalike(text, index)
            }
        guard let found else { return nil }
        self = found
    }

    private init(_ length: Int, _ byte: UInt8) {
        self.length = length
        value = UInt32(byte)
        isByte = true
    }

    private init?(_ length: Int, scalar value: UInt32) {
        guard Unicode.Scalar(value) != nil else { return nil }
        self.length = length
        self.value = value
        isByte = value < 0x80
    }

    func append(to text: inout [UInt8]) {
        if isByte {
            text.append(UInt8(truncatingIfNeeded: value))
        } else if let scalar = Unicode.Scalar(value) {
            text += Array(String(Character(scalar)).utf8)
        }
    }

    private static func percent(_ text: [UInt8], _ index: Int) -> Escape? {
        guard let value = hexadecimal(text, index + 1, digits: 2) else { return nil }
        return Escape(3, UInt8(truncatingIfNeeded: value))
    }

    private static func backslash(_ text: [UInt8], _ index: Int) -> Escape? {
        guard index + 1 < text.count else { return nil }
        switch text[index + 1] {
        case 0x22, 0x27, 0x2F, 0x5C: return Escape(2, text[index + 1])
        case 0x6E: return Escape(2, 0x0A)
        case 0x72: return Escape(2, 0x0D)
        case 0x74: return Escape(2, 0x09)
        case 0x62, 0x66: return Escape(2, 0x20)
        case 0x78:
            guard let value = hexadecimal(text, index + 2, digits: 2) else { return nil }
            return Escape(4, UInt8(truncatingIfNeeded: value))
        case 0x75: return unicode(text, index)
        default: return nil
        }
    }

    /// `\u0034`, a surrogate pair, or Swift's `\u{34}`.
    private static func unicode(_ text: [UInt8], _ index: Int) -> Escape? {
        if index + 2 < text.count, text[index + 2] == 0x7B {
            let end = text[(index + 3)...].prefix(9).firstIndex(of: 0x7D) ?? index + 3
            guard let value = hexadecimal(text, index + 3, digits: end - index - 3) else { return nil }
            return Escape(end + 1 - index, scalar: value)
        }
        guard let value = hexadecimal(text, index + 2, digits: 4) else { return nil }
        if (0xD800...0xDBFF).contains(value), index + 7 < text.count, text[index + 6] == 0x5C, text[index + 7] == 0x75,
            let low = hexadecimal(text, index + 8, digits: 4), (0xDC00...0xDFFF).contains(low)
        {
            return Escape(12, scalar: 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
        }
        return Escape(6, scalar: value)
    }

    private static let names: [(name: [UInt8], value: UInt8)] = [
        (Array("amp;".utf8), 0x26), (Array("lt;".utf8), 0x3C), (Array("gt;".utf8), 0x3E),
        (Array("quot;".utf8), 0x22), (Array("apos;".utf8), 0x27), (Array("nbsp;".utf8), 0x20),
        (Array("sol;".utf8), 0x2F), (Array("plus;".utf8), 0x2B), (Array("equals;".utf8), 0x3D),
    ]

    /// `&#52;`, `&#x34;` (with leading zeros, and without the semicolon as browsers accept it) and the common names.
    private static func entity(_ text: [UInt8], _ index: Int) -> Escape? {
        guard index + 2 < text.count else { return nil }
        guard text[index + 1] == 0x23 else {
            let rest = text[(index + 1)...]
            guard let match = names.first(where: { rest.starts(with: $0.name) }) else { return nil }
            return Escape(1 + match.name.count, match.value)
        }
        let isHex = text[index + 2] == 0x78 || text[index + 2] == 0x58
        let base: UInt32 = isHex ? 16 : 10
        var position = index + (isHex ? 3 : 2)
        let start = position
        var value: UInt32 = 0
        while position < text.count, position - start < 10, let digit = digit(text[position]), digit < base {
            value = min(value * base + digit, 0x110000)
            position += 1
        }
        guard position > start else { return nil }
        if position < text.count, text[position] == 0x3B { position += 1 }
        return Escape(position - index, scalar: value)
    }

    /// Full-width and Arabic-Indic digits, and the many spaces and hyphens that a word processor puts into a number.
    private static func lookalike(_ text: [UInt8], _ index: Int) -> Escape? {
        guard index + 1 < text.count else { return nil }
        let second = text[index + 1]
        switch (text[index], second) {
        case (0xC2, 0xA0), (0xC2, 0xAD): return Escape(2, 0x20)
        case (0xD9, 0xA0...0xA9): return Escape(2, 0x30 + second - 0xA0)
        case (0xDB, 0xB0...0xB9): return Escape(2, 0x30 + second - 0xB0)
        default: break
        }
        guard index + 2 < text.count else { return nil }
        switch (text[index], second, text[index + 2]) {
        case (0xEF, 0xBC, let third) where (0x90...0x99).contains(third): return Escape(3, 0x30 + third - 0x90)
        case (0xE2, 0x80, 0x80...0x8D), (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F...0xA0), (0xE3, 0x80, 0x80),
            (0xEF, 0xBB, 0xBF):
            return Escape(3, 0x20)
        case (0xE2, 0x80, 0x90...0x95), (0xE2, 0x88, 0x92), (0xEF, 0xBC, 0x8D), (0xEF, 0xB9, 0xA3):
            return Escape(3, 0x2D)
        default: return nil
        }
    }

    private static func hexadecimal(_ text: [UInt8], _ start: Int, digits: Int) -> UInt32? {
        guard digits > 0, start + digits <= text.count else { return nil }
        var value: UInt32 = 0
        var index = start
        while index < start + digits {
            guard let digit = digit(text[index]), value < 0x1000_0000 else { return nil }
            value = value * 16 + digit
            index += 1
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46: UInt32(byte - 0x37)
        case 0x61...0x66: UInt32(byte - 0x57)
        default: nil
        }
    }
}
