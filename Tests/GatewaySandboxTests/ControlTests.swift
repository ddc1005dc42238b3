import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Control calls and ledger (X1)")
struct ControlTests {
    private static func post(_ path: String, _ body: String) -> String {
        SpreedlyCall.post(path, body: body)
    }

    @Test(
        "each call has its method and path",
        arguments: [
            ("GET", "/_sandbox/health", 200), ("POST", "/_sandbox/health", 405), ("GET", "/_sandbox/credentials", 200),
            ("GET", "/_sandbox/faults", 200), ("DELETE", "/_sandbox/faults", 200), ("PUT", "/_sandbox/faults", 405),
            ("GET", "/_sandbox/ledger", 200), ("DELETE", "/_sandbox/ledger", 405), ("POST", "/_sandbox/reset", 200),
            ("GET", "/_sandbox/reset", 405), ("POST", "/_sandbox/release", 200), ("GET", "/_sandbox", 404),
            ("GET", "/_sandbox/ledger/1", 404), ("GET", "/_sandbox/other", 404), ("GET", "/", 404),
            ("GET", "/other/v1", 404),
            ("GET", "/spreedly", 404), ("GET", "/spreedly/v2/payment_methods.json", 404),
        ])
    func routes(method: String, path: String, status: Int) async throws {
        let answer = try await withSandbox { $0.get(path, method: method) }
        #expect(answer?.status == status)
    }

    @Test("faults are added all or none, listed with what is left, and taken out")
    func faults() async throws {
        let (added, refused, left, cleared) = try await withSandbox { sandbox in
            let added = sandbox.exchange(
                Self.post("/_sandbox/faults", #"{"faults":["spreedly.tokenize=status:503*2","*=stall@9"]}"#))
            let refused = sandbox.exchange(
                Self.post("/_sandbox/faults", #"{"faults":["*=garbage","*=unheard-of"]}"#))
            let struck = sandbox.exchange(SpreedlyCall.tokenize(sandbox))
            return (
                added, refused, (struck?.status, sandbox.get("/_sandbox/faults")?.text),
                sandbox.get("/_sandbox/faults", method: "DELETE")?.text
            )
        }
        #expect(added?.text == #"{"faults":["spreedly.tokenize=status:503*2","*=stall@9"]}"#)
        #expect(refused?.status == 400)
        #expect(refused?.text.contains("there is no fault of this name") == true)
        #expect(left.0 == 503)
        #expect(left.1 == #"{"faults":["spreedly.tokenize=status:503","*=stall@9"]}"#)
        #expect(cleared == #"{"faults":[]}"#)
    }

    @Test(
        "a body that is no list of faults is refused",
        arguments: [
            "", "{", "[]", #"{"faults":"*=stall"}"#, #"{"faults":[1]}"#, #"{"fault":[]}"#,
        ])
    func badFaults(_ body: String) async throws {
        let answer = try await withSandbox { $0.exchange(Self.post("/_sandbox/faults", body)) }
        #expect(answer?.status == 400)
    }

    @Test("credentials by HTTP are those of the Swift call, and the same for the same seed only")
    func credentials() async throws {
        let (text, own) = try await withSandbox { sandbox in
            (sandbox.get("/_sandbox/credentials")?.body, sandbox.credentials(for: "spreedly"))
        }
        let root = try JSONValue(parsing: try #require(text))
        #expect(try root["spreedly"]["environmentKey"].string() == own?["environmentKey"])
        #expect(try root["spreedly"]["accessSecret"].string() == own?["accessSecret"])
        #expect(try root["spreedly"]["basePath"].string() == "/spreedly/v1")
        #expect(Sandbox().credentials(for: "spreedly") == own)
        var other = SandboxConfiguration()
        other.seed = 2
        #expect(Sandbox(other).credentials(for: "spreedly") != own)
        #expect(Sandbox().credentials(for: "other") == nil)
    }

    @Test("the ledger tells what happened, whatever the client was told")
    func ledger() async throws {
        let (token, entries, text) = try await withSandbox { sandbox in
            let good = sandbox.exchange(SpreedlyCall.tokenize(sandbox))
            let token = try good.map {
                try JSONValue(parsing: $0.body)["transaction"]["payment_method"]["token"].string()
            }
            sandbox.faults.add(.answerLost)
            _ = sandbox.exchange(SpreedlyCall.tokenize(sandbox))
            _ = sandbox.exchange(SpreedlyCall.tokenize(sandbox, body: SpreedlyCall.card(number: nil)))
            _ = sandbox.get("/spreedly/v1/payment_methods/\(token ?? "").json", header: SpreedlyCall.basic(sandbox))
            sandbox.faults.add(.resetBeforeAnswer)
            _ = sandbox.exchange(SpreedlyCall.tokenize(sandbox))
            return (token, sandbox.ledger.entries, sandbox.get("/_sandbox/ledger")?.body)
        }
        #expect(entries.map(\.number) == [1, 2, 3, 4])
        #expect(entries.map(\.outcome) == [.created, .created, .refused, .read])
        #expect(entries.map(\.operation) == ["tokenize", "tokenize", "tokenize", "show"])
        #expect(entries.map(\.status) == [201, 201, 422, 200])
        #expect(entries.map(\.delivery) == [.sent, .lost, .sent, .sent])
        #expect(entries.map(\.fault) == [nil, "answer-lost", nil, nil])
        #expect(entries.first?.token == token)
        #expect(entries.first?.card?.lastFour == "1111")
        let root = try JSONValue(parsing: try #require(text))
        #expect(try root["count"].integer() == 4)
        #expect(try root["entries"][1]["delivery"].string() == "lost")
        #expect(try root["entries"][0]["card"]["firstSix"].string() == "411111")
        #expect(root["entries"][2]["card"].kind == .object || root["entries"][2]["card"].kind == .absent)
    }

    @Test("an answer that the client does not take is lost")
    func undelivered() async throws {
        let delivery = try await withSandbox { sandbox in
            sandbox.faults.add(.hold)
            let client = RawClient(port: sandbox.port)
            client.send(SpreedlyCall.tokenize(sandbox))
            _ = eventually { sandbox.ledger.count == 1 }
            client.hangUp()
            _ = eventually { sandbox.connectionCount == 0 }
            return sandbox.ledger.entries.first?.delivery
        }
        #expect(delivery == .lost)
    }

    @Test("a full ledger keeps the newest entries and their numbers")
    func limit() {
        let ledger = Ledger(limit: 3)
        for _ in 0..<10 {
            _ = ledger.append { number in
                LedgerEntry(
                    number: number, time: WallTime(secondsSince1970: 0), provider: "p", operation: "o", outcome: .read,
                    status: 200, token: nil, card: nil, fault: nil, delivery: .sent)
            }
        }
        ledger.markLost(9)
        ledger.markLost(1)
        #expect(ledger.entries.map(\.number) == [8, 9, 10])
        #expect(ledger.entries.map(\.delivery) == [.sent, .lost, .sent])
        #expect(ledger.count == 10)
    }

    @Test("no card number or CVV is in the ledger, the control answers or the descriptions")
    func noCardData() async throws {
        let output = try await withSandbox { sandbox in
            let code = "8264"
            for card in TestCard.all {
                let body = SpreedlyCall.card(number: card.number, code: "\"\(code)\"")
                _ = sandbox.exchange(SpreedlyCall.tokenize(sandbox, body: body))
                _ = sandbox.exchange(SpreedlyCall.tokenize(sandbox, body: body.replacing("Ada", with: " ")))
            }
            var dumped = ""
            dump(sandbox, to: &dumped)
            dump(sandbox.ledger.entries, to: &dumped)
            for path in ["ledger", "faults", "health", "credentials"] {
                dumped += sandbox.get("/_sandbox/\(path)")?.text ?? ""
            }
            return dumped
        }
        #expect(output.contains("411111"))
        for card in TestCard.all { #expect(!output.contains(card.number)) }
        #expect(!showsAlone("8264", in: output))
    }

    /// Whether the digits stand somewhere as a word of their own. Four digits occur by chance inside times, ports and
    /// tokens, which a dump is full of.
    private func showsAlone(_ digits: String, in text: String) -> Bool {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "_" && $0 != "-" }.contains { $0 == digits }
    }

    @Test("reset makes all as at the start, with the same credentials")
    func reset() async throws {
        var configuration = SandboxConfiguration()
        configuration.faults = [try FaultRule("spreedly.tokenize=status:500@1")]
        let (statuses, entries, show) = try await withSandbox(configuration) { sandbox in
            var statuses = [sandbox.exchange(SpreedlyCall.tokenize(sandbox))?.status]
            let token = sandbox.ledger.entries.first?.token ?? ""
            sandbox.faults.add(.stall)
            _ = sandbox.get("/_sandbox/reset", method: "POST")
            let entries = sandbox.ledger.entries
            statuses += (0..<2).map { _ in sandbox.exchange(SpreedlyCall.tokenize(sandbox))?.status }
            let show = sandbox.get("/spreedly/v1/payment_methods/\(token)", header: SpreedlyCall.basic(sandbox))
            return (statuses, entries, show?.status)
        }
        #expect(statuses == [201, 201, 500])
        #expect(entries.isEmpty)
        #expect(show == 404)
    }
}
