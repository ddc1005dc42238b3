import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// Payments as others write them, by hand over real HTTP (dossier 2, 7, 9).
@Suite("Spreedly: payments") struct SpreedlyPaymentTests {
    private func withDesk(_ body: @escaping @Sendable (SpreedlyDesk, String) throws -> Void) async throws {
        try await withSpreedly { desk in
            try body(desk, desk.sandbox.credentials(for: "spreedly")?["gatewayToken"] ?? "")
        }
    }

    private static func purchase(_ token: String, _ more: String = #""amount":1000,"currency_code":"USD""#) -> String {
        #"{"transaction":{"payment_method_token":"\#(token)",\#(more)}}"#
    }

    @Test("a purchase: the members of a recorded answer, and a movement in the ledger")
    func purchase() async throws {
        try await withDesk { desk, gateway in
            let token = try desk.retained()
            let answer = desk.call("POST", "/gateways/\(gateway)/purchase.json", Self.purchase(token))
            #expect(answer.status == 200)
            let transaction = try answer.transaction
            for name in [
                "on_test_gateway", "created_at", "updated_at", "succeeded", "state", "token", "transaction_type",
                "order_id", "ip", "description", "email", "gateway_specific_fields", "gateway_transaction_id",
                "amount", "currency_code", "retain_on_success", "message_key", "message", "gateway_token",
                "gateway_type", "response", "api_urls", "payment_method",
            ] {
                #expect(transaction[name].kind != .absent, "\(name)")
            }
            #expect(try transaction["order_id"].string() == transaction["token"].string())
            #expect(try transaction["response"]["message"].string() == "Successful purchase")
            #expect(try transaction["payment_method"]["verification_value"].string() == "")
            let entry = try #require(desk.sandbox.ledger.entries.last)
            #expect(entry.operation == "purchase" && entry.outcome == .created)
            #expect(entry.movement == LedgerMovement(kind: "purchase", amount: 1000, currency: "USD"))
        }
    }

    @Test("the ledger by HTTP tells the money that moved and whose it was")
    func ledger() async throws {
        try await withDesk { desk, gateway in
            let token = try desk.retained()
            let more = #""amount":1000,"currency_code":"USD","order_id":"a1""#
            let paid = desk.call("POST", "/gateways/\(gateway)/purchase.json", Self.purchase(token, more))
            let id = try paid.transaction["token"].string()
            _ = desk.call(
                "POST", "/transactions/\(id)/credit.json", #"{"transaction":{"amount":400,"currency_code":"USD"}}"#)
            let text = try #require(desk.sandbox.get("/_sandbox/ledger")?.body)
            let moved = try JSONValue(parsing: text)["entries"].elements().filter { $0["movement"].present != nil }
            #expect(moved.count == 2)
            #expect(try moved[0]["ownReference"].string() == "a1")
            #expect(try moved[0]["movement"]["kind"].string() == "purchase")
            #expect(try moved[1]["movement"]["kind"].string() == "refund")
            #expect(try moved[1]["movement"]["amount"].integer() == 400)
            #expect(try moved[1]["movement"]["parent"].string() == id)
        }
    }

    @Test("the order of checks: credentials, fields, payment method, gateway")
    func order() async throws {
        try await withDesk { desk, gateway in
            let token = try desk.retained()
            let path = "/gateways/NoSuchGateway/purchase.json"
            #expect(desk.call("POST", path, Self.purchase("NoSuchMethod"), header: "").status == 401)
            #expect(desk.call("POST", path, Self.purchase("NoSuchMethod", "\"amount\":0")).status == 422)
            let noMethod = desk.call("POST", path, Self.purchase("NoSuchMethod"))
            #expect(noMethod.status == 422)
            #expect(noMethod.text.contains("There is no payment method corresponding to the specified payment method"))
            let noGateway = desk.call("POST", path, Self.purchase(token))
            #expect(noGateway.status == 404 && noGateway.text.contains("errors.gateway_not_found"))
            for verb in ["capture", "void", "credit"] {
                let answer = desk.call("POST", "/transactions/NoSuch/\(verb).json", "{}")
                #expect(answer.status == 404 && answer.text.contains("errors.reference_transaction_not_found"))
            }
            #expect(desk.call("POST", "/transactions/NoSuch/complete.json", "{}").status == 404)
            #expect(desk.call("POST", "/gateways/\(gateway)/purchase.json", "[]").status == 400)
            #expect(desk.call("POST", "/gateways/\(gateway)/purchase.json", "a=b", type: "text/plain").status == 415)
            #expect(desk.call("GET", "/gateways/\(gateway)/purchase.json").status == 405)
            #expect(desk.sandbox.ledger.entries.allSatisfy { $0.movement == nil })
        }
    }

    static let wrong: [(more: String, attribute: String)] = [
        (#""currency_code":"USD""#, "amount"), (#""amount":null,"currency_code":"USD""#, "amount"),
        (#""amount":"1000","currency_code":"USD""#, "amount"), (#""amount":10.5,"currency_code":"USD""#, "amount"),
        (#""amount":0,"currency_code":"USD""#, "amount"), (#""amount":-1,"currency_code":"USD""#, "amount"),
        (#""amount":1000"#, "currency_code"), (#""amount":1000,"currency_code":"usd""#, "currency_code"),
        (#""amount":1000,"currency_code":"XXZ""#, "currency_code"),
        (#""amount":1000,"currency_code":"USD","order_id":7"#, "order_id"),
        (#""amount":1000,"currency_code":"USD","retain_on_success":"yes""#, "retain_on_success"),
        (#""amount":1000,"currency_code":"USD","stored_credential_initiator":"shop""#, "stored_credential_initiator"),
        (#""amount":1000,"currency_code":"USD","stored_credential_reason_type":"x""#, "stored_credential_reason_type"),
        (#""amount":1000,"currency_code":"USD","billing_address":"x""#, "billing_address"),
        (#""amount":1000,"currency_code":"USD","transaction_metadata":[]"#, "metadata"),
        (#""amount":1000,"currency_code":"USD","callback_format":"yaml""#, "callback_format"),
        (#""amount":1000,"currency_code":"USD","sca_provider_key":"k""#, "sca_provider_key"),
    ]

    @Test("wrong members are refused by their names", arguments: wrong)
    func fields(more: String, attribute: String) async throws {
        try await withDesk { desk, gateway in
            let answer = desk.call(
                "POST", "/gateways/\(gateway)/purchase.json", Self.purchase(try desk.retained(), more))
            #expect(answer.status == 422)
            #expect(answer.text.contains(#""attribute":"\#(attribute)""#), "\(answer.text)")
        }
    }

    @Test("no body means all of it, and what is left afterwards is nothing")
    func all() async throws {
        try await withDesk { desk, gateway in
            let body = Self.purchase(try desk.retained())
            let held = try desk.call("POST", "/gateways/\(gateway)/authorize", body).transaction["token"].string()
            let captured = desk.call("POST", "/transactions/\(held)/capture")
            #expect(captured.status == 200)
            #expect(try captured.transaction["amount"].integer() == 1000)
            #expect(try captured.transaction["order_id"].kind == .null)
            #expect(try captured.transaction["payment_method"].kind == .absent)
            #expect(desk.call("POST", "/transactions/\(held)/capture").status == 422)
            let id = try captured.transaction["token"].string()
            #expect(desk.call("POST", "/transactions/\(id)/credit").status == 200)
            let more = desk.call("POST", "/transactions/\(id)/credit")
            #expect(more.status == 422)
            #expect(try more.transaction["state"].string() == "gateway_processing_failed")
            #expect(desk.sandbox.ledger.entries.compactMap(\.movement).map(\.amount) == [1000, 1000, 1000])
        }
    }

    @Test("an offsite method waits at its page")
    func offsite() async throws {
        try await withDesk { desk, gateway in
            let token = try desk.create(#"{"payment_method":{"payment_method_type":"sprel"}}"#)
            let answer = desk.call("POST", "/gateways/\(gateway)/purchase.json", Self.purchase(token))
            #expect(answer.status == 200)
            #expect(try answer.transaction["state"].string() == "pending")
            #expect(try answer.transaction["succeeded"].bool() == false)
            #expect(try answer.transaction["transaction_type"].string() == "OffsitePurchase")
            #expect(try answer.transaction["checkout_url"].string().hasPrefix("https://checkout.example/"))
            let id = try answer.transaction["token"].string()
            #expect(desk.call("POST", "/transactions/\(id)/complete.json", "{}").status == 422)
            #expect(desk.sandbox.ledger.entries.allSatisfy { $0.movement == nil })
        }
    }

    @Test("gateways: made, shown, listed; one is there from the start and stays")
    func gateways() async throws {
        try await withDesk { desk, standard in
            let made = desk.call(
                "POST", "/gateways.json", #"{"gateway":{"gateway_type":"test","description":"Second"}}"#)
            #expect(made.status == 201)
            let token = try JSONValue(parsing: made.body)["gateway"]["token"].string()
            let list = try JSONValue(parsing: desk.call("GET", "/gateways.json").body)["gateways"].elements()
            #expect(try list.map { try $0["token"].string() } == [standard, token])
            #expect(desk.call("GET", "/gateways/\(token).json").status == 200)
            #expect(desk.call("GET", "/gateways/NoSuch.json").status == 404)
            let other = desk.call("POST", "/gateways.json", #"{"gateway":{"gateway_type":"stripe"}}"#)
            #expect(other.status == 422 && other.text.contains("errors.invalid_gateway_type"))
            #expect(desk.call("POST", "/gateways.json", #"{"gateway":{}}"#).status == 422)
            let body = Self.purchase(try desk.retained())
            #expect(desk.call("POST", "/gateways/\(token)/purchase.json", body).status == 200)
            desk.sandbox.reset()
            #expect(desk.call("GET", "/gateways/\(token).json").status == 404)
            #expect(desk.call("GET", "/gateways/\(standard).json").status == 200)
        }
    }
}
