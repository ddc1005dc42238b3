/// What exact values to look for, prepared once for many searches.
struct SecretPatterns: Sendable {
    /// Secrets of at least eight digits: found in groups of digits too.
    private(set) var digits: [[UInt8]] = []
    private var others: [Pattern] = []
    /// For each first byte, the last pattern that begins with it, or -1: most bytes of a text need no more than this
    /// look. Numbers only, because the table is copied for every request.
    private var lastByFirstByte = Array(repeating: Int32(-1), count: 256)

    private struct Pattern: Sendable {
        let bytes: [UInt8]
        /// The pattern before this one that begins with the same byte, or -1.
        let previous: Int32
        /// A short value matches only where no letter or digit stands beside it.
        let standsAlone: Bool
    }

    /// Values of fewer bytes are masked only where they stand alone; otherwise `737` would blot out half of the ids and
    /// amounts of a log.
    static let shortestInsideWords = 6

    /// The length of the shortest value, `nil` without any.
    private(set) var shortest: Int?

    var isEmpty: Bool { digits.isEmpty && others.isEmpty }

    mutating func insert(_ secret: String) {
        let raw = Array(secret.utf8)
        insert(raw)
        func isVisible(_ byte: UInt8?) -> Bool { byte.map { 0x21...0x7E ~= $0 } ?? false }
        if !isVisible(raw.first) || !isVisible(raw.last) {
            let trimmed = secret.unicodeScalars.drop(while: { $0.properties.isWhitespace })
            let end = trimmed.lastIndex { !$0.properties.isWhitespace }
            if let end { insert(Array(String(trimmed[...end]).utf8)) }
        }
        // The searched text is decoded layer by layer, and its decoder does not know which of the secret's own bytes
        // look like an escape: so the secret is also looked for as that decoder leaves it.
        for layer in DecodedText.layers(of: raw).dropFirst() { insert(layer.bytes) }
    }

    private mutating func insert(_ secret: [UInt8]) {
        guard secret.contains(where: { $0 > 0x20 }) else { return }
        shortest = min(shortest ?? secret.count, secret.count)
        let number = secret.filter { $0 != 0x20 && $0 != 0x2D }
        if number.count >= 8, number.allSatisfy({ (0x30...0x39).contains($0) }) {
            if !digits.contains(number) { digits.append(number) }
            return
        }
        insertPattern(secret)
        if secret.contains(0x20) { insertPattern(secret.map { $0 == 0x20 ? 0x2B : $0 }) }
    }

    private mutating func insertPattern(_ bytes: [UInt8]) {
        guard let first = bytes.first, !others.contains(where: { $0.bytes == bytes }) else { return }
        let standsAlone = bytes.count < Self.shortestInsideWords
        others.append(Pattern(bytes: bytes, previous: lastByFirstByte[Int(first)], standsAlone: standsAlone))
        lastByFirstByte[Int(first)] = Int32(others.count - 1)
    }

    /// Where the values that are not long numbers stand in `text`.
    func ranges(in text: [UInt8]) -> [Range<Int>] {
        guard !others.isEmpty else { return [] }
        var ranges: [Range<Int>] = []
        var index = 0
        while index < text.count {
            var candidate = Int(lastByFirstByte[Int(text[index])])
            while candidate >= 0 {
                if matches(others[candidate], text, index) {
                    ranges.append(index..<index + others[candidate].bytes.count)
                }
                candidate = Int(others[candidate].previous)
            }
            index += 1
        }
        return ranges
    }

    /// Whether any of these values stands in `text`, words around it or not.
    func stands(in text: [UInt8]) -> Bool {
        text.indices.contains { index in
            var candidate = Int(lastByFirstByte[Int(text[index])])
            while candidate >= 0 {
                if isWritten(others[candidate], in: text, at: index) { return true }
                candidate = Int(others[candidate].previous)
            }
            return false
        }
    }

    private func isWritten(_ pattern: Pattern, in text: [UInt8], at index: Int) -> Bool {
        guard index + pattern.bytes.count <= text.count else { return false }
        var offset = 1
        while offset < pattern.bytes.count {
            if text[index + offset] != pattern.bytes[offset] { return false }
            offset += 1
        }
        return true
    }

    private func matches(_ pattern: Pattern, _ text: [UInt8], _ index: Int) -> Bool {
        guard isWritten(pattern, in: text, at: index) else { return false }
        guard pattern.standsAlone else { return true }
        let end = index + pattern.bytes.count
        let before = index > 0 ? text[index - 1] : 0
        let after = end < text.count ? text[end] : 0
        return !Self.isLetterOrDigit(before) && !Self.isLetterOrDigit(after)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
