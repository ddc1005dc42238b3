import GatewayKitCore
import GatewayTransport
import Glibc
import Testing

@Suite("Many calls")
struct StormTests {
    @Test(
        "N3: 1,000 calls, half of them cancelled at random: each ends once, truthfully", arguments: [1, 2] as [UInt64])
    func storm(seed: UInt64) async throws {
        let peer = try TestPeer { connection in
            while let request = connection.readRequest() {
                if request.body.first == 0x78 { usleep(1000) }
                connection.respond(body: request.body)
            }
        }
        let transport = CurlTransport(
            try TransportConfiguration(maxConnectionsPerHost: 16, allowsPlainHTTPOnLoopback: true))
        let url = try peer.url()
        var random = SplitMix64(seed: seed)
        let plans = (0..<1000).map { index in
            (
                text: (index % 3 == 0 ? "x" : "y") + String(index), cancels: Bool.random(using: &random),
                pause: Int.random(in: 0..<20, using: &random)
            )
        }
        let results = await withTaskGroup(of: (Int, Bool, Result<WireResponse, TransportError>).self) { group in
            for (index, plan) in plans.enumerated() {
                group.addTask {
                    let call = Task { await transport.outcome(post(url, plan.text)) }
                    if plan.cancels {
                        for _ in 0..<plan.pause { await Task.yield() }
                        call.cancel()
                    }
                    return (index, plan.cancels, await call.value)
                }
            }
            var all: [(Int, Bool, Result<WireResponse, TransportError>)] = []
            for await result in group { all.append(result) }
            return all
        }
        #expect(results.count == 1000)
        let seen = Set(peer.requests.map { String(decoding: $0.body, as: UTF8.self) })
        #expect(seen.count == peer.requests.count, "no request was sent twice")
        for (index, wasCancelled, result) in results {
            let text = plans[index].text
            switch result {
            case .success(let answer):
                #expect(answer.body == Array(text.utf8))
            case .failure(let error):
                #expect(wasCancelled && error.kind == .cancelled, "\(error)")
                if error.reach == .notSent { #expect(!seen.contains(text)) }
            }
        }
        let statistics = transport.statistics
        #expect(statistics.inFlight == 0)
        #expect(statistics.calls == 1000)
        #expect(peer.connections <= statistics.connectionsOpened + 1000)
    }

    @Test("N2: 64 parallel calls over kept connections, no false time-out")
    func parallel() async throws {
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        let transport = CurlTransport(.loopback)
        let url = try peer.url()
        let failures = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    var failures = 0
                    for _ in 0..<15 where (try? await transport.outcome(post(url)).get()) == nil { failures += 1 }
                    return failures
                }
            }
            var sum = 0
            for await count in group { sum += count }
            return sum
        }
        #expect(failures == 0)
        #expect(peer.requests.count == 64 * 15)
        #expect(peer.connections <= 64)
    }
}

@Suite("What a transport leaves behind, in a process of its own")
struct ProcessTests {
    @Test("N3: transports that are dropped or shut down leave neither threads nor file descriptors")
    func leaks() async {
        await #expect(processExitsWith: .success) {
            let peer = try TestPeer { connection in
                while connection.readRequest() != nil { connection.respond() }
            }
            let url = try peer.url()
            func round(_ index: Int) async throws {
                let transport = CurlTransport(.loopback)
                _ = try await transport.outcome(get(url)).get()
                if index % 2 == 0 { await transport.shutdown() }
            }
            for index in 0..<4 { try await round(index) }
            await settle()
            let before = Usage.now
            for index in 0..<60 { try await round(index) }
            await settle { Usage.now.threads <= before.threads + 2 && Usage.now.descriptors <= before.descriptors + 2 }
            let after = Usage.now
            guard after.threads <= before.threads + 2, after.descriptors <= before.descriptors + 2 else {
                print("before \(before), after \(after)")
                exit(1)
            }
        }
    }

    @Test("N1: proxies of the environment have no effect")
    func environment() async {
        await #expect(processExitsWith: .success) {
            let proxy = try TestPeer { $0.waitForClose() }
            let peer = try TestPeer { connection in
                while connection.readRequest() != nil { connection.respond() }
            }
            let secure = try TestPeer { connection in
                _ = connection.readSome()
                connection.close()
            }
            for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
                setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
            }
            let transport = CurlTransport(.loopback)
            _ = try await transport.outcome(get(try peer.url())).get()
            let error = await transport.failure(post(try secure.url(scheme: "https")))
            guard error?.kind == .tls, secure.connections == 1, proxy.connections == 0 else { exit(1) }
            // Nor does the environment's list of hosts without proxy lead round a configured one.
            setenv("no_proxy", "*", 1)
            let configured = CurlTransport(
                try TransportConfiguration(proxy: try Proxy(address: "http://127.0.0.1:\(proxy.port)")))
            _ = await configured.failure(post(try secure.url(scheme: "https")), within: .milliseconds(200))
            guard proxy.connections == 1, secure.connections == 1 else { exit(2) }
        }
    }

    @Test("The best of twenty cancellations takes a few milliseconds, and so does the best of ten deadlines")
    func promptness() async {
        await #expect(processExitsWith: .success) {
            let arrivals = Locked<[Signal]>([])
            let peer = try TestPeer { connection in
                guard connection.readRequest() != nil else { return }
                arrivals.withLock { $0.popLast() }?.fire()
                connection.waitForClose()
            }
            let url = try peer.url()
            let transport = CurlTransport(.loopback)
            var cancelling = Duration.seconds(99)
            for _ in 0..<20 {
                let arrived = Signal()
                arrivals.withLock { $0 = [arrived] }
                let call = Task { await transport.failure(post(url)) }
                await arrived.wait()
                let start = ContinuousClock.now
                call.cancel()
                guard await call.value?.reach == .sent else { exit(1) }
                cancelling = min(cancelling, start.duration(to: .now))
            }
            var lateness = Duration.seconds(99)
            for _ in 0..<10 {
                let start = ContinuousClock.now
                _ = await transport.failure(post(url), within: .milliseconds(30))
                lateness = min(lateness, start.duration(to: .now) - .milliseconds(30))
            }
            print("cancelled in \(cancelling), late by \(lateness)")
            guard cancelling < .milliseconds(25), (.zero ..< .milliseconds(25)).contains(lateness) else { exit(2) }
        }
    }

    @Test("Writing to a connection that the peer has reset does not end the process, whose SIGPIPE stays as it was")
    func pipeSignal() async {
        await #expect(processExitsWith: .success) {
            let peer = try TestPeer { connection in
                _ = connection.readSome()
                connection.reset()
            }
            let transport = CurlTransport(.loopback)
            var request = post(try peer.url())
            request.body = WireBody(
                contentType: "application/octet-stream", bytes: Sensitive([UInt8](repeating: 1, count: 8 << 20)),
                secrets: [])
            let error = await transport.failure(request)
            guard error?.kind == .connectionLost, error?.reach == .sent else { exit(1) }
            var action = sigaction()
            sigaction(SIGPIPE, nil, &action)
            guard unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0 else { exit(2) }
        }
    }
}

/// What the process holds.
struct Usage: Sendable {
    let threads: Int
    let descriptors: Int

    static var now: Usage { Usage(threads: count("/proc/self/task"), descriptors: count("/proc/self/fd")) }

    private static func count(_ path: String) -> Int {
        guard let directory = opendir(path) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}

/// Lets other threads come to rest: until `isSettled`, at most two seconds.
func settle(_ isSettled: () -> Bool = { false }) async {
    let end = ContinuousClock.now + .milliseconds(2000)
    var rounds = 0
    while ContinuousClock.now < end, !isSettled(), rounds < 200 {
        try? await Task.sleep(for: .milliseconds(10))
        rounds += 1
    }
}
