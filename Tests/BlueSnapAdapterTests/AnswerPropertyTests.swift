import GatewayKitCore
import Testing

/// Random answers: every one ends in a documented way, and a token comes from a success alone.
@Suite struct BlueSnapAnswerPropertyTests {
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

    private static func pick<T>(_ list: [T], _ numbers: inout Numbers) -> T? {
        list.randomElement(using: &numbers)
    }

    private static func body(_ numbers: inout Numbers) -> String {
        let values = [
            "\"VISA\"", "\"1111\"", "\"4242\"", "\"us\"", "\"EXPIRED_TOKEN\"", "\"INVALID_CVV\"", "\"DO_NOT_HONOR\"",
            "\"14040\"", "14002", "null", "[]", "{}", "\"\"", "true", "\"SERVER_GENERAL_FAILURE\"",
        ]
        func members(_ names: [String], _ numbers: inout Numbers) -> String {
            let chosen = names.filter { _ in Bool.random(using: &numbers) }
            return "{"
                + chosen.map { "\"\($0)\":\(pick(values, &numbers) ?? "null")" }.joined(separator: ",") + "}"
        }
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: return members(["ccType", "last4Digits", "issuingCountry", "message"], &numbers)
        case 1: return members(["errorName", "errorCode", "errorDescription", "ccType"], &numbers)
        case 2:
            let items = (0..<Int.random(in: 0..<3, using: &numbers)).map { _ in
                members(["errorName", "code", "description", "invalidProperty"], &numbers)
            }
            return "{\"message\":[\(items.joined(separator: ","))]}"
        case 3: return pick(values, &numbers) ?? ""
        case 4: return pick(["<html></html>", "Unauthorized", "EXPIRED_TOKEN", "", "{", "<messages>"], &numbers) ?? ""
        default:
            return "<messages><message><error-name>EXPIRED_TOKEN</error-name></message></messages>"
        }
    }

    @Test(
        "F3: random answers give no token without a success, and no renewal without a refusal",
        arguments: 0..<4 as Range<UInt64>)
    func random(seed: UInt64) async throws {
        var numbers = Numbers(state: seed)
        let statuses = [200, 201, 204, 302, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503]
        for _ in 0..<200 {
            let status = Self.pick(statuses, &numbers) ?? 200
            let body = Self.body(&numbers)
            let peer = ScriptedBlueSnap(["tokenize": [.answer(status, body), .answer(400, "")], "status": [.alive]])
            let renewal = try Renewal(Shop.other)
            let gateway = try Shop.gateway(nil, Shop.runtime(peer))
            let end = await End(gateway, try Shop.request(), in: Shop.token, CallContext(renewal: renewal))
            let isSuccess = (200..<300).contains(status)
            let isRefusal = [400, 401, 403, 404, 422].contains(status)
            if end.token != nil { #expect(isSuccess && body.contains("ccType") || body.contains("last4"), "\(body)") }
            if renewal.asked > 0 { #expect(isRefusal, "\(status): \(body)") }
            if isSuccess || status >= 500 && end.thrown?.code != .rateLimited || [302, 408, 409].contains(status) {
                #expect(end.token != nil && isSuccess || end.unknown != nil, "\(status) \(end.name): \(body)")
                #expect(peer.count("tokenize") == 1)
            }
            #expect(peer.count("tokenize") <= 2)
        }
    }
}
