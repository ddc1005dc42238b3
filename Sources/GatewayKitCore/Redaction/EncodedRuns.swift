/// Runs of characters that may be base64 or hexadecimal, and what they decode to.
enum EncodedRuns {
    /// A run, and one way to read it.
    struct Reading {
        let range: Range<Int>
        let bytes: [UInt8]
    }

    /// Every reading of every run of at least `shortest` characters in which `textBytes` bytes of text or more stand together.
    ///
    /// Base64 is read from each of four offsets, in both alphabets at once and with or without padding, so that it is
    /// found behind any prefix of the same alphabet; hexadecimal from two. A line break is taken for a part of the run
    /// when the line is as long as the lines of folded base64 are.
    ///
    /// - Parameter isWorthALook: Is asked about everything that is decoded, noise and text alike, and says no where no part
    ///   of it can matter.
    static func readings(
        in text: [UInt8], shortest: Int, textBytes: Int, isWorthALook: ([UInt8]) -> Bool, body: (Reading) -> Bool
    ) {
        var index = 0
        while index < text.count {
            guard let first = sextet(text[index]) else {
                index += 1
                continue
            }
            let start = index
            var sextets: [UInt8] = []
            sextets.reserveCapacity(48)
            sextets.append(first)
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
            read(
                sextets, in: text, range: start..<index, shortest: shortest, textBytes: textBytes,
                isWorthALook: isWorthALook, body: body)
        }
    }

    /// Gives each reading to `body` until it says that the run is masked.
    private static func read(
        _ sextets: [UInt8], in text: [UInt8], range: Range<Int>, shortest: Int, textBytes: Int,
        isWorthALook: ([UInt8]) -> Bool, body: (Reading) -> Bool
    ) {
        for offset in 0..<4 where sextets.count - offset >= shortest {
            let decoded = base64(sextets, from: offset)
            guard isWorthALook(decoded) else { continue }
            for piece in pieces(decoded, atLeast: textBytes) {
                if body(Reading(range: range, bytes: piece)) { return }
            }
        }
        var position = range.lowerBound
        while position < range.upperBound {
            let start = position
            while position < range.upperBound, hexadecimal(text[position]) != nil { position += 1 }
            // Two characters for one byte: half as dense as base64, so a shorter run says less.
            if position - start >= max(6, shortest) {
                for offset in 0..<2 {
                    let decoded = pairs(text, start + offset, position)
                    guard isWorthALook(decoded) else { continue }
                    for piece in pieces(decoded, atLeast: textBytes) {
                        if body(Reading(range: start..<position, bytes: piece)) { return }
                    }
                }
            }
            position = max(position, start + 1)
        }
    }

    /// The stretches of `bytes` that are UTF-8 text without control characters. What is no encoding at all decodes to
    /// noise, which has none of any length, so nothing more need be done about it.
    private static func pieces(_ bytes: [UInt8], atLeast shortest: Int) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        var index = 0
        while index <= bytes.count {
            let length = index < bytes.count ? textLength(bytes, index) : 0
            if length == 0 {
                if index - start >= shortest { pieces.append(Array(bytes[start..<index])) }
                start = index + 1
            }
            index += max(1, length)
        }
        return pieces
    }

    /// How many bytes the character at `index` has; 0 for what is no text. UTF-16 brings the NUL.
    private static func textLength(_ bytes: [UInt8], _ index: Int) -> Int {
        let byte = bytes[index]
        if byte >= 0x20 && byte < 0x7F || byte == 0 || byte == 9 || byte == 10 || byte == 13 { return 1 }
        let length = byte >= 0xF5 || byte < 0xC2 ? 0 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        guard length > 0, index + length <= bytes.count else { return 0 }
        var next = index + 1
        while next < index + length {
            if bytes[next] & 0xC0 != 0x80 { return 0 }
            next += 1
        }
        return length
    }

    private static func base64(_ sextets: [UInt8], from offset: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sextets.count * 3 / 4)
        var bits: UInt32 = 0
        var held: UInt32 = 0
        var index = offset
        while index < sextets.count {
            bits = (bits << 6 | UInt32(sextets[index])) & 0xFFFF
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> held))
            }
            index += 1
        }
        return bytes
    }

    private static func pairs(_ text: [UInt8], _ start: Int, _ end: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((end - start) / 2)
        var index = start
        while index + 1 < end, let high = hexadecimal(text[index]), let low = hexadecimal(text[index + 1]) {
            bytes.append(high << 4 | low)
            index += 2
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
