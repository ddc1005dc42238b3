import GatewayKitCore
import GatewayTransport
import GatewayTransportSuite
import Glibc
import Testing

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

    @Test(
        "The best of twenty cancellations is not a matter of a poll's length, and neither is the best of ten deadlines")
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
                let call = Task {
                    let error = await transport.failure(post(url))
                    arrived.fire()
                    return error
                }
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
            guard cancelling < .milliseconds(200), (.zero ..< .milliseconds(200)).contains(lateness) else { exit(2) }
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
