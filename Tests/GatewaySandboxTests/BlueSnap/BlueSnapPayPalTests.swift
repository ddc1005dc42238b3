import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// PayPal as a shopper meets it (dossier 2.2).
@Suite("BlueSnap: PayPal in the sandbox") struct BlueSnapPayPalTests {
    /// The path of a page, below `/bluesnap`.
    private static func page(_ desk: BlueSnapDesk, _ token: String, _ query: String = "amount=30.0&currency=USD") throws
        -> String
    {
        let url = try desk.service("GET", "paypal-token?" + query, token).root["paypalUrl"].string()
        return String(url.split(separator: "/bluesnap").last ?? "")
    }

    @Test("the shopper pays: the money moves once, and the token tells so")
    func pay() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.open()
            let path = try Self.page(desk, token)
            #expect(try desk.service("GET", "transaction-status", token).root["processingStatus"].string() == "PENDING")
            let page = desk.call("GET", path)
            #expect(page.status == 200 && page.header["content-type"]?.hasPrefix("text/html") == true)
            #expect(page.text.contains("30.00 USD"))
            #expect(page.text.contains(#"<form method="post" action="/bluesnap\#(path)">"#))
            let base = try #require(desk.sandbox.baseURL(for: "bluesnap"))
            #expect(page.text.contains(base + "/jsp/dev_scripts/iframeCheck/pay_pal_cancel.html"))
            #expect(desk.sandbox.ledger.entries.allSatisfy { $0.movement == nil }, "looking moves nothing")
            let paid = desk.call("POST", path)
            #expect(paid.status == 302)
            let location = try #require(paid.header["location"])
            let invoice = try #require(location.split(separator: "INVOICE_ID=").last).description
            #expect(location == base + "/jsp/dev_scripts/iframeCheck/pay_pal_proceed.html?INVOICE_ID=" + invoice)
            let entry = try #require(desk.sandbox.ledger.entries.last)
            #expect(entry.movement == LedgerMovement(kind: "purchase", amount: 3000, currency: "USD"))
            #expect(entry.token == invoice)
            #expect(desk.call("POST", path).header["location"] == location, "the second press leads to the same end")
            #expect(desk.sandbox.ledger.entries.count { $0.movement != nil } == 1)
            #expect(try desk.service("GET", "transaction-status", token).root["processingStatus"].string() == "SUCCESS")
            let end = String(location.split(separator: "/bluesnap").last ?? "")
            #expect(desk.call("GET", end).status == 200)
            let record = try desk.server("GET", "/alt-transactions/" + invoice).root
            #expect(try record["amount"].decimalText() == "30.00")
            #expect(
                desk.service("GET", "paypal-token?amount=30&currency=USD", token).refusal.contains(
                    "PAYPAL_TOKEN_ALREADY_USED"))
            #expect(desk.submit(token).refusal == "400 TOKEN_WAS_ALREADY_USED_FOR_PAYPAL -")
        }
    }

    @Test("the shopper gives up: nothing moves, and the page is over")
    func cancel() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.open()
            let path = try Self.page(desk, token)
            let link = try #require(
                desk.call("GET", path).text.split(separator: "href=\"").last?.split(separator: "\"").first)
            let cancel = String(link.split(separator: "/bluesnap").last ?? "")
            #expect(desk.call("GET", cancel).status == 200)
            #expect(desk.call("GET", cancel).status == 200)
            #expect(try desk.service("GET", "transaction-status", token).root["processingStatus"].string() == "FAIL")
            #expect(desk.call("POST", path).status == 404)
            #expect(desk.sandbox.ledger.entries.allSatisfy { $0.movement == nil })
        }
    }

    @Test("currencies and amounts are checked; the same amount has the same page, another one takes its place")
    func amounts() async throws {
        try await withBlueSnap { desk, time in
            let token = try desk.open()
            let rows = [
                ("amount=30&currency=JPY", "400 PAYPAL_UNSUPPORTED_CURRENCY -"),
                ("amount=30", "400 PAYPAL_UNSUPPORTED_CURRENCY -"),
                ("amount=30.001&currency=USD", "400 AMOUNT_EXCEEDED_MAXIMUM_ALLOWED_FRACTION_DIGITS 14021"),
                ("amount=0&currency=USD", "400 VALIDATION_GENERAL_FAILURE 10001"),
                (
                    "amount=0.30000000000000004&currency=USD",
                    "400 AMOUNT_EXCEEDED_MAXIMUM_ALLOWED_FRACTION_DIGITS 14021"
                ),
                ("currency=USD", "400 VALIDATION_GENERAL_FAILURE 10001"),
            ]
            for (query, expected) in rows {
                #expect(desk.service("GET", "paypal-token?" + query, token).refusal == expected, "\(query)")
            }
            #expect(desk.service("GET", "transaction-status", token).refusal == "400 ORDER_NOT_FOUND 10000")
            let first = try Self.page(desk, token)
            let again = try Self.page(desk, token, "amount=30.00&currency=USD&req-confirm-shipping=0&no-shipping=2")
            #expect(again == first)
            let other = try Self.page(desk, token, "amount=31&currency=USD")
            #expect(other != first)
            #expect(desk.call("GET", first).status == 404 && desk.call("POST", first).status == 404)
            #expect(desk.call("GET", other).status == 200)
            time.withLock { $0 = $0.adding(seconds: 3_600) }
            #expect(desk.call("POST", other).status == 404)
            #expect(desk.sandbox.ledger.entries.allSatisfy { $0.movement == nil })
        }
    }

    @Test("a token that was charged by card is bare 403 for PayPal, and its page takes nothing")
    func charged() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.filled()
            let path = try Self.page(desk, token)
            #expect(desk.pay(token).status == 200)
            let answer = desk.service("GET", "paypal-token?amount=30&currency=USD", token)
            #expect(answer.status == 403 && answer.text == "\"Unauthorized\"")
            #expect(desk.call("POST", path).status == 404)
            #expect(desk.sandbox.ledger.entries.count { $0.movement != nil } == 1)
        }
    }
}
