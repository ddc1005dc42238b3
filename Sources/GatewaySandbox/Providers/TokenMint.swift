import GatewayKitCore

/// Makes the names and secrets that a provider hands out, the same ones for the same seed.
///
/// None of them has eleven digits in a row (hyphens not counted), so that whoever searches an output for card numbers
/// does not stumble over them.
struct TokenMint: Sendable {
    /// Crockford's base 32, as ULIDs use it.
    private static let ulidAlphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let hexDigits = Array("0123456789abcdef".utf8)

    private var generator: SeededGenerator

    /// Different purposes get different sequences from one seed.
    init(seed: UInt64, purpose: UInt64) {
        generator = SeededGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D &+ purpose)
    }

    mutating func word() -> UInt64 {
        generator.next()
    }

    /// 26 characters: ten of time, sixteen of chance.
    mutating func ulid(at time: WallTime) -> String {
        let milliseconds = UInt64(max(0, time.secondsSince1970)) * 1000 + UInt64(time.nanoseconds / 1_000_000)
        let head = (0..<10).reversed().map { Self.ulidAlphabet[Int(milliseconds >> (5 * UInt64($0)) & 31)] }
        return Self.breakingDigits(head + draw(16, from: Self.ulidAlphabet))
    }

    /// 26 characters of a ULID's alphabet that do not begin with the time.
    mutating func unorderedToken() -> String {
        Self.breakingDigits(draw(26, from: Self.ulidAlphabet))
    }

    /// So many letters and digits.
    mutating func secret(_ count: Int) -> String {
        Self.breakingDigits(draw(count, from: Self.letters))
    }

    /// A random UUID (RFC 9562, version 4) in lower case.
    mutating func uuid() -> String {
        var digits = draw(32, from: Self.hexDigits)
        digits[12] = UInt8(ascii: "4")
        digits[16] = Self.hexDigits[8 + Int(generator.next() & 3)]
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in Self.breakRuns(of: digits, with: UInt8(ascii: "a")).enumerated() {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// So many hexadecimal digits in lower case.
    mutating func hex(_ count: Int) -> String {
        Self.breakingDigits(draw(count, from: Self.hexDigits), letter: UInt8(ascii: "a"))
    }

    /// A chance number below `bound`, which must not be 0.
    mutating func number(below bound: Int) -> Int {
        Int(generator.next(upperBound: UInt64(max(1, bound))))
    }

    private mutating func draw(_ count: Int, from alphabet: [UInt8]) -> [UInt8] {
        let bound = UInt64(alphabet.count)
        return (0..<count).map { _ in alphabet[Int(generator.next(upperBound: bound))] }
    }

    /// Puts a letter in the place of every eighth digit of a run.
    static func breakingDigits(_ bytes: [UInt8], letter: UInt8 = UInt8(ascii: "A")) -> String {
        String(decoding: breakRuns(of: bytes, with: letter), as: UTF8.self)
    }

    private static func breakRuns(of bytes: [UInt8], with letter: UInt8) -> [UInt8] {
        var run = 0
        return bytes.map { byte -> UInt8 in
            run = byte >= 0x30 && byte <= 0x39 ? run + 1 : 0
            guard run == 8 else { return byte }
            run = 0
            return letter
        }
    }
}
