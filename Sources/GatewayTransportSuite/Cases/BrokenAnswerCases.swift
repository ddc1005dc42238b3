import GatewayKitCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Answers that never come whole.
enum BrokenAnswerCases {
    static let all = broken + stalling

    /// A case whose peer reads the request, runs `script` and closes.
    private static func fault(
        _ name: String, _ kinds: [TransportError.Kind], _ reach: Reach, _ status: Int? = nil,
        _ script: @escaping @Sendable (PeerConnection) -> Void
    ) -> TransportCase {
        TransportCase(name) { run in
            let peer = try TestPeer { connection in
                guard connection.readRequest() != nil else { return }
                script(connection)
            }
            let transport = try run.transport()
            let url = try peer.url()
            let outcome = await run.bounded(.seconds(20), peer) { await transport.outcome(.creation(url)) }
            try run.failure(outcome, kinds, reach: reach, status: status)
            run.equal("sent", peer.requests.count, 1)
        }
    }

    private static let broken = [
        fault("Closed without an answer: sent", [.connectionLost], .sent) { $0.close() },
        fault("R11: reset without an answer: sent", [.connectionLost], .sent) { $0.reset() },
        fault("Reset inside the status line: sent", [.connectionLost], .sent) {
            $0.write("HTTP/1.")
            $0.reset()
        },
        fault("Closed inside the head: an answer had begun", [.truncated], .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Le")
            $0.close()
        },
        fault("Reset behind an interim answer: sent", [.connectionLost], .sent) {
            $0.write("HTTP/1.1 100 Continue\r\n\r\n")
            $0.reset()
        },
        fault("Reset inside the body: an answer had begun", [.connectionLost], .answered, 201) {
            $0.write("HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n12345")
            $0.reset()
        },
        fault("R6: a body shorter than its length is truncated, not an answer", [.truncated], .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
            $0.close()
        },
        fault("R6: chunks without the last one are truncated, not an answer", [.truncated], .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n")
            $0.close()
        },
        fault("A broken chunk size", [.connectionLost, .malformedAnswer], .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n12345\r\n")
            $0.waitForClose()
        },
        fault("Garbage instead of HTTP: sent", [.malformedAnswer], .sent) {
            $0.write("\u{1}\u{2}\u{3} this is not the answer you are looking for\r\n\r\n")
            $0.close()
        },
        fault("A body without any head (HTTP/0.9) is no answer", [.malformedAnswer], .sent) {
            $0.write("{\"approved\":true}")
            $0.close()
        },
    ]

    /// A case whose call is ended by its deadline.
    private static func stall(
        _ name: String, _ reach: Reach, _ status: Int? = nil, _ script: @escaping @Sendable (PeerConnection) -> Void
    ) -> TransportCase {
        TransportCase(name) { run in
            try await run.growing { limit, isLast in
                let peer = try TestPeer { connection in
                    guard connection.readRequest() != nil else { return }
                    script(connection)
                }
                let transport = try run.transport()
                let url = try peer.url()
                let begin = ContinuousClock.now
                let outcome = await run.bounded(limit, peer) {
                    await transport.outcome(.creation(url), within: limit)
                }
                run.expect(begin.duration(to: .now) >= limit, "it ended before its deadline")
                let wasTooShort: Bool =
                    if case .failure(let error) = outcome { error.reach != reach } else { false }
                if wasTooShort || peer.requests.isEmpty, !isLast { return false }
                try run.failure(outcome, [.timeout], reach: reach, status: status)
                run.equal("sent", peer.requests.count, 1)
                return true
            }
        }
    }

    private static let stalling = [
        stall("F5: a stall before the answer ends at the deadline: sent", .sent) { $0.waitForClose() },
        stall("F5: a stall inside the head ends at the deadline", .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nX-A: 1\r\n")
            $0.waitForClose()
        },
        stall("F5: a stall inside the body ends at the deadline", .answered, 202) {
            $0.write("HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\n\r\n12345")
            $0.waitForClose()
        },
        stall("F5: a stall behind an interim answer ends at the deadline: sent", .sent) {
            $0.write("HTTP/1.1 103 Early\r\n\r\n")
            $0.waitForClose()
        },
        stall("F5: a drip never outlives the total deadline", .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while $0.write("a") { usleep(5_000) }
        },
    ]
}
