import GatewayKitCore

/// A kept connection that dies. Transports that keep no connections pass too: to them each call is the first.
enum ReuseCases {
    static let all = [
        afterReading(
            "R11: it dies once the request was read: a request that is not repeatable is seen once, the outcome is unknown"
        ) {
            $0.reset()
        },
        afterReading("R11: it is closed once the request was read: seen once, the outcome is unknown") { $0.close() },
        beforeReading, repeatable, closedWhileIdle,
    ]

    /// Answers `GET /warm` and leaves everything else to the script, once; later calls are answered 201.
    private static func peer(_ script: @escaping @Sendable (PeerConnection) -> Void) throws -> TestPeer {
        let isUsed = Locked(false)
        return try TestPeer { connection in
            while connection.waitForBytes() {
                let isWarmedUp = isUsed.withLock { $0 }
                if isWarmedUp, connection.isFirstKept { return script(connection) }
                guard let request = connection.readRequest() else { return }
                isUsed.withLock { $0 = true }
                connection.respond(request.requestLine.contains("/warm") ? "200 OK" : "201 Created")
            }
        }
    }

    private static func afterReading(
        _ name: String, _ end: @escaping @Sendable (PeerConnection) -> Void
    ) -> TransportCase {
        TransportCase(name) { run in
            let peer = try peer { connection in
                guard connection.readRequest() != nil else { return }
                end(connection)
            }
            let transport = try run.transport()
            _ = try run.answer(await transport.outcome(.read(peer.url("/warm"))))
            let outcome = await transport.outcome(.creation(try peer.url("/pay")))
            if peer.requests.last?.connection == 1 {
                try run.failure(outcome, [.connectionLost], reach: .sent)
            } else {
                _ = try run.answer(outcome)
            }
            run.equal("sent", peer.requests.filter { $0.requestLine.contains("/pay") }.count, 1)
        }
    }

    static let beforeReading = TransportCase(
        "R11: it dies with the request unread: still not sent a second time, and never called 'not sent'"
    ) { run in
        let hit = Signal()
        let peer = try peer { connection in
            hit.fire()
            connection.reset()
        }
        let transport = try run.transport()
        _ = try run.answer(await transport.outcome(.read(peer.url("/warm"))))
        let outcome = await transport.outcome(.creation(try peer.url("/pay")))
        if hit.isFired {
            try run.failure(outcome, [.connectionLost], reach: .sent)
            run.equal("sent again", peer.requests.count, 1)
        } else {
            _ = try run.answer(outcome)
        }
    }

    static let repeatable = TransportCase(
        "A read, or a request with a key, on a connection that dies: sent again whole, or the loss is told"
    ) { run in
        for repeatability in [WireRequest.Repeatability.read, .keyed] {
            let peer = try peer { connection in _ = connection.readRequest() }
            let transport = try run.transport()
            _ = try run.answer(await transport.outcome(.read(peer.url("/warm"))))
            let url = try peer.url("/pay")
            switch await transport.outcome(.creation(url, repeatability: repeatability)) {
            case .success(let answer):
                run.equal("status", answer.status, 201)
                run.equal("body", peer.requests.last?.body, Array("{\"a\":1}".utf8))
            case .failure(let error):
                run.equal("kind", error.kind, .connectionLost)
                run.equal("reach", error.reach, .sent)
            }
            let count = peer.requests.filter { $0.requestLine.contains("/pay") }.count
            run.expect((1...2).contains(count), "it was sent \(count) times")
        }
    }

    static let closedWhileIdle = TransportCase(
        "It was closed while idle: a new connection is made, and the request is seen once"
    ) { run in
        let closed = Signal()
        let peer = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond()
            connection.close()
            closed.fire()
        }
        let transport = try run.transport()
        _ = try run.answer(await transport.outcome(.read(peer.url("/warm"))))
        await closed.wait()
        run.equal("status", try run.answer(await transport.outcome(.creation(peer.url("/pay")))).status, 200)
        run.equal("seen", peer.requests.count, 2)
    }
}

extension PeerConnection {
    /// Whether this is the peer's first connection: the one that was kept.
    fileprivate var isFirstKept: Bool { number == 1 }
}
