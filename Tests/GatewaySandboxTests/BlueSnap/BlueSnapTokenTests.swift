import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// Tokens as others ask for and fill them, by hand over real HTTP (dossier 1).
@Suite("BlueSnap: tokens in the sandbox") struct BlueSnapTokenTests {
    @Test("a token: 201, its address, no body, 64 hexadecimal digits and the sandbox's sign")
    func open() async throws {
        try await withBlueSnap { desk, _ in
            let answer = desk.server("POST", "/payment-fields-tokens")
            #expect(answer.status == 201)
            #expect(answer.body.isEmpty)
            let location = try #require(answer.header["location"])
            let base = try #require(desk.sandbox.baseURL(for: "bluesnap"))
            #expect(location.hasPrefix(base + "/services/2/payment-fields-tokens/"))
            let token = try #require(location.split(separator: "/").last)
            #expect(token.utf8.count == 65 && token.last == "_")
            #expect(token.dropLast().utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 })
            let entry = try #require(desk.sandbox.ledger.entries.last)
            #expect(entry.operation == "open-session" && entry.outcome == .created && entry.token == String(token))
            #expect(try desk.open() != String(token))
        }
    }

    @Test("wrong credentials are told by a page, whatever is called; Basic is followed by one space")
    func credentials() async throws {
        try await withBlueSnap { desk, _ in
            let calls = [
                ("POST", "payment-fields-tokens"), ("POST", "payment-fields-tokens/prefill"),
                ("GET", "tools/currency-rates"), ("POST", "wallets"),
            ]
            for (method, path) in calls {
                for header in ["", "Authorization: Basic eDp5\r\n", "Authorization: \(desk.basic) \r\nx: y\r\n"] {
                    let isRight = header.contains(desk.basic)
                    let answer = desk.call(method, "/services/2/" + path, header: header)
                    #expect((answer.status == 401) != isRight, "\(path)")
                    guard !isRight else { continue }
                    #expect(answer.header["content-type"]?.hasPrefix("text/html") == true)
                    #expect(answer.text.contains("Bad credentials"))
                }
            }
            let twice = desk.basic.replacing("Basic ", with: "Basic  ")
            #expect(
                desk.call("POST", "/services/2/payment-fields-tokens", header: "Authorization: \(twice)\r\n").status
                    == 401)
        }
    }

    @Test("the wishes of a new token are read strictly")
    func wishes() async throws {
        try await withBlueSnap { desk, _ in
            let rows = [
                ("?shopperId=31009922", "201 - -"), ("?shopperId=31009922&challengerequested3ds=true", "201 - -"),
                ("?authenticationrequired3ds=true", "201 - -"), ("?shopperId=1", "400 SHOPPER_NOT_FOUND 15008"),
                ("?shopperId=rita", "400 VALIDATION_GENERAL_FAILURE 10001"),
                ("?authenticationrequired3ds=yes", "400 VALIDATION_GENERAL_FAILURE 10001"),
                ("?shopper=31009922", "400 VALIDATION_GENERAL_FAILURE 10001"),
            ]
            for (query, expected) in rows {
                #expect(desk.server("POST", "/payment-fields-tokens" + query).refusal == expected, "\(query)")
            }
            #expect(desk.server("POST", "/payment-fields-tokens", "{}").status == 400)
        }
    }

    @Test("a card: what is told of it, in three ways, and the ledger has no number")
    func card() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.open()
            let plain = desk.submit(
                token,
                BlueSnapDesk.card(
                    more: #","ccType":"VISA","storeCard":"true","billingFirstName":"Rita","billingLastName":"Quill","#
                        + #""billingCountry":"US","billingState":"MA","billingZip":"02110","email":"rita@example.org","#
                        + #""fraudSessionId":"f00dfeed00000000000000000000beef""#))
            #expect(plain.status == 200)
            #expect(plain.text == #"{"ccType":"VISA","last4Digits":"1111","issuingCountry":"us"}"#)
            let entry = try #require(desk.sandbox.ledger.entries.last)
            #expect(entry.operation == "tokenize" && entry.outcome == .created && entry.token == token)
            #expect(entry.card?.lastFour == "1111" && entry.card?.expiry == CardExpiry(month: 11, year: 2031))
            desk.sandbox.choose("full", for: "bluesnap.submit")
            let full = try desk.submit(desk.open(), BlueSnapDesk.card("374245455400126", code: "7373")).root
            #expect(try full["ccBin"].string() == "374245")
            #expect(try full["isRegulatedCard"].string() == "N")
            #expect(try full["exp"].string() == "11/2031")
            desk.sandbox.choose("empty", for: "bluesnap.submit")
            let empty = try desk.submit(desk.open())
            #expect(empty.status == 200 && empty.body.isEmpty)
        }
    }

    @Test(
        "a wrong card is refused by name",
        arguments: [
            (BlueSnapDesk.card("4111111111111112"), "400 INVALID_CC_NUMBER -"),
            (BlueSnapDesk.card("4111 1111 1111 1111"), "400 INVALID_CC_NUMBER -"),
            (BlueSnapDesk.card("411111111111"), "400 INVALID_CC_NUMBER -"),
            (BlueSnapDesk.card(""), "400 INVALID_CC_NUMBER -"),
            (BlueSnapDesk.card("5019717010103742"), "400 CARD_TYPE_NOT_SUPPORTED 22013"),
            (BlueSnapDesk.card(more: #","ccType":"MASTERCARD""#), "400 CARD_TYPE_NOT_SUPPORTED 22013"),
            (BlueSnapDesk.card(more: #","ccType":"visa""#), "400 CARD_TYPE_NOT_SUPPORTED 22013"),
            (BlueSnapDesk.card(BlueSnapDesk.visa, "12/2004"), "400 INVALID_EXP_DATE -"),
            (BlueSnapDesk.card(BlueSnapDesk.visa, "13/2031"), "400 INVALID_EXP_DATE -"),
            (BlueSnapDesk.card(BlueSnapDesk.visa, "11/31"), "400 INVALID_EXP_DATE -"),
            (BlueSnapDesk.card(BlueSnapDesk.visa, "1/2031"), "400 INVALID_EXP_DATE -"),
            (BlueSnapDesk.card(BlueSnapDesk.visa, "2031-11"), "400 INVALID_EXP_DATE -"),
            (BlueSnapDesk.card(code: "12"), "400 INVALID_CVV -"),
            (BlueSnapDesk.card(code: "1234"), "400 INVALID_CVV -"),
            (BlueSnapDesk.card(code: "12a"), "400 INVALID_CVV -"),
            (BlueSnapDesk.card("374245455400126"), "400 INVALID_CVV -"),
            (#"{"ccNumber":"4111111111111111","cvv":"737"}"#, "400 INVALID_EXP_DATE -"),
            (#"{"cvv":"737","expDate":"11/2031"}"#, "400 INVALID_CC_NUMBER -"),
        ])
    func wrongCard(body: String, expected: String) async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.open()
            #expect(desk.submit(token, body).refusal == expected)
            #expect(desk.submit(token).status == 200, "a refusal changes nothing")
        }
    }

    @Test("a card is good to the end of its month, by the sandbox's clock")
    func month() async throws {
        try await withBlueSnap { desk, time in
            let token = try desk.open()
            let body = BlueSnapDesk.card(BlueSnapDesk.visa, "07/2026")
            #expect(desk.submit(token, body).status == 200)
            time.withLock { $0 = $0.adding(seconds: 30 * 86_400) }
            let later = try desk.open()
            #expect(desk.submit(later, body).refusal == "400 INVALID_EXP_DATE -")
        }
    }

    @Test(
        "the body is flat, of texts, and has no member of another name",
        arguments: [
            ("", "500 SERVER_GENERAL_FAILURE 10000"), ("[]", "400 INVALID_INPUT 21001"),
            ("ccNumber=1", "400 INVALID_INPUT 21001"),
            (BlueSnapDesk.card(more: #","storeCard":true"#), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (BlueSnapDesk.card(more: #","storeCard":"yes""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (BlueSnapDesk.card(more: #","billing":{}"#), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (BlueSnapDesk.card(more: #","billingPhone":"1""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (
                BlueSnapDesk.card(more: #","fraudSessionId":"123456789012345678901234567890123""#),
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            (
                BlueSnapDesk.card(more: #","billingCountry":"DE","billingState":"BY""#),
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            (BlueSnapDesk.card(more: #","billingState":"MA""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (
                BlueSnapDesk.card(more: #","shippingCountry":"US","shippingState":"Massachusetts""#),
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            (BlueSnapDesk.card(more: #","billingCountry":"USA""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (BlueSnapDesk.card(more: #","email":"rita""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (BlueSnapDesk.card(more: #","applePayToken":"e30=""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
        ])
    func body(body: String, expected: String) async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.open()
            #expect(desk.submit(token, body).refusal == expected)
        }
    }

    @Test("another content type is 415, a token that is not in the header 401")
    func header() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.open()
            let path = "/services/2/payment-fields-tokens/" + token
            let own = "Token-Authentication: \(token)\r\n"
            #expect(desk.call("PUT", path, BlueSnapDesk.card(), header: own, type: "text/plain").status == 415)
            #expect(desk.call("PUT", path, BlueSnapDesk.card()).status == 401)
            let other = try desk.open()
            #expect(
                desk.call("PUT", path, BlueSnapDesk.card(), header: "Token-Authentication: \(other)\r\n").status == 401)
        }
    }

    @Test("a token lives for sixty minutes; then, and when it was never made, it has the SDK's names")
    func life() async throws {
        try await withBlueSnap { desk, time in
            let token = try desk.open()
            time.withLock { $0 = $0.adding(seconds: 3_599) }
            #expect(desk.submit(token).status == 200)
            time.withLock { $0 = $0.adding(seconds: 1) }
            #expect(desk.submit(token).refusal == "400 EXPIRED_TOKEN 14040")
            #expect(desk.submit(token, #"{"dummy":"check:"}"#).refusal == "400 EXPIRED_TOKEN 14040")
            #expect(desk.submit("none").refusal == "400 TOKEN_NOT_FOUND 14041")
        }
    }

    @Test("the probe of the SDK's leaves a living token as it is")
    func probe() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.filled()
            for body in [#"{"dummy":"check:"}"#, "{}"] {
                let answer = desk.submit(token, body)
                #expect(answer.status == 200)
                #expect(answer.text == "{}")
                #expect(desk.sandbox.ledger.entries.last?.outcome == .read)
            }
        }
    }

    @Test("a number alone is looked at; wallets, bank accounts and cards of the shopper are taken")
    func others() async throws {
        try await withBlueSnap { desk, _ in
            let number = try desk.submit(desk.open(), #"{"ccNumber":"4007702835532454"}"#)
            #expect(number.text == #"{"ccType":"VISA","last4Digits":"2454","issuingCountry":"br"}"#)
            let apple = BlueSnapDesk.base64(
                #"{"billingContact":{"countryCode":"US"},"token":{"transactionIdentifier":"ab12","paymentData":{"#
                    + #""version":"EC_v1"},"paymentMethod":{"displayName":"Visa 1111","network":"Visa","type":"debit"}}}"#
            )
            let wallet = try desk.submit(desk.open(), #"{"applePayToken":"\#(apple)"}"#)
            #expect(wallet.text == #"{"ccType":"VISA","last4Digits":"1111","issuingCountry":"us"}"#)
            let google = BlueSnapDesk.base64(
                #"{"paymentMethodData":{"info":{"cardNetwork":"MASTERCARD","cardDetails":"4444"},"#
                    + #""tokenizationData":{"token":"{}"}}}"#)
            let body = #"{"paymentMethod":"GOOGLE_PAY","paymentToken":"\#(google)"}"#
            let second = try desk.submit(desk.open(), body).root
            // The Android SDK writes the alphabet for addresses.
            let forAddresses = body.replacing("+", with: "-").replacing("/", with: "_")
            let third = try desk.submit(desk.open(), forAddresses)
            #expect(third.status == 200)
            #expect(try second["ccType"].string() == "MASTERCARD")
            let bank =
                #"{"paymentMethod":"ECP","ecpRoutingNumber":"021000021","ecpAccountNumber":"9876543210","#
                + #""ecpAccountType":"CONSUMER_CHECKING"}"#
            let account = try desk.submit(desk.open(), bank).root
            #expect(try account["paymentMethod"].string() == "ECP")
            #expect(try account["ecpAccountType"].string() == "CONSUMER_CHECKING")
            let stored = #"{"ccType":"VISA","lastFourDigits":"1111","expDate":"11/2029"}"#
            let own = try desk.submit(desk.open("?shopperId=31009922"), stored)
            #expect(own.text == #"{"ccType":"VISA","last4Digits":"1111","issuingCountry":"us"}"#)
        }
    }

    @Test(
        "what is wrong with them",
        arguments: [
            (#"{"applePayToken":"e30="}"#, "400 INVALID_WALLET_PAYMENT_DATA 23010"),
            (#"{"applePayToken":"***"}"#, "400 INVALID_WALLET_PAYMENT_DATA 23010"),
            (#"{"paymentToken":"e30="}"#, "400 VALIDATION_GENERAL_FAILURE 10001"),
            (#"{"paymentMethod":"GOOGLE_PAY","paymentToken":"e30="}"#, "400 INVALID_WALLET_PAYMENT_DATA 23010"),
            (
                #"{"paymentMethod":"ECP","ecpRoutingNumber":"021000022","ecpAccountNumber":"9876543210","ecpAccountType":"CONSUMER_CHECKING"}"#,
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            (
                #"{"paymentMethod":"ECP","ecpRoutingNumber":"021000021","ecpAccountNumber":"98","ecpAccountType":"CONSUMER_CHECKING"}"#,
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            (
                #"{"paymentMethod":"ECP","ecpRoutingNumber":"021000021","ecpAccountNumber":"9876543210","ecpAccountType":"CHECKING"}"#,
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            (
                #"{"ecpRoutingNumber":"021000021","ecpAccountNumber":"9876543210","ecpAccountType":"CONSUMER_CHECKING"}"#,
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            (#"{"ccType":"VISA","lastFourDigits":"2222"}"#, "400 BLS_NO_SUCH_SHOPPER_PAYMENT_METHOD 10000"),
            (
                #"{"ccType":"VISA","lastFourDigits":"1111","expDate":"10/2029"}"#,
                "400 BLS_NO_SUCH_SHOPPER_PAYMENT_METHOD 10000"
            ),
            (#"{"ccType":"MASTERCARD","lastFourDigits":"9903"}"#, "400 INVALID_EXP_DATE -"),
        ])
    func wrongOthers(body: String, expected: String) async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.open("?shopperId=31009922")
            #expect(desk.submit(token, body).refusal == expected)
        }
    }

    @Test("a card of a shopper wants a token for that shopper")
    func noShopper() async throws {
        try await withBlueSnap { desk, _ in
            let answer = try desk.submit(desk.open(), #"{"ccType":"VISA","lastFourDigits":"1111"}"#)
            #expect(answer.refusal == "400 SHOPPER_NOT_FOUND 15008")
        }
    }

    @Test("a prefilled token has its card")
    func prefill() async throws {
        try await withBlueSnap { desk, _ in
            let path = "/payment-fields-tokens/prefill"
            let answer = desk.server("POST", path, #"{"ccNumber":"4111111111111111","expDate":"11/2031"}"#)
            #expect(answer.status == 201 && answer.header["location"] != nil && answer.body.isEmpty)
            #expect(desk.sandbox.ledger.entries.last?.card?.lastFour == "1111")
            let rows = [
                (#"{"ccNumber":"4111111111111111"}"#, "400 INVALID_EXP_DATE -"),
                (#"{"expDate":"11/2031"}"#, "400 INVALID_CC_NUMBER -"),
                (
                    #"{"ccNumber":"4111111111111111","expDate":"11/2031","cvv":"737"}"#,
                    "400 VALIDATION_GENERAL_FAILURE 10001"
                ),
            ]
            for (body, expected) in rows { #expect(desk.server("POST", path, body).refusal == expected) }
        }
    }

    @Test("every public test card of the brands that the merchant takes is taken, every other one refused by its type")
    func testCards() async throws {
        try await withBlueSnap { desk, _ in
            let refused: Set<CardBrand> = [.dankort, .alelo, .carnet, .sodexo]
            for card in TestCard.all {
                let code = card.brand == .americanExpress ? "7373" : "737"
                let answer = try desk.submit(desk.open(), BlueSnapDesk.card(card.number, "12/2031", code: code))
                #expect((answer.status == 200) != refused.contains(card.brand), "\(card.name)")
                if answer.status != 200 { #expect(answer.refusal == "400 CARD_TYPE_NOT_SUPPORTED 22013") }
            }
        }
    }

    @Test("paths and methods")
    func routes() async throws {
        try await withBlueSnap { desk, _ in
            let rows: [(String, String, Int)] = [
                ("GET", "/services/2/payment-fields-tokens", 405), ("POST", "/services/2/payment-fields-tokens", 401),
                ("GET", "/services/2/payment-fields-tokens/x", 405),
                ("PUT", "/services/2/payment-fields-tokens/x", 401),
                ("GET", "/services/2/tokenized-services/sdk-init", 401), ("GET", "/services/2/other", 404),
                ("GET", "/services/1/payment-fields-tokens", 404), ("GET", "/", 404),
                ("POST", "/services/2/tokenized-services/rates", 405),
            ]
            for (method, path, status) in rows {
                #expect(desk.call(method, path).status == status, "\(method) \(path)")
            }
        }
    }
}
