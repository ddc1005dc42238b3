import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Safepay's customers, saved cards and subscriptions in the sandbox")
struct SafepayCustomerTests {
    private static func body(
        first: String = "Ada", phone: String = "+923001234567", email: String = "ada@shop.example", more: String = ""
    ) -> String {
        #"{"first_name":"\#(first)","last_name":"Okoro","email":"\#(email)","phone_number":"\#(phone)","country":"PK"\#(more)}"#
    }

    @Test("Customers are made, shown, changed, listed and deleted")
    func customers() async throws {
        try await withSafepay { desk, _ in
            let made = desk.server("POST", "/user/customers/v1/", Self.body(more: #","is_guest":true"#))
            #expect(made.status == 201)
            let token = try made.data["token"].string()
            #expect(token.hasPrefix("cus_"))
            let path = "/user/customers/v1/\(token)"
            #expect(try desk.server("GET", path).data["is_guest"].bool())
            let changed = desk.server("PUT", path, #"{"first_name":"Grace"}"#)
            #expect(try changed.data["first_name"].string() == "Grace")
            #expect(try changed.data["last_name"].string() == "Okoro")
            // The same address again: it need not be unique.
            _ = desk.server("POST", "/user/customers/v1/", Self.body())
            #expect(try desk.server("GET", "/user/customers/v1/?limit=1").data["count"].integer() == 2)
            #expect(try desk.server("DELETE", path).data["deleted"].bool())
            #expect(desk.server("GET", path).status == 404)
            #expect(try desk.server("GET", "/user/customers/v1/").data["customers"].elements().count == 1)
        }
    }

    @Test("What is wrong with a customer; only servers see them")
    func refusals() async throws {
        try await withSafepay { desk, _ in
            for body in [
                Self.body(first: "A"), Self.body(first: String(repeating: "A", count: 41)), Self.body(email: "ada"),
                Self.body(more: #","color":"red""#), "{}", "[]",
            ] {
                #expect(desk.server("POST", "/user/customers/v1/", body).status == 400, "\(body)")
            }
            for phone in ["", "call me"] {
                let refused = desk.server("POST", "/user/customers/v1/", Self.body(phone: phone))
                #expect(refused.status == 400)
                #expect(try refused.error == "phone_number: the phone number supplied is not a number")
            }
            let bearer = "Authorization: Bearer \(try desk.passport())\r\n"
            #expect(desk.call("GET", "/user/customers/v1/", header: bearer).status == 401)
            #expect(desk.server("POST", "/user/customers/v1", Self.body()).status == 405)
            #expect(desk.server("GET", "/user/customers/v1/cus_x/wallet/").status == 404)
        }
    }

    @Test("A card is saved by a raw set-up, paid with as a saved card, and without the shopper; then removed")
    func wallet() async throws {
        try await withSafepay { desk, _ in
            let customer = try desk.customer()
            let user = #","user":"\#(customer)""#
            func save() throws -> SafepayReply {
                let token = try desk.tracker(nil, more: #","mode":"instrument"\#(user)"#)
                _ = desk.setUp(token)
                _ = desk.enrol(token, keep: true)
                return desk.authorize(token)
            }
            #expect(try save().data["tracker"]["state"].string() == "TRACKER_ENDED")
            #expect(
                try save().error == "error performing action 'AUTHORIZATION': cannot add payment method: duplicate ")
            let path = "/user/customers/v1/\(customer)/wallet/"
            let saved = try desk.server("GET", path).data["wallet"][0]
            let card = try saved["token"].string()
            #expect(try saved["cybersource"]["last_four"].string() == "1111")
            #expect(try saved["cybersource"]["scheme"].integer() == 1)
            #expect(try desk.server("GET", path + card).data["customer"].string() == customer)

            let again = try desk.tracker(500, entry: "tms", more: user)
            let method = #"{"payload":{"payment_method":{"tokenized_card":{"token":"\#(card)"}}}}"#
            #expect(try desk.act(again, method).action["payment_method"]["token"].string() == card)
            _ = desk.enrol(again)
            #expect(desk.authorize(again).status == 200)

            let absent = try desk.server(
                "POST", "/order/payments/v3/", desk.createBody(#","amount":700,"mode":"unscheduled_cof"\#(user)"#)
            ).data["tracker"]["token"].string()
            let charged = desk.act(absent, method)
            #expect(try charged.data["tracker"]["state"].string() == "TRACKER_ENDED")
            #expect(desk.act(absent, method).status == 400)
            #expect(desk.movements == ["purchase 500", "purchase 700"])

            let poor = try desk.server(
                "POST", "/order/payments/v3/", desk.createBody(#","amount":405100,"mode":"unscheduled_cof"\#(user)"#)
            ).data["tracker"]["token"].string()
            #expect(try desk.act(poor, method).error.contains("insufficient"))
            #expect(try desk.state(poor) == "TRACKER_STARTED")

            #expect(try desk.server("DELETE", path + card).data["deleted"].bool())
            #expect(desk.server("GET", path + card).status == 404)
            #expect(desk.server("DELETE", path + card).status == 404)
            let gone = try desk.tracker(500, entry: "tms", more: user)
            #expect(desk.act(gone, method).status == 404)
        }
    }

    @Test("A card is kept with a payment where that is asked for; an account is verified without an amount")
    func keeping() async throws {
        try await withSafepay { desk, _ in
            let user = #","user":"\#(try desk.customer())""#
            let paid = try desk.tracker(more: user)
            _ = desk.setUp(paid)
            _ = desk.enrol(paid, keep: true)
            #expect(desk.authorize(paid).status == 200)
            let other = try desk.tracker(nil, more: #","mode":"instrument","is_account_verification":true\#(user)"#)
            _ = desk.setUp(other, "5555555555554444")
            _ = desk.enrol(other)
            #expect(desk.authorize(other).status == 200)
            #expect(desk.movements == ["purchase 150000", "verification -"])
            let nobody = try desk.tracker(nil, more: #","mode":"instrument""#)
            _ = desk.setUp(nobody)
            _ = desk.enrol(nobody)
            #expect(desk.authorize(nobody).status == 400)
        }
    }

    @Test("Plans, and a subscription that begins on its page with one payment")
    func subscriptions() async throws {
        try await withSafepay { desk, _ in
            let body =
                #"{"amount":"50000","currency":"PKR","interval":"MONTH","type":"RECURRING","interval_count":1,"#
                + #""product":"Tea","active":true}"#
            let plan = try desk.server("POST", "/client/plans/v1/", body).data["plan_id"].string()
            #expect(try desk.server("GET", "/client/plans/v1/\(plan)").data["plan"]["product"].string() == "Tea")
            #expect(try desk.server("GET", "/client/plans/v1/search").data["count"].integer() == 1)
            let wrong = desk.server("POST", "/client/plans/v1/", body.replacing("MONTH", with: "HOUR"))
            #expect(wrong.status == 400)
            #expect(try wrong.root["error"].string().contains("interval"))

            let path =
                "/checkout/subscribe?plan_id=\(plan)&auth_token=\(try desk.passport())&env=sandbox"
                + "&redirect_url=https%3A%2F%2Fshop.example%2Fok&reference=R-1"
            #expect(desk.call("GET", path).text.contains("Subscribe to Tea"))
            #expect(
                desk.form(path, "card=4111111111111111&outcome=pay").location
                    == "https://shop.example/ok?plan_id=\(plan)&reference=R-1")
            #expect(desk.movements == ["purchase 50000"])
            let found = try desk.server("GET", "/client/subscriptions/v1/search").data["subscriptions"][0]
            let subscription = "/client/subscriptions/v1/" + (try found["token"].string())
            #expect(try desk.state(found["tracker"].string()) == "TRACKER_ENDED")
            func status() throws -> String {
                try desk.server("GET", subscription).data["subscription"]["status"].string()
            }
            #expect(try status() == "ACTIVE")
            let pause = #"{"pause_collection":{"payment_collection_behavior":"KEEP_AS_READY"}}"#
            #expect(desk.server("PUT", subscription, "{}").status == 400)
            #expect(desk.server("PUT", subscription, pause).status == 200)
            #expect(try status() == "PAUSED")
            #expect(desk.server("PUT", subscription, pause).status == 400)
            #expect(desk.server("PUT", subscription + "/resumption", "{}").status == 200)
            #expect(desk.server("POST", subscription + "/cancel", "{}").status == 200)
            #expect(try status() == "CANCELED")
            #expect(desk.server("POST", subscription + "/cancel", "{}").status == 400)
            #expect(desk.server("DELETE", "/client/plans/v1/\(plan)").status == 200)
            #expect(desk.call("GET", path).location.contains("plan%20not%20found"))
            #expect(desk.call("GET", "/checkout/subscribe?plan_id=\(plan)").status == 401)
        }
    }
}
