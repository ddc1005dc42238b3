import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Spreedly: long walks through the vault")
struct SpreedlyWalkTests {
    @Test(
        "walking by cursor meets every object once, whatever the page", arguments: [1, 2, 3, 7, 25], ["asc", "desc"])
    func pages(count: Int, order: String) async throws {
        try await withSpreedly { desk in
            let made = try (0..<25).map { _ in try desk.create() }
            var walked: [String] = []
            while true {
                let cursor = walked.last.map { "&since_token=\($0)" } ?? ""
                let page = try desk.call("GET", "/payment_methods?order=\(order)&count=\(count)" + cursor)
                    .tokens("payment_methods")
                #expect(page.count <= count)
                walked += page
                guard page.count == count, walked.count <= made.count else { break }
            }
            #expect(walked == (order == "asc" ? made : made.reversed()))
        }
    }

    @Test("any order of calls keeps to the states", arguments: [1, 2, 3, 4] as [UInt64])
    func states(seed: UInt64) async throws {
        try await withSpreedly { desk in
            var dice = SeededGenerator(seed: seed)
            var states: [String: String] = [:]
            var order: [String] = []
            let code = #"{"payment_method":{"credit_card":{"verification_value":"415"}}}"#
            for _ in 0..<120 {
                let draw = Int.random(in: 0..<8, using: &dice)
                guard draw > 1, let token = order.randomElement(using: &dice), let before = states[token] else {
                    let token = try desk.create()
                    order.append(token)
                    states[token] = "cached"
                    continue
                }
                let path = "/payment_methods/\(token)"
                let (status, after): (Int, String)
                let answer: SpreedlyAnswer
                switch draw {
                case 2, 3:
                    answer = desk.call("PUT", path + "/retain")
                    (status, after) = before == "redacted" ? (422, before) : (200, "retained")
                case 4:
                    answer = desk.call("PUT", path + "/redact")
                    (status, after) = (200, "redacted")
                case 5:
                    answer = desk.call("POST", path + "/recache", code)
                    (status, after) = (before == "retained" ? 200 : 422, before)
                default:
                    answer = desk.call("PUT", path, #"{"payment_method":{"zip":"LS2"}}"#)
                    (status, after) = (before == "redacted" ? 422 : 200, before)
                }
                #expect(answer.status == status)
                states[token] = after
                #expect(try desk.call("GET", path).method["storage_state"].string() == after)
            }
            for state in ["cached", "retained", "redacted"] {
                let listed = try desk.call("GET", "/payment_methods?count=100&state=\(state)").tokens("payment_methods")
                #expect(listed == order.filter { states[$0] == state })
            }
        }
    }

    @Test("no answer and no ledger shows a number or a code")
    func leaks() async throws {
        try await withSpreedly { desk in
            let secrets = [SpreedlyCall.visa, "7379", "4159", "021000021", "9876543210"]
            let bodies = [
                SpreedlyCall.card(code: "\"7379\""), SpreedlyInstrumentTests.apple(), SpreedlyInstrumentTests.google(),
                SpreedlyInstrumentTests.bank(), SpreedlyCall.card(month: "13", code: "\"7379\""),
            ]
            var answers = bodies.map { desk.call("POST", "/payment_methods", $0) }
            for token in try desk.call("GET", "/payment_methods").tokens("payment_methods") {
                let path = "/payment_methods/\(token)"
                answers.append(desk.call("PUT", path + "/retain"))
                answers.append(
                    desk.call(
                        "POST", path + "/recache", #"{"payment_method":{"credit_card":{"verification_value":"4159"}}}"#)
                )
                answers.append(desk.call("GET", path + "/transactions"))
                answers.append(desk.call("PUT", path + "/redact"))
            }
            answers += [desk.call("GET", "/payment_methods"), desk.call("GET", "/transactions")]
            answers.append(SpreedlyAnswer(raw: desk.sandbox.get("/_sandbox/ledger")))
            #expect(answers.count == 24)
            for answer in answers {
                #expect(!answer.text.isEmpty)
                // Tokens, fingerprints and time stamps may hold any four digits, so only whole texts are compared.
                for secret in secrets where secret.count > 4 { #expect(!answer.text.contains(secret)) }
                for secret in secrets where secret.count == 4 { #expect(!answer.text.contains("\"\(secret)\"")) }
            }
        }
    }
}

@Suite("What a provider keeps")
struct KeptObjectsTests {
    @Test("the oldest go, in their order, and are not replaced", arguments: [1, 2, 5])
    func limit(limit: Int) {
        var kept = KeptObjects<Int>(limit: limit)
        for index in 0..<23 {
            kept.add(index, token: "t\(index)")
            let rest = max(0, index - limit + 1)...index
            #expect(Array(kept.tokens) == rest.map { "t\($0)" })
            #expect((0...index).filter { kept["t\($0)"] != nil } == Array(rest))
        }
        kept.replace(7, token: "t0")
        kept.replace(99, token: "t22")
        #expect(kept["t0"] == nil && kept["t22"] == 99)
        kept.removeAll()
        #expect(kept.tokens.isEmpty && kept["t22"] == nil)
        kept.add(1, token: "new")
        #expect(Array(kept.tokens) == ["new"])
    }
}
