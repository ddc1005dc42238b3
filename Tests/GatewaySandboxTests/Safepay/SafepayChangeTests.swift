import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Taking Safepay's payments back in the sandbox")
struct SafepayChangeTests {
    @Test("Voids: two kinds by how it was captured, for a day")
    func void() async throws {
        try await withSafepay { desk, time in
            func void(_ token: String, _ kind: String) -> SafepayReply {
                desk.server("POST", "/order/payments/v3/\(token)/void", #"{"payload":{"kind":"\#(kind)"}}"#)
            }
            let atOnce = try desk.paid()
            let later = try desk.paid(capture: false)
            #expect(void(later, "VOID_CAPTURE").status == 400)
            _ = desk.act(later, "{}")
            for (token, wrong, right) in [
                (atOnce, "VOID_CAPTURE", "VOID_PAYMENT"), (later, "VOID_PAYMENT", "VOID_CAPTURE"),
            ] {
                #expect(void(token, wrong).status == 400)
                #expect(try void(token, right).data["tracker"]["state"].string() == "TRACKER_VOIDED")
                #expect(void(token, right).status == 400)
            }
            #expect(void(atOnce, "VOID_OTHER").status == 400)
            #expect(desk.movements.filter { $0 == "void -" }.count == 2)
            let old = try desk.paid()
            time.withLock { $0 = $0.adding(seconds: 24 * 3_600 - 1) }
            let young = try desk.paid()
            time.withLock { $0 = $0.adding(seconds: 1) }
            let voidable = try [old, young].map { try desk.report($0)["charge"]["capture"]["is_voidable"].bool() }
            #expect(voidable == [false, true])
            #expect(try void(old, "VOID_PAYMENT").error.contains("settled"))
            #expect(void(young, "VOID_PAYMENT").status == 200)
        }
    }

    @Test("A reversal names the authorization and lets it go")
    func reversal() async throws {
        try await withSafepay { desk, _ in
            let token = try desk.paid(capture: false)
            func reverse(_ id: String) -> SafepayReply {
                desk.server("POST", "/order/payments/v3/\(token)/reversal", #"{"authorization":"\#(id)"}"#)
            }
            let id = try desk.report(token)["attempts"][0]["authorization"]["token"].string()
            #expect(reverse("auth_other").status == 404)
            #expect(try reverse(id).data["tracker"]["state"].string() == "TRACKER_REVERSED")
            #expect(reverse(id).status == 400)
            #expect(desk.act(token, "{}").status == 400)
            #expect(desk.movements == ["authorization 150000", "void -"])
        }
    }

    @Test("Refunds in part and whole, never more than was paid; each can be voided for a day")
    func refund() async throws {
        try await withSafepay { desk, time in
            let token = try desk.paid()
            func refund(_ amount: Int, _ currency: String = "PKR") -> SafepayReply {
                desk.server(
                    "POST", "/order/payments/v3/\(token)/refund", #"{"currency":"\#(currency)","amount":\#(amount)}"#)
            }
            let first = refund(50_000)
            #expect(try first.data["tracker"]["state"].string() == "TRACKER_PARTIAL_REFUND")
            #expect(try desk.report(token)["charge"]["balance"]["amount"].integer() == 100_000)
            #expect(refund(100_001).status == 400)
            #expect(refund(1, "USD").status == 400)
            #expect(refund(0).status == 400)
            let second = refund(100_000)
            #expect(try second.data["tracker"]["state"].string() == "TRACKER_REFUNDED")
            #expect(refund(1).status == 400)
            let id = try second.action["refund"]["token"].string()
            func void() -> SafepayReply {
                desk.server(
                    "POST", "/order/payments/v3/\(token)/void", #"{"kind":"VOID_REFUND","refund":"\#(id)"}"#)
            }
            #expect(try void().data["tracker"]["state"].string() == "TRACKER_PARTIAL_REFUND")
            #expect(void().status == 404)
            #expect(desk.movements == ["purchase 150000", "refund 50000", "refund 100000", "void -"])
            #expect(try refund(100_000).data["tracker"]["state"].string() == "TRACKER_REFUNDED")
            let last = desk.sandbox.ledger.entries.last?.movement
            #expect(last?.parent == token)
            time.withLock { $0 = $0.adding(seconds: 24 * 3_600) }
            #expect(void().status == 404)
        }
    }

    @Test("Only servers take payments back, and only what was paid")
    func refusals() async throws {
        try await withSafepay { desk, _ in
            let open = try desk.tracker()
            let bearer = "Authorization: Bearer \(try desk.passport())\r\n"
            for (name, body) in [
                ("void", #"{"kind":"VOID_PAYMENT"}"#), ("reversal", #"{"authorization":"auth_1"}"#),
                ("refund", #"{"currency":"PKR","amount":1}"#),
            ] {
                let path = "/order/payments/v3/\(open)/\(name)"
                #expect(desk.call("POST", path, body, header: bearer).status == 401)
                #expect(try desk.server("POST", path, body).error == "Tracker is in an invalid state")
                #expect(desk.server("POST", "/order/payments/v3/track_x/\(name)", body).status == 404)
                #expect(desk.server("POST", path, #"{"other":1}"#).status == 400)
                #expect(desk.server("GET", path).status == 405)
            }
        }
    }
}
