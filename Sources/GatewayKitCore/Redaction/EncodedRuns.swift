/// Runs of characters that may be base64 or hexadecimal, and what they decode to.
enum EncodedRuns {
    /// A run, and one way to read it.
    struct Reading {
        let range: Range<Int>
        let bytes: [UInt8]
    }

    /// Every reading of every run of at least `shortest` characters.
    ///
    /// Base64 is read from each of four offsets, in both alphabets at once and with or without padding, so that it is
    /// found behind any prefix of the same alphabet; hexadecimal from two. A line break is taken for a part of the run
    /// when the line is as long as the lines of folded base64 are.
    static func readings(in text: [UInt8], shortest: Int, body: (Reading) -> Bool) {
        var index = 0
        while index < text.count {
            guard let first = sextet(text[index]) else {
                index += 1
                continue
            }
            let start = index
            var sextets = [first]
            var line = 1
            index += 1
            while index < text.count {
                if let value = sextet(text[index]) {
                    sextets.append(value)
                    line += 1
                    index += 1
                } else if line >= 60, let next = afterLineBreak(text, index), next < text.count,
                    sextet(text[next]) != nil
                {
                    line = 0
                    index = next
                } else {
                    break
                }
            }
            guard sextets.count >= shortest else { continue }
            read(sextets, in: text, range: start..<index, shortest: shortest, body: body)
        }
    }

    /// Gives each reading to `body` until it says that the run is masked.
    private static func read(
        _ sextets: [UInt8], in text: [UInt8], range: Range<Int>, shortest: Int, body: (Reading) -> Bool
    ) {
        for offset in 0..<4 where sextets.count - offset >= shortest {
            if body(Reading(range: range, bytes: base64(sextets[offset...]))) { return }
        }
        var position = range.lowerBound
        while position < range.upperBound {
            let start = position
            while position < range.upperBound, hexadecimal(text[position]) != nil { position += 1 }
            // Two characters for one byte: half as dense as base64, so a shorter run says less.
            if position - start >= max(6, shortest) {
                for offset in 0..<2 {
                    let bytes = pairs(text[(start + offset)..<position])
                    if body(Reading(range: start..<position, bytes: bytes)) { return }
                }
            }
            position = max(position, start + 1)
        }
    }

    private static func base64(_ sextets: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sextets.count * 3 / 4)
        var bits: UInt32 = 0
        var held = 0
        for sextet in sextets {
            bits = (bits << 6 | UInt32(sextet)) & 0xFFFF
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        return bytes
    }

    private static func pairs(_ digits: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits.lazy.compactMap(hexadecimal) {
            if let upper = high {
                bytes.append(upper << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }

    private static func afterLineBreak(_ text: [UInt8], _ index: Int) -> Int? {
        if text[index] == 0x0A { return index + 1 }
        return text[index] == 0x0D && index + 1 < text.count && text[index + 1] == 0x0A ? index + 2 : nil
    }

    /// The value of a character of either base64 alphabet.
    static func sextet(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: nil
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
