import GatewayKitCore
import GatewayTransportSuite
import Testing

@testable import GatewayTransport

@Suite("Reading heads")
struct AnswerHeadTests {
    private func read(_ lines: [[UInt8]], limit: Int = 1 << 20) -> (AnswerHead, isTaken: Bool) {
        var head = AnswerHead()
        for line in lines {
            guard line.withUnsafeBufferPointer({ head.take($0, limit: limit) }) else { return (head, false) }
        }
        return (head, true)
    }

    @Test(
        "Status lines, good and odd",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", 200), ("HTTP/2 404\r\n", 404), ("HTTP/1.0 599\n", 599),
            ("HTTP/1.1 100 Continue\r\n", nil),
            ("HTTP/1.1\r\n", nil), ("HTTP/1.1 20\r\n", nil), ("HTTP/1.1 abc\r\n", nil), ("HTTP/1.1 -20\r\n", nil),
            ("http/1.1 200\r\n", nil), ("", nil),
        ] as [(String, Int?)])
    func statusLine(line: String, status: Int?) {
        #expect(read([Array(line.utf8)]).0.status == status)
    }

    @Test("Lines that are no fields change nothing")
    func oddLines() {
        let lines = [
            "HTTP/1.1 200 OK\r\n", " folded without a field\r\n", "no colon\r\n", ": no name\r\n", "A : 1 \r\n", "\r\n",
        ]
        let head = read(lines.map { Array($0.utf8) }).0
        #expect(head.isComplete)
        #expect(head.fields().list.map(\.name.description) == ["a"])
        #expect(head.fields()["a"] == "1")
    }

    @Test("The limit counts every byte, those of interim answers and trailers too")
    func limit() {
        let lines = ["HTTP/1.1 103 X\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n", "B: 2\r\n"].map {
            Array($0.utf8)
        }
        let total = lines.reduce(0) { $0 + $1.count }
        #expect(read(lines, limit: total).isTaken)
        #expect(!read(lines, limit: total - 1).isTaken)
    }

    @Test("Random bytes never trap and never make a field with a line break", arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let alphabet = Array("HTTP/1.1 200\r\n\t :aZ\u{0}\u{FF}".utf8)
        for _ in 0..<2000 {
            var lines: [[UInt8]] = [Array("HTTP/1.1 200 OK\r\n".utf8)]
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                lines.append(
                    (0..<Int.random(in: 0..<20, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0
                    })
            }
            let fields = read(lines).0.fields()
            #expect(fields.list.allSatisfy { $0.value.withExposed { !$0.utf8.contains(10) } })
        }
    }
}

@Suite("Decoding in pieces")
struct AnswerBodyTests {
    private static let text = Array("{\"token\":\"t-1\",\"note\":\"\u{FC}ber\"}".utf8)

    @Test("However the bytes are cut, the result is the same", arguments: ["gzip", "deflate"])
    func everyCut(coding: String) {
        let wire = coding == "gzip" ? Deflate.gzip(Self.text) : Deflate.zlib(Self.text)
        var fields = HTTPFields()
        fields["content-encoding"] = coding
        for cut in 0...wire.count {
            var body = AnswerBody()
            for part in [Array(wire[..<cut]), Array(wire[cut...])] where !part.isEmpty {
                let fault = part.withUnsafeBufferPointer { body.take($0, fields: fields, limit: 10_000) }
                #expect(fault == nil)
            }
            #expect(body.faultAtEnd() == nil)
            #expect(body.bytes == Self.text)
            var short = AnswerBody()
            guard cut > 0, cut < wire.count else { continue }
            _ = Array(wire[..<cut]).withUnsafeBufferPointer { short.take($0, fields: fields, limit: 10_000) }
            #expect(short.faultAtEnd() == .truncated)
        }
    }

    @Test("One flipped bit never passes for the original")
    func flipped() {
        let wire = Deflate.gzip(Self.text)
        var fields = HTTPFields()
        fields["content-encoding"] = "gzip"
        for bit in 80..<(wire.count * 8) {
            var broken = wire
            broken[bit / 8] ^= 1 << UInt8(bit % 8)
            var body = AnswerBody()
            let fault = broken.withUnsafeBufferPointer { body.take($0, fields: fields, limit: 10_000) }
            // The bits that fill up the last byte of the stream mean nothing.
            #expect(fault != nil || body.faultAtEnd() != nil || body.bytes == Self.text, "bit \(bit)")
        }
    }
}
