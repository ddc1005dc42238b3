import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Safepay's orders and trackers in the sandbox")
struct SafepayTrackerTests {
    @Test("v1: major units as a number, without any credential but the key in the body; shown by its token")
    func order() async throws {
        try await withSafepay { desk, _ in
            let made = desk.order()
            #expect(made.status == 200)
            let order = try made.data
            #expect(try order["amount"].decimalText() == "1000.5")
            #expect(try order["state"].string() == "TRACKER_STARTED")
            #expect(try order["client"].string() == desk.apiKey)
            #expect(order["transaction"].kind == .null)
            #expect(try made.message == "success")
            let token = try order["token"].string()
            #expect(try desk.call("GET", "/order/v1/\(token)").data["token"].string() == token)
            for amount in ["10", "0.05", "99.90", "1e2", "\"10\"", "0", "-1", "1.005", "99999999999999", "null"] {
                let isRight = ["10", "0.05", "99.90"].contains(amount)
                #expect(desk.order(amount).status == (isRight ? 200 : 400), "\(amount)")
            }
            #expect(desk.order(more: #","mode":"payment""#).status == 400)
        }
    }

    @Test("v1 refuses another key, currency and environment, and knows no tracker of the other generation")
    func orderRefusals() async throws {
        try await withSafepay { desk, _ in
            func start(_ client: String, _ currency: String, _ environment: String) -> SafepayReply {
                desk.call(
                    "POST", "/order/v1/init",
                    #"{"client":"\#(client)","amount":5,"currency":"\#(currency)","environment":"\#(environment)"}"#)
            }
            #expect(start("sec_other", "PKR", "sandbox").status == 404)
            #expect(start(desk.apiKey, "JPY", "sandbox").status == 400)
            #expect(start(desk.apiKey, "PKR", "production").status == 400)
            #expect(desk.call("POST", "/order/v1/init", "{}", type: "text/plain").status == 415)
            let tracker = try desk.tracker()
            #expect(desk.call("GET", "/order/v1/\(tracker)").status == 404)
        }
    }

    @Test("v3: minor units as an integer, with the secret, and with a slash at the end")
    func tracker() async throws {
        try await withSafepay { desk, _ in
            let body = desk.createBody(#","amount":150000,"metadata":{"order_id":"A-1","source":"web-app"}"#)
            let made = desk.server("POST", "/order/payments/v3/", body)
            #expect(made.status == 201)
            let tracker = try made.data["tracker"]
            #expect(try tracker["token"].string().hasPrefix("track_"))
            #expect(try tracker["entry_mode"].string() == "flex")
            #expect(try tracker["next_actions"]["CYBERSOURCE"]["kind"].string() == "GENERATE_CAPTURE_CONTEXT")
            #expect(try tracker["next_actions"]["MPGS"]["kind"].string() == "NOOP")
            #expect(try tracker["purchase_totals"]["quote_amount"]["amount"].integer() == 150_000)
            #expect(try made.data["capabilities"]["CYBERSOURCE"].bool())
            for path in ["/order/payments/v3", "/order/payments/v3?x=1"] {
                let refused = desk.server("POST", path, body)
                #expect(refused.status == 405)
                #expect(refused.header["content-type"]?.hasPrefix("text/html") == true)
                #expect(refused.text.contains("405 Method Not Allowed"))
            }
            for header in ["", "X-SFPY-MERCHANT-SECRET: wrong\r\n", "Authorization: Bearer \(try desk.passport())\r\n"]
            {
                let refused = desk.call("POST", "/order/payments/v3/", body, header: header)
                #expect(refused.status == 401)
                #expect(try refused.root["code"].string() == "error.unauthorized_access")
            }
        }
    }

    @Test("v3: members and what each mode must have")
    func terms() async throws {
        try await withSafepay { desk, _ in
            let user = #","user":"\#(try desk.customer())""#
            let rows: [(String, Int)] = [
                (#","amount":1"#, 201), (#","amount":0"#, 400), (#","amount":-5"#, 400), (#","amount":1.5"#, 400),
                (#","amount":"100""#, 400), ("", 400), (#","amount":1,"intent":"MPGS""#, 201),
                (#","amount":1,"intent":"OTHER""#, 400), (#","amount":1,"mode":"cof""#, 400),
                (#","mode":"instrument""#, 201), (#","mode":"instrument","amount":1"#, 400),
                (#","mode":"instrument","is_account_verification":true"#, 201),
                (#","amount":1,"is_account_verification":true"#, 400), (#","amount":1,"include_fees":true"#, 201),
                (#","amount":1,"mode":"unscheduled_cof""#, 400),
                (#","amount":1,"mode":"unscheduled_cof"\#(user)"#, 201),
                (#","amount":1,"mode":"unscheduled_cof","entry_mode":"raw"\#(user)"#, 201),
                (#","amount":1,"mode":"subscription""#, 400), (#","amount":1,"mode":"subscription"\#(user)"#, 201),
                (#","amount":1,"entry_mode":"tms""#, 400), (#","amount":1,"entry_mode":"tms"\#(user)"#, 201),
                (#","amount":1,"entry_mode":"mit""#, 400), (#","amount":1,"user":"cus_unknown""#, 404),
                (#","amount":1,"metadata":{"order_id":"1"}"#, 201), (#","amount":1,"color":"red""#, 400),
            ]
            for (members, status) in rows {
                #expect(
                    desk.server("POST", "/order/payments/v3/", desk.createBody(members)).status == status, "\(members)")
            }
            let meta = desk.server(
                "POST", "/order/payments/v3/", desk.createBody(#","amount":1,"metadata":{"invoice":"1"}"#))
            #expect(meta.status == 400)
            #expect(try meta.error == "unsupported meta key")
            let other = desk.server(
                "POST", "/order/payments/v3/", #"{"merchant_api_key":"sec_x","currency":"PKR","amount":1}"#)
            #expect(other.status == 404)
        }
    }

    @Test("A passport is a text, needs the secret, and is good for an hour")
    func passport() async throws {
        try await withSafepay { desk, time in
            let token = try desk.passport()
            #expect(token.hasSuffix("=="))
            let tracker = try desk.tracker()
            let bearer = "Authorization: Bearer \(token)\r\n"
            func show() -> Int { desk.call("GET", "/reporter/api/v1/payments/\(tracker)", header: bearer).status }
            #expect(show() == 200)
            #expect(desk.call("POST", "/client/passport/v1/token", "{}", header: bearer).status == 401)
            time.withLock { $0 = $0.adding(seconds: 3_599) }
            #expect(show() == 200)
            time.withLock { $0 = $0.adding(seconds: 1) }
            #expect(show() == 401)
            desk.sandbox.reset()
            #expect(show() == 401)
        }
    }

    @Test("Metadata of known keys are added later")
    func metadata() async throws {
        try await withSafepay { desk, _ in
            let token = try desk.tracker(more: #","metadata":{"source":"web-app"}"#)
            let path = "/order/payments/v3/\(token)/metadata"
            let set = desk.server("POST", path, #"{"data":{"order_id":"A-1"}}"#)
            #expect(try set.data["tracker"]["metadata"]["order_id"].string() == "A-1")
            #expect(try desk.report(token)["metadata"]["source"]["value"].string() == "web-app")
            #expect(try desk.server("POST", path, #"{"data":{"other":"1"}}"#).error == "unsupported meta key")
            #expect(desk.server("POST", path, "{}").status == 400)
            #expect(desk.server("POST", "/order/payments/v3/track_x/metadata", #"{"data":{}}"#).status == 404)
        }
    }

    @Test("Refusals come as 200 with another message where that is chosen, but those of the front layers")
    func hidden() async throws {
        try await withSafepay(["safepay.refusals": "hidden"]) { desk, _ in
            let refused = desk.order("0")
            #expect(refused.status == 200)
            let root = try refused.root
            #expect(try root["status"]["message"].string() != "success")
            #expect(root["data"].kind == .null)
            #expect(desk.call("POST", "/order/payments/v3/", "{}").status == 401)
            #expect(desk.server("POST", "/order/payments/v3", "{}").status == 405)
            #expect(desk.order().status == 200)
        }
    }

    @Test("The reporter has an envelope of its own, and a charge only when money was taken")
    func reporter() async throws {
        try await withSafepay { desk, _ in
            let token = try desk.tracker(188_000)
            let answer = try desk.server("GET", "/reporter/api/v1/payments/\(token)").root
            #expect(try answer["ok"].bool())
            #expect(try answer["data"]["state"].string() == "TRACKER_STARTED")
            #expect(answer["data"]["charge"].present == nil)
            #expect(try answer["data"]["client"]["api_key"].string() == desk.apiKey)
            _ = desk.setUp(token)
            _ = desk.enrol(token)
            _ = desk.authorize(token)
            let charge = try desk.report(token)["charge"]
            #expect(try charge["amount"]["amount"].integer() == 188_000)
            #expect(try charge["fees"]["amount"].integer() == 11_910)
            #expect(try charge["tax"]["amount"].integer() == 818)
            #expect(try charge["net"]["amount"].integer() == 176_090)
            #expect(try charge["signature"].string().utf8.count == 64)
            let missing = desk.server("GET", "/reporter/api/v1/payments/track_x")
            #expect(missing.status == 404)
            #expect(try missing.root["error"].string() == "payment not found")
            #expect(desk.call("GET", "/reporter/api/v1/payments/\(token)").status == 401)
        }
    }

    @Test("Payments that are not carried out are over after an hour where that is chosen")
    func expiry() async throws {
        try await withSafepay(["safepay.lifetime": "hour"]) { desk, time in
            let order = try desk.order().data["token"].string()
            let (open, paid) = (try desk.tracker(), try desk.paid())
            time.withLock { $0 = $0.adding(seconds: 3_599) }
            #expect(try desk.state(open) == "TRACKER_STARTED")
            time.withLock { $0 = $0.adding(seconds: 1) }
            #expect(try desk.state(open) == "TRACKER_EXPIRED")
            #expect(try desk.state(paid) == "TRACKER_ENDED")
            #expect(try desk.call("GET", "/order/v1/\(order)").data["state"].string() == "TRACKER_EXPIRED")
            #expect(try desk.setUp(open).error == "Tracker is in an invalid state")
            #expect(desk.server("PUT", "/order/payments/v3/\(open)", "{}").status == 400)
            #expect(desk.call("GET", "/checkout/pay?beacon=\(order)").location.hasSuffix("invalid%20state"))
        }
    }

    @Test("The reporter's list has pages, the newest first")
    func list() async throws {
        try await withSafepay { desk, _ in
            let tokens = try (1...3).map { try desk.tracker($0 * 100) }
            func list(_ query: String) throws -> [String] {
                try desk.server("GET", "/reporter/api/v1/payments\(query)").root["data"]["list"].elements()
                    .map { try $0["token"].string() }
            }
            #expect(try list("") == tokens.reversed())
            #expect(try list("?direction=ASC&limit=2") == Array(tokens[..<2]))
            #expect(try list("?limit=2&page=2") == [tokens[0]])
            #expect(desk.server("GET", "/reporter/api/v1/payments?limit=0").status == 400)
            let first = try desk.server("GET", "/reporter/api/v1/payments").root["data"]["list"][0]
            #expect(try first["display_amount"].decimalText() == "3")
        }
    }
}
