import GatewayKitCore
import GatewayTransport
import Testing

@Suite("A kept connection that dies")
struct ReuseTests {
    /// Answers the first request on each connection; what happens to the second is the case.
    private func peer(
        answering: Int = 1, _ second: @escaping @Sendable (PeerConnection) -> Void
    ) throws -> TestPeer {
        try TestPeer { connection in
            guard connection.number == 1 else {
                while connection.readRequest() != nil { connection.respond("201 Created") }
                return
            }
            guard connection.readRequest() != nil else { return }
            connection.respond()
            second(connection)
        }
    }

    @Test(
        "R11: it dies once the request was read: a request that is not repeatable is seen once, the outcome is unknown",
        arguments: [true, false])
    func onceAfterReading(byReset: Bool) async throws {
        let peer = try peer { connection in
            guard connection.readRequest() != nil else { return }
            if byReset { connection.reset() }
        }
        let transport = CurlTransport(.loopback)
        _ = try await transport.outcome(get(try peer.url("/warm"))).get()
        let error = try #require(await transport.failure(post(try peer.url("/pay"))))
        #expect(error.kind == .connectionLost)
        #expect(error.reach == .sent)
        #expect(peer.requests.filter { $0.requestLine.contains("/pay") }.count == 1)
    }

    @Test("It dies with the request unread: still not sent a second time, and never called 'not sent'")
    func onceBeforeReading() async throws {
        let peer = try peer { connection in
            connection.waitForBytes()
            connection.reset()
        }
        let transport = CurlTransport(.loopback)
        _ = try await transport.outcome(get(try peer.url("/warm"))).get()
        let error = try #require(await transport.failure(post(try peer.url("/pay"))))
        #expect(error.kind == .connectionLost)
        #expect(error.reach == .sent)
        #expect(peer.requests.count == 1)
        #expect(peer.connections <= 2)
    }

    @Test(
        "A read, or a request with a key, is sent again on a new connection",
        arguments: [WireRequest.Repeatability.read, .keyed])
    func repeatable(repeatability: WireRequest.Repeatability) async throws {
        let peer = try peer { connection in _ = connection.readRequest() }
        let transport = CurlTransport(.loopback)
        _ = try await transport.outcome(get(try peer.url("/warm"))).get()
        let answer = try await transport.outcome(post(try peer.url("/pay"), repeatability: repeatability)).get()
        #expect(answer.status == 201)
        #expect(peer.requests.filter { $0.requestLine.contains("/pay") }.count == 2)
        #expect(peer.requests.last?.body == Array("{\"a\":1}".utf8))
    }

    @Test("It was closed while idle: a new connection is made, and the request is seen once")
    func closedWhileIdle() async throws {
        let closed = Signal()
        let peer = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond()
            connection.close()
            closed.fire()
        }
        let transport = CurlTransport(.loopback)
        _ = try await transport.outcome(get(try peer.url("/warm"))).get()
        await closed.wait()
        #expect(try await transport.outcome(post(try peer.url("/pay"))).get().status == 200)
        #expect(peer.requests.count == 2)
        #expect(peer.connections == 2)
    }
}
