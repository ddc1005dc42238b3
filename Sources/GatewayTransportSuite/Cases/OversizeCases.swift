import GatewayKitCore

/// Answers that are larger than the transport is told to take.
enum OversizeCases {
    static let all = [
        oversize("A head that is too long", .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\n")
            for index in 0..<400 { $0.write("X-\(index): " + String(repeating: "a", count: 50) + "\r\n") }
            $0.write("Content-Length: 0\r\n\r\n")
            $0.waitForClose()
        },
        oversize("A line of the head that is too long", .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nX-Long: " + String(repeating: "a", count: 400_000) + "\r\n\r\n")
            $0.waitForClose()
        },
        oversize("A status line that never ends: sent", .sent) {
            $0.write("HTTP/1.1 200 " + String(repeating: "a", count: 400_000))
            $0.waitForClose()
        },
        oversize("Interim answers without end: sent", .sent) {
            while $0.write("HTTP/1.1 103 Early\r\nX-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n\r\n") {}
        },
        oversize("A body that is too long", .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "a", count: 100_000))
            $0.waitForClose()
        },
        oversize("A body without length and end", .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\n\r\n")
            while $0.write(String(repeating: "a", count: 10_000)) {}
        },
        oversize("Chunks without end", .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while $0.write("10\r\naaaaaaaaaaaaaaaa\r\n") {}
        },
        limits,
    ]

    private static func oversize(
        _ name: String, _ reach: Reach, _ status: Int? = nil, _ script: @escaping @Sendable (PeerConnection) -> Void
    ) -> TransportCase {
        TransportCase(name, needs: [.sizeLimits]) { run in
            let peer = try TestPeer { connection in
                guard connection.readRequest() != nil else { return }
                script(connection)
            }
            let transport = try run.transport {
                $0.maximumHeadBytes = 10_000
                $0.maximumBodyBytes = 50_000
            }
            let url = try peer.url()
            let outcome = await run.bounded(.seconds(20), peer) { await transport.outcome(.creation(url)) }
            try run.failure(outcome, [.answerTooLarge], reach: reach, status: status)
            run.equal("sent", peer.requests.count, 1)
        }
    }

    static let limits = TransportCase(
        "A body as long as the limit passes, one byte more does not", needs: [.sizeLimits]
    ) {
        run in
        for excess in [0, 1] {
            let peer = try TestPeer { connection in
                while connection.readRequest() != nil {
                    connection.respond(body: [UInt8](repeating: 0x61, count: 50_000 + excess))
                }
            }
            let transport = try run.transport { $0.maximumBodyBytes = 50_000 }
            let outcome = await transport.outcome(.creation(try peer.url()))
            if excess == 0 {
                run.equal("length", try run.answer(outcome).body.count, 50_000)
            } else {
                try run.failure(outcome, [.answerTooLarge], reach: .answered, status: 200)
            }
        }
    }
}
