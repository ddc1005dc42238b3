import GatewayKitCore
import GatewayTransport
import GatewayTransportSuite
import Testing

/// A transport may tell the loss instead, so the fault suite leaves this open.
@Suite("A kept connection that dies", .onOwnThread)
struct ReuseTests {
    /// Answers the first request on each connection; what happens to the second is the case.
    private func peer(_ second: @escaping @Sendable (PeerConnection) -> Void) throws -> TestPeer {
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
}
