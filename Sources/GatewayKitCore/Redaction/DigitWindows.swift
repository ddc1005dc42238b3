/// Finds card numbers, and secrets made of digits, in digits that may be written in groups.
struct DigitWindows {
    /// Digits with nothing but separators between them.
    private struct Group {
        /// ASCII digits.
        var digits: [UInt8] = []
        /// Where each digit stands in the text.
        var positions: [Int] = []
    }

    /// Digits between which at most this many separators stand belong together: `4111 - 1111`.
    static let longestSeparator = 3

    /// A longer group is masked whole: it is no text that a person reads, and looking at each window would take long.
    static let longestGroup = 4096

    /// The positions of the digits to mask, and the ranges in which everything is masked.
    struct Hits {
        var digits: [Int] = []
        var ranges: [Range<Int>] = []
    }

    /// Looks at every window of 12 to 19 digits when `cards` is set, and for each of `secrets` (ASCII digits).
    ///
    /// Of overlapping numbers every digit is masked that is masked in any of them, so a short number directly before a
    /// card does not shift what shows of the card.
    static func hits(in text: [UInt8], cards: Bool, secrets: [[UInt8]]) -> Hits {
        var hits = Hits()
        let shortest = secrets.reduce(cards ? 12 : Int.max) { min($0, $1.count) }
        guard shortest < Int.max else { return hits }
        var group = Group()
        var gap = 0
        var index = 0
        while index < text.count {
            defer { index += 1 }
            let byte = text[index]
            if (0x30...0x39).contains(byte) {
                group.digits.append(byte)
                group.positions.append(index)
                gap = 0
            } else if !group.digits.isEmpty {
                gap += 1
                if gap > longestSeparator || !isSeparator(byte) {
                    if group.digits.count >= shortest { examine(group, cards: cards, secrets: secrets, into: &hits) }
                    group.digits.removeAll(keepingCapacity: true)
                    group.positions.removeAll(keepingCapacity: true)
                }
            }
        }
        if group.digits.count >= shortest { examine(group, cards: cards, secrets: secrets, into: &hits) }
        return hits
    }

    private static func begins(_ digits: [UInt8], at start: Int, with secret: [UInt8]) -> Bool {
        var offset = 0
        while offset < secret.count, digits[start + offset] == secret[offset] { offset += 1 }
        return offset == secret.count
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00, 0x20, 0x09, 0x2D, 0x2E, 0x2B, 0x5F, 0xA0: true
        default: false
        }
    }

    private static func examine(_ group: Group, cards: Bool, secrets: [[UInt8]], into hits: inout Hits) {
        let count = group.digits.count
        if cards, count > longestGroup {
            hits.digits += group.positions
            return
        }
        // Where masking begins (+1) and ends (-1): the union of many windows in one pass.
        var edges: [Int]?
        func mask(_ window: Range<Int>) {
            let hidden = hiddenPart(of: window)
            if edges == nil { edges = Array(repeating: 0, count: count + 1) }
            edges?[hidden.lowerBound] += 1
            edges?[hidden.upperBound] -= 1
        }
        if cards, count >= 12 {
            // What lies inside a window of 16 digits or more already shows no more than that window's first six and
            // last four, and needs no mask of its own: so the card shows its own ends, not those of a chance hit.
            var reach = 0
            for start in 0...(count - 12) {
                let longest = min(19, count - start)
                for end in stride(from: start + longest, through: start + 12, by: -1) where end > reach {
                    guard CardBrand.mayBeCardNumber(group.digits[start..<end]) else { continue }
                    mask(start..<end)
                    if end - start >= 16 { reach = end }
                }
            }
        }
        for secret in secrets where secret.count <= count {
            for start in 0...(count - secret.count) where begins(group.digits, at: start, with: secret) {
                let window = start..<start + secret.count
                if (12...19).contains(secret.count) {
                    mask(window)
                } else {
                    hits.ranges.append(group.positions[window.lowerBound]..<group.positions[window.upperBound - 1] + 1)
                }
            }
        }
        guard let edges else { return }
        var depth = 0
        for (index, position) in group.positions.enumerated() {
            depth += edges[index]
            if depth > 0 { hits.digits.append(position) }
        }
    }

    /// All but the first six and the last four digits; where that would hide fewer than six, all but the last four.
    private static func hiddenPart(of window: Range<Int>) -> Range<Int> {
        (window.count >= 16 ? window.lowerBound + 6 : window.lowerBound)..<window.upperBound - 4
    }
}
