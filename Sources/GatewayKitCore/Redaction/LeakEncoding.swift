/// The ways in which ``LeakSearch`` writes a secret before it looks for it.
struct LeakEncoding {
    let name: String
    let encode: @Sendable ([UInt8]) -> [UInt8]

    static let all: [LeakEncoding] = [
        LeakEncoding(name: "percent, every byte") { each($0) { "%" + hex($0).uppercased() } },
        LeakEncoding(name: "percent, every byte, lower case") { each($0) { "%" + hex($0) } },
        LeakEncoding(name: "percent twice") { each($0) { "%25" + hex($0).uppercased() } },
        LeakEncoding(name: "percent twice, lower case") { each($0) { "%25" + hex($0) } },
        LeakEncoding(name: "JSON escapes") { each($0) { "\\u00" + hex($0) } },
        LeakEncoding(name: "JSON escapes, upper case") { each($0) { "\\u00" + hex($0).uppercased() } },
        LeakEncoding(name: "C escapes") { each($0) { "\\x" + hex($0) } },
        LeakEncoding(name: "XML decimal") { each($0) { "&#\($0);" } },
        LeakEncoding(name: "XML hexadecimal") { each($0) { "&#x" + hex($0) + ";" } },
        LeakEncoding(name: "hexadecimal") { each($0) { hex($0) } },
        LeakEncoding(name: "hexadecimal, upper case") { each($0) { hex($0).uppercased() } },
        LeakEncoding(name: "UTF-16 LE") { $0.flatMap { [$0, 0] } },
        LeakEncoding(name: "full-width digits") { value in
            guard value.allSatisfy({ (0x30...0x39).contains($0) }) else { return [] }
            return value.flatMap { [0xEF, 0xBC, $0 - 0x30 + 0x90] }
        },
    ]

    private static func each(_ value: [UInt8], _ text: (UInt8) -> String) -> [UInt8] {
        value.flatMap { Array(text($0).utf8) }
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// The part of the base64 of any text around `value` that depends on `value` alone, for each of three alignments and
    /// both alphabets; shorter than eight characters says too little and is left out.
    static func base64Cores(_ value: [UInt8]) -> [[UInt8]] {
        var cores: [[UInt8]] = []
        for alignment in 0..<3 {
            var sextets: [Int] = []
            var pool = 0
            var bits = 0
            for byte in Array(repeating: UInt8(0), count: alignment) + value {
                pool = (pool << 8 | Int(byte)) & 0xFFFF
                bits += 8
                while bits >= 6 {
                    bits -= 6
                    sextets.append(pool >> bits & 63)
                }
            }
            // The first sextets mix the secret with what stands before it.
            let core = sextets.dropFirst((alignment * 8 + 5) / 6)
            guard core.count >= 8 else { continue }
            for alphabet in [standard, urlSafe] {
                let text = core.map { alphabet[$0] }
                if !cores.contains(text) { cores.append(text) }
            }
        }
        return cores
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standard = Array((letters + "+/").utf8)
    private static let urlSafe = Array((letters + "-_").utf8)
}

/// The plain decoding that ``LeakSearch`` falls back on for text which mixes encodings.
enum LeakDecoding {
    /// `text` with `%41`, `\u0041`, `\x41`, `&#65;`, `&#x41;` and backslashes undone once.
    static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.first {
            if let (length, value) = escape(rest) {
                if let scalar = Unicode.Scalar(value), value > 0x7F, byte != 0x25 {
                    result += Array(String(Character(scalar)).utf8)
                } else {
                    result.append(UInt8(truncatingIfNeeded: value))
                }
                rest = rest.dropFirst(length)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func escape(_ text: ArraySlice<UInt8>) -> (Int, UInt32)? {
        switch text.first {
        case 0x25: return number(text.dropFirst(1).prefix(2), 16, exactly: 2).map { (3, $0) }
        case 0x5C:
            switch text.dropFirst().first {
            case 0x75: return number(text.dropFirst(2).prefix(4), 16, exactly: 4).map { (6, $0) }
            case 0x78: return number(text.dropFirst(2).prefix(2), 16, exactly: 2).map { (4, $0) }
            case 0x6E, 0x72, 0x74: return (2, 0x20)
            case let other?: return (2, UInt32(other))
            case nil: return nil
            }
        case 0x26:
            for (name, value) in names where text.dropFirst().starts(with: name) { return (name.count + 1, value) }
            guard text.dropFirst().first == 0x23, let end = text.prefix(12).firstIndex(of: 0x3B) else { return nil }
            let length = end + 1 - text.startIndex
            let isHex = text.dropFirst(2).first.map { $0 | 0x20 } == 0x78
            return number(text[..<end].dropFirst(isHex ? 3 : 2), isHex ? 16 : 10, exactly: nil).map { (length, $0) }
        default: return nil
        }
    }

    private static let names: [([UInt8], UInt32)] = [("amp;", 0x26), ("lt;", 0x3C), ("gt;", 0x3E), ("quot;", 0x22)]
        .map { (Array($0.0.utf8), $0.1) }

    /// What each run of hexadecimal digits stands for, read from its first and from its second digit.
    static func hexRuns(_ text: [UInt8]) -> [[UInt8]] {
        let runs = text.split { !(0x30...0x39).contains($0) && !(0x41...0x46).contains($0 & 0xDF) }
        return runs.filter { $0.count >= 6 }.flatMap { run in
            [run, run.dropFirst()].map { run in
                stride(from: run.startIndex, to: run.endIndex - 1, by: 2).compactMap { index in
                    UInt8(String(decoding: run[index...index + 1], as: UTF8.self), radix: 16)
                }
            }
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>, _ radix: Int, exactly count: Int?) -> UInt32? {
        guard count == nil || digits.count == count, digits.first != 0x2B, digits.first != 0x2D else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
    }

    /// What each run of base64 characters decodes to from each of its first four characters, where that is ASCII text.
    static func base64Runs(_ text: [UInt8]) -> [[UInt8]] {
        var results: [[UInt8]] = []
        var index = 0
        while index < text.count {
            var end = index
            while end < text.count, sextets[Int(text[end])] != noSextet { end += 1 }
            if end - index >= 4 {
                for offset in 0..<4 { decode(text, from: index + offset, to: end, into: &results) }
            }
            index = end + 1
        }
        return results
    }

    /// Text may begin or end in the middle of a run that is text only in part, so the pieces are kept.
    private static func decode(_ text: [UInt8], from start: Int, to end: Int, into results: inout [[UInt8]]) {
        var piece: [UInt8] = []
        var pool: UInt32 = 0
        var bits: UInt32 = 0
        var index = start
        while index < end {
            pool = (pool << 6 | UInt32(sextets[Int(text[index])])) & 0xFFFF
            bits += 6
            index += 1
            guard bits >= 8 else { continue }
            bits -= 8
            let byte = UInt8(truncatingIfNeeded: pool >> bits)
            if byte >= 0x09, byte <= 0x7E {
                piece.append(byte)
            } else {
                if piece.count >= 3 { results.append(piece) }
                piece.removeAll(keepingCapacity: true)
            }
        }
        if piece.count >= 3 { results.append(piece) }
    }

    private static let noSextet: UInt8 = 0xFF

    /// What each byte stands for in either alphabet.
    private static let sextets: [UInt8] = {
        var table = [UInt8](repeating: noSextet, count: 256)
        for (value, byte) in letters.utf8.enumerated() { table[Int(byte)] = UInt8(value) }
        for byte in "+-".utf8 { table[Int(byte)] = 62 }
        for byte in "/_".utf8 { table[Int(byte)] = 63 }
        return table
    }()

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
}
