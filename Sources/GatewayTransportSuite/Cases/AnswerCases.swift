import GatewayKitCore

/// What comes back whole.
enum AnswerCases {
    static let all = [redirects, challenge, statuses, noBody, empty, interim, fields, names, trailers, byClose]

    /// Sends what must not be repeated; checks that each answer is handed out as it came and the request was seen once.
    private static func handOut(_ run: CaseRun, _ lines: [String], _ fields: [String]) async throws {
        let transport = try run.transport()
        for line in lines {
            let peer = try TestPeer { connection in
                while connection.readRequest() != nil { connection.respond(line, fields: fields, body: [0x78]) }
            }
            var request = WireRequest.creation(try peer.url("/once"))
            request.fields["Authorization"] = "Basic dGVzdDp0ZXN0"
            let answer = try run.answer(await transport.outcome(request))
            run.equal("status", answer.status, Int(line.prefix(3)) ?? 0)
            run.equal("body with \(line)", answer.body, [0x78])
            for field in fields {
                let parts = field.split(separator: ":", maxSplits: 1)
                let name = HTTPFieldName(String(parts.first ?? ""))
                run.equal("\(name) with \(line)", answer.fields[name], String(parts.last?.dropFirst() ?? ""))
            }
            run.equal("sent with \(line)", peer.requests.count, 1)
        }
    }

    static let redirects = TransportCase("N6: a redirect of each kind is returned and never followed") { run in
        let lines = [
            "300 Multiple", "301 Moved", "302 Found", "303 See Other", "305 Use Proxy", "307 Temporary",
            "308 Permanent",
        ]
        try await handOut(run, lines, ["Location: /elsewhere"])
    }

    static let challenge = TransportCase("N6: 401 with a Basic challenge is returned, and nothing is sent again") {
        run in
        try await handOut(run, ["401 Unauthorized"], ["WWW-Authenticate: Basic realm=\"x\""])
        try await handOut(run, ["407 Odd"], ["Proxy-Authenticate: Basic realm=\"x\""])
    }

    static let statuses = TransportCase("N6: every status is handed out with its body") { run in
        let lines = [
            "200 OK", "201 Created", "202 Accepted", "226 Odd", "400 Bad", "402 Payment Required", "403 Forbidden",
            "404 Gone", "408 Timeout", "409 Conflict", "422 Unprocessable", "425 Early", "429 Slow", "500 Error",
            "502 Bad", "503 Busy", "504 Late", "599 Odd", "999 Odd",
        ]
        try await handOut(run, lines, ["Retry-After: 0"])
    }

    static let noBody = TransportCase("204 and 304 end without a body, and the connection lives on") { run in
        for line in ["204 No Content", "304 Not Modified"] {
            let peer = try TestPeer { connection in
                while connection.readRequest() != nil { connection.write("HTTP/1.1 \(line)\r\nX-A: 1\r\n\r\n") }
            }
            let transport = try run.transport()
            for _ in 0..<2 {
                let answer = try run.answer(await transport.outcome(.read(peer.url())))
                run.equal("status", answer.status, Int(line.prefix(3)) ?? 0)
                run.equal("body", answer.body, [])
            }
            run.equal("sent", peer.requests.count, 2)
        }
    }

    static let empty = TransportCase("An empty body is an answer") { run in
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond("201 Created", body: []) }
        }
        let answer = try run.answer(await run.transport().outcome(.creation(peer.url())))
        run.equal("status", answer.status, 201)
        run.equal("body", answer.body, [])
        run.equal("sent", peer.requests.count, 1)
    }

    static let interim = TransportCase("Interim answers (1xx) leave neither status nor fields behind") { run in
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.write("HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\n")
                connection.write("HTTP/1.1 102 Processing\r\n\r\n")
                connection.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-Interim: 2\r\n\r\n")
                connection.respond(fields: ["X-Final: 3"])
            }
        }
        let answer = try run.answer(await run.transport().outcome(.read(peer.url())))
        run.equal("status", answer.status, 200)
        run.equal("fields", answer.fields.list.map(\.name.description), ["x-final", "content-length"])
        run.equal("sent", peer.requests.count, 1)
    }

    static let fields = TransportCase(
        "N5: fields keep their order and repetitions, compare without case, and folded lines are joined"
    ) { run in
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.write(
                    "HTTP/1.1 200 \r\ncontent-TYPE:application/json\r\nSet-Cookie: a=1\r\nX-Folded: one\r\n  two\r\n"
                        + "\tthree\r\nset-cookie:  b=2  \r\nX-Empty:\r\nX-Colon: a:b\r\nCONTENT-LENGTH: 2\r\n\r\nok")
            }
        }
        let answer = try run.answer(await run.transport().outcome(.read(peer.url())))
        run.equal(
            "names", answer.fields.list.map(\.name.description),
            ["content-type", "set-cookie", "x-folded", "set-cookie", "x-empty", "x-colon", "content-length"])
        run.equal("set-cookie", answer.fields.values(of: "Set-Cookie"), ["a=1", "b=2"])
        run.equal("x-folded", answer.fields["x-folded"], "one two three")
        run.equal("x-empty", answer.fields["x-empty"], "")
        run.equal("x-colon", answer.fields["X-COLON"], "a:b")
        run.equal("media type", answer.mediaType, "application/json")
    }

    static let names = TransportCase("N5: a length in capitals and a coding in mixed case frame the body all the same")
    {
        run in
        let heads = [
            "CONTENT-LENGTH: 2\r\n\r\nok", "content-length:2\r\n\r\nok",
            "TRANSFER-encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        ]
        for head in heads {
            let peer = try TestPeer { connection in
                while connection.readRequest() != nil { connection.write("HTTP/1.1 200 OK\r\n" + head) }
            }
            let answer = try run.answer(await run.transport().outcome(.read(peer.url())))
            run.equal("body", answer.body, Array("ok".utf8))
        }
    }

    static let trailers = TransportCase("Trailers are read and dropped") { run in
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.write(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Late: 1\r\nHTTP/1.1: 2\r\n\r\n"
                )
            }
        }
        let answer = try run.answer(await run.transport().outcome(.read(peer.url())))
        run.equal("body", answer.body, Array("ok".utf8))
        run.equal("x-late", answer.fields["x-late"], nil)
    }

    static let byClose = TransportCase("A body that ends with the connection is whole") { run in
        let peer = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nok")
        }
        let answer = try run.answer(await run.transport().outcome(.creation(peer.url())))
        run.equal("body", answer.body, Array("ok".utf8))
        run.equal("sent", peer.requests.count, 1)
    }
}
