/// The one block of a PEM text (RFC 7468), checked before OpenSSL reads it, so that a refusal can say what is there.
struct PEMText {
    let label: String
    let bytes: [UInt8]

    /// Accepts text around the block, Windows line ends, and line ends written as `\n` in one line, which is how keys
    /// come out of environment variables.
    init(_ text: String) throws(CryptoError) {
        guard text.utf8.count <= 65_536 else { throw CryptoError(.size, "a PEM text of more than 64 KiB") }
        let bytes = Self.withLineEnds(Array(text.utf8))
        let begin = Array("-----BEGIN ".utf8)
        var labels: [String] = []
        for line in bytes.split(separator: 0x0A) where line.starts(with: begin) {
            let label = line.dropFirst(begin.count).prefix { $0 != 0x2D }
            labels.append(String(decoding: label, as: UTF8.self))
        }
        guard let label = labels.first else { throw CryptoError(.key, "not a PEM text: no BEGIN line") }
        guard labels.count == 1 else { throw CryptoError(.key, "a PEM text with more than one block") }
        self.label = label
        self.bytes = bytes
    }

    private static func withLineEnds(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.contains(0x0A) else { return bytes }
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x5C, rest.first == 0x6E {
                rest.removeFirst()
                result.append(0x0A)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    var isEncrypted: Bool {
        label == "ENCRYPTED PRIVATE KEY" || Self.holds(bytes, Array("Proc-Type: 4,ENCRYPTED".utf8))
    }

    private static func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.split(separator: 0x0A).contains { $0.starts(with: part) }
    }
}
