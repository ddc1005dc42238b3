@testable import GatewaySandbox

/// Unpacks gzip with stored blocks and fixed codes, and checks length and checksum; `nil` when anything is wrong.
enum Inflater {
    static func unpack(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 18, bytes[0] == 0x1F, bytes[1] == 0x8B, bytes[2] == 8 else { return nil }
        var reader = Bits(bytes: bytes, at: 10 * 8)
        var out: [UInt8] = []
        while true {
            guard let isLast = reader.take(1), let kind = reader.take(2) else { return nil }
            switch kind {
            case 0:
                reader.align()
                guard let length = reader.take(16), let check = reader.take(16), length == ~check & 0xFFFF else {
                    return nil
                }
                for _ in 0..<length {
                    guard let byte = reader.take(8) else { return nil }
                    out.append(UInt8(byte))
                }
            case 1:
                guard fixedBlock(&reader, &out) else { return nil }
            default:
                return nil
            }
            if isLast == 1 { break }
        }
        reader.align()
        guard let crc = reader.take(32), let count = reader.take(32) else { return nil }
        return crc == Int(Gzip.checksum(out)) && count == out.count ? out : nil
    }

    private static func fixedBlock(_ reader: inout Bits, _ out: inout [UInt8]) -> Bool {
        while true {
            guard var code = reader.takeCode(7) else { return false }
            if code == 0 { return true }
            guard let eighth = reader.takeCode(1) else { return false }
            code = code << 1 | eighth
            if (0x30...0xBF).contains(code) {
                out.append(UInt8(code - 0x30))
            } else if code == 0xC5, reader.takeCode(5) == 0, let last = out.last {
                out.append(contentsOf: repeatElement(last, count: 258))
            } else {
                return false
            }
        }
    }

    private struct Bits {
        let bytes: [UInt8]
        var at: Int

        mutating func take(_ count: Int) -> Int? {
            guard at + count <= bytes.count * 8 else { return nil }
            var value = 0
            for index in 0..<count { value |= Int(bytes[(at + index) / 8] >> UInt8((at + index) % 8) & 1) << index }
            at += count
            return value
        }

        mutating func takeCode(_ count: Int) -> Int? {
            var value = 0
            for _ in 0..<count {
                guard let bit = take(1) else { return nil }
                value = value << 1 | bit
            }
            return value
        }

        mutating func align() { at = (at + 7) / 8 * 8 }
    }
}
