import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// Vaulted shoppers, by hand over real HTTP (dossier 4.4).
@Suite("BlueSnap: vaulted shoppers in the sandbox") struct BlueSnapShopperTests {
    private static let name = #""firstName":"Ada","lastName":"Okoro""#

    private static func shopper(_ source: String? = nil, _ more: String = "") -> String {
        let sources = source.map { #","paymentSources":{"creditCardInfo":[\#($0)]}"# } ?? ""
        return "{" + name + sources + more + "}"
    }

    @Test("a shopper is made with a token, which is used up then, and shown with its card")
    func create() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.filled(
                BlueSnapDesk.card(more: #","billingFirstName":"Ada","billingCountry":"US","billingZip":"02110""#))
            let body = Self.shopper(#"{"pfToken":"\#(token)"}"#, #","email":"ada@example.org","country":"US""#)
            let answer = desk.server("POST", "/vaulted-shoppers", body)
            #expect(answer.status == 200)
            let id = try answer.root["vaultedShopperId"].integer()
            #expect(answer.header["location"]?.hasSuffix("/services/2/vaulted-shoppers/\(id)") == true)
            let entry = try #require(desk.sandbox.ledger.entries.last)
            #expect(entry.outcome == .created && entry.token == "\(id)" && entry.card?.lastFour == "1111")
            let shown = try desk.server("GET", "/vaulted-shoppers/\(id)").root
            #expect(try shown["email"].string() == "ada@example.org")
            #expect(try shown["country"].string() == "us")
            let source = shown["paymentSources"]["creditCardInfo"][0]
            #expect(try source["creditCard"]["cardLastFourDigits"].string() == "1111")
            #expect(try source["billingContactInfo"]["zip"].string() == "02110")
            #expect(desk.submit(token).refusal == "400 TOKEN_WAS_ALREADY_USED_FOR_CC -")
            let paid = desk.server(
                "POST", "/transactions", BlueSnapDesk.charge(#""vaultedShopperId":\#(id)"#, more: ""))
            #expect(paid.status == 200)
        }
    }

    @Test("version 1 answers with an address alone")
    func version() async throws {
        try await withBlueSnap { desk, _ in
            let old = desk.server("POST", "/vaulted-shoppers", Self.shopper(), header: "bluesnap-version: 1.0\r\n")
            #expect(old.status == 201 && old.body.isEmpty && old.header["location"] != nil)
            let new = desk.server("POST", "/vaulted-shoppers", Self.shopper(), header: "bluesnap-version: 3.0\r\n")
            let number = try new.root["vaultedShopperId"]
            #expect(number.kind == .number)
        }
    }

    @Test("cards are added and deleted; what the body does not name is cleared")
    func update() async throws {
        try await withBlueSnap { desk, _ in
            let card = "{" + BlueSnapDesk.plainCard() + #","billingContactInfo":{"firstName":"Ada","zip":"1"}}"#
            let made = try desk.server("POST", "/vaulted-shoppers", Self.shopper(card, #","zip":"02110""#)).root
            let id = try made["vaultedShopperId"].integer()
            let path = "/vaulted-shoppers/\(id)"
            let second = "{" + BlueSnapDesk.plainCard("5425233430109903") + "}"
            let added = desk.server("PUT", path, Self.shopper(second))
            #expect(added.status == 200)
            let zip = try added.root["zip"]
            #expect(zip.kind == .absent)
            #expect(try added.root["paymentSources"]["creditCardInfo"].elements().count == 2)
            let named = #"{"creditCard":{"cardType":"VISA","cardLastFourDigits":"1111"},"status":"D"}"#
            let deleted = try desk.server("PUT", path, Self.shopper(named)).root
            let left = try deleted["paymentSources"]["creditCardInfo"].elements()
            #expect(try left.map { try $0["creditCard"]["cardLastFourDigits"].string() } == ["9903"])
            #expect(
                desk.server("PUT", path, Self.shopper(named)).refusal
                    == "400 BLS_NO_SUCH_SHOPPER_PAYMENT_METHOD 10000")
            #expect(desk.sandbox.ledger.entries.last?.outcome == .refused)
        }
    }

    @Test("bank accounts are kept by their last digits")
    func bank() async throws {
        try await withBlueSnap { desk, _ in
            let account =
                #","paymentSources":{"ecpDetails":[{"ecp":{"routingNumber":"021000021","accountNumber":"9876543210","#
                + #""accountType":"CONSUMER_SAVINGS"}}]}"#
            let root = try desk.server("POST", "/vaulted-shoppers", Self.shopper(nil, account)).root
            let bank = root["paymentSources"]["ecpDetails"][0]["ecp"]
            #expect(try bank["publicAccountNumber"].string() == "3210")
        }
    }

    @Test("what is wrong with a shopper")
    func refusals() async throws {
        try await withBlueSnap { desk, _ in
            let empty = try desk.open()
            let rows = [
                (#"{"firstName":"Ada"}"#, "400 VALIDATION_GENERAL_FAILURE 10001"),
                (Self.shopper(#"{"pfToken":"none"}"#), "400 TOKEN_NOT_FOUND 14041"),
                (Self.shopper(#"{"pfToken":"\#(empty)"}"#), "400 NO_PAYMENT_DETAILS_LINKED_TO_TOKEN 14042"),
                (Self.shopper(nil, #","fax":"1""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
                (Self.shopper(nil, #","email":"ada""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
                (Self.shopper(nil, #","country":"DE","state":"BY""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
                (
                    Self.shopper("{" + BlueSnapDesk.plainCard("4917484589897106") + "}"),
                    "400 VALIDATION_GENERAL_FAILURE 10001"
                ),
            ]
            for (body, expected) in rows {
                #expect(desk.server("POST", "/vaulted-shoppers", body).refusal == expected, "\(body)")
            }
            #expect(desk.server("GET", "/vaulted-shoppers/1").refusal == "400 SHOPPER_NOT_FOUND 15008")
            #expect(desk.server("PUT", "/vaulted-shoppers/1", Self.shopper()).refusal == "400 SHOPPER_NOT_FOUND 15008")
        }
    }
}
