/// The terminals of RFC 8259 over a buffer of bytes. Each function takes the offset at which its terminal begins and
/// gives the offset behind it. Reading past the end gives 0, which no terminal allows, so no index leaves the buffer.
struct JSONGrammar {
    let bytes: UnsafeBufferPointer<UInt8>

    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        offset < bytes.count ? bytes[offset] : 0
    }

    @inline(__always)
    func endOfWhiteSpace(_ start: Int) -> Int {
        var offset = start
        while true {
            switch byte(offset) {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return offset
            }
        }
    }

    @inline(__always)
    private func endOfDigits(_ start: Int) -> Int {
        var offset = start
        while byte(offset) &- 0x30 < 10 { offset += 1 }
        return offset
    }

    /// `nil` if no number begins here or the number is malformed; what follows it is the caller's concern.
    func endOfNumber(_ start: Int) -> Int? {
        var offset = start
        if byte(offset) == UInt8(ascii: "-") { offset += 1 }
        if byte(offset) == UInt8(ascii: "0") {
            offset += 1
        } else {
            let digits = endOfDigits(offset)
            guard digits > offset else { return nil }
            offset = digits
        }
        if byte(offset) == UInt8(ascii: ".") {
            let digits = endOfDigits(offset + 1)
            guard digits > offset + 1 else { return nil }
            offset = digits
        }
        if byte(offset) | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if byte(offset) == UInt8(ascii: "+") || byte(offset) == UInt8(ascii: "-") { offset += 1 }
            let digits = endOfDigits(offset)
            guard digits > offset else { return nil }
            offset = digits
        }
        return offset
    }

    /// Whether all of the buffer is one number.
    var isNumber: Bool { endOfNumber(0) == bytes.count }

    /// From the opening quote to behind the closing one.
    func endOfString(_ start: Int) throws(JSONError) -> (end: Int, isEscaped: Bool) {
        var offset = start + 1
        var isEscaped = false
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte >= 0x80 {
                offset = try endOfMultibyte(offset)
            } else if byte == UInt8(ascii: "\"") {
                return (offset + 1, isEscaped)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                offset = try endOfEscape(offset)
            } else if byte < 0x20 {
                throw JSONError(.controlCharacter, at: offset)
            } else {
                offset += 1
            }
        }
        throw JSONError(.unexpectedEnd, at: bytes.count)
    }

    /// The well-formed sequences of the Unicode Standard, table 3-7.
    private func endOfMultibyte(_ start: Int) throws(JSONError) -> Int {
        let second = byte(start + 1)
        let length: Int
        switch byte(start) {
        case 0xC2...0xDF where isContinuation(second): length = 2
        case 0xE0 where second >= 0xA0 && second <= 0xBF: length = 3
        case 0xED where second >= 0x80 && second <= 0x9F: length = 3
        case 0xE1...0xEC where isContinuation(second), 0xEE...0xEF where isContinuation(second): length = 3
        case 0xF0 where second >= 0x90 && second <= 0xBF: length = 4
        case 0xF4 where second >= 0x80 && second <= 0x8F: length = 4
        case 0xF1...0xF3 where isContinuation(second): length = 4
        default: throw JSONError(.invalidUTF8, at: start)
        }
        guard length < 3 || isContinuation(byte(start + 2)), length < 4 || isContinuation(byte(start + 3)) else {
            throw JSONError(.invalidUTF8, at: start)
        }
        return start + length
    }

    @inline(__always)
    private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    private func endOfEscape(_ start: Int) throws(JSONError) -> Int {
        switch byte(start + 1) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(start) else { throw JSONError(.invalidEscape, at: start) }
            guard unit & 0xF800 == 0xD800 else { return start + 6 }
            guard unit < 0xDC00, let low = codeUnit(start + 6), low & 0xFC00 == 0xDC00 else {
                throw JSONError(.invalidSurrogate, at: start)
            }
            return start + 12
        default:
            throw JSONError(.invalidEscape, at: start)
        }
    }

    /// The code unit of `\uXXXX` that begins at `start`.
    private func codeUnit(_ start: Int) -> UInt32? {
        guard byte(start) == UInt8(ascii: "\\"), byte(start + 1) == UInt8(ascii: "u") else { return nil }
        var unit: UInt32 = 0
        for offset in start + 2..<start + 6 {
            let digit: UInt8
            switch byte(offset) {
            case let byte where byte &- 0x30 < 10: digit = byte - 0x30
            case let byte where (byte | 0x20) &- 0x61 < 6: digit = (byte | 0x20) - 0x57
            default: return nil
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// The UTF-8 bytes that the text in `content`, which ``endOfString(_:)`` has accepted, stands for.
    func unescaped(_ content: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(content.count)
        var offset = content.lowerBound
        while offset < content.upperBound {
            guard byte(offset) == UInt8(ascii: "\\") else {
                result.append(byte(offset))
                offset += 1
                continue
            }
            switch byte(offset + 1) {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"):
                var value = codeUnit(offset) ?? 0xFFFD
                if value & 0xFC00 == 0xD800 {
                    value = 0x10000 + (value & 0x3FF) << 10 + ((codeUnit(offset + 6) ?? 0) & 0x3FF)
                    offset += 6
                }
                result.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
                offset += 4
            case let byte: result.append(byte)
            }
            offset += 2
        }
        return result
    }
}
