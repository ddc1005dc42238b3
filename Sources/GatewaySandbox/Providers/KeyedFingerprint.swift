/// A keyed hash that recognises a card number without keeping it: SipHash-2-4 (Aumasson and Bernstein, 2012) three
/// times under keys of its own, written as 36 hexadecimal digits.
///
/// It need not withstand whoever knows the key: the key lives and dies with the sandbox, and so do the numbers, which
/// are public test numbers anyway.
struct KeyedFingerprint: Sendable {
    private let keys: [(UInt64, UInt64)]

    init(mint: inout TokenMint) {
        keys = (0..<3).map { _ in (mint.word(), mint.word()) }
    }

    func of(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var digits: [UInt8] = []
        for key in keys {
            let hash = SipHash.hash(bytes, key: key)
            for index in 0..<12 {
                let digit = UInt8(truncatingIfNeeded: hash >> (4 * UInt64(index))) & 15
                digits.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            }
        }
        return TokenMint.breakingDigits(digits, letter: UInt8(ascii: "a"))
    }
}

/// SipHash-2-4.
enum SipHash {
    static func hash(_ bytes: [UInt8], key: (UInt64, UInt64)) -> UInt64 {
        var v0 = key.0 ^ 0x736F_6D65_7073_6575
        var v1 = key.1 ^ 0x646F_7261_6E64_6F6D
        var v2 = key.0 ^ 0x6C79_6765_6E65_7261
        var v3 = key.1 ^ 0x7465_6462_7974_6573
        func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
        func round() {
            v0 &+= v1
            v2 &+= v3
            v1 = rotate(v1, 13) ^ v0
            v3 = rotate(v3, 16) ^ v2
            v0 = rotate(v0, 32)
            v2 &+= v1
            v0 &+= v3
            v1 = rotate(v1, 17) ^ v2
            v3 = rotate(v3, 21) ^ v0
            v2 = rotate(v2, 32)
        }
        func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }
        var rest = bytes[...]
        while rest.count >= 8 {
            absorb(rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
            rest = rest.dropFirst(8)
        }
        absorb(UInt64(bytes.count & 0xFF) << 56 | rest.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        v2 ^= 0xFF
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }
}
