import GatewayKitCore

/// Deadlines.
enum DeadlineCases {
    static let all = [passed, bound, waiting]

    static let passed = TransportCase("A deadline that has passed: nothing is sent, no connection is opened") { run in
        let peer = try TestPeer.answering()
        let transport = try run.transport()
        for late in [Duration.zero, .seconds(-1), .seconds(-1_000_000)] {
            let outcome = await transport.outcome(.creation(try peer.url()), within: late)
            try run.failure(outcome, [.timeout], reach: .notSent)
        }
        run.equal("connections", peer.connections, 0)
    }

    static let bound = TransportCase("N2: the deadline bounds the whole call: never early, and not much later") { run in
        let peer = try TestPeer { connection in
            while let request = connection.readRequest() {
                guard request.requestLine.contains("/warm") else { return connection.waitForClose() }
                connection.respond()
            }
        }
        let transport = try run.transport()
        let url = try peer.url()
        _ = try run.answer(await transport.outcome(.read(peer.url("/warm"))))
        try await run.growing { limit, isLast in
            let begin = ContinuousClock.now
            let outcome = await run.bounded(limit, peer) { await transport.outcome(.creation(url), within: limit) }
            run.expect(begin.duration(to: .now) >= limit, "it ended before its deadline")
            if case .failure(let error) = outcome, error.reach == .notSent, !isLast { return false }
            try run.failure(outcome, [.timeout], reach: .sent)
            return true
        }
    }

    static let waiting = TransportCase(
        "A call that waits for a connection obeys its deadline and its cancellation, and was not sent",
        needs: [.connectionLimit]
    ) { run in
        let arrived = Signal()
        let peer = try TestPeer.stalling(arrived)
        let transport = try run.transport { $0.maximumConnectionsPerHost = 1 }
        let url = try peer.url()
        let first = run.start(firing: arrived) { await transport.outcome(.creation(url)) }
        await arrived.wait()
        try await run.growing { limit, isLast in
            let second = await run.bounded(limit, peer) { await transport.outcome(.creation(url), within: limit) }
            if case .failure(let error) = second, error.kind == .timeout, !isLast { return false }
            try run.failure(second, [.connectTimeout], reach: .notSent)
            return true
        }
        let third = run.start { await transport.outcome(.creation(url)) }
        third.cancel()
        try run.failure(await third.value, [.cancelled], reach: .notSent)
        first.cancel()
        try run.failure(await first.value, [.cancelled], reach: .sent)
        run.equal("sent", peer.requests.count, 1)
    }
}
