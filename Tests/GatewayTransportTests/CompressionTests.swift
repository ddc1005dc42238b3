import GatewayKitCore
import GatewayTransport
import Testing

@Suite("N9: compressed answers")
struct CompressionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let encoding: String?
        let wire: [UInt8]
        var kind: TransportError.Kind?
    }

    static let text = Array("{\"token\":\"t-1\",\"note\":\"\u{FC}ber\"} ".utf8) + (0...255).map { UInt8($0) }

    static let cases: [Case] = {
        let gzip = Deflate.gzip(text)
        let zlib = Deflate.zlib(text)
        var badChecksum = gzip
        badChecksum[gzip.count - 8] ^= 1
        return [
            Case(testDescription: "plain although gzip was asked for", encoding: nil, wire: text),
            Case(testDescription: "identity", encoding: "identity", wire: text),
            Case(testDescription: "gzip", encoding: "gzip", wire: gzip),
            Case(testDescription: "GZIP in capitals", encoding: "GZIP", wire: gzip),
            Case(testDescription: "x-gzip", encoding: "x-gzip", wire: gzip),
            Case(
                testDescription: "gzip in two members", encoding: "gzip",
                wire: Deflate.gzip(Array(text[..<9])) + Deflate.gzip(Array(text[9...]))),
            Case(testDescription: "deflate as the standard says", encoding: "deflate", wire: zlib),
            Case(testDescription: "deflate without its frame", encoding: "deflate", wire: Deflate.raw(text)),
            Case(testDescription: "gzip, last byte missing", encoding: "gzip", wire: gzip.dropLast(), kind: .truncated),
            Case(testDescription: "gzip, half missing", encoding: "gzip", wire: Array(gzip[..<150]), kind: .truncated),
            Case(testDescription: "gzip, one byte only", encoding: "gzip", wire: [0x1F], kind: .truncated),
            Case(
                testDescription: "deflate, half missing", encoding: "deflate", wire: Array(zlib[..<100]),
                kind: .truncated),
            Case(
                testDescription: "gzip with a wrong checksum", encoding: "gzip", wire: badChecksum,
                kind: .malformedAnswer),
            Case(
                testDescription: "gzip with rubbish behind it", encoding: "gzip", wire: gzip + text,
                kind: .malformedAnswer),
            Case(testDescription: "plain that claims gzip", encoding: "gzip", wire: text, kind: .malformedAnswer),
            Case(testDescription: "br, which was not asked for", encoding: "br", wire: text, kind: .malformedAnswer),
            Case(testDescription: "gzip twice", encoding: "gzip, gzip", wire: gzip, kind: .malformedAnswer),
        ]
    }()

    @Test("Decoded whole, or refused", arguments: cases, [1, 7, 100_000])
    func decoding(test: Case, step: Int) async throws {
        let peer = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            let encoding = test.encoding.map { "Content-Encoding: \($0)\r\n" } ?? ""
            connection.write("HTTP/1.1 200 OK\r\n\(encoding)Content-Length: \(test.wire.count)\r\n\r\n")
            for start in stride(from: 0, to: test.wire.count, by: step) {
                connection.write(Array(test.wire[start..<min(start + step, test.wire.count)]))
            }
            connection.waitForClose()
        }
        switch await CurlTransport(.loopback).outcome(post(try peer.url())) {
        case .success(let answer):
            #expect(test.kind == nil)
            #expect(answer.body == CompressionTests.text)
        case .failure(let error):
            #expect(error.kind == test.kind)
            #expect(error.reach == .answered)
            #expect(error.partialStatus == 200)
        }
    }

    @Test("An empty body may claim any encoding", arguments: ["gzip", "deflate", "br"])
    func empty(encoding: String) async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.respond("401 Unauthorized", fields: ["Content-Encoding: \(encoding)"], body: [])
            }
        }
        #expect(try await CurlTransport(.loopback).outcome(get(try peer.url())).get().status == 401)
    }

    @Test("A bomb is stopped by the limit on decoded bytes; one byte less than that passes")
    func bomb() async throws {
        let runs = 4000
        let size = 1 + 258 * runs
        let stream = Deflate.zeros(runs: runs)
        #expect(stream.count < 7000)
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.respond(fields: ["Content-Encoding: deflate"], body: stream)
            }
        }
        let narrow = CurlTransport(
            try TransportConfiguration(maxBodyBytes: size - 1, allowsPlainHTTPOnLoopback: true))
        let error = await narrow.failure(post(try peer.url()))
        #expect(error?.kind == .answerTooLarge)
        #expect(error?.reach == .answered)
        let wide = CurlTransport(try TransportConfiguration(maxBodyBytes: size, allowsPlainHTTPOnLoopback: true))
        #expect(try await wide.outcome(post(try peer.url())).get().body == [UInt8](repeating: 0, count: size))
    }
}
