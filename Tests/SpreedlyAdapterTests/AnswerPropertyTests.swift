import GatewayKitCore
import Testing

/// What must hold of every answer, tried on damaged ones. Seeded: the same answers in every run.
@Suite struct AnswerPropertyTests {
    private static let settings = "http://127.0.0.1:9/v1"

    private func end(_ status: Int, _ body: [UInt8]) async throws -> End {
        let runtime = Shop.runtime(transport: ScriptedTransport(status: status, body: body))
        return await End(of: try Shop.tokens(Shop.settings(Self.settings), runtime), try Shop.request())
    }

    /// Deletes, repeats, changes or swaps pieces; most often at a place where JSON has its structure.
    private static func damaged(_ text: String, _ random: inout SplitMix64) -> [UInt8] {
        var bytes = Array(text.utf8)
        let words = [
            "null", "true", "false", "{}", "[]", "\"\"", "0", "\"failed\"", "\"succeeded\"", ",", ":", "\"", "}",
        ]
        for _ in 0..<Int.random(in: 1...3, using: &random) where bytes.count > 4 {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 1...24, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.removeSubrange(start..<end)
            case 1: bytes.insert(contentsOf: bytes[start..<end], at: end)
            case 2: bytes[start] = UInt8.random(in: .min ... .max, using: &random)
            case 3: bytes.removeSubrange(end...)
            default:
                if let word = words.randomElement(using: &random) {
                    // Replaces a whole value, so that the result is often JSON still.
                    let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) ?? start
                    let comma = bytes[colon...].firstIndex(of: UInt8(ascii: ",")) ?? colon
                    bytes.replaceSubrange(min(colon + 1, comma)..<comma, with: Array(word.utf8))
                }
            }
        }
        return bytes
    }

    @Test("A damaged success is a token that its own words prove, or unknown")
    func damagedSuccess() async throws {
        var random = SplitMix64(seed: 2)
        var names: [String: Int] = [:]
        for round in 0..<1500 {
            let body = Self.damaged(SuccessAnswerTests.answer(), &random)
            let end = try await end(201, body)
            names[end.name, default: 0] += 1
            let json = try? JSONValue(parsing: body)
            let transaction = json?["transaction"]
            switch end.name {
            case "token":
                #expect(try transaction?["succeeded"].bool() == true, "round \(round)")
                #expect(["succeeded", nil].contains(try transaction?["state"].present?.string()), "round \(round)")
                #expect(try transaction?["payment_method"]["token"].string() == end.token?.id, "round \(round)")
            case "declined", "invalid":
                #expect(try transaction?["state"].string() == "failed", "round \(round)")
                #expect((try? transaction?["succeeded"].bool()) != true, "round \(round)")
            default:
                #expect(end.name == "unknown", "round \(round)")
            }
        }
        #expect((names["token"] ?? 0) > 100 && (names["unknown"] ?? 0) > 100, "both were met: \(names)")
    }

    @Test("A damaged refusal never becomes a token, and never claims that nothing was sent")
    func damagedRefusal() async throws {
        var random = SplitMix64(seed: 3)
        let refusal = """
            {"errors":[{"attribute":"first_name","key":"errors.blank","message":"First name can't be blank"},\
            {"attribute":"year","key":"errors.expired","message":"Year is expired"}]}
            """
        var names: [String: Int] = [:]
        for round in 0..<1000 {
            let status = [400, 401, 402, 403, 404, 408, 409, 422, 429, 500, 503].randomElement(using: &random) ?? 422
            let end = try await end(status, Self.damaged(refusal, &random))
            names[end.name, default: 0] += 1
            #expect(end.token == nil, "round \(round)")
            #expect(end.thrown?.reach != .notSent, "round \(round)")
            if [408, 409, 500, 503].contains(status) { #expect(end.name == "unknown", "round \(round)") }
        }
        #expect((names["invalid"] ?? 0) > 20 && (names["unknown"] ?? 0) > 20, "both were met: \(names)")
    }

    @Test("No status, with whatever body, is a success without its words")
    func allStatuses() async throws {
        for status in 100...999 {
            let end = try await end(status, Array(#"{"transaction":{"succeeded":true},"token":"x"}"#.utf8))
            #expect(end.name == "unknown", "\(status)")
        }
    }

    @Test("An observer that wants no transcripts is shown no secret either")
    func quietObserver() async throws {
        let recorder = Recorder(transcripts: false)
        let body = #"{"errors":[{"key":"errors.blank","attribute":"year","message":"\#(Shop.number) 737"}]}"#
        for status in [422, 404, 503] {
            let peer = try AnswerPeer(status: status, body, fields: ["x-request-id: \(Shop.number)"])
            _ = try await Shop.answer(of: peer, nil, recorder)
        }
        #expect(secretSearch.leaks(in: recorder.shown).isEmpty)
    }
}
