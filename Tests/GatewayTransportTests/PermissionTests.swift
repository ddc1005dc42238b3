import GatewayKitCore
import Testing

@testable import GatewayTransport

@Suite("Permission to send, asked with the connection ready", .onOwnThread)
struct PermissionTests {
    @Test(
        "plain HTTP stays on this machine; a connection that is gone already is told as such",
        arguments: [
            ("127.0.0.1", nil), ("127.9.9.9", nil), ("::1", nil), ("::ffff:127.0.0.1", nil),
            ("192.0.2.1", .notLoopback), ("::ffff:192.0.2.1", .notLoopback), ("2001:db8::1", .notLoopback),
            ("", .peerGone),
        ] as [(String, Transfer.Stop?)])
    func plain(address: String, stop: Transfer.Stop?) throws {
        let url = try WireURL(base: "http://localhost:8080/v1")
        let request = WireRequest("test.call", .post, url, repeatability: .once)
        let transfer = Transfer(
            request, memory: try RequestMemory.make(request), deadline: .now + .seconds(60), configuration: .loopback)
        #expect(transfer.permitsSending(toAddress: address) == (stop == nil))
        #expect(transfer.stop == stop)
        #expect(transfer.mayHaveBeenSent == (stop == nil))
    }
}
