/// Just enough of RFC 1951 and RFC 1952 to write compressed answers: stored blocks, and a long run of one byte.
enum Gzip {
    private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// The bytes in stored blocks.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        head + storedBlocks(bytes) + trailer(checksum: checksum(bytes), count: bytes.count)
    }

    /// So many spaces, which take about a thousandth of their room, and then the bytes.
    static func spaces(_ count: Int, then bytes: [UInt8]) -> [UInt8] {
        var writer = BitWriter()
        writer.put(0, bits: 1)
        writer.put(1, bits: 2)
        // The fixed code: literals below 144 are 8 bits from 0x30; a match of 258 is symbol 285, 8 bits from 0xC0
        // for 280; distance 1 is five zero bits; the end of the block is seven.
        var left = count
        if left > 0 {
            writer.putCode(0x30 + 0x20, bits: 8)
            left -= 1
        }
        while left >= 258 {
            writer.putCode(0xC0 + 5, bits: 8)
            writer.putCode(0, bits: 5)
            left -= 258
        }
        for _ in 0..<max(0, left) { writer.putCode(0x30 + 0x20, bits: 8) }
        writer.putCode(0, bits: 7)
        let crc = bytes.reduce(ByteRun(of: 0x20).applied(count, to: .max), step)
        // A stored block begins at a byte: three bits of its head, then padding.
        return head + writer.finish(before: storedBlocks(bytes)) + trailer(checksum: ~crc, count: count + bytes.count)
    }

    private static func storedBlocks(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            for word in [length, ~length] { result += [UInt8(word & 0xFF), UInt8(word >> 8)] }
            result += block
        } while !rest.isEmpty
        return result
    }

    private static func trailer(checksum: UInt32, count: Int) -> [UInt8] {
        [checksum, UInt32(truncatingIfNeeded: count)].flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
        }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max, step)
    }

    private static func step(_ crc: UInt32, _ byte: UInt8) -> UInt32 {
        table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8)
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    /// What a byte does to the checksum: an affine map over GF(2), which can be repeated by squaring.
    private struct ByteRun {
        var columns: [UInt32]
        var constant: UInt32

        init(of byte: UInt8) {
            let constant = step(0, byte)
            self.constant = constant
            columns = (0..<32).map { step(1 << $0, byte) ^ constant }
        }

        func apply(_ word: UInt32) -> UInt32 {
            columns.enumerated().reduce(constant) { word >> $1.offset & 1 == 1 ? $0 ^ $1.element : $0 }
        }

        func applied(_ count: Int, to word: UInt32) -> UInt32 {
            var (word, map, left) = (word, self, count)
            while left > 0 {
                if left & 1 == 1 { word = map.apply(word) }
                let twice = map
                map.constant = twice.apply(twice.constant)
                map.columns = twice.columns.map { twice.apply($0) ^ twice.constant }
                left >>= 1
            }
            return word
        }
    }

    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var word: UInt32 = 0
        private var count: UInt32 = 0

        mutating func put(_ value: UInt32, bits: UInt32) {
            word |= value << count
            count += bits
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
                count -= 8
            }
        }

        /// Huffman codes go in from their highest bit on.
        mutating func putCode(_ code: UInt32, bits: UInt32) {
            for bit in (0..<bits).reversed() { put(code >> bit & 1, bits: 1) }
        }

        /// Ends with an empty stored block that is not the last, which brings the writer to a byte's border.
        mutating func finish(before rest: [UInt8]) -> [UInt8] {
            put(0, bits: 3)
            if count > 0 { put(0, bits: 8 - count) }
            return bytes + [0, 0, 0xFF, 0xFF] + rest
        }
    }
}
