import Dispatch
import GatewayKitCore
import GatewayTransport
import Glibc
import Testing

@Suite("TLS", .enabled(if: Authority.isAvailable), .serialized)
struct TLSTests {
    private func transport(_ file: String?, proxy: Proxy? = nil, http2: Bool = false) throws -> CurlTransport {
        CurlTransport(try TransportConfiguration(proxy: proxy, extraCAFile: file, http2: http2))
    }

    private func url(_ server: Authority.Running) throws -> WireURL {
        try WireURL(base: "https://127.0.0.1:\(server.port)/")
    }

    @Test(
        "N11: a private authority is trusted when its file is given, HTTP/2 offered or not", arguments: [true, false])
    func privateAuthority(http2: Bool) async throws {
        let authority = try Authority()
        let server = try authority.run(Authority.Server())
        let answer = try await transport(authority.file, http2: http2).outcome(get(url(server))).get()
        #expect(answer.status == 200)
        #expect(answer.exchange.connect > .zero)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let server: Authority.Server
        var isTrusted = true
        let words: String
    }

    @Test(
        "N11, N12: what cannot be trusted is refused, not sent, and the error names TLS and the provider",
        arguments: [
            Case(testDescription: "unknown authority", server: .init(), isTrusted: false, words: "certificate"),
            Case(testDescription: "another host", server: .init(hosts: "DNS:gateway.example"), words: "certificate"),
            Case(testDescription: "expired", server: .init(isExpired: true), words: "expired"),
            Case(
                testDescription: "TLS 1.1", server: .init(options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]),
                words: "TLS 1.2 is the least"),
        ])
    func refused(_ test: Case) async throws {
        let authority = try Authority()
        let server = try authority.run(test.server)
        let error = try #require(
            await transport(test.isTrusted ? authority.file : nil).failure(post(url(server))))
        #expect(error.kind == .tls, "\(error)")
        #expect(error.reach == .notSent)
        #expect(error.detail.description.contains(test.words), "\(error)")
        #expect(error.detail.description.contains("provider https://127.0.0.1:\(server.port)"))
    }

    @Test("A file of authorities that is not there: said as such, not sent")
    func missingFile() async throws {
        let peer = try TestPeer { $0.waitForClose() }
        let error = try #require(
            await transport("/nonexistent/authority.pem").failure(post(peer.url(scheme: "https"))))
        #expect(error.kind == .tls)
        #expect(error.reach == .notSent)
        #expect(error.detail.description.contains("certificate authorities cannot be read"))
    }

    @Test("N1, N13: a proxy with a password carries the call, and TLS reaches through it to the provider")
    func throughProxy() async throws {
        let authority = try Authority()
        let server = try authority.run(Authority.Server())
        let target = server.port
        let peer = try TestPeer { connection in
            guard let request = connection.readRequest() else { return }
            guard request.values(of: "proxy-authorization") == ["Basic dGlsbDpzZXNhbWU="] else {
                connection.respond("407 Proxy Authentication Required")
                return
            }
            connection.relay(toPort: target)
        }
        let address = "http://127.0.0.1:\(peer.port)"
        let right = try Proxy(address: address, user: Sensitive("till"), password: Sensitive("sesame"))
        let answer = try await transport(authority.file, proxy: right).outcome(get(url(server))).get()
        #expect(answer.status == 200)
        #expect(answer.fields["proxy-agent"] == nil)
        let wrong = try Proxy(address: address, user: Sensitive("till"), password: Sensitive("simsim"))
        let error = try #require(await transport(authority.file, proxy: wrong).failure(post(url(server))))
        #expect(error.kind == .proxy)
        #expect(error.reach == .notSent)
    }
}

extension PeerConnection {
    /// Grants a tunnel and carries bytes both ways until one side closes.
    fileprivate func relay(toPort port: Int) {
        write("HTTP/1.1 200 OK\r\nProxy-Agent: test\r\n\r\n")
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = TestPeer.loopback(port: port)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return }
        let isDone = DispatchSemaphore(value: 0)
        startThread { [self] in
            var room = [UInt8](repeating: 0, count: 16 << 10)
            while true {
                let count = recv(far, &room, room.count, 0)
                guard count > 0, write(Array(room[..<count])) else { break }
            }
            endBothWays()
            isDone.signal()
        }
        while true {
            let bytes = readSome()
            guard !bytes.isEmpty else { break }
            guard bytes.withUnsafeBytes({ send(far, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 else { break }
        }
        shutdown(far, Int32(SHUT_RDWR))
        isDone.wait()
        Glibc.close(far)
    }
}
