import GatewayKitCore
import Testing

/// Random answers: every one ends in a documented way, and a token comes from a success alone.
@Suite struct HellgateAnswerPropertyTests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    private static func body(_ numbers: inout Numbers) -> String {
        let words = [
            "\"success\"", "\"failure\"", "\"wait\"", "\"tokenize_card\"", "\"odd\"", "null", "1", "{}", "\"\"",
        ]
        func word() -> String { words[Int.random(in: 0..<words.count, using: &numbers)] }
        var members: [String] = []
        if Bool.random(using: &numbers) { members.append("\"next_action\":" + word()) }
        if Bool.random(using: &numbers) { members.append("\"status\":" + word()) }
        var data: [String] = []
        for name in ["token_id", "reason", "reason_code"] where Bool.random(using: &numbers) {
            data.append("\"\(name)\":" + (Bool.random(using: &numbers) ? "\"x-\(name)\"" : word()))
        }
        if Bool.random(using: &numbers) { members.append("\"data\":{" + data.joined(separator: ",") + "}") }
        return "{" + members.shuffled(using: &numbers).joined(separator: ",") + "}"
    }

    @Test(
        "A token comes only from a success that names it, a decline only from a failure",
        arguments: 0..<4 as Range<UInt64>)
    func random(seed: UInt64) async throws {
        var numbers = Numbers(state: seed)
        for _ in 0..<300 {
            let body = Self.body(&numbers)
            let peer = ScriptedHellgate(["status": [.encrypted], "tokenize": [.answer(200, body)]])
            let gateway = try Shop.gateway(Shop.settings(), Shop.runtime(peer))
            let end = await End(gateway, try Shop.request(), in: Shop.sessionID)
            let json = try JSONValue(parsing: Array(body.utf8))
            let isFinal = json["next_action"].present == nil
            let status = try? json["status"].present?.string()
            if let token = end.token {
                #expect(isFinal && status == "success" && !token.id.isEmpty, "\(body)")
            } else if end.decline != nil {
                let isBare = json["status"].present == nil && json["data"]["reason_code"].present != nil
                #expect(isFinal && (status == "failure" || isBare), "\(body)")
            } else {
                #expect(end.unknown != nil, "\(end.name): \(body)")
            }
        }
    }
}
