import GatewayKitCore

/// Calls that never get a connection.
enum ConnectCases {
    static let all = [refused, unknownName, connectLimit, connectDeadline, silentNameServer]

    static let refused = TransportCase("A refused connection: not sent") { run in
        let peer = try TestPeer { _ in }
        peer.stop()
        let outcome = try await run.transport().outcome(.creation(try peer.url()))
        try run.failure(outcome, [.connect], reach: .notSent)
    }

    static let unknownName = TransportCase("A name that cannot be resolved: not sent") { run in
        let url = try WireURL(base: "https://gateway.invalid")
        let outcome = try await run.transport().outcome(.creation(url), within: .seconds(8))
        // Without any network the look-up may also end by its time limit.
        try run.failure(outcome, [.nameLookup, .connectTimeout], reach: .notSent)
    }

    static let connectLimit = TransportCase(
        "A peer that does not take the connection: ended by the connect limit, not sent", needs: [.connectTimeout]
    ) { run in
        let gate = try FullBacklog()
        let transport = try run.transport { $0.connectTimeout = .milliseconds(120) }
        let url = try WireURL(base: "http://127.0.0.1:\(gate.port)")
        let begin = ContinuousClock.now
        try run.failure(await transport.outcome(.creation(url)), [.connectTimeout], reach: .notSent)
        run.expect(begin.duration(to: .now) < run.tolerance, "the connect limit had no effect")
    }

    static let connectDeadline = TransportCase(
        "A peer that does not take the connection: ended by the deadline, not sent"
    ) { run in
        let gate = try FullBacklog()
        let url = try WireURL(base: "http://127.0.0.1:\(gate.port)")
        let transport = try run.transport()
        try await run.growing { limit, isLast in
            let begin = ContinuousClock.now
            let outcome = await transport.outcome(.creation(url), within: limit)
            run.expect(begin.duration(to: .now) < limit + run.tolerance, "the deadline had no effect")
            if case .failure(let error) = outcome, error.kind == .timeout, !isLast { return false }
            try run.failure(outcome, [.connectTimeout], reach: .notSent)
            return true
        }
    }

    static let silentNameServer = TransportCase(
        "N2: a name server that never answers: its call ends on time and delays no other; giving it up does not block"
    ) { run in
        guard let startThreads = run.subject.startThreads else {
            throw CaseRun.Skip(reason: "the subject does not tell how to start the transport's threads")
        }
        let silence = try SilentNameServer(run)
        let peer = try TestPeer.answering()
        let transport = try run.transport()
        try await silence.enter { startThreads(transport) }
        let url = try peer.url()
        let unknown = try WireURL(base: "https://gateway.example")
        let limit = Duration.seconds(1)
        let first = run.start {
            let begin = ContinuousClock.now
            return (await transport.outcome(.creation(unknown), within: limit), begin.duration(to: .now))
        }
        let doomed = run.start { await transport.outcome(.creation(unknown)) }
        // These calls go on while both look-ups hang, and after one of them was given up.
        let beginOfOthers = ContinuousClock.now
        for index in 0..<12 {
            run.equal("status", try run.answer(await transport.outcome(.read(url))).status, 200)
            if index == 6 { doomed.cancel() }
        }
        run.expect(beginOfOthers.duration(to: .now) < run.tolerance * 2, "other calls were delayed")
        try run.failure(await doomed.value, [.cancelled], reach: .notSent)
        let (outcome, taken) = await first.value
        try run.failure(outcome, [.connectTimeout], reach: .notSent)
        run.expect(taken < limit + run.tolerance, "it took \(taken), and the limit is \(limit)")
        run.expect(silence.wasAsked, "the silent name server was not asked")
        guard let close = run.subject.close else { return }
        let beforeClosing = ContinuousClock.now
        await close(transport)
        run.expect(beforeClosing.duration(to: .now) < run.tolerance, "closing waits for the look-up")
    }
}
