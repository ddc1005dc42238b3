import GatewayKitCore

/// What goes out.
enum RequestCases {
    static let all = [written, methods, largeBody, cookies]

    static let written = TransportCase("Method, address, fields and body arrive as written") { run in
        let peer = try TestPeer.answering()
        let text = "{\"n\":\"\u{0}é\"}"
        var request = WireRequest.creation(try peer.url("/v1").appending("a/b").appending(query: "key", "x y&z"), text)
        request.fields.append("x-one", "1")
        request.fields.append("x-one", .sensitive(Sensitive("2: \"quoted\" ;=")))
        request.fields["Authorization"] = "Basic dGVzdDp0ZXN0"
        _ = try run.answer(await run.transport().outcome(request))
        guard let seen = peer.requests.first else { return run.note("the peer has seen nothing") }
        run.equal("request line", seen.requestLine, "POST /v1/a%2Fb?key=x%20y%26z HTTP/1.1")
        run.equal("body", seen.body, Array(text.utf8))
        run.equal("x-one", seen.values(of: "x-one"), ["1", "2: \"quoted\" ;="])
        run.equal("authorization", seen.values(of: "authorization"), ["Basic dGVzdDp0ZXN0"])
        run.equal("host", seen.values(of: "host"), ["127.0.0.1:\(peer.port)"])
        run.equal("content-type", seen.values(of: "content-type"), ["application/json"])
        run.equal("content-length", seen.values(of: "content-length"), ["\(text.utf8.count)"])
        run.equal("transfer-encoding", seen.values(of: "transfer-encoding"), [])
        run.equal("user-agent", seen.values(of: "user-agent").count, 1)
        run.equal("sent", peer.requests.count, 1)
    }

    static let methods = TransportCase("Each method, with and without a body") { run in
        let peer = try TestPeer.answering()
        let transport = try run.transport()
        for method in HTTPMethod.allCases {
            for hasBody in [true, false] {
                let before = peer.requests.count
                var request = WireRequest("test.call", method, try peer.url("/x"), repeatability: .once)
                if hasBody {
                    request.body = WireBody(contentType: "text/plain", bytes: Sensitive([1, 0, 2]), secrets: [])
                }
                let answer = try run.answer(await transport.outcome(request))
                run.equal("body of the answer", answer.body, Array("ok".utf8))
                let seen = peer.requests.dropFirst(before)
                run.equal("request line", seen.map(\.requestLine), ["\(method.rawValue) /x HTTP/1.1"])
                run.equal("body", seen.map(\.body), [hasBody ? [1, 0, 2] : []])
                run.equal("type", seen.map { $0.values(of: "content-type") }, [hasBody ? ["text/plain"] : []])
                // RFC 9110, section 8.6: a method that means a body says so when there is none.
                let needsLength = hasBody || [.post, .put, .patch].contains(method)
                run.equal(
                    "length of \(method.rawValue)", seen.map { $0.values(of: "content-length") },
                    [needsLength ? [hasBody ? "3" : "0"] : []])
            }
        }
    }

    static let largeBody = TransportCase("A large body goes out whole, without Expect, and back") { run in
        let peer = try TestPeer { connection in
            while let request = connection.readRequest() { connection.respond(body: request.body) }
        }
        var random = SplitMix64(seed: 1)
        let bytes = (0..<700_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var request = WireRequest.creation(try peer.url())
        request.body = WireBody(contentType: "application/octet-stream", bytes: Sensitive(bytes), secrets: [])
        let answer = try run.answer(await run.transport().outcome(request))
        run.expect(answer.body == bytes, "the body came back changed")
        run.equal("expect", peer.requests.map { $0.values(of: "expect") }, [[]])
    }

    static let cookies = TransportCase("Cookies are neither kept nor sent") { run in
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.respond(fields: ["Set-Cookie: session=1; Path=/"])
            }
        }
        let transport = try run.transport()
        for _ in 0..<5 { _ = try run.answer(await transport.outcome(.creation(peer.url()))) }
        run.equal("requests", peer.requests.count, 5)
        run.expect(peer.requests.allSatisfy { $0.values(of: "cookie").isEmpty }, "a cookie was sent")
    }
}
