import GatewayKitCore
import GatewayTransport
import GatewayTransportSuite
import Testing

@Suite("What goes out and what comes back", .onOwnThread)
struct ExchangeTests {
    private func transport() -> CurlTransport { CurlTransport(.loopback) }

    @Test("Method, address, fields and body arrive as written, and nothing is added that is not documented")
    func requestOnTheWire() async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        var request = WireRequest.creation(
            try peer.url("/v1").appending("a/b").appending(query: "key", "x y&z"), "{\"n\":\"\u{0}é\"}")
        request.fields.append("x-one", "1")
        request.fields.append("X-Empty", "")
        request.fields.append("x-one", .sensitive(Sensitive("2: \"quoted\" ;=")))
        request.fields["Authorization"] = "Basic dGVzdDp0ZXN0"
        _ = try await transport().outcome(request).get()
        let seen = try #require(peer.requests.first)
        #expect(seen.requestLine == "POST /v1/a%2Fb?key=x%20y%26z HTTP/1.1")
        #expect(seen.body == Array("{\"n\":\"\u{0}é\"}".utf8))
        #expect(
            seen.lines.dropFirst().sorted() == [
                "Accept-Encoding: gzip, deflate", "Authorization: Basic dGVzdDp0ZXN0", "Content-Length: 11",
                "Content-Type: application/json", "Host: 127.0.0.1:\(peer.port)",
                "User-Agent: GatewayKit/\(CurlTransport.version)", "X-Empty:", "X-One: 1", "X-One: 2: \"quoted\" ;=",
            ])
    }

    @Test("Cookies are neither kept nor sent; connections are kept, and both are counted")
    func keepAlive() async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.respond(fields: ["Set-Cookie: session=1; Path=/"])
            }
        }
        let transport = transport()
        for index in 0..<20 {
            let answer = try await transport.outcome(post(try peer.url())).get()
            #expect(answer.exchange.reusedConnection == (index > 0))
            #expect(answer.exchange.httpVersion == "HTTP/1.1")
            #expect(answer.exchange.total > .zero)
            #expect((answer.exchange.connect == .zero) == (index > 0))
        }
        #expect(peer.connections == 1)
        #expect(peer.requests.allSatisfy { $0.values(of: "cookie").isEmpty })
        let statistics = transport.statistics
        #expect(statistics.calls == 20)
        #expect(statistics.connectionsOpened == 1)
        #expect(statistics.inFlight == 0)
    }

    @Test("localhost is this machine, whatever a name server says")
    func localhost() async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        let url = try WireURL(base: "http://localhost:\(peer.port)")
        #expect(try await transport().outcome(get(url)).get().status == 200)
    }
}
