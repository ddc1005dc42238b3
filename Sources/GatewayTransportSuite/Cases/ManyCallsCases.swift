import GatewayKitCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Many calls at a time.
enum ManyCallsCases {
    static let all = [storm, parallel, limited]

    private struct Plan {
        let text: String
        let cancels: Bool
        let pause: Int
    }

    /// On the program's shared pool, so that calls and cancellations come from several threads at once.
    static let storm = TransportCase(
        "N3: 5,000 calls, half of them cancelled at random: each ends once, truthfully", needs: [.connectionLimit]
    ) { run in
        let peer = try TestPeer { connection in
            while let request = connection.readRequest() {
                if request.body.first == 0x78 { usleep(500) }
                connection.respond(body: request.body)
            }
        }
        let transport = try run.transport { $0.maximumConnectionsPerHost = 16 }
        let url = try peer.url()
        var random = SplitMix64(seed: 1)
        let plans = (0..<5000).map { index in
            Plan(
                text: (index % 3 == 0 ? "x" : "y") + String(index), cancels: Bool.random(using: &random),
                pause: Int.random(in: 0..<20, using: &random))
        }
        let results = await withTaskExecutorPreference(globalConcurrentExecutor) {
            await withTaskGroup(of: (Plan, CallOutcome).self) { group in
                for plan in plans {
                    group.addTask {
                        let call = Task { await transport.outcome(.creation(url, plan.text), within: .seconds(120)) }
                        if plan.cancels {
                            for _ in 0..<plan.pause { await Task.yield() }
                            call.cancel()
                        }
                        return (plan, await call.value)
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        run.equal("ends", results.count, plans.count)
        let bodies = peer.requests.map { String(decoding: $0.body, as: UTF8.self) }
        let seen = Set(bodies)
        run.equal("requests that were sent twice", bodies.count - seen.count, 0)
        var faults: [String] = []
        for (plan, outcome) in results {
            switch outcome {
            case .success(let answer):
                if answer.body != Array(plan.text.utf8) { faults.append("\(plan.text) got another call's answer") }
            case .failure(let error):
                if !plan.cancels || error.kind != .cancelled { faults.append("\(plan.text): \(error)") }
                if error.reach == .notSent, seen.contains(plan.text) {
                    faults.append("\(plan.text) was seen by the peer and is called 'not sent'")
                }
            }
        }
        for fault in faults.prefix(5) { run.note(fault) }
    }

    static let parallel = TransportCase("N2: 64 parallel calls over kept connections, no false time-out") { run in
        let peer = try TestPeer.answering()
        let transport = try run.transport()
        let url = try peer.url()
        let failures = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    var failures = 0
                    for _ in 0..<15 where (try? await transport.outcome(.creation(url)).get()) == nil { failures += 1 }
                    return failures
                }
            }
            return await group.reduce(0, +)
        }
        run.equal("failures", failures, 0)
        run.equal("requests", peer.requests.count, 64 * 15)
    }

    static let limited = TransportCase(
        "More calls than connections wait their turn", needs: [.connectionLimit]
    ) { run in
        let peer = try TestPeer.answering()
        let transport = try run.transport { $0.maximumConnectionsPerHost = 2 }
        let url = try peer.url()
        let answered = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 {
                group.addTask { (try? await transport.outcome(.creation(url)).get().status) == 200 }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        run.equal("answers", answered, 40)
        run.expect(peer.connections <= 2, "there were \(peer.connections) connections")
    }
}
