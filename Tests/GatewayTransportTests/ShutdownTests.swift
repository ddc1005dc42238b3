import GatewayKitCore
import GatewayTransport
import GatewayTransportSuite
import Testing

@Suite("Shutting down", .onOwnThread)
struct ShutdownTests {
    @Test("Shutting down ends calls with their true reach, and later ones before they begin")
    func shutdown() async throws {
        let arrived = Signal()
        let peer = try TestPeer.stalling(arrived)
        let transport = CurlTransport(.loopback)
        let url = try peer.url()
        let call = Task {
            let error = await transport.failure(post(url))
            arrived.fire()
            return error
        }
        await arrived.wait()
        await transport.shutdown()
        let error = try #require(await call.value)
        #expect(error.kind == .closed)
        #expect(error.reach == .sent)
        let later = try #require(await transport.failure(post(url)))
        #expect(later.kind == .closed)
        #expect(later.reach == .notSent)
        await transport.shutdown()
        let unused = CurlTransport(.loopback)
        await unused.shutdown()
        #expect(await unused.failure(post(url))?.kind == .closed)
        #expect(transport.statistics.inFlight == 0)
        #expect(peer.requests.count == 1)
    }
}
