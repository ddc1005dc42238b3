import GatewayKitCore
import GatewayTransport
import Testing

@Suite("Proxies")
struct ProxyTests {
    private func transport(
        _ proxy: TestPeer, user: String? = nil, password: String? = nil, noProxy: String = "", scheme: String = "http"
    ) throws -> CurlTransport {
        CurlTransport(
            try TransportConfiguration(
                proxy: try Proxy(
                    address: "\(scheme)://127.0.0.1:\(proxy.port)", user: user.map { Sensitive($0) },
                    password: password.map { Sensitive($0) }),
                noProxy: try NoProxyList(noProxy), allowsPlainHTTPOnLoopback: true))
    }

    private func payment(_ address: String = "https://gateway.example/v1") throws -> WireRequest {
        var request = post(try WireURL(base: address))
        request.fields["authorization"] = "Basic UFJPVklERVI="
        request.fields["x-account"] = "a-1"
        return request
    }

    @Test(
        "N13: a refused tunnel is the proxy's doing, and nothing was sent",
        arguments: ["407 Proxy Authentication Required", "403 Forbidden", "502 Bad Gateway", "301 Moved"])
    func refusedTunnel(line: String) async throws {
        let proxy = try TestPeer { connection in
            while connection.readRequest() != nil {
                connection.respond(
                    line, fields: ["Proxy-Authenticate: Basic realm=\"p\"", "Location: http://elsewhere.example/"])
            }
        }
        let error = try #require(await transport(proxy).failure(payment()))
        #expect(error.kind == .proxy)
        #expect(error.reach == .notSent)
        #expect(error.partialStatus == nil)
        let detail = error.detail.description
        #expect(detail.contains("proxy http://127.0.0.1:\(proxy.port)"))
        #expect(detail.contains(line.hasPrefix("407") ? "user name and password" : String(line.prefix(3))))
        let connect = try #require(proxy.requests.first)
        #expect(connect.requestLine == "CONNECT gateway.example:443 HTTP/1.1")
        #expect(connect.values(of: "authorization").isEmpty)
        #expect(connect.values(of: "x-account").isEmpty)
        #expect(connect.values(of: "proxy-authorization").isEmpty)
        #expect(connect.body.isEmpty)
    }

    @Test("N13: user and password go to the proxy, and into no error")
    func password() async throws {
        let proxy = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond("403 Forbidden") }
        }
        let error = try #require(
            await transport(proxy, user: "till", password: "s3cret:pass%").failure(payment()))
        // "till:s3cret:pass%"
        #expect(proxy.requests.first?.values(of: "proxy-authorization") == ["Basic dGlsbDpzM2NyZXQ6cGFzcyU="])
        #expect(!error.description.contains("s3cret"))
        #expect(!error.description.contains("dGlsbDpz"))
    }

    @Test("N1: a tunnel that is granted carries TLS to the provider, whose failure is told apart from the proxy's")
    func grantedTunnel() async throws {
        let hello = Signal()
        let first = Locked([UInt8]())
        let proxy = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n")
            let bytes = connection.readSome()
            first.withLock { $0 = bytes }
            hello.fire()
        }
        let error = try #require(await transport(proxy).failure(payment()))
        await hello.wait()
        // A TLS record of the type handshake.
        #expect(first.withLock { $0.first } == 0x16)
        #expect(error.kind == .tls)
        #expect(error.reach == .notSent)
        #expect(error.detail.description.contains("provider https://gateway.example"))
        #expect(error.detail.description.contains("inspects TLS"))
    }

    @Test("A proxy that is not there, closes, resets, or talks nonsense", arguments: 0..<4)
    func brokenProxy(way: Int) async throws {
        let proxy = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            switch way {
            case 1: connection.close()
            case 2: connection.reset()
            default:
                connection.write("\u{1}\u{2}\u{3}\r\n\r\n")
                connection.close()
            }
        }
        if way == 0 { proxy.stop() }
        let error = try #require(await transport(proxy).failure(payment()))
        #expect(error.kind == .proxy, "\(error)")
        #expect(error.reach == .notSent)
        #expect(error.detail.description.contains("proxy http://127.0.0.1"))
    }

    @Test("A proxy that does not answer: ended by the deadline, not sent")
    func silentProxy() async throws {
        let proxy = try TestPeer { $0.waitForClose() }
        let error = try #require(await transport(proxy).failure(payment(), within: .milliseconds(400)))
        #expect(error.kind == .connectTimeout)
        #expect(error.reach == .notSent)
        #expect(error.detail.description.contains("proxy"))
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

    @Test("N1: hosts on the no_proxy list are called directly")
    func direct() async throws {
        let proxy = try TestPeer { $0.waitForClose() }
        let direct = try TestPeer { connection in
            _ = connection.readSome()
            connection.close()
        }
        let transport = try transport(proxy, noProxy: "127.0.0.0/8")
        let error = try #require(await transport.failure(post(try direct.url(scheme: "https"))))
        #expect(error.kind == .tls)
        #expect(proxy.connections == 0)
        #expect(direct.connections == 1)
    }

    @Test("Plain http, which stays on this machine, never goes through a proxy")
    func plain() async throws {
        let proxy = try TestPeer { $0.waitForClose() }
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        #expect(try await transport(proxy).outcome(post(try peer.url())).get().status == 200)
        #expect(proxy.connections == 0)
    }
}
