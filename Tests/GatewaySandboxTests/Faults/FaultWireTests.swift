import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// What each fault looks like to somebody who has only the socket.
@Suite("Faults on the wire (X1)")
struct FaultWireTests {
    private struct Observation: Sendable {
        var answer: RawAnswer?
        var ending: RawClient.Ending?
        var bytes: [UInt8]
        var entries: [LedgerEntry]
    }

    /// One tokenization under the fault, read to the end of the connection.
    private func observe(_ kind: FaultKind) async throws -> Observation {
        var configuration = SandboxConfiguration()
        configuration.faults = [FaultRule(kind, provider: "spreedly", operation: "tokenize")]
        configuration.now = { WallTime(secondsSince1970: 1_785_000_000) }
        configuration.pause = { _ in }
        return try await withSandbox(configuration) { sandbox in
            let client = RawClient(port: sandbox.port)
            client.send(SpreedlyCall.tokenize(sandbox, header: "connection: close\r\n"))
            if kind == .stall || kind == .stallInsideBody || kind == .hold {
                _ = eventually { sandbox.ledger.count == 1 }
                if kind == .stallInsideBody { client.receiveMore() }
                client.setTimeout(milliseconds: 50)
            }
            let ending = client.readToEnd()
            let bytes = client.received
            return Observation(
                answer: RawAnswer.parse(bytes)?.0, ending: ending, bytes: bytes, entries: sandbox.ledger.entries)
        }
    }

    /// An answer as it should be; its length is the same in every sandbox of the same clock.
    private func undisturbed() async throws -> Observation {
        try await observe(.slow(milliseconds: 0))
    }

    @Test("the work is done or not, as each kind says", arguments: FaultKind.examples)
    func processing(_ kind: FaultKind) async throws {
        let seen = try await observe(kind)
        let expected = kind == .duplicateDelivery ? 2 : kind.processesRequest ? 1 : 0
        #expect(seen.entries.count == expected)
        #expect(seen.entries.allSatisfy { $0.outcome == .created && $0.fault == kind.description })
    }

    @Test("every kind shows itself", arguments: FaultKind.examples)
    func shape(_ kind: FaultKind) async throws {
        let seen = try await observe(kind)
        let good = try await undisturbed()
        let body = try #require(good.answer?.body)
        let delivery = seen.entries.last?.delivery
        switch kind {
        case .refuse, .resetBeforeAnswer, .answerLost:
            #expect(seen.ending == .reset)
            #expect(seen.bytes.isEmpty)
            #expect(delivery == (kind == .answerLost ? .lost : nil))
        case .closeWithoutAnswer:
            #expect(seen.ending == .closed)
            #expect(seen.bytes.isEmpty)
        case .resetInsideAnswer:
            #expect(seen.ending == .reset)
            #expect(seen.answer == nil)
            #expect(seen.bytes.count > 200 && delivery == .lost)
        case .closeAfterAnswer, .resetAfterAnswer:
            #expect(seen.answer?.status == 201)
            #expect(seen.answer?.value("connection") == nil)
            #expect(seen.ending == (kind == .closeAfterAnswer ? .closed : .reset))
        case .stall, .hold:
            #expect(seen.ending == .timedOut)
            #expect(seen.bytes.isEmpty)
        case .stallInsideBody:
            #expect(seen.ending == .timedOut)
            #expect(seen.bytes.count > 200 && seen.answer == nil && delivery == .lost)
        case .slow, .drip, .chunked, .informational:
            #expect(seen.ending == .closed)
            #expect(delivery == .sent)
            if case .informational(let status) = kind {
                #expect(seen.answer?.status == status)
            } else {
                #expect(seen.answer?.body.count == body.count)
            }
        case .truncated, .truncatedChunked:
            #expect(seen.ending == .closed)
            #expect(seen.answer == nil && seen.bytes.count > 200 && delivery == .lost)
        case .emptyBody:
            #expect(seen.answer?.status == 201 && seen.answer?.value("content-length") == "0")
        case .html(let status):
            #expect(seen.answer?.status == status)
            #expect(seen.answer?.value("content-type") == "text/html; charset=utf-8")
            #expect(seen.answer?.text.hasPrefix("<!DOCTYPE html>") == true)
        case .contentType(let type):
            #expect(seen.answer?.value("content-type") == type)
            #expect(seen.answer?.body.count == body.count)
        case .malformedJSON:
            let bytes = try #require(seen.answer?.body)
            #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        case .garbage:
            #expect(seen.bytes.count == 256 && seen.bytes.first == 0xFE && seen.ending == .closed)
        case .status(let status):
            #expect(seen.answer?.status == status)
            if status == 204 { #expect(seen.answer?.value("content-length") == nil) }
        case .rateLimited(let retryAfter):
            #expect(seen.answer?.status == 429 && seen.answer?.body.isEmpty == true)
            let value = seen.answer?.value("retry-after")
            switch retryAfter {
            case nil: #expect(value == nil)
            case .seconds(let seconds): #expect(value == "\(seconds)")
            case .date(let seconds):
                #expect(value == (seconds > 0 ? "Sat, 25 Jul 2026 17:20:02 GMT" : "Sat, 25 Jul 2026 17:19:00 GMT"))
            }
        case .redirect(let status, let location):
            #expect(seen.answer?.status == status && seen.answer?.value("location") == location)
        case .duplicateDelivery:
            #expect(seen.answer?.status == 201)
            #expect(Set(seen.entries.compactMap(\.token)).count == 2)
        case .unknownWord:
            let root = try JSONValue(parsing: try #require(seen.answer?.body))
            #expect(try root["transaction"]["state"].string() == "sandbox_unheard_of")
            #expect(try root["transaction"]["payment_method"]["storage_state"].string() == "sandbox_unheard_of")
            #expect(try root["transaction"]["message"].string() == "Succeeded!")
        case .extraFields:
            let root = try JSONValue(parsing: try #require(seen.answer?.body))
            #expect(root["sandbox_extra_1"].kind == .object)
            #expect(root["transaction"]["payment_method"]["sandbox_extra_3"].kind == .object)
            #expect(try root["transaction"]["state"].string() == "succeeded")
        case .echoCard:
            let root = try JSONValue(parsing: try #require(seen.answer?.body))
            #expect(try root["sandbox_echo"]["account_ref"].string() == SpreedlyCall.visa)
            #expect(try root["sandbox_echo"]["check"].string() == "737")
            #expect(try root["transaction"]["message"].string().contains(SpreedlyCall.visa))
            #expect(delivery == .altered)
        case .basicChallenge:
            #expect(seen.answer?.status == 401 && seen.answer?.body.isEmpty == true)
            #expect(seen.answer?.value("www-authenticate") == "Basic realm=\"sandbox\"")
        case .gzip, .gzipTruncated, .gzipBomb:
            #expect(seen.answer?.value("content-encoding") == "gzip")
            let packed = try #require(seen.answer?.body)
            let unpacked = Inflater.unpack(packed)
            switch kind {
            case .gzip: #expect(unpacked?.count == body.count)
            case .gzipTruncated: #expect(unpacked == nil)
            default: #expect(packed.count < 200_000 && unpacked?.count == 16 << 20 + body.count)
            }
        case .hugeHeader(let bytes):
            #expect(seen.answer?.status == 201 && seen.bytes.count > bytes)
        case .hugeBody(let bytes):
            #expect(seen.answer?.body.count == bytes + body.count)
        case .oddHeader:
            let text = String(decoding: seen.bytes, as: UTF8.self)
            #expect(text.contains("\r\nCoNtEnT-TyPe: application/json"))
            #expect(text.contains("\r\nX-SANDBOX-TWICE: one\r\nx-sandbox-twice: two\r\n"))
            #expect(text.contains("\r\nX-Sandbox-Folded: first\r\n\tsecond\r\n"))
        }
    }

    @Test("a rule can turn the work on and off")
    func processingOverride() async throws {
        for (text, count) in [
            ("*=status:500+processed", 1), ("*=answer-lost+unprocessed", 0), ("*=close-without-answer+processed", 1),
        ] {
            var configuration = SandboxConfiguration()
            configuration.faults = [try FaultRule(text)]
            let entries = try await withSandbox(configuration) { sandbox in
                let client = RawClient(port: sandbox.port)
                client.send(SpreedlyCall.tokenize(sandbox, header: "connection: close\r\n"))
                _ = client.readToEnd()
                return sandbox.ledger.entries
            }
            #expect(entries.count == count)
            #expect(entries.allSatisfy { $0.delivery == .lost })
        }
    }

    @Test("the card echo also reaches refusals, and cards that are no test cards (L3)")
    func echoInRefusal() async throws {
        let number = "4000" + "0000" + "0000" + "0003"
        let answer = try await withSandbox { sandbox in
            sandbox.faults.add(.echoCard)
            return sandbox.exchange(SpreedlyCall.tokenize(sandbox, body: SpreedlyCall.card(number: number)))
        }
        #expect(answer?.status == 422)
        let root = try JSONValue(parsing: try #require(answer?.body))
        #expect(try root["errors"][0]["message"].string().contains(number))
    }

    @Test("pauses are the injected ones, and drip cuts where it says")
    func pauses() async throws {
        let pauses = Locked<[Duration]>([])
        var configuration = SandboxConfiguration()
        configuration.pause = { duration in pauses.withLock { $0.append(duration) } }
        let count = try await withSandbox(configuration) { sandbox in
            sandbox.faults.add(.slow(milliseconds: 90_000))
            sandbox.faults.add(.drip(bytes: 100, milliseconds: 7))
            _ = sandbox.exchange(SpreedlyCall.tokenize(sandbox))
            let client = RawClient(port: sandbox.port)
            client.send(SpreedlyCall.tokenize(sandbox, header: "connection: close\r\n"))
            _ = client.readToEnd()
            return client.received.count
        }
        let seen = pauses.withLock { $0 }
        #expect(seen.first == .seconds(90))
        #expect(seen.dropFirst() == Array(repeating: .milliseconds(7), count: (count - 1) / 100)[...])
    }

    @Test("faults and their garbage are the same for the same seed")
    func deterministic() async throws {
        let garbage = { (seed: UInt64) in
            var configuration = SandboxConfiguration()
            configuration.seed = seed
            configuration.faults = [FaultRule(.garbage)]
            return try await withSandbox(configuration) { sandbox in
                let client = RawClient(port: sandbox.port)
                client.send(SpreedlyCall.tokenize(sandbox))
                _ = client.readToEnd()
                return client.received
            }
        }
        let first = try await garbage(3)
        #expect(try await garbage(3) == first)
        #expect(try await garbage(4) != first)
    }
}
