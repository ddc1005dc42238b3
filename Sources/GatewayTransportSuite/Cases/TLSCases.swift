import GatewayKitCore
import GatewaySandbox

/// Whom to trust. The server is the sandbox.
enum TLSCases {
    static let all = [
        trusted,
        untrusted("N11, N12: a certificate of an unknown authority is refused, not sent", .generated, trusts: false),
        untrusted("N11, N12: a certificate for another host is refused, not sent", .otherHost),
        untrusted("N11, N12: an expired certificate is refused, not sent", .expired),
        untrusted("N11, N12: a protocol that is too old (TLS 1.1) is refused, not sent", .oldProtocol),
        nonsense,
    ]

    static func url(_ sandbox: Sandbox) throws -> WireURL {
        try WireURL(base: sandbox.baseURL(for: "spreedly") ?? "").appending("payment_methods.json")
    }

    static let trusted = TransportCase(
        "N11: a private authority is trusted when its file is given, by address and by name", needs: [.caFile]
    ) { run in
        let (sandbox, file) = try run.sandbox(.generated)
        let transport = try run.transport { $0.caFile = file }
        for host in ["127.0.0.1", "localhost"] {
            let url = try WireURL(base: "https://\(host):\(sandbox.port ?? 0)/_sandbox/health")
            run.equal("status from \(host)", try run.answer(await transport.outcome(.read(url))).status, 200)
        }
        // The imitated provider refuses what it does not understand, which shows that the request got there.
        let answer = try run.answer(await transport.outcome(.creation(url(sandbox))))
        run.equal("status of a call without credentials", answer.status, 401)
    }

    private static func untrusted(_ name: String, _ tls: SandboxTLS, trusts: Bool = true) -> TransportCase {
        TransportCase(name, needs: trusts ? [.caFile] : []) { run in
            let (sandbox, file) = try run.sandbox(tls)
            let transport = try run.transport { if trusts { $0.caFile = file } }
            try run.failure(await transport.outcome(.creation(url(sandbox))), [.tls], reach: .notSent)
            run.equal("what the sandbox has seen", sandbox.ledger.entries.count, 0)
        }
    }

    static let nonsense = TransportCase("A server that answers the handshake with nonsense: not sent") { run in
        let peer = try TestPeer { connection in
            _ = connection.readSome()
            connection.write("nonsense nonsense nonsense")
        }
        let outcome = try await run.transport().outcome(.creation(try peer.url(scheme: "https")))
        try run.failure(outcome, [.tls], reach: .notSent)
    }
}
