import GatewayKitCore
import GatewaySandbox
import GatewayTransport
import GatewayTransportSuite
import Glibc
import Testing

/// What was delivered and how far the request got is the fault suite's; these are the words.
@Suite("Errors say what happened, where, and how far the request got", .onOwnThread)
struct FaultTests {
    @Test("A refused connection names the provider and says that nothing was sent")
    func refused() async throws {
        let peer = try TestPeer { _ in }
        peer.stop()
        let error = try #require(await CurlTransport(.loopback).failure(post(peer.url())))
        #expect(error.detail.description.contains("provider http://127.0.0.1:\(peer.port)"))
        #expect(error.detail.description.contains("nothing was sent"))
    }

    @Test(
        "R11: once the request is out, the error says that it may have arrived; once an answer began, its status",
        arguments: [
            ("", "the request may have arrived"), ("HTTP/1.1 200 OK\r\n", "had begun to answer with status 200"),
        ])
    func sent(answer: String, words: String) async throws {
        let peer = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(answer)
        }
        let transport = CurlTransport(.loopback)
        let error = try #require(await transport.failure(post(peer.url())))
        #expect(error.detail.description.contains(words))
        #expect(transport.statistics.inFlight == 0)
    }
}

@Suite("Words about TLS", .onOwnThread)
struct TLSWordsTests {
    @Test(
        "N11, N12: what cannot be trusted is called so, and the provider is named",
        arguments: [
            (SandboxTLS.generated, false, "certificate"), (.otherHost, true, "certificate"),
            (.expired, true, "expired"), (.oldProtocol, true, "TLS 1.2 is the least"),
        ])
    func untrusted(tls: SandboxTLS, isTrusted: Bool, words: String) async throws {
        var configuration = SandboxConfiguration()
        configuration.tls = tls
        let sandbox = Sandbox(configuration)
        try sandbox.start()
        defer { sandbox.stop() }
        let file = try sandbox.writeCertificateAuthority()
        defer { unlink(file) }
        let transport = CurlTransport(try TransportConfiguration(extraCAFile: isTrusted ? file : nil))
        let address = "https://127.0.0.1:\(sandbox.port ?? 0)"
        let error = try #require(await transport.failure(post(WireURL(base: address))))
        #expect(error.detail.description.contains(words), "\(error)")
        #expect(error.detail.description.contains("provider \(address)"))
    }

    @Test("A file of authorities that is not there: said as such, not sent")
    func missingFile() async throws {
        let peer = try TestPeer { $0.waitForClose() }
        let transport = CurlTransport(try TransportConfiguration(extraCAFile: "/proc/nonexistent/authority.pem"))
        let error = try #require(await transport.failure(post(peer.url(scheme: "https"))))
        #expect(error.kind == .tls)
        #expect(error.reach == .notSent)
        #expect(error.detail.description.contains("certificate authorities cannot be read"))
    }
}
