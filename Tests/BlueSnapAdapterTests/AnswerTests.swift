import GatewayKitCore
import Testing

/// What each answer of a submission means.
@Suite struct BlueSnapAnswerTests {
    @Test("A card: brand, last four digits, issuing country; a token for one payment, made of a new card")
    func card() async throws {
        let token = try #require(
            try await Shop.end(
                200,
                #"{"ccType":"VISA","last4Digits":"1111","issuingCountry":"us","ccBin":"411111","exp":"11/2031","x":[1]}"#
            ).token)
        #expect(token.id == Shop.token)
        #expect(token.usage == .single)
        #expect(token.origin == .newCard)
        #expect(token.origin?.isChargeable == true)
        #expect(token.isTest == true)
        #expect(token.providerKind == "CC")
        #expect(
            token.card
                == CardSummary(
                    brand: .visa, lastFour: "1111", firstSix: "411111", expiry: CardExpiry(month: 11, year: 2031),
                    issuingCountry: "US"))
    }

    @Test("B6, B11: what the answer leaves out is known from the card that was sent")
    func sparse() async throws {
        let token = try #require(try await Shop.end(200, #"{"last4Digits":"1111"}"#, type: "text/html").token)
        #expect(token.card?.brand == .visa)
        #expect(token.card?.issuingCountry == nil)
    }

    @Test(
        "BlueSnap's words for brands",
        arguments: [
            ("AMEX", "american_express"), ("DINERS", "diners_club"), ("CHINA_UNION_PAY", "union_pay"),
            ("CARTE_BLEUE", "cartes_bancaires"), ("MAESTR_UK", "maestro"), ("TARJETASHOPPING", "tarjeta_shopping"),
            ("MasterCard", "mastercard"), ("HIPERCARD", "hipercard"), ("SOLO", "solo"), ("Brand New!", "visa"),
        ])
    func brands(word: String, id: String) async throws {
        let token = try #require(try await Shop.end(200, #"{"ccType":"\#(word)"}"#).token)
        #expect(token.card?.brand?.id == id)
    }

    @Test("The kinds of result are told apart")
    func origins() async throws {
        let expiry = try #require(CardExpiry(month: 2, year: 2032))
        let apple = WalletPayment(payload: Sensitive(Array(BlueSnapRequestTests.applePay.utf8)))
        let google = WalletPayment(
            payload: Sensitive(Array(#"{"signature":"s","protocolVersion":"ECv1","signedMessage":"m"}"#.utf8)))
        let account = BankAccount(
            routingNumber: Sensitive("011075150"), accountNumber: Sensitive("4099999992"), type: .checking,
            holderType: .personal)
        let rows: [(PaymentInstrument, PaymentToken.Origin, String)] = [
            (.card(try Shop.card()), .newCard, "CC"),
            (.shopperCard(ShopperCard(providerBrand: "VISA", lastFour: "1111", expiry: expiry)), .shopperCard, "CC"),
            (.cardNumber(try Shop.card().number), .cardNumber, "CC"), (.applePay(apple), .applePay, "APPLE_PAY"),
            (.googlePay(google), .googlePay, "GOOGLE_PAY"), (.bankAccount(account), .bankAccount, "ECP"),
        ]
        for (instrument, origin, kind) in rows {
            let peer = ScriptedBlueSnap(["tokenize": [.visa]])
            let token = try #require(try await Shop.tokenize(peer, TokenizationRequest(instrument)).token)
            #expect(token.origin == origin)
            #expect(token.providerKind == kind)
            #expect(token.origin?.isChargeable == (origin != .cardNumber))
            #expect((token.bankAccount != nil) == (origin == .bankAccount))
        }
        #expect(!PaymentToken.Origin.completedPayment.isChargeable)
    }

    @Test(
        "A 2xx that does not prove that the card is there is unknown",
        arguments: [
            "", "{}", "[]", "null", "7", "<html></html>", "\"VISA\"", #"{"ccType":null}"#, #"{"ccType":""}"#,
            #"{"ccType":"VISA","last4Digits":"4242"}"#, #"{"ccType":"VISA","ccType":"VISA"}"#, "{\"ccType\":\"VISA\"",
            #"{"message":[{"errorName":"EXPIRED_TOKEN","code":14040}]}"#, #"{"message":[]}"#,
            #"{"ccType":"VISA","errorName":"INVALID_CVV"}"#, #"{"errorCode":"1","errorDescription":"x"}"#,
        ])
    func unproven(_ body: String) async throws {
        let cause = try #require(try await Shop.end(200, body).unknown)
        #expect(cause.code == .unreadableAnswer)
        #expect(cause.reach == .answered)
        #expect(cause.advice.description.contains("may have been stored"))
    }

    @Test("An error body under a success is no success for bank accounts either")
    func bankAccountErrors() async throws {
        let account = BankAccount(
            routingNumber: Sensitive("011075150"), accountNumber: Sensitive("4099999992"), type: .checking,
            holderType: .personal)
        let rows: [(ScriptedBlueSnap.Reply, String)] = [
            (.expired, "sessionUnusable"),
            (.answer(200, #"{"message":[{"errorName":"EXPIRED_TOKEN"}]}"#), "unknown"),
            (.answer(200, #"{"ecpAccountNumber":"XXXX1234"}"#), "unknown"),
            (.answer(200, #"{"ecpAccountNumber":"XXXX9992"}"#), "token"), (.answer(200, ""), "unknown"),
        ]
        for (reply, name) in rows {
            let peer = ScriptedBlueSnap(["tokenize": [reply]])
            #expect(try await Shop.tokenize(peer, TokenizationRequest(.bankAccount(account))).name == name)
        }
    }

    @Test(
        "A field that BlueSnap finds wrong is named, with its own name and words",
        arguments: [
            ("INVALID_CC_NUMBER", FieldIssue.Field.number), ("INVALID_CVV", .securityCode),
            ("INVALID_EXP_DATE", .expiryMonth), ("CARD_TYPE_NOT_SUPPORTED", .number),
        ])
    func fields(name: String, field: FieldIssue.Field) async throws {
        let peer = ScriptedBlueSnap(["tokenize": [.error(name)]])
        let issues = try #require(try await Shop.tokenize(peer).issues)
        #expect(issues.map(\.field) == [field])
        #expect(issues.map(\.providerCode) == [name])
        #expect(issues.map(\.message.description) == ["In words"])
        #expect(issues.allSatisfy { $0.origin == .provider })
    }

    @Test("Several items are all told, by their properties too")
    func severalFields() async throws {
        let body = #"""
            {"message":[{"errorName":"VALIDATION_GENERAL_FAILURE","code":"10001","description":"Bad zip",
            "invalidProperty":{"name":"billingZip","messageValue":"x"}},{"errorName":"VALIDATION_GENERAL_FAILURE",
            "invalidProperty":{"name":"paymentSources.creditCard.securityCode"}},{"errorName":"X","invalidProperty":
            {"name":"neverHeardOf"}},{"errorName":"INVALID_CVV"}]}
            """#
        let issues = try #require(try await Shop.end(400, body).issues)
        #expect(issues.map(\.field) == [.postalCode, .securityCode, .other, .securityCode])
        #expect(
            issues.map(\.providerField) == [
                "billingZip", "paymentSources.creditCard.securityCode", "neverHeardOf", nil,
            ])
        #expect(issues.first?.message.description == "Bad zip (code 10001)")
    }

    @Test(
        "F11: a decline keeps BlueSnap's name and words",
        arguments: [
            ("INSUFFICIENT_FUNDS", "14002", Decline.Reason.insufficientFunds),
            ("FRAUD_DETECTED", "15011", .fraudSuspected),
            ("BRAND_NEW", "14002", .unlisted),
        ])
    func declines(name: String, code: String, reason: Decline.Reason) async throws {
        let peer = ScriptedBlueSnap(["tokenize": [.error(name, code)]])
        let decline = try #require(try await Shop.tokenize(peer).decline)
        #expect(decline.reason == reason)
        #expect(decline.providerCode == name)
        #expect(decline.message.description == "In words (code \(code))")
    }

    @Test(
        "A refusing status throws, whatever its body is: nothing was stored",
        arguments: [
            (400, GatewayError.Code.requestRefused), (401, .credentialsRefused), (403, .notPermitted), (404, .notFound),
            (405, .requestRefused), (415, .requestRefused), (422, .requestRefused), (429, .rateLimited),
        ], ["", "<html>", #"{"message":[{"errorName":"BRAND_NEW","code":"99999","description":"Not so"}]}"#])
    func refused(_ row: (Int, GatewayError.Code), _ body: String) async throws {
        let error = try #require(try await Shop.end(row.0, body).thrown)
        #expect(error.code == row.1)
        #expect(error.reach == .answered)
        #expect(error.answer?.status == row.0)
        #expect(error.answer?.providerCode == (body.hasPrefix("{") ? "BRAND_NEW" : nil))
        #expect(error.answer?.providerMessage?.description == (body.hasPrefix("{") ? "Not so (code 99999)" : nil))
        #expect(error.advice.description.contains("Nothing was stored"))
    }

    @Test(
        "B1, F4: any other status leaves the outcome unknown, and so does a failure of BlueSnap's under 400",
        arguments: [204, 301, 302, 402, 408, 409, 499, 500, 502, 504])
    func otherStatus(_ status: Int) async throws {
        #expect(try await Shop.end(status, ErrorPages.cloudflare, type: "text/html").unknown != nil)
        #expect(try await Shop.end(status, #"{"message":[{"errorName":"EXPIRED_TOKEN"}]}"#).unknown != nil)
        let peer = ScriptedBlueSnap(["tokenize": [.error("SERVER_GENERAL_FAILURE", "10000")]])
        #expect(try await Shop.tokenize(peer).unknown?.advice.description.contains("may have") == true)
    }

    @Test(
        "B12: BlueSnap's throttle lets nothing through, under 429 and 503; that a service is away proves nothing",
        arguments: [
            ("Client request rate is too high", "throws rateLimited"),
            ("\"Request concurrency to specific service is too high\"", "throws rateLimited"),
            ("<xml>Client request concurrency is too high</xml>", "throws rateLimited"),
            ("Service is temporarily unavailable", "unknown"), ("", "unknown"),
        ])
    func throttled(body: String, name: String) async throws {
        #expect(try await Shop.end(503, body, type: "text/plain").name == name)
        #expect(try await Shop.end(429, body, type: "text/plain").name == "throws rateLimited")
    }

    @Test("A lost answer is unknown, what was not sent is thrown, and neither is sent again")
    func transport() async throws {
        let lost = ScriptedBlueSnap(["tokenize": [.lost]])
        let cause = try #require(try await Shop.tokenize(lost, renewal: Renewal(Shop.other)).unknown)
        #expect(cause.reach == .sent)
        #expect(cause.advice.description.contains("Open another session"))
        #expect(lost.count("tokenize") == 1)
        #expect(try await Shop.tokenize(ScriptedBlueSnap([:])).thrown?.reach == .notSent)
    }

    @Test("L3, L9: an answer that echoes the card, the token or the password shows none of them")
    func echo() async throws {
        let words = "No \(Shop.number) (cvv 737) for \(Shop.token)"
        for body in [
            #"{"message":[{"errorName":"DO_NOT_HONOR","code":"14002","description":"\#(words)"}]}"#,
            #"{"message":[{"errorName":"X \#(words)","code":"1","description":"\#(words)"}]}"#,
            #"{"ccType":"\#(Shop.number)","last4Digits":"\#(Shop.number)","issuingCountry":"\#(Shop.number)"}"#,
        ] {
            for status in [200, 400, 500] {
                let end = try await Shop.end(status, body)
                #expect(!end.shown.contains(Shop.number) && !end.shown.contains("cvv 737"))
            }
        }
    }

    @Test("A prefilled token's answer: no token that can be used is unknown, and a refusal is the API user's")
    func prefill() async throws {
        let rows: [(ScriptedBlueSnap.Reply, String)] = [
            (.answer(201, ""), "unknown"), (.opened("nonsense"), "unknown"), (.lost, "unknown"),
            (.answer(500, ""), "unknown"),
            (.answer(401, ErrorPages.tomcat, type: "text/html"), "throws credentialsRefused"),
            (.error("INVALID_CC_NUMBER"), "invalid"), (.opened(Shop.other), "token"), (.notSent, "throws unreachable"),
        ]
        for (reply, name) in rows {
            let peer = ScriptedBlueSnap(["prefill": [reply]])
            let end = try await Shop.tokenize(peer, Shop.request(Shop.card(code: nil)), in: "prefill")
            #expect(end.name == name)
            #expect(end.unknown?.advice.description.contains("may have been made") ?? true)
        }
    }
}

/// Pages that stand where an answer belongs.
enum ErrorPages {
    static let tomcat = """
        <!doctype html><html lang="en"><head><title>HTTP Status 401 – Unauthorized</title></head><body>\
        <h1>HTTP Status 401 – Unauthorized</h1><p><b>Message</b> Bad credentials</p></body></html>
        """
    static let cloudflare = "<!DOCTYPE html><html><head><title>502: Bad gateway</title></head><body></body></html>"
}
