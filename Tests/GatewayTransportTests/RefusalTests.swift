import GatewayKitCore
import GatewayTransport
import GatewayTransportSuite
import Testing

@Suite("Refused before anything is sent", .onOwnThread)
struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let value: WireText
        let named: String
    }

    static let cases = [
        Case(testDescription: "CR LF in a value", name: "x-a", value: "SECRET\r\nX-Injected: 1", named: "x-a"),
        Case(
            testDescription: "LF in a secret", name: "authorization", value: .sensitive(Sensitive("SECRET\n1")),
            named: "authorization"),
        Case(testDescription: "CR in a value", name: "x-a", value: "SECRET\r", named: "x-a"),
        Case(testDescription: "NUL in a value", name: "x-a", value: "SECRET\u{0}more", named: "x-a"),
        Case(testDescription: "escape character in a value", name: "x-a", value: "SECRET\u{1B}[0m", named: "x-a"),
        Case(testDescription: "space in a name", name: "x a", value: "SECRET", named: "x?a"),
        Case(testDescription: "colon in a name", name: "x:a", value: "SECRET", named: "x:a"),
        Case(testDescription: "line break in a name", name: "x\r\na", value: "SECRET", named: "x??a"),
        Case(testDescription: "no name", name: "", value: "SECRET", named: "\"\""),
        Case(testDescription: "letters beyond ASCII in a name", name: "x-ü", value: "SECRET", named: "x-?"),
        Case(testDescription: "a second length", name: "Content-Length", value: "SECRET", named: "content-length"),
        Case(
            testDescription: "another framing", name: "transfer-encoding", value: "SECRET", named: "transfer-encoding"),
        Case(testDescription: "another host", name: "Host", value: "SECRET", named: "host"),
    ]

    @Test("N14: a field that cannot be sent is named, its value is not", arguments: cases)
    func field(_ test: Case) async throws {
        let peer = try TestPeer { $0.waitForClose() }
        let transport = CurlTransport(.loopback)
        var request = post(try peer.url())
        request.fields.append(HTTPFieldName(test.name), test.value)
        let error = try #require(await transport.failure(request))
        #expect(error.kind == .invalidRequest)
        #expect(error.reach == .notSent)
        #expect(error.detail.description.contains(test.named), "\(error)")
        #expect(!error.description.contains("SECRET"))
        #expect(transport.statistics.calls == 0)
        #expect(peer.connections == 0)
    }

    @Test("A line break in the media type of the body")
    func contentType() async throws {
        let peer = try TestPeer { $0.waitForClose() }
        var request = post(try peer.url())
        request.body = WireBody(contentType: "a/b\r\nX-Injected: 1", bytes: Sensitive([]), secrets: [])
        #expect(await CurlTransport(.loopback).failure(request)?.kind == .invalidRequest)
        #expect(peer.connections == 0)
    }

    @Test(
        "Plain http to other machines, and to this one if the configuration does not allow it",
        arguments: [
            ("http://gateway.example", TransportConfiguration.loopback),
            ("http://192.0.2.1:8080", .loopback),
            ("http://127.0.0.1.gateway.example", .loopback),
            ("http://localhost.gateway.example", .loopback),
            ("http://127.0.0.1:1", .standard),
            ("http://localhost:1", .standard),
        ])
    func plainHTTP(address: String, configuration: TransportConfiguration) async throws {
        let transport = CurlTransport(configuration)
        let error = try #require(await transport.failure(post(try WireURL(base: address))))
        #expect(error.kind == .refusedHost)
        #expect(error.reach == .notSent)
        #expect(transport.statistics.calls == 0)
    }
}
