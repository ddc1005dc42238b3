import GatewayKitCore
import SpreedlyAdapter
import Testing

/// Random answers: nothing but explicit proof that agrees with the request is ever an approval.
@Suite struct PaymentPropertyTests {
    private static let values = [
        "true", "false", "null", "0", "1", "1000", "999", "1001", "-1000", "1000.0", "1e3", "\"1000\"", "\"\"",
        "\"USD\"",
        "\"EUR\"", "\"succeeded\"", "\"failed\"", "\"pending\"", "\"gateway_processing_failed\"", "\"true\"",
        "\"Purchase\"", "\"Capture\"", "\"\(Till.reference)\"", "\"\(Till.token)\"", "\"\(Till.paymentID)\"", "[]",
        "{}",
        #"{"token":"\#(Till.token)"}"#, #"{"success":true}"#, #"{"success":false,"error_code":"expired_card"}"#,
        #"{"success":true,"result_unknown":true}"#, #"{"success":true,"pending":true}"#,
    ]
    private static let names = [
        "token", "succeeded", "state", "amount", "currency_code", "order_id", "transaction_type", "payment_method",
        "response", "message_key", "reference_token", "required_action", "checkout_url", "gateway_response",
    ]
    private static let statuses = [200, 200, 200, 201, 202, 204, 302, 400, 401, 402, 404, 409, 422, 422, 429, 500, 503]

    @Test("M13, F7: random answers give no approval without its word and an agreeing amount", arguments: 0..<12)
    func random(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var ends: [String: Int] = [:]
        for _ in 0..<250 {
            let verb = MoneyVerb.allCases.randomElement(using: &random) ?? .purchase
            var changes: [String: String?] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let name = Self.names.randomElement(using: &random) ?? ""
                changes[name] = .some(Bool.random(using: &random) ? Self.values.randomElement(using: &random) : nil)
            }
            let text =
                Bool.random(using: &random)
                ? TransactionText.answer(verb, changes) : TransactionText.declined(verb, changes)
            let status = Self.statuses.randomElement(using: &random) ?? 200
            let end = await verb.make(try Till.scripted(status, text))
            ends[end.name, default: 0] += 1
            try check(end, verb, status, text)
        }
        #expect(ends["approved"] ?? 0 > 0 && ends["unknown"] ?? 0 > 0 && ends["declined"] ?? 0 > 0, "\(ends)")
    }

    private func check(_ end: MoneyEnd, _ verb: MoneyVerb, _ status: Int, _ text: String) throws {
        let told = try JSONValue(parsing: Array(text.utf8))["transaction"]
        let succeeded = (try? told["succeeded"].present?.bool()) ?? false
        if let record = end.approved {
            #expect((200..<300).contains(status) && succeeded)
            if verb.hasAmount {
                let amount = try #require(record.amount)
                #expect(amount.currency == .usd && (1...1000).contains(amount.minorUnits), "\(text)")
                #expect(try told["amount"].integer() == Int(amount.minorUnits))
            }
        }
        if end.declined != nil || end.issues != nil { #expect(!succeeded, "\(text)") }
        if let nothing = end.thrown { #expect(nothing.proof != nil && told.kind == .absent, "\(text)") }
    }
}
