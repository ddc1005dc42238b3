import GatewayKitCore

/// Compressed answers: whole, or not at all.
enum CompressionCases {
    static let all = decoded + refused + [unasked, empty, bomb]

    private static let text = Array("{\"token\":\"t-1\",\"note\":\"\u{FC}ber\"} ".utf8) + (0...255).map { UInt8($0) }
    private static let gzip = Deflate.gzip(text)
    private static let zlib = Deflate.zlib(text)
    private static var badChecksum: [UInt8] {
        gzip.enumerated().map { $0.offset == gzip.count - 8 ? $0.element ^ 1 : $0.element }
    }

    /// Sends the body in pieces of three sizes; `kind` is `nil` when it must be decoded to the text.
    private static func body(
        _ name: String, _ encoding: String?, _ wire: @autoclosure @escaping @Sendable () -> [UInt8],
        _ kind: TransportError.Kind? = nil
    ) -> TransportCase {
        TransportCase(name, needs: [.compression]) { run in
            let wire = wire()
            for step in [1, 7, 100_000] {
                let peer = try TestPeer { connection in
                    guard connection.readRequest() != nil else { return }
                    let encoding = encoding.map { "Content-Encoding: \($0)\r\n" } ?? ""
                    connection.write("HTTP/1.1 200 OK\r\n\(encoding)Content-Length: \(wire.count)\r\n\r\n")
                    for start in stride(from: 0, to: wire.count, by: step) {
                        connection.write(Array(wire[start..<min(start + step, wire.count)]))
                    }
                    connection.waitForClose()
                }
                let outcome = try await run.transport().outcome(.creation(peer.url()))
                if let kind {
                    try run.failure(outcome, [kind], reach: .answered, status: 200)
                } else {
                    run.expect(try run.answer(outcome).body == text, "the body is not what was compressed")
                }
                run.equal("sent", peer.requests.count, 1)
            }
        }
    }

    private static let decoded = [
        body("Plain although compression was asked for", nil, text),
        body("A body with the coding 'identity'", "identity", text),
        body("N9: gzip that was asked for is decoded whole", "gzip", gzip),
        body("N9: GZIP in capitals", "GZIP", gzip),
        body("N9: x-gzip", "x-gzip", gzip),
        body("N9: gzip in two members", "gzip", Deflate.gzip(Array(text[..<9])) + Deflate.gzip(Array(text[9...]))),
        body("N9: deflate as the standard says", "deflate", zlib),
        body("N9: deflate without its frame", "deflate", Deflate.raw(text)),
    ]

    private static let refused = [
        body("N9: gzip whose last byte is missing is truncated", "gzip", gzip.dropLast(), .truncated),
        body("N9: gzip whose half is missing is truncated", "gzip", Array(gzip[..<150]), .truncated),
        body("N9: gzip of one byte is truncated", "gzip", [0x1F], .truncated),
        body("N9: deflate whose half is missing is truncated", "deflate", Array(zlib[..<100]), .truncated),
        body("N9: gzip with a wrong checksum", "gzip", badChecksum, .malformedAnswer),
        body("N9: gzip with rubbish behind it", "gzip", gzip + text, .malformedAnswer),
        body("N9: a plain body that claims gzip", "gzip", text, .malformedAnswer),
        body("N9: a coding that was not asked for (br)", "br", text, .malformedAnswer),
        body("N9: gzip twice", "gzip, gzip", gzip, .malformedAnswer),
    ]

    /// For transports that ask for compression themselves this is the coding that none of them asks for.
    static let unasked = TransportCase("N9: compressed bytes are never handed out as the body, asked for or not") {
        run in
        for (coding, wire) in [("gzip", gzip), ("x-unknown", gzip)] {
            let peer = try TestPeer { connection in
                while connection.readRequest() != nil {
                    connection.respond(fields: ["Content-Encoding: \(coding)"], body: wire)
                }
            }
            switch try await run.transport().outcome(.creation(peer.url())) {
            case .success(let answer):
                run.expect(answer.body == text, "compressed bytes (\(coding)) were handed out as the body")
            case .failure(let error):
                let asked = peer.requests.first?.values(of: "accept-encoding").joined() ?? ""
                run.expect(!asked.contains(coding), "\(coding) was asked for and is refused: \(error)")
                run.equal("reach", error.reach, .answered)
            }
            run.equal("sent", peer.requests.count, 1)
        }
    }

    static let empty = TransportCase("N9: an empty body may claim any coding", needs: [.compression]) { run in
        for encoding in ["gzip", "deflate", "br"] {
            let peer = try TestPeer { connection in
                while connection.readRequest() != nil {
                    connection.respond("401 Unauthorized", fields: ["Content-Encoding: \(encoding)"], body: [])
                }
            }
            run.equal("status", try run.answer(await run.transport().outcome(.read(peer.url()))).status, 401)
        }
    }

    static let bomb = TransportCase(
        "N9: a bomb is stopped by the limit on decoded bytes; one byte less than that passes",
        needs: [.compression, .sizeLimits]
    ) { run in
        let runs = 4000
        let size = 1 + 258 * runs
        let stream = Deflate.zeros(runs: runs)
        run.expect(stream.count < 7000, "it is no bomb")
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.respond(fields: ["Content-Encoding: deflate"], body: stream)
            }
        }
        let narrow = try run.transport { $0.maximumBodyBytes = size - 1 }
        try run.failure(await narrow.outcome(.creation(peer.url())), [.answerTooLarge], reach: .answered, status: 200)
        let wide = try run.transport { $0.maximumBodyBytes = size }
        let answer = try run.answer(await wide.outcome(.creation(peer.url())))
        run.expect(answer.body == [UInt8](repeating: 0, count: size), "the body is not what was compressed")
    }
}
