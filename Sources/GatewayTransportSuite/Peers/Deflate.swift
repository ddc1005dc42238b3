/// Just enough of a compressor to make answers: fixed Huffman codes, and runs of one byte.
package enum Deflate {
    private struct BitWriter {
        var bytes: [UInt8] = []
        private var room = 0

        mutating func put(_ bit: UInt8) {
            if room == 0 {
                bytes.append(0)
                room = 8
            }
            bytes[bytes.count - 1] |= bit << (8 - UInt8(room))
            room -= 1
        }
        /// Huffman codes go out with their highest bit first, everything else with its lowest.
        mutating func code(_ value: Int, _ length: Int) {
            for index in (0..<length).reversed() { put(UInt8(value >> index & 1)) }
        }
        mutating func literal(_ byte: UInt8) {
            byte < 144 ? code(0x30 + Int(byte), 8) : code(0x190 + Int(byte) - 144, 9)
        }
    }

    /// A raw deflate stream of `bytes`.
    package static func raw(_ bytes: [UInt8]) -> [UInt8] {
        var out = BitWriter()
        out.put(1)
        out.put(1)
        out.put(0)
        for byte in bytes { out.literal(byte) }
        out.code(0, 7)
        return out.bytes
    }

    /// A raw deflate stream of `1 + 258 * runs` zeros.
    package static func zeros(runs: Int) -> [UInt8] {
        var out = BitWriter()
        out.put(1)
        out.put(1)
        out.put(0)
        out.literal(0)
        for _ in 0..<runs {
            out.code(0xC5, 8)
            out.code(0, 5)
        }
        out.code(0, 7)
        return out.bytes
    }

    package static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        gzip(raw(bytes), checksum: crc32(bytes), size: bytes.count)
    }

    package static func gzip(_ stream: [UInt8], checksum: UInt32, size: Int) -> [UInt8] {
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + stream + little(checksum) + little(UInt32(truncatingIfNeeded: size))
    }

    package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return [0x78, 0x9C] + raw(bytes) + little(b << 16 | a).reversed()
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = ~0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
