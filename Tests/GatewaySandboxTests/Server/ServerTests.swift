import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Server")
struct ServerTests {
    private static let health = "GET /_sandbox/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"

    @Test("answers many requests on one connection, also when they come at once")
    func keepAlive() async throws {
        let statuses = try await withSandbox { sandbox in
            let client = RawClient(port: sandbox.port)
            var statuses: [Int?] = []
            for _ in 0..<20 {
                client.send(Self.health)
                statuses.append(client.answer()?.status)
            }
            client.send(String(repeating: Self.health, count: 20))
            for _ in 0..<20 { statuses.append(client.answer()?.status) }
            return statuses
        }
        #expect(statuses == Array(repeating: 200, count: 40))
    }

    @Test("closes when asked to, after the answer")
    func close() async throws {
        let (answer, ending) = try await withSandbox { sandbox in
            let client = RawClient(port: sandbox.port)
            client.send("GET /_sandbox/health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
            let answer = client.answer()
            return (answer, client.readToEnd())
        }
        #expect(answer?.value("connection") == "close")
        #expect(ending == .closed)
    }

    @Test("serves 64 connections side by side")
    func parallel() async throws {
        let statuses = try await withSandbox { sandbox in
            let clients = (0..<64).map { _ in RawClient(port: sandbox.port) }
            var statuses: [Int?] = []
            for _ in 0..<3 {
                for client in clients { client.send(SpreedlyCall.tokenize(sandbox)) }
                statuses += clients.map { $0.answer()?.status }
            }
            return (statuses, sandbox.ledger.count, Set(sandbox.ledger.entries.compactMap(\.token)).count)
        }
        #expect(statuses.0 == Array(repeating: 201, count: 192))
        #expect(statuses.1 == 192)
        #expect(statuses.2 == 192)
    }

    @Test("refuses what is not HTTP/1.1 with a reason that repeats nothing")
    func refusals() async throws {
        let answers = try await withSandbox { sandbox in
            [
                "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.0\r\nhost: a\r\n\r\n",
                "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9999999\r\n\r\nsesame",
                "sesame open now\r\n\r\n",
            ].map { text -> (RawAnswer?, RawClient.Ending?) in
                let client = RawClient(port: sandbox.port)
                client.send(text)
                let answer = client.answer()
                return (answer, client.readToEnd())
            }
        }
        #expect(answers.map(\.0?.status) == [400, 505, 413, 400])
        #expect(answers.allSatisfy { $0.1 == .closed && $0.0?.text.contains("sesame") == false })
    }

    @Test("takes chunked bodies and says 100 Continue to those who wait")
    func bodies() async throws {
        let (chunked, interim, final) = try await withSandbox { sandbox in
            let body = SpreedlyCall.card()
            let head =
                "POST /spreedly/v1/payment_methods.json HTTP/1.1\r\nhost: a\r\n\(SpreedlyCall.basic(sandbox))"
                + "content-type: application/json\r\n"
            let cut = body.index(body.startIndex, offsetBy: 50)
            let pieces = [body[..<cut], body[cut...]].map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }
            let chunked = sandbox.exchange(head + "transfer-encoding: chunked\r\n\r\n" + pieces.joined() + "0\r\n\r\n")
            let client = RawClient(port: sandbox.port)
            client.send(head + "expect: 100-continue\r\ncontent-length: \(body.utf8.count)\r\n\r\n")
            let interim = client.answer()
            client.send(body)
            return (chunked, interim, client.answer())
        }
        #expect(chunked?.status == 201)
        #expect(interim?.status == 100)
        #expect(final?.status == 201)
    }

    @Test("stop ends what stalls, is held, drips, is half sent or idle, and leaves no connection")
    func stopWhileBusy() async throws {
        let sandbox = Sandbox()
        try sandbox.start()
        for kind in [FaultKind.stall, .stallInsideBody, .hold, .slow(milliseconds: 3_000_000)] {
            sandbox.faults.add(kind)
        }
        sandbox.faults.add(.drip(bytes: 1, milliseconds: 3_000_000))
        let result = await onThread {
            let clients = (0..<5).map { _ in
                let client = RawClient(port: sandbox.port)
                client.send(SpreedlyCall.tokenize(sandbox))
                return client
            }
            let half = RawClient(port: sandbox.port)
            half.send("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nab")
            let idle = RawClient(port: sandbox.port)
            let isBusy = eventually { sandbox.ledger.count == 5 && sandbox.connectionCount == 7 }
            sandbox.stop()
            let endings = (clients + [half, idle]).map { $0.readToEnd() }
            return (isBusy, endings, sandbox.connectionCount, sandbox.port)
        }
        #expect(result?.0 == true)
        #expect(result?.1.allSatisfy { $0 == .closed || $0 == .reset } == true)
        #expect(result?.2 == 0)
        #expect(result?.3 == nil)
    }

    @Test("can be started again with its state, and refuses to start twice")
    func restart() async throws {
        let sandbox = Sandbox()
        try sandbox.start()
        #expect(throws: SandboxError.alreadyRunning) { try sandbox.start() }
        let first = await onThread { sandbox.exchange(SpreedlyCall.tokenize(sandbox))?.status }
        sandbox.stop()
        sandbox.stop()
        #expect(sandbox.baseURL(for: "spreedly") == nil)
        try sandbox.start()
        let second = await onThread { sandbox.exchange(SpreedlyCall.tokenize(sandbox))?.status }
        #expect(first == 201)
        #expect(second == 201)
        #expect(sandbox.ledger.count == 2)
        sandbox.stop()
    }

    @Test("a port in use is told")
    func portInUse() async throws {
        try await withSandbox { sandbox in
            var configuration = SandboxConfiguration()
            configuration.port = sandbox.port ?? 0
            let other = Sandbox(configuration)
            #expect(throws: SandboxError.portUnavailable(configuration.port)) { try other.start() }
        }
    }

    @Test("really refuses connections while it does not listen, and keeps its port")
    func notListening() async throws {
        let seen = try await withSandbox { sandbox in
            let port = sandbox.port
            let early = RawClient(port: port)
            early.send(Self.health)
            let before = early.answer()?.status
            sandbox.stopListening()
            let refused = RawClient(port: port).ending
            early.send(Self.health)
            let meanwhile = early.answer()?.status
            try sandbox.resumeListening()
            return (before, refused, meanwhile, sandbox.get("/_sandbox/health")?.status, sandbox.port == port)
        }
        #expect(seen.0 == 200)
        #expect(seen.1 == .refused)
        #expect(seen.2 == 200)
        #expect(seen.3 == 200)
        #expect(seen.4)
    }

    @Test("closes connections above its limit at once")
    func connectionLimit() async throws {
        var configuration = SandboxConfiguration()
        configuration.maximumConnections = 2
        let (ending, status) = try await withSandbox(configuration) { sandbox in
            let clients = [RawClient(port: sandbox.port), RawClient(port: sandbox.port)]
            _ = eventually { sandbox.connectionCount == 2 }
            let ending = RawClient(port: sandbox.port).readToEnd()
            clients[0].hangUp()
            _ = eventually { sandbox.connectionCount == 1 }
            return (ending, sandbox.get("/_sandbox/health")?.status)
        }
        #expect(ending == .closed)
        #expect(status == 200)
    }

    @Test("gives up on a silent client: quietly when idle, with 408 inside a request")
    func idle() async throws {
        var configuration = SandboxConfiguration()
        configuration.idleTimeout = .milliseconds(20)
        let (idle, late, ending) = try await withSandbox(configuration) { sandbox in
            let idle = RawClient(port: sandbox.port)
            let idleEnding = idle.readToEnd()
            let late = RawClient(port: sandbox.port)
            late.send("GET / HTTP/1.1\r\n")
            let answer = late.answer()
            return (idleEnding, answer?.status, late.readToEnd())
        }
        #expect(idle == .closed)
        #expect(late == 408)
        #expect(ending == .closed)
    }

    @Test("a client that goes away frees its stalled connection")
    func goneClient() async throws {
        let isFree = try await withSandbox { sandbox in
            sandbox.faults.add(.stall)
            let client = RawClient(port: sandbox.port)
            client.send(SpreedlyCall.tokenize(sandbox))
            guard eventually({ sandbox.ledger.count == 1 }) else { return false }
            client.hangUp()
            return eventually { sandbox.connectionCount == 0 }
        }
        #expect(isFree)
    }

    @Test("held answers go when they are released, by call or by HTTP")
    func hold() async throws {
        let statuses = try await withSandbox { sandbox in
            (0..<2).map { round -> Int? in
                sandbox.faults.add(.hold)
                let client = RawClient(port: sandbox.port)
                client.send(SpreedlyCall.tokenize(sandbox))
                // The entry is there before the answer waits, so the first release may come too early.
                while client.ending == nil, client.received.isEmpty {
                    if round == 0 {
                        sandbox.releaseHeldAnswers()
                    } else {
                        _ = sandbox.get("/_sandbox/release", method: "POST")
                    }
                    client.setTimeout(milliseconds: 20)
                    if client.receiveMore() { break }
                    guard client.ending == .timedOut else { return nil }
                    client.forgetTimeout()
                }
                client.setTimeout(milliseconds: 10_000)
                return client.answer()?.status
            }
        }
        #expect(statuses == [201, 201])
    }

    @Test(
        "HTTP dates",
        arguments: [
            (Int64(0), "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ])
    func dates(seconds: Int64, text: String) {
        #expect(HTTPDate.text(WallTime(secondsSince1970: seconds)) == text)
    }
}
