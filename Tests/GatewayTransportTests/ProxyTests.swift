import GatewayKitCore
import GatewayTransport
import GatewayTransportSuite
import Testing

@Suite("Words about proxies", .onOwnThread)
struct ProxyTests {
    private func transport(_ proxy: TestPeer, scheme: String = "http") throws -> CurlTransport {
        CurlTransport(try TransportConfiguration(proxy: try Proxy(address: "\(scheme)://127.0.0.1:\(proxy.port)")))
    }

    private func payment() throws -> WireRequest {
        post(try WireURL(base: "https://gateway.example/v1"))
    }

    @Test(
        "N13: a refused tunnel: the error names the proxy and says what it wants",
        arguments: ["407 Proxy Authentication Required", "403 Forbidden", "502 Bad Gateway", "301 Moved"])
    func refusedTunnel(line: String) async throws {
        let proxy = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.respond(
                    line, fields: ["Proxy-Authenticate: Basic realm=\"p\""])
            }
        }
        let error = try #require(await transport(proxy).failure(payment()))
        let detail = error.detail.description
        #expect(detail.contains("proxy http://127.0.0.1:\(proxy.port)"))
        #expect(detail.contains(line.hasPrefix("407") ? "user name and password" : String(line.prefix(3))))
    }

    @Test("N1: TLS that fails behind a proxy: the error names the provider, and the proxy as a possible inspector")
    func grantedTunnel() async throws {
        let proxy = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n")
            _ = connection.readSome()
        }
        let error = try #require(await transport(proxy).failure(payment()))
        #expect(error.detail.description.contains("provider https://gateway.example"))
        #expect(error.detail.description.contains("inspects TLS"))
    }

    @Test("An https proxy with a broken handshake: the proxy's doing")
    func secureProxy() async throws {
        let proxy = try TestPeer { connection in
            _ = connection.readSome()
            connection.write("nonsense nonsense nonsense")
        }
        let error = try #require(await transport(proxy, scheme: "https").failure(payment()))
        #expect(error.kind == .proxy)
        #expect(error.reach == .notSent)
        #expect(error.detail.description.contains("TLS"))
    }
}
