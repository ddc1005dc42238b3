import GatewayKitCore
import GatewayTransport
import Testing

@Suite("What goes out and what comes back")
struct ExchangeTests {
    private func transport() -> CurlTransport { CurlTransport(.loopback) }

    @Test("Method, address, fields and body arrive as written, and nothing is added that is not documented")
    func requestOnTheWire() async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        var request = post(try peer.url("/v1").appending("a/b").appending(query: "key", "x y&z"), "{\"n\":\"\u{0}é\"}")
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

    @Test("Each method, with and without a body", arguments: HTTPMethod.allCases, [true, false])
    func methods(method: HTTPMethod, hasBody: Bool) async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        var request = WireRequest("test.call", method, try peer.url("/x"), repeatability: .once)
        if hasBody { request.body = WireBody(contentType: "text/plain", bytes: Sensitive([1, 0, 2]), secrets: []) }
        #expect(try await transport().outcome(request).get().body == Array("ok".utf8))
        let seen = try #require(peer.requests.first)
        #expect(seen.requestLine == "\(method.rawValue) /x HTTP/1.1")
        #expect(seen.body == (hasBody ? [1, 0, 2] : []))
        #expect(seen.values(of: "content-type") == (hasBody ? ["text/plain"] : []))
        let needsLength = hasBody || [.post, .put, .patch].contains(method)
        #expect(seen.values(of: "content-length") == (needsLength ? [hasBody ? "3" : "0"] : []))
        #expect(seen.values(of: "transfer-encoding").isEmpty)
    }

    @Test("A large body goes out whole, without Expect, and back")
    func largeBody() async throws {
        let peer = try TestPeer { connection in
            while let request = connection.readRequest() { connection.respond(body: request.body) }
        }
        var random = SplitMix64(seed: 1)
        let bytes = (0..<700_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var request = post(try peer.url())
        request.body = WireBody(contentType: "application/octet-stream", bytes: Sensitive(bytes), secrets: [])
        #expect(try await transport().outcome(request).get().body == bytes)
        #expect(peer.requests.first?.values(of: "expect") == [])
    }

    @Test(
        "N6: every status is handed out with its body, and a redirect is never followed",
        arguments: [
            "200 OK", "201 Created", "202 Accepted", "301 Moved", "302 Found", "303 See Other", "307 Temporary",
            "308 Permanent", "400 Bad", "401 Unauthorized", "402 Payment Required", "403 Forbidden", "404 Gone",
            "407 Odd", "408 Timeout", "409 Conflict", "422 Unprocessable", "429 Slow", "500 Error", "502 Bad",
            "503 Busy", "504 Late", "599 Odd", "999 Odd",
        ])
    func statuses(line: String) async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.respond(
                    line, fields: ["Location: /elsewhere", "WWW-Authenticate: Basic realm=\"x\""], body: [0x78])
            }
        }
        var request = post(try peer.url("/once"))
        request.fields["Authorization"] = "Basic dGVzdDp0ZXN0"
        let answer = try await transport().outcome(request).get()
        #expect(answer.status == Int(line.prefix(3)))
        #expect(answer.body == [0x78])
        #expect(answer.fields["location"] == "/elsewhere")
        #expect(peer.requests.count == 1)
    }

    @Test("204 and 304 end without a body", arguments: ["204 No Content", "304 Not Modified"])
    func noBody(line: String) async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.write("HTTP/1.1 \(line)\r\nX-A: 1\r\n\r\n") }
        }
        let answer = try await transport().outcome(get(try peer.url())).get()
        #expect(answer.status == Int(line.prefix(3)))
        #expect(answer.body.isEmpty)
    }

    @Test("Interim answers leave neither status nor fields behind")
    func interim() async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.write("HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\n")
                connection.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-Interim: 2\r\n\r\n")
                connection.respond(fields: ["X-Final: 3"])
            }
        }
        let answer = try await transport().outcome(get(try peer.url())).get()
        #expect(answer.status == 200)
        #expect(answer.fields.list.map(\.name.description) == ["x-final", "content-length"])
    }

    @Test("N5: fields keep their order and repetitions, compare without case, and folded lines are joined")
    func fields() async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.write(
                    "HTTP/1.1 200 \r\ncontent-TYPE:application/json\r\nSet-Cookie: a=1\r\nX-Folded: one\r\n  two\r\n"
                        + "\tthree\r\nset-cookie:  b=2  \r\nX-Empty:\r\nX-Colon: a:b\r\nCONTENT-LENGTH: 2\r\n\r\nok")
            }
        }
        let answer = try await transport().outcome(get(try peer.url())).get()
        #expect(
            answer.fields.list.map(\.name.description) == [
                "content-type", "set-cookie", "x-folded", "set-cookie", "x-empty", "x-colon", "content-length",
            ])
        #expect(answer.fields.values(of: "Set-Cookie") == ["a=1", "b=2"])
        #expect(answer.fields["x-folded"] == "one two three")
        #expect(answer.fields["x-empty"] == "")
        #expect(answer.fields["X-COLON"] == "a:b")
        #expect(answer.mediaType == "application/json")
    }

    @Test("Trailers are read and dropped")
    func trailers() async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.write(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Late: 1\r\nHTTP/1.1: 2\r\n\r\n"
                )
            }
        }
        let answer = try await transport().outcome(get(try peer.url())).get()
        #expect(answer.body == Array("ok".utf8))
        #expect(answer.fields["x-late"] == nil)
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

    @Test("More calls than connections wait their turn")
    func connectionLimit() async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        let transport = CurlTransport(
            try TransportConfiguration(maxConnectionsPerHost: 2, allowsPlainHTTPOnLoopback: true))
        let url = try peer.url()
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<40 { group.addTask { try? await transport.outcome(post(url)).get().status } }
            var all: [Int?] = []
            for await status in group { all.append(status) }
            return all
        }
        #expect(statuses == Array(repeating: 200, count: 40))
        #expect(peer.connections == 2)
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
