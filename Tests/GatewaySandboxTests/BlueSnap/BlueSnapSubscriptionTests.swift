import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// Plans and subscriptions, by hand over real HTTP (dossier 4.5).
@Suite("BlueSnap: plans and subscriptions in the sandbox") struct BlueSnapSubscriptionTests {
    private static func plan(_ more: String = "") -> String {
        #"{"name":"Gold","currency":"USD","chargeFrequency":"MONTHLY","recurringChargeAmount":12.50\#(more)}"#
    }

    private static func subscription(_ plan: Int, _ token: String, _ more: String = "") -> String {
        #"{"planId":\#(plan),"paymentSource":{"pfToken":"\#(token)"},"payerInfo":{"firstName":"Ada","lastName":"Okoro"}\#(more)}"#
    }

    private static func made(_ desk: BlueSnapDesk, _ more: String = "") throws -> Int {
        try desk.server("POST", "/recurring/plans", plan(more)).root["planId"].integer()
    }

    @Test("a plan is made, shown and changed")
    func plans() async throws {
        try await withBlueSnap { desk, _ in
            let id = try Self.made(desk, #","trialPeriodDays":14,"initialChargeAmount":1.00"#)
            let shown = try desk.server("GET", "/recurring/plans/\(id)").root
            #expect(try shown["recurringChargeAmount"].decimalText() == "12.50")
            #expect(try shown["trialPeriodDays"].integer() == 14)
            #expect(try shown["status"].string() == "ACTIVE")
            let changed = try desk.server("PUT", "/recurring/plans/\(id)", #"{"status":"INACTIVE"}"#).root
            #expect(try changed["status"].string() == "INACTIVE")
            #expect(try changed["name"].string() == "Gold")
            let token = try desk.filled()
            let refused = desk.server("POST", "/recurring/subscriptions", Self.subscription(id, token))
            #expect(refused.status == 400)
            let rows = [
                (Self.plan().replacing("USD", with: "XXX"), "400 CURRENCY_NOT_FOUND 24011"),
                (Self.plan().replacing("MONTHLY", with: "SOMETIMES"), "400 VALIDATION_GENERAL_FAILURE 10001"),
                (
                    Self.plan().replacing("12.50", with: "12.505"),
                    "400 AMOUNT_EXCEEDED_MAXIMUM_ALLOWED_FRACTION_DIGITS 14021"
                ),
                (Self.plan(#","trialPeriodDays":-1"#), "400 VALIDATION_GENERAL_FAILURE 10001"),
                (Self.plan(#","colour":"gold""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
                ("{}", "400 VALIDATION_GENERAL_FAILURE 10001"),
            ]
            for (body, expected) in rows {
                #expect(desk.server("POST", "/recurring/plans", body).refusal == expected, "\(body)")
            }
            #expect(desk.server("GET", "/recurring/plans/1").refusal == "400 PLAN_NOT_FOUND 24001")
            #expect(desk.movements.isEmpty)
        }
    }

    @Test("a subscription takes its first payment at once, keeps the card, and is found by the payment")
    func subscribe() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.filled()
            let body = try Self.subscription(Self.made(desk), token, #","merchantTransactionId":"sub-1""#)
            let answer = desk.server("POST", "/recurring/subscriptions", body)
            #expect(answer.status == 200)
            let root = try answer.root
            let id = try root["subscriptionId"].integer()
            #expect(root["vaultedShopperId"].kind == .number)
            #expect(try root["status"].string() == "ACTIVE")
            #expect(try root["nextChargeDate"].string() == "24-Aug-26")
            let entry = try #require(desk.sandbox.ledger.entries.last)
            #expect(entry.token == "\(id)" && entry.ownReference == "sub-1" && entry.operation == "subscribe")
            #expect(desk.movements == ["purchase 1250"])
            #expect(desk.submit(token).refusal == "400 TOKEN_WAS_ALREADY_USED_FOR_CC -")
            let charges = try desk.server("GET", "/recurring/subscriptions/\(id)/charges").root["charges"]
            let payment = try charges[0]["transactionId"].string()
            let found = try desk.server("GET", "/recurring/subscriptions/resolve?transactionid=" + payment).root
            #expect(try found["subscriptionId"].integer() == id)
            #expect(desk.server("GET", "/transactions/" + payment).status == 200)
            let shopper = try root["vaultedShopperId"].integer()
            let kept = try desk.server("GET", "/vaulted-shoppers/\(shopper)").root
            #expect(try kept["paymentSources"]["creditCardInfo"].elements().count == 1)
        }
    }

    @Test(
        "what is taken at once",
        arguments: [
            ("", ["purchase 1250"]), (#","initialChargeAmount":3.00"#, ["purchase 300"]),
            (#","trialPeriodDays":14"#, []), (#","trialPeriodDays":14,"initialChargeAmount":3.00"#, ["purchase 300"]),
        ])
    func first(more: String, movements: [String]) async throws {
        try await withBlueSnap { desk, _ in
            let body = try Self.subscription(Self.made(desk, more), desk.filled())
            #expect(desk.server("POST", "/recurring/subscriptions", body).status == 200)
            #expect(desk.movements == movements)
        }
    }

    @Test("a declined first payment makes no subscription; an unknown one may have")
    func declined() async throws {
        try await withBlueSnap { desk, _ in
            let plan = try Self.made(desk)
            let card = BlueSnapDesk.card("4917484589897107", "05/2031")
            let declined = try desk.server(
                "POST", "/recurring/subscriptions", Self.subscription(plan, desk.filled(card)))
            #expect(declined.refusal == "400 INSUFFICIENT_FUNDS 14002")
            #expect(desk.movements.isEmpty)
            let costly = try Self.made(desk, #","initialChargeAmount":99.03"#)
            let lost = try desk.server("POST", "/recurring/subscriptions", Self.subscription(costly, desk.filled()))
            #expect(lost.status == 500)
            #expect(desk.movements == ["purchase 9903"])
            let id = try #require(desk.sandbox.ledger.entries.last?.token)
            #expect(desk.server("GET", "/recurring/subscriptions/" + id).status == 200)
            let none = desk.server("POST", "/recurring/subscriptions", Self.subscription(1, "none"))
            #expect(none.refusal == "400 PLAN_NOT_FOUND 24001")
        }
    }

    @Test("a subscription is cancelled, and stays so; a refund cancels it unless it is told not to")
    func cancel() async throws {
        try await withBlueSnap { desk, _ in
            let plan = try Self.made(desk)
            func begin() throws -> (id: String, payment: String) {
                let body = try Self.subscription(plan, desk.filled())
                let id = try desk.server("POST", "/recurring/subscriptions", body).root["subscriptionId"].integer()
                let charges = try desk.server("GET", "/recurring/subscriptions/\(id)/charges").root["charges"]
                return ("/recurring/subscriptions/\(id)", try charges[0]["transactionId"].string())
            }
            let first = try begin()
            let cancelled = try desk.server("PUT", first.id, #"{"status":"CANCELED"}"#).root
            #expect(try cancelled["status"].string() == "CANCELED")
            #expect(desk.server("PUT", first.id, #"{"status":"ACTIVE"}"#).status == 400)
            #expect(desk.server("PUT", first.id, #"{"status":"PAUSED"}"#).status == 400)
            let second = try begin()
            _ = desk.server(
                "POST", "/transactions/refund/" + second.payment, #"{"amount":1,"cancelSubscriptions":false}"#)
            #expect(try desk.server("GET", second.id).root["status"].string() == "ACTIVE")
            _ = desk.server("POST", "/transactions/refund/" + second.payment, #"{"amount":1}"#)
            #expect(try desk.server("GET", second.id).root["status"].string() == "CANCELED")
            #expect(desk.server("GET", "/recurring/subscriptions/1").refusal == "400 SUBSCRIPTION_NOT_FOUND 90009")
            #expect(
                desk.server("GET", "/recurring/subscriptions/resolve?transactionid=1").refusal
                    == "400 SUBSCRIPTION_NOT_FOUND 90009")
        }
    }

    @Test("charges on demand, one after the other, until it is cancelled")
    func demand() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.filled()
            let body =
                #"{"amount":10,"currency":"USD","merchantTransactionId":"d-1","paymentSource":{"pfToken":"\#(token)"},"#
                + #""payerInfo":{"firstName":"Ada","lastName":"Okoro"}}"#
            let root = try desk.server("POST", "/recurring/ondemand", body).root
            #expect(try !root["transactionId"].string().isEmpty)
            let id = try root["subscriptionId"].integer()
            let path = "/recurring/ondemand/\(id)"
            let next = desk.server("POST", path, #"{"amount":7.25,"currency":"USD","merchantTransactionId":"d-2"}"#)
            #expect(next.status == 200)
            #expect(try next.root["amount"].decimalText() == "7.25")
            #expect(desk.sandbox.ledger.entries.last?.ownReference == "d-2")
            #expect(
                desk.server("POST", path, #"{"amount":81.04,"currency":"USD"}"#).refusal
                    == "400 INSUFFICIENT_FUNDS 14002")
            #expect(desk.server("GET", "/transactions/d-2,\(desk.merchant)").status == 200)
            #expect(desk.server("PUT", "/recurring/subscriptions/\(id)", #"{"status":"CANCELED"}"#).status == 200)
            #expect(desk.server("POST", path, #"{"amount":7.25,"currency":"USD"}"#).status == 400)
            #expect(desk.movements == ["purchase 1000", "purchase 725"])
            let charges = try desk.server("GET", "/recurring/subscriptions/\(id)/charges").root["charges"]
            #expect(try charges.elements().count == 2)
        }
    }
}
