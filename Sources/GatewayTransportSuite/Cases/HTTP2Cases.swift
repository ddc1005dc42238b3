import GatewayKitCore
import GatewaySandbox

/// HTTP/2, where it is switched on.
enum HTTP2Cases {
    static let all = [notOffered, offered, fallsBack, spoken, refusedStream]

    /// Whether a client's first bytes offer HTTP/2 (the protocol name `h2` with its length before it, RFC 7301).
    private static func offersHTTP2(_ run: CaseRun, _ isOn: Bool) async throws -> Bool {
        let hello = Locked([UInt8]())
        let peer = try TestPeer { connection in
            let bytes = connection.readSome()
            hello.withLock { $0 = bytes }
            connection.write("nonsense nonsense nonsense")
        }
        let transport = try run.transport { $0.offersHTTP2 = isOn }
        let url = try peer.url(scheme: "https")
        try run.failure(await transport.outcome(.creation(url)), [.tls], reach: .notSent)
        let bytes = hello.withLock { $0 }
        return bytes.indices.dropLast(2).contains { bytes[$0] == 2 && bytes[$0 + 1] == 0x68 && bytes[$0 + 2] == 0x32 }
    }

    static let notOffered = TransportCase("HTTP/2 is not offered unless it is asked for") { run in
        run.expect(try await !offersHTTP2(run, false), "it is offered")
    }

    static let offered = TransportCase("HTTP/2 is offered when it is asked for", needs: [.http2]) { run in
        run.expect(try await offersHTTP2(run, true), "it is not offered")
    }

    static let fallsBack = TransportCase(
        "HTTP/2 is offered, and the server wants HTTP/1.1: the call goes on by that", needs: [.http2, .caFile]
    ) { run in
        let (sandbox, file) = try run.sandbox(.generated)
        let transport = try run.transport {
            $0.caFile = file
            $0.offersHTTP2 = true
        }
        let answer = try run.answer(await transport.outcome(.creation(TLSCases.url(sandbox))))
        run.equal("status", answer.status, 401)
        run.equal("version", answer.exchange.httpVersion ?? "HTTP/1.1", "HTTP/1.1")
    }

    /// A peer that speaks HTTP/2, and the file of its authority.
    private static func peer(
        _ run: CaseRun, _ answers: HTTP2Script
    ) throws -> (TestPeer, caFile: String) {
        let context = try TLSContext(TLSIdentity(), protocols: ["h2"])
        let peer = try TestPeer(tls: context) { answers.serve($0) }
        return (peer, try run.file(context.authorityPEM))
    }

    static let spoken = TransportCase("HTTP/2 is spoken with a server that takes it", needs: [.http2, .caFile]) { run in
        let script = HTTP2Script(refuses: 0)
        let (peer, file) = try peer(run, script)
        let transport = try run.transport {
            $0.caFile = file
            $0.offersHTTP2 = true
        }
        let answer = try run.answer(await transport.outcome(.creation(peer.url("/pay", scheme: "https"))))
        run.equal("status", answer.status, 200)
        run.equal("version", answer.exchange.httpVersion ?? "HTTP/2", "HTTP/2")
        run.equal("streams", script.streams, 1)
    }

    static let refusedStream = TransportCase(
        "R11: a stream that an HTTP/2 server refuses (REFUSED_STREAM) is not sent a second time",
        needs: [.http2, .caFile]
    ) { run in
        let script = HTTP2Script(refuses: 1)
        let (peer, file) = try peer(run, script)
        let transport = try run.transport {
            $0.caFile = file
            $0.offersHTTP2 = true
        }
        let url = try peer.url("/pay", scheme: "https")
        let outcome = await run.bounded(.seconds(20), peer) { await transport.outcome(.creation(url)) }
        guard case .failure(let error) = outcome else { return run.note("a second sending was answered") }
        run.expect(error.reach != .answered, "reach: \(error)")
        run.equal("streams", script.streams, 1)
    }
}
