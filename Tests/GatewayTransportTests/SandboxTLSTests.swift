import GatewayKitCore
import GatewaySandbox
import GatewayTransport
import GatewayTransportSuite
import Glibc
import Testing

@Suite("The sandbox under TLS", .onOwnThread)
struct SandboxTLSTests {
    /// What a client learns: an answer's status and size, or an error's kind, reach and status.
    private func ending(_ kind: FaultKind, _ tls: SandboxTLS) async throws -> String {
        var configuration = SandboxConfiguration()
        configuration.tls = tls
        configuration.pause = { _ in }
        configuration.faults = [FaultRule(kind)]
        let sandbox = Sandbox(configuration)
        try sandbox.start()
        defer { sandbox.stop() }
        let file = tls == .off ? nil : try sandbox.writeCertificateAuthority()
        defer { if let file { unlink(file) } }
        let transport = CurlTransport(try TransportConfiguration(extraCAFile: file, allowsPlainHTTPOnLoopback: true))
        let url = try WireURL(base: sandbox.baseURL(for: "spreedly") ?? "").appending("payment_methods.json")
        let waits = [FaultKind.stall, .stallInsideBody, .hold].contains(kind)
        switch await transport.outcome(post(url), within: waits ? .seconds(2) : .seconds(60)) {
        case .success(let answer): return "\(answer.status), \(answer.body.count) bytes"
        case .failure(let error):
            return "\(error.kind), \(error.reach), \(error.partialStatus.map { "\($0)" } ?? "no status")"
        }
    }

    /// What happens before there is a request happens inside the handshake.
    static let faults = FaultKind.examples.filter { $0 != .refuse }

    @Test("Each fault does to a call over TLS what it does to one without", arguments: faults)
    func alike(kind: FaultKind) async throws {
        #expect(try await ending(kind, .generated) == ending(kind, .off))
    }

    @Test("A connection that is refused under TLS: nothing was sent")
    func refused() async throws {
        let ending = try await ending(.refuse, .generated)
        #expect(ending.hasSuffix("notSent, no status"), "\(ending)")
    }

    @Test("Each sandbox has an authority of its own; one that is started again keeps its own")
    func authorities() throws {
        var configuration = SandboxConfiguration()
        configuration.tls = .generated
        let first = Sandbox(configuration)
        let second = Sandbox(configuration)
        #expect(first.certificateAuthorityPEM == nil)
        for sandbox in [first, second] { try sandbox.start() }
        defer { for sandbox in [first, second] { sandbox.stop() } }
        let pem = try #require(first.certificateAuthorityPEM)
        #expect(pem.hasPrefix("-----BEGIN CERTIFICATE-----\n") && pem.hasSuffix("-----END CERTIFICATE-----\n"))
        #expect(second.certificateAuthorityPEM != pem)
        first.stop()
        try first.start()
        #expect(first.certificateAuthorityPEM == pem)
        #expect(first.baseURL(for: "spreedly")?.hasPrefix("https://127.0.0.1:") == true)
    }

    @Test("A file that cannot be written, or an authority that is not there, is said to be so")
    func files() throws {
        var configuration = SandboxConfiguration()
        let plain = Sandbox(configuration)
        try plain.start()
        defer { plain.stop() }
        #expect(throws: SandboxError.self) { try plain.writeCertificateAuthority() }
        configuration.tls = .generated
        let secure = Sandbox(configuration)
        try secure.start()
        defer { secure.stop() }
        #expect(throws: SandboxError.file(path: "/proc/nonexistent/ca.pem", errno: ENOENT)) {
            try secure.writeCertificateAuthority(toFile: "/proc/nonexistent/ca.pem")
        }
    }

    @Test("Bytes that are no handshake, and a client that goes in the middle of one, end only their own connection")
    func nonsense() async throws {
        var configuration = SandboxConfiguration()
        configuration.tls = .generated
        let sandbox = Sandbox(configuration)
        try sandbox.start()
        defer { sandbox.stop() }
        let port = Int(sandbox.port ?? 0)
        let plain = try WireURL(base: "http://127.0.0.1:\(port)/_sandbox/health")
        let error = await CurlTransport(.loopback).failure(get(plain))
        #expect(error?.reach == .sent)
        let file = try sandbox.writeCertificateAuthority()
        defer { unlink(file) }
        let transport = CurlTransport(try TransportConfiguration(extraCAFile: file))
        let url = try WireURL(base: "https://127.0.0.1:\(port)/_sandbox/health")
        #expect(try await transport.outcome(get(url)).get().status == 200)
    }
}
