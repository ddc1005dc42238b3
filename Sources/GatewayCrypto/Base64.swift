/// Base64 (RFC 4648) in its two alphabets, read strictly: every byte sequence has exactly one spelling that is accepted,
/// so two different texts never mean the same.
public enum Base64: Sendable {
    /// `+` and `/`, padded with `=` (RFC 4648, section 4).
    case standard
    /// `-` and `_`, without padding, as JOSE has it (RFC 7515, section 2).
    case url

    /// The text for `bytes`, in one line.
    public func encode(_ bytes: [UInt8]) -> String {
        let alphabet = self.alphabet
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            var letters: [UInt8] = []
            for _ in 0..<4 {
                letters.append(alphabet[bits >> 18 & 0x3F])
                bits <<= 6
            }
            text += letters.prefix(group.count + 1)
            if self == .standard { text += repeatElement(0x3D, count: 3 - group.count) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` stands for.
    ///
    /// Throws ``CryptoError/Kind-swift.struct/encoding`` for a character outside the alphabet (white space too),
    /// padding that is missing or, for ``url``, there, a length that cannot be, and bits left over that are not zero.
    public func decode(_ text: String) throws(CryptoError) -> [UInt8] {
        try decode(Array(text.utf8)[...])
    }

    func decode(_ text: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
        var letters = text
        if self == .standard {
            guard text.count % 4 == 0 else { throw CryptoError(.encoding, "base64 whose length is no multiple of 4") }
            for _ in 0..<2 where letters.last == 0x3D { letters.removeLast() }
        }
        guard letters.count % 4 != 1 else { throw CryptoError(.encoding, "base64 of an impossible length") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count * 3 / 4)
        var bits: UInt32 = 0
        var held = 0
        for letter in letters {
            guard let value = value(of: letter) else {
                throw CryptoError(.encoding, "a character that is not of this base64 alphabet")
            }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        guard bits & (1 << UInt32(held) - 1) == 0 else {
            throw CryptoError(.encoding, "base64 with bits left over that are not zero")
        }
        return bytes
    }

    private var alphabet: [UInt8] {
        switch self {
        case .standard: Self.standardAlphabet
        case .url: Self.urlAlphabet
        }
    }

    private static let standardAlphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private func value(of letter: UInt8) -> UInt8? {
        switch (letter, self) {
        case (0x41...0x5A, _): letter - 0x41
        case (0x61...0x7A, _): letter - 0x61 + 26
        case (0x30...0x39, _): letter - 0x30 + 52
        case (0x2B, .standard), (0x2D, .url): 62
        case (0x2F, .standard), (0x5F, .url): 63
        default: nil
        }
    }
}
