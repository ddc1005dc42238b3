/// The members of a JSON object (RFC 8259): their names, and the values of those that are strings.
///
/// A reader of its own, because this module stands alone, and because a message must have one meaning: a name twice is
/// refused (RFC 7516, section 4, lets a reader do that), also where escapes hide it.
struct JOSEMembers {
    private(set) var names: Set<String> = []
    private(set) var texts: [String: String] = [:]
    private var rest: ArraySlice<UInt8>

    private static let depthLimit = 8

    init(_ json: [UInt8]) throws(CryptoError) {
        rest = json[...]
        skipSpace()
        try object(depth: 1, keeps: true)
        skipSpace()
        guard rest.isEmpty else { throw Self.broken }
    }

    private static let broken = CryptoError(.structure, "a JOSE header that is not strict JSON")

    private mutating func object(depth: Int, keeps: Bool) throws(CryptoError) {
        try take(0x7B)
        skipSpace()
        if skip(0x7D) { return }
        var found: Set<String> = []
        repeat {
            skipSpace()
            let name = try text()
            guard found.insert(name).inserted else { throw CryptoError(.structure, "a JOSE header member twice") }
            skipSpace()
            try take(0x3A)
            skipSpace()
            if keeps, rest.first == 0x22 { texts[name] = try text() } else { try value(depth: depth + 1) }
            skipSpace()
        } while skip(0x2C)
        try take(0x7D)
        if keeps { names = found }
    }

    private mutating func array(depth: Int) throws(CryptoError) {
        try take(0x5B)
        skipSpace()
        if skip(0x5D) { return }
        repeat {
            skipSpace()
            try value(depth: depth + 1)
            skipSpace()
        } while skip(0x2C)
        try take(0x5D)
    }

    private mutating func value(depth: Int) throws(CryptoError) {
        guard depth <= Self.depthLimit else { throw CryptoError(.structure, "a JOSE header nested too deep") }
        switch rest.first {
        case 0x7B: try object(depth: depth, keeps: false)
        case 0x5B: try array(depth: depth)
        case 0x22: _ = try text()
        case 0x74: try word("true")
        case 0x66: try word("false")
        case 0x6E: try word("null")
        default: try number()
        }
    }

    private mutating func text() throws(CryptoError) -> String {
        try take(0x22)
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22:
                guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.broken }
                return text
            case 0x5C: bytes += try escape()
            case 0..<0x20: throw Self.broken
            default: bytes.append(byte)
            }
        }
        throw Self.broken
    }

    private mutating func escape() throws(CryptoError) -> [UInt8] {
        switch rest.popFirst() {
        case 0x22: return [0x22]
        case 0x5C: return [0x5C]
        case 0x2F: return [0x2F]
        case 0x62: return [0x08]
        case 0x66: return [0x0C]
        case 0x6E: return [0x0A]
        case 0x72: return [0x0D]
        case 0x74: return [0x09]
        case 0x75:
            var code = try fourHexDigits()
            if (0xD800...0xDBFF).contains(code) {
                try take(0x5C)
                try take(0x75)
                let low = try fourHexDigits()
                guard (0xDC00...0xDFFF).contains(low) else { throw Self.broken }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw Self.broken }
            return Array(String(scalar).utf8)
        default: throw Self.broken
        }
    }

    private mutating func fourHexDigits() throws(CryptoError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = rest.popFirst(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw Self.broken
            }
            code = code << 4 | UInt32(digit)
        }
        return code
    }

    private mutating func number() throws(CryptoError) {
        _ = skip(0x2D)
        if !skip(0x30) { try digits() }
        if skip(0x2E) { try digits() }
        if skip(0x65) || skip(0x45) {
            if !skip(0x2B) { _ = skip(0x2D) }
            try digits()
        }
    }

    private mutating func digits() throws(CryptoError) {
        let count = rest.prefix { (0x30...0x39).contains($0) }.count
        guard count > 0 else { throw Self.broken }
        rest = rest.dropFirst(count)
    }

    private mutating func word(_ word: String) throws(CryptoError) {
        for byte in word.utf8 { try take(byte) }
    }

    private mutating func take(_ byte: UInt8) throws(CryptoError) {
        guard skip(byte) else { throw Self.broken }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
}
