import GatewayKitCore
import GatewaySandbox

/// Proxies.
enum ProxyCases {
    static let all = [
        used, password, refused, refusedWithPassword, granted, silent, direct, plain,
        broken("A proxy that closes: not sent") { $0.close() },
        broken("A proxy that resets: not sent") { $0.reset() },
        broken("A proxy that talks nonsense: not sent") {
            $0.write("\u{1}\u{2}\u{3}\r\n\r\n")
            $0.close()
        },
        absent,
    ]

    private static func payment(_ address: String = "https://gateway.example/v1") throws -> WireRequest {
        var request = WireRequest.creation(try WireURL(base: address))
        request.fields["authorization"] = "Basic UFJPVklERVI="
        request.fields["x-account"] = "a-1"
        return request
    }

    private static func proxy(_ peer: TestPeer, password: String? = nil) -> TransportProxy {
        TransportProxy(
            "http://127.0.0.1:\(peer.port)", user: password == nil ? nil : Sensitive("till"),
            password: password.map { Sensitive($0) })
    }

    static let used = TransportCase(
        "N1: a proxy carries the call, and TLS reaches through it to the provider", needs: [.proxy, .caFile]
    ) { run in
        let (sandbox, file) = try run.sandbox(.generated)
        let port = Int(sandbox.port ?? 0)
        let peer = try TestPeer { connection in
            if connection.readRequest() != nil { connection.relay(toPort: port) }
        }
        let transport = try run.transport {
            $0.caFile = file
            $0.proxy = proxy(peer)
        }
        let answer = try run.answer(await transport.outcome(.creation(TLSCases.url(sandbox))))
        run.equal("status", answer.status, 401)
        run.equal("field of the proxy", answer.fields["proxy-agent"], nil)
        run.equal("to the proxy", peer.requests.map(\.requestLine), ["CONNECT 127.0.0.1:\(port) HTTP/1.1"])
    }

    static let password = TransportCase(
        "N1, N13: a proxy with a password carries the call, and TLS reaches through it to the provider",
        needs: [.proxy, .caFile]
    ) { run in
        let (sandbox, file) = try run.sandbox(.generated)
        let port = Int(sandbox.port ?? 0)
        let peer = try TestPeer { connection in
            guard let request = connection.readRequest() else { return }
            guard request.values(of: "proxy-authorization") == ["Basic dGlsbDpzZXNhbWU="] else {
                connection.respond("407 Proxy Authentication Required")
                return
            }
            connection.relay(toPort: port)
        }
        let right = try run.transport {
            $0.caFile = file
            $0.proxy = proxy(peer, password: "sesame")
        }
        let answer = try run.answer(await right.outcome(.creation(TLSCases.url(sandbox))))
        run.equal("status", answer.status, 401)
        run.equal("field of the proxy", answer.fields["proxy-agent"], nil)
        let wrong = try run.transport {
            $0.caFile = file
            $0.proxy = proxy(peer, password: "simsim")
        }
        try run.failure(await wrong.outcome(.creation(TLSCases.url(sandbox))), [.proxy], reach: .notSent)
    }

    static let refused = TransportCase(
        "N13: a refused tunnel is the proxy's doing, and nothing was sent", needs: [.proxy]
    ) { run in
        for line in ["407 Proxy Authentication Required", "403 Forbidden", "502 Bad Gateway", "301 Moved"] {
            let peer = try TestPeer { connection in
                while connection.readRequest() != nil {
                    connection.respond(
                        line, fields: ["Proxy-Authenticate: Basic realm=\"p\"", "Location: http://elsewhere.example/"])
                }
            }
            let transport = try run.transport { $0.proxy = proxy(peer) }
            try run.failure(await transport.outcome(payment()), [.proxy], reach: .notSent)
            guard let connect = peer.requests.first else { return run.note("the proxy was not asked") }
            run.equal("request line", connect.requestLine, "CONNECT gateway.example:443 HTTP/1.1")
            for name in ["authorization", "x-account", "proxy-authorization"] {
                run.equal("\(name), shown to the proxy", connect.values(of: name), [])
            }
            run.equal("body", connect.body, [])
        }
    }

    static let refusedWithPassword = TransportCase(
        "N13: user and password go to the proxy, and into no error", needs: [.proxy]
    ) { run in
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond("403 Forbidden") }
        }
        let transport = try run.transport { $0.proxy = proxy(peer, password: "s3cret:pass%") }
        let error = try run.failure(await transport.outcome(payment()), [.proxy], reach: .notSent)
        run.equal(
            "proxy-authorization", peer.requests.first?.values(of: "proxy-authorization"),
            ["Basic dGlsbDpzM2NyZXQ6cGFzcyU="])
        let text = error.description
        run.expect(!text.contains("s3cret") && !text.contains("dGlsbDpz"), "the error shows the password")
    }

    static let granted = TransportCase(
        "N1: a tunnel that is granted carries TLS to the provider, whose failure is told apart from the proxy's",
        needs: [.proxy]
    ) { run in
        let hello = Signal()
        let first = Locked([UInt8]())
        let peer = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n")
            let bytes = connection.readSome()
            first.withLock { $0 = bytes }
            hello.fire()
        }
        let transport = try run.transport { $0.proxy = proxy(peer) }
        try run.failure(await transport.outcome(payment()), [.tls], reach: .notSent)
        guard peer.connections > 0 else { return run.note("the proxy was not asked") }
        await hello.wait()
        // A TLS record of the type handshake.
        run.equal("first byte in the tunnel", first.withLock { $0.first }, 0x16)
    }

    private static func broken(
        _ name: String, _ script: @escaping @Sendable (PeerConnection) -> Void
    ) -> TransportCase {
        TransportCase(name, needs: [.proxy]) { run in
            let peer = try TestPeer { connection in
                guard connection.readRequest() != nil else { return }
                script(connection)
            }
            let transport = try run.transport { $0.proxy = proxy(peer) }
            try run.failure(await transport.outcome(payment()), [.proxy], reach: .notSent)
        }
    }

    static let absent = TransportCase("A proxy that is not there: not sent", needs: [.proxy]) { run in
        let peer = try TestPeer { _ in }
        peer.stop()
        let transport = try run.transport { $0.proxy = proxy(peer) }
        try run.failure(await transport.outcome(payment()), [.proxy], reach: .notSent)
    }

    static let silent = TransportCase(
        "A proxy that does not answer: ended by the deadline, not sent", needs: [.proxy]
    ) { run in
        let peer = try TestPeer { $0.waitForClose() }
        let transport = try run.transport { $0.proxy = proxy(peer) }
        let request = try payment()
        try await run.growing { limit, isLast in
            let outcome = await run.bounded(limit, peer) { await transport.outcome(request, within: limit) }
            if case .failure(let error) = outcome, error.kind == .timeout, !isLast { return false }
            try run.failure(outcome, [.connectTimeout], reach: .notSent)
            return true
        }
    }

    static let direct = TransportCase(
        "N1: hosts on the no_proxy list are called directly", needs: [.proxy, .noProxy, .caFile]
    ) { run in
        let (sandbox, file) = try run.sandbox(.generated)
        let peer = try TestPeer { $0.close() }
        let transport = try run.transport {
            $0.caFile = file
            $0.proxy = proxy(peer)
            $0.noProxy = ["127.0.0.1"]
        }
        run.equal("status", try run.answer(await transport.outcome(.creation(TLSCases.url(sandbox)))).status, 401)
        run.equal("connections to the proxy", peer.connections, 0)
    }

    static let plain = TransportCase(
        "Plain http, which stays on this machine, never goes through a proxy", needs: [.proxy]
    ) { run in
        let peer = try TestPeer { $0.close() }
        let provider = try TestPeer.answering()
        let transport = try run.transport { $0.proxy = proxy(peer) }
        run.equal("status", try run.answer(await transport.outcome(.creation(provider.url()))).status, 200)
        run.equal("connections to the proxy", peer.connections, 0)
    }
}
