import GatewayKitCore
import GatewayTransport
import Glibc
import Testing

@Suite("Faults of the network and of peers")
struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: TransportError.Kind
        let reach: Reach
        let status: Int?
        /// What the peer does once the request has been read.
        let script: @Sendable (PeerConnection) -> Void

        init(
            _ description: String, _ kind: TransportError.Kind, _ reach: Reach, _ status: Int? = nil,
            _ script: @escaping @Sendable (PeerConnection) -> Void
        ) {
            testDescription = description
            self.kind = kind
            self.reach = reach
            self.status = status
            self.script = script
        }
    }

    static let faults: [Fault] = [
        Fault("closed without an answer", .connectionLost, .sent) { $0.close() },
        Fault("R11: reset without an answer", .connectionLost, .sent) { $0.reset() },
        Fault("reset inside the status line", .connectionLost, .sent) {
            $0.write("HTTP/1.")
            $0.reset()
        },
        Fault("closed inside the head", .truncated, .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Le")
            $0.close()
        },
        Fault("reset behind an interim answer", .connectionLost, .sent) {
            $0.write("HTTP/1.1 100 Continue\r\n\r\n")
            $0.reset()
        },
        Fault("reset inside the body", .connectionLost, .answered, 201) {
            $0.write("HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n12345")
            $0.reset()
        },
        Fault("shorter than its length", .truncated, .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
            $0.close()
        },
        Fault("chunked without its last chunk", .truncated, .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n")
            $0.close()
        },
        Fault("a broken chunk size", .connectionLost, .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n12345\r\n")
            $0.waitForClose()
        },
        Fault("garbage instead of HTTP", .malformedAnswer, .sent) {
            $0.write("\u{1}\u{2}\u{3} this is not the answer you are looking for\r\n\r\n")
            $0.close()
        },
        Fault("HTTP/0.9", .malformedAnswer, .sent) {
            $0.write("{\"approved\":true}")
            $0.close()
        },
        Fault("a head that is too long", .answerTooLarge, .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\n")
            for index in 0..<400 { $0.write("X-\(index): " + String(repeating: "a", count: 50) + "\r\n") }
            $0.waitForClose()
        },
        Fault("a line of the head that is too long", .answerTooLarge, .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nX-Long: " + String(repeating: "a", count: 400_000) + "\r\n\r\n")
            $0.waitForClose()
        },
        Fault("a status line that never ends", .answerTooLarge, .sent) {
            $0.write("HTTP/1.1 200 " + String(repeating: "a", count: 400_000))
            $0.waitForClose()
        },
        Fault("interim answers without end", .answerTooLarge, .sent) {
            while $0.write("HTTP/1.1 103 Early\r\nX-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n\r\n") {}
        },
        Fault("a body that is too long", .answerTooLarge, .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "a", count: 100_000))
            $0.waitForClose()
        },
        Fault("a body without length and end", .answerTooLarge, .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\n\r\n")
            while $0.write(String(repeating: "a", count: 10_000)) {}
        },
        Fault("stall before the answer", .timeout, .sent) { $0.waitForClose() },
        Fault("stall inside the head", .timeout, .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nX-A: 1\r\n")
            $0.waitForClose()
        },
        Fault("stall inside the body", .timeout, .answered, 202) {
            $0.write("HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\n\r\n12345")
            $0.waitForClose()
        },
        Fault("stall behind an interim answer", .timeout, .sent) {
            $0.write("HTTP/1.1 103 Early\r\n\r\n")
            $0.waitForClose()
        },
        Fault("drip against the total deadline", .timeout, .answered, 200) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while $0.write("a") { usleep(5_000) }
        },
    ]

    @Test("Kind, reach and status are told truthfully, and the request is sent once", arguments: faults)
    func fault(_ fault: Fault) async throws {
        let peer = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            fault.script(connection)
        }
        let transport = CurlTransport(
            try TransportConfiguration(maxBodyBytes: 50_000, maxHeadBytes: 10_000, allowsPlainHTTPOnLoopback: true))
        // A crowded machine may not even begin within a short deadline: then a longer one shows the same.
        let limits: [Duration] =
            fault.kind == .timeout ? [.milliseconds(200), .seconds(1), .seconds(5)] : [.seconds(20)]
        var last: TransportError?
        for limit in limits {
            last = await transport.failure(post(try peer.url()), within: limit)
            if last?.reach == fault.reach { break }
        }
        let error = try #require(last)
        #expect(error.kind == fault.kind, "\(error)")
        #expect(error.reach == fault.reach, "\(error)")
        #expect(error.partialStatus == fault.status, "\(error)")
        let consequence = fault.reach == .sent ? "the request may have arrived" : "had begun to answer"
        #expect(error.detail.description.contains(consequence))
        #expect(peer.requests.count <= transport.statistics.calls)
        #expect(transport.statistics.inFlight == 0)
    }

    @Test("A refused connection: not sent")
    func refused() async throws {
        let peer = try TestPeer { _ in }
        peer.stop()
        let url = try peer.url()
        let error = try #require(await CurlTransport(.loopback).failure(post(url)))
        #expect(error.kind == .connect)
        #expect(error.reach == .notSent)
        #expect(error.detail.description.contains("provider http://127.0.0.1:"))
        #expect(error.detail.description.contains("nothing was sent"))
    }

    @Test("A name that cannot be resolved: not sent")
    func unknownName() async throws {
        let transport = CurlTransport(.standard)
        let error = try #require(
            await transport.failure(post(try WireURL(base: "https://gateway.invalid")), within: .seconds(8)))
        // Without any network the look-up may also end by its time limit.
        #expect(error.kind == .nameLookup || error.kind == .connectTimeout)
        #expect(error.reach == .notSent)
    }

    @Test("A peer that does not take the connection: ended by the connect limit, not sent")
    func connectLimit() async throws {
        // The queue of a listener that accepts nothing fills up; then connecting stalls.
        let gate = try FullBacklog()
        let transport = CurlTransport(
            try TransportConfiguration(connectTimeout: .milliseconds(120), allowsPlainHTTPOnLoopback: true))
        let url = try WireURL(base: "http://127.0.0.1:\(gate.port)")
        let (found, duration) = await OwnThread.run {
            let start = ContinuousClock.now
            return (await transport.failure(post(url), within: .seconds(20)), start.duration(to: .now))
        }
        let error = try #require(found)
        #expect(error.kind == .connectTimeout, "\(error)")
        #expect(error.reach == .notSent)
        #expect(duration < .seconds(5))
        let patient = CurlTransport(.loopback)
        let second = try #require(await patient.failure(post(url), within: .milliseconds(400)))
        #expect(second.kind == .connectTimeout, "\(second)")
        #expect(second.reach == .notSent)
    }
}

/// A listening port whose queue is full.
final class FullBacklog: Sendable {
    let port: Int
    private let sockets: [Int32]

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = TestPeer.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = listen(listener, 0)
                _ = getsockname(listener, $0, &length)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        var sockets = [listener]
        for _ in 0..<4 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
            }
            sockets.append(client)
        }
        self.sockets = sockets
    }

    deinit { for socket in sockets { close(socket) } }
}
