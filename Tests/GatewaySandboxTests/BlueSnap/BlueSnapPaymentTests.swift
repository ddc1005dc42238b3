import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// Charges as others write them, by hand over real HTTP (dossier 4.2, 4.3, 8).
@Suite("BlueSnap: payments in the sandbox") struct BlueSnapPaymentTests {
    @Test("a charge of a token: the dossier's members, a movement, and the token is used up")
    func charge() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.filled()
            let body = BlueSnapDesk.charge(
                BlueSnapDesk.named(token),
                more:
                    #","recurringTransaction":"ECOMMERCE","merchantTransactionId":"ord-778","softDescriptor":"GK demo","#
                    + #""cardHolderInfo":{"firstName":"Rita","lastName":"Quill","zip":"02110","country":"us","state":"MA"}"#
            )
            let answer = desk.server("POST", "/transactions", body)
            #expect(answer.status == 200)
            let root = try answer.root
            #expect(root["transactionId"].kind == .string && root["vaultedShopperId"].kind == .number)
            #expect(root["amount"].kind == .number)
            #expect(try root["amount"].decimalText() == "25.50")
            #expect(try root["cardTransactionType"].string() == "AUTH_CAPTURE")
            #expect(try root["merchantTransactionId"].string() == "ord-778")
            #expect(try root["softDescriptor"].string() == "BLS*GK demo")
            #expect(try root["transactionApprovalDate"].string() == "07/25/2026")
            #expect(try root["transactionApprovalTime"].string() == "17:20:00")
            #expect(try root["creditCard"]["cardLastFourDigits"].string() == "1111")
            #expect(try root["processingInfo"]["processingStatus"].string() == "success")
            #expect(try root["processingInfo"]["cvvResponseCode"].string() == "MA")
            let entry = try #require(desk.sandbox.ledger.entries.last)
            #expect(entry.operation == "purchase" && entry.ownReference == "ord-778")
            #expect(entry.movement == LedgerMovement(kind: "purchase", amount: 2550, currency: "USD"))
            #expect(desk.pay(token).refusal == "400 TOKEN_WAS_ALREADY_USED_FOR_CC -")
            #expect(desk.submit(token).refusal == "400 TOKEN_WAS_ALREADY_USED_FOR_CC -")
            #expect(desk.movements == ["purchase 2550"])
        }
    }

    @Test("the letters of success vary")
    func letters() async throws {
        try await withBlueSnap(["bluesnap.status": "SUCCESS"]) { desk, _ in
            let answer = try desk.pay(desk.filled()).root
            #expect(try answer["processingInfo"]["processingStatus"].string() == "SUCCESS")
        }
    }

    @Test("tokens that cannot be charged")
    func tokens() async throws {
        try await withBlueSnap { desk, time in
            let empty = try desk.open()
            #expect(desk.pay(empty).refusal == "400 NO_PAYMENT_DETAILS_LINKED_TO_TOKEN 14042")
            let number = try desk.filled(#"{"ccNumber":"4111111111111111"}"#)
            #expect(desk.pay(number).refusal == "400 NO_PAYMENT_DETAILS_LINKED_TO_TOKEN 14042")
            #expect(desk.pay("none").refusal == "400 TOKEN_NOT_FOUND 14041")
            let strict = try desk.filled(BlueSnapDesk.card(), "?authenticationrequired3ds=true")
            #expect(desk.pay(strict).refusal == "400 THREE_D_SECURITY_AUTHENTICATION_REQUIRED 14002")
            time.withLock { $0 = $0.adding(seconds: 3_600) }
            #expect(desk.pay(empty).refusal == "400 EXPIRED_TOKEN 14040")
            #expect(desk.movements.isEmpty)
        }
    }

    @Test("a stored card is named by type and last four digits, or chosen, or the only one")
    func storedCard() async throws {
        try await withBlueSnap { desk, _ in
            let shopper = #""vaultedShopperId":31009922"#
            func pay(_ source: String) -> BlueSnapAnswer {
                desk.server("POST", "/transactions", BlueSnapDesk.charge(source, more: ""))
            }
            let named = pay(shopper + #","creditCard":{"cardType":"VISA","cardLastFourDigits":"1111"}"#)
            #expect(named.status == 200)
            #expect(try named.root["vaultedShopperId"].integer() == 31_009_922)
            #expect(pay(shopper).refusal == "400 MULTIPLE_PAYMENT_METHODS_NON_SELECTED 16003")
            #expect(
                pay(shopper + #","creditCard":{"cardType":"VISA","cardLastFourDigits":"2222"}"#).refusal
                    == "400 BLS_NO_SUCH_SHOPPER_PAYMENT_METHOD 10000")
            #expect(
                pay(shopper + #","creditCard":{"cardType":"MASTERCARD","cardLastFourDigits":"9903"}"#).refusal
                    == "400 EXPIRED_CARD 14002")
            #expect(pay(#""vaultedShopperId":1"#).refusal == "400 SHOPPER_NOT_FOUND 15008")
            let token = try desk.open("?shopperId=31009922")
            let choice =
                #"{"vaultedShopperId":31009922,"firstName":"Rita","lastName":"Quill","chosenPaymentMethod":"#
                + #"{"chosenPaymentMethodType":"CC","creditCard":{"cardType":"VISA","cardLastFourDigits":"1111"}},"#
                + #""paymentSources":{"creditCardInfo":[{"pfToken":"\#(token)"}]}}"#
            #expect(desk.service("PUT", "shopper", token, choice).status == 204)
            #expect(pay(shopper).status == 200)
            #expect(desk.movements == ["purchase 2550", "purchase 2550"])
        }
    }

    @Test("a card is kept for the shopper with consent only")
    func consent() async throws {
        try await withBlueSnap { desk, _ in
            for (flag, count) in [("true", 1), ("false", 0)] {
                let token = try desk.filled(BlueSnapDesk.card(more: #","storeCard":"\#(flag)""#))
                let shopper = try desk.pay(token).root["vaultedShopperId"].integer()
                let kept = try desk.server("GET", "/vaulted-shoppers/\(shopper)").root
                #expect(try kept["paymentSources"]["creditCardInfo"].elements().count == count)
            }
        }
    }

    @Test("a wallet is charged, by token and by itself")
    func wallet() async throws {
        try await withBlueSnap { desk, _ in
            let payload = BlueSnapDesk.base64(
                #"{"token":{"transactionIdentifier":"ab","paymentData":{},"paymentMethod":{"displayName":"Visa 1111","#
                    + #""network":"Visa"}}}"#)
            let token = try desk.filled(#"{"applePayToken":"\#(payload)"}"#)
            let byToken = try desk.pay(token).root
            #expect(try byToken["wallet"]["walletType"].string() == "APPLE_PAY")
            #expect(desk.submit(token).refusal == "400 TOKEN_WAS_ALREADY_USED_FOR_APPLE_PAY -")
            let own = #""wallet":{"walletType":"APPLE_PAY","encodedPaymentToken":"\#(payload)"}"#
            #expect(desk.server("POST", "/transactions", BlueSnapDesk.charge(own)).status == 200)
        }
    }

    @Test(
        "what a charge is refused for",
        arguments: [
            (BlueSnapDesk.charge(BlueSnapDesk.plainCard(), type: "CAPTURE"), "400 INVALID_HTTP_METHOD 85"),
            (BlueSnapDesk.charge(BlueSnapDesk.plainCard(), type: "AUTH_REVERSAL"), "400 INVALID_HTTP_METHOD 85"),
            (BlueSnapDesk.charge(BlueSnapDesk.plainCard(), type: "SALE"), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (
                BlueSnapDesk.charge(BlueSnapDesk.plainCard(), "25.505"),
                "400 AMOUNT_EXCEEDED_MAXIMUM_ALLOWED_FRACTION_DIGITS 14021"
            ),
            (
                BlueSnapDesk.charge(BlueSnapDesk.plainCard(), "10.0", "JPY"),
                "400 AMOUNT_EXCEEDED_MAXIMUM_ALLOWED_FRACTION_DIGITS 14021"
            ),
            (BlueSnapDesk.charge(BlueSnapDesk.plainCard(), "0"), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (BlueSnapDesk.charge(BlueSnapDesk.plainCard(), "-1"), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (BlueSnapDesk.charge(BlueSnapDesk.plainCard(), "1e2"), "400 VALIDATION_GENERAL_FAILURE 10001"),
            (BlueSnapDesk.charge(BlueSnapDesk.plainCard(), "10", "usd"), "400 PRICING_CURRENCY_NOT_FOUND 13001"),
            (BlueSnapDesk.charge(BlueSnapDesk.plainCard(), "10", "CHF"), "400 NO_AVAILABLE_PROCESSORS 14016"),
            (BlueSnapDesk.charge(BlueSnapDesk.plainCard(), more: ""), "400 MISSING_SHOPPER_OR_CARD_HOLDER 30"),
            (
                BlueSnapDesk.charge(BlueSnapDesk.plainCard(), more: #","cardHolderInfo":{"firstName":"Rita"}"#),
                "400 MISSING_SHOPPER_OR_CARD_HOLDER 30"
            ),
            (
                BlueSnapDesk.charge(
                    BlueSnapDesk.plainCard(),
                    more: #","cardHolderInfo":{"firstName":"A","lastName":"B","country":"de","state":"BY"}"#),
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            (BlueSnapDesk.charge(#""softDescriptor":"x""#), "400 MISSING_ARGUMENTS 16001"),
            (
                BlueSnapDesk.charge(BlueSnapDesk.plainCard() + #","pfToken":"x""#),
                "400 MULTIPLE_PAYMENT_METHODS_NON_SELECTED 16003"
            ),
            (
                BlueSnapDesk.charge(
                    BlueSnapDesk.plainCard() + #","merchantTransactionId":"\#(String(repeating: "x", count: 51))""#),
                "400 INVALID_MERCHANT_TRANSACTION_ID 10001"
            ),
            (
                BlueSnapDesk.charge(BlueSnapDesk.plainCard() + #","recurringTransaction":"ONCE""#),
                "400 INVALID_RECURRING_TRANSACTION 10001"
            ),
            (
                BlueSnapDesk.charge(
                    BlueSnapDesk.plainCard()
                        + #","transactionFraudInfo":{"fraudSessionId":"123456789012345678901234567890123"}"#),
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            (
                BlueSnapDesk.charge(BlueSnapDesk.plainCard() + #","order":"x""#),
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            (
                BlueSnapDesk.charge(
                    BlueSnapDesk.plainCard()
                        + #","transactionMetaData":{"metaData":[{"metaKey":"a","metaValue":null}]}"#),
                "400 VALIDATION_GENERAL_FAILURE 10001"
            ),
            ("[]", "400 INVALID_INPUT 21001"),
        ])
    func refusals(body: String, expected: String) async throws {
        try await withBlueSnap { desk, _ in
            #expect(desk.server("POST", "/transactions", body).refusal == expected)
            #expect(desk.movements.isEmpty)
        }
    }

    @Test(
        "cards that are declined",
        arguments: [
            ("4917484589897107", "01", "PROCESSING_GENERAL_DECLINE"), ("4917484589897107", "04", "EXPIRED_CARD"),
            ("4917484589897107", "05", "INSUFFICIENT_FUNDS"), ("4917484589897107", "08", "INVALID_CARD_NUMBER"),
            ("4917484589897107", "09", nil), ("6011000991300009", "09", "INCORRECT_INFORMATION"),
            ("3530111333300000", "09", "INCORRECT_INFORMATION"), ("5425233430109903", "09", nil),
        ] as [(String, String, String?)])
    func declinedCards(number: String, month: String, name: String?) async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.filled(BlueSnapDesk.card(number, month + "/2031"))
            let plain = desk.server(
                "POST", "/transactions", BlueSnapDesk.charge(BlueSnapDesk.plainCard(number, month: month)))
            let byToken = desk.pay(token)
            for answer in [plain, byToken] {
                if let name {
                    #expect(answer.refusal == "400 \(name) 14002")
                } else {
                    #expect(answer.status == 200)
                }
            }
            #expect(desk.movements.isEmpty == (name != nil))
            if name != nil { #expect(desk.submit(token).status == 200, "a token lives on after a decline") }
        }
    }

    @Test(
        "numbers that are wrong",
        arguments: [
            ("4917484589897106", "11", "2031", "400 VALIDATION_GENERAL_FAILURE 10001"),
            ("411111111111", "11", "2031", "400 VALIDATION_GENERAL_FAILURE 10001"),
            (BlueSnapDesk.visa, "13", "2031", "400 VALIDATION_GENERAL_FAILURE 10001"),
            ("5425233430109903", "12", "2004", "400 EXPIRED_CARD 14002"),
        ])
    func numbers(number: String, month: String, year: String, expected: String) async throws {
        try await withBlueSnap { desk, _ in
            let body = BlueSnapDesk.charge(BlueSnapDesk.plainCard(number, month: month, year: year))
            #expect(desk.server("POST", "/transactions", body).refusal == expected)
        }
    }

    @Test("amounts give one name of 14002 after the other")
    func names() async throws {
        try await withBlueSnap { desk, _ in
            for (index, name) in BlueSnapDecision.names.enumerated() {
                let units = BlueSnapDecision.firstName + Int64(index)
                let amount = Money(minorUnits: units, currency: .usd).decimalText
                let body = BlueSnapDesk.charge(BlueSnapDesk.plainCard(), amount)
                #expect(desk.server("POST", "/transactions", body).refusal == "400 \(name) 14002", "\(index)")
            }
            #expect(desk.movements.isEmpty)
        }
    }

    @Test(
        "fraud rules: what triggers them, and what takes it back",
        arguments: [
            ("3729", "", "orderTotalDecline"), ("3729.00", "", "orderTotalDecline"), ("3728", "", nil),
            ("10", #","email":"decline@test.com""#, "emailDecline"),
            ("10", #","city":"KADIMA-ZORAN""#, "billingCityDecline"), ("3729", #","city":"approve""#, nil),
        ] as [(String, String, String?)])
    func fraud(amount: String, holder: String, event: String?) async throws {
        try await withBlueSnap { desk, _ in
            let more = #","cardHolderInfo":{"firstName":"Rita","lastName":"Quill"\#(holder)}"#
            let answer = desk.server(
                "POST", "/transactions", BlueSnapDesk.charge(BlueSnapDesk.plainCard(), amount, more: more))
            guard let event else {
                #expect(answer.status == 200)
                return
            }
            #expect(answer.refusal == "400 FRAUD_DETECTED 15011")
            let found = try answer.root["message"][0]["fraudEvents"]["fraudEvent"][0]
            #expect(try found["fraudEventCode"].string() == event)
            #expect(try found["fraudEventDecision"].string() == "D")
        }
    }

    @Test(
        "what the answer says and what happened can differ",
        arguments: [
            ("99.01", "400 PROCESSING_TIMEOUT 14002", true), ("99.02", "400 PROCESSING_TIMEOUT 14002", false),
            ("99.03", "500 SERVER_GENERAL_FAILURE 10000", true), ("99.06", "400 PROCESSING_DUPLICATE 14002", false),
        ])
    func unknown(amount: String, expected: String, moved: Bool) async throws {
        try await withBlueSnap { desk, _ in
            let body = BlueSnapDesk.charge(BlueSnapDesk.plainCard() + #","merchantTransactionId":"o1""#, amount)
            #expect(desk.server("POST", "/transactions", body).refusal == expected)
            #expect(desk.movements.isEmpty != moved)
            #expect(desk.sandbox.ledger.entries.last?.ownReference == "o1")
            let found = desk.server("GET", "/transactions/o1,\(desk.merchant)")
            #expect(found.status == (moved ? 200 : 403))
        }
    }

    @Test(
        "payments that wait move nothing yet", arguments: [("99.04", "PENDING"), ("99.05", "PENDING_MERCHANT_REVIEW")])
    func waiting(amount: String, word: String) async throws {
        try await withBlueSnap { desk, _ in
            let body = BlueSnapDesk.charge(BlueSnapDesk.plainCard(), amount)
            let root = try desk.server("POST", "/transactions", body).root
            #expect(try root["processingInfo"]["processingStatus"].string() == word)
            #expect(desk.movements.isEmpty)
            let id = try root["transactionId"].string()
            #expect(
                desk.server("POST", "/transactions/refund/" + id, "{}").refusal
                    == "400 TRANSACTION_NOT_AUTHORIZED 20005")
        }
    }

    // MARK: - Bank accounts

    private static func debit(_ more: String, agreed: String = #""authorizedByShopper":true,"#) -> String {
        #"{"amount":25.50,"currency":"USD",\#(agreed)"payerInfo":{"firstName":"Rita","lastName":"Quill"},\#(more)}"#
    }
    private static let bank =
        #""ecpTransaction":{"routingNumber":"021000021","accountNumber":"9876543210","accountType":"CONSUMER_CHECKING"}"#

    @Test("a bank debit is pending for a day; its number is shown by its last digits")
    func debit() async throws {
        try await withBlueSnap { desk, time in
            let root = try desk.server("POST", "/alt-transactions", Self.debit(Self.bank)).root
            #expect(try root["processingInfo"]["processingStatus"].string() == "PENDING")
            #expect(try root["ecpTransaction"]["publicAccountNumber"].string() == "3210")
            #expect(desk.movements == ["purchase 2550"])
            let id = try root["transactionId"].string()
            time.withLock { $0 = $0.adding(seconds: 86_400) }
            let later = try desk.server("GET", "/alt-transactions/" + id).root
            #expect(try later["processingInfo"]["processingStatus"].string() == "success")
            #expect(
                desk.server("GET", "/transactions/" + id).refusal
                    == "400 TRANSACTION_PAYMENT_METHOD_NOT_SUPPORTED 20004")
            let refund = try desk.server("POST", "/transactions/refund/" + id, "{}").root
            #expect(try refund["refundStatus"].string() == "PENDING")
        }
    }

    @Test("a bank account in a token; and what a debit is refused for")
    func debits() async throws {
        try await withBlueSnap { desk, _ in
            let body =
                #"{"paymentMethod":"ECP","ecpRoutingNumber":"021000021","ecpAccountNumber":"9876543210","#
                + #""ecpAccountType":"CONSUMER_CHECKING"}"#
            let token = try desk.filled(body)
            #expect(desk.pay(token).refusal == "400 TRANSACTION_PAYMENT_METHOD_NOT_SUPPORTED 20004")
            #expect(desk.server("POST", "/alt-transactions", Self.debit(BlueSnapDesk.named(token))).status == 200)
            #expect(desk.submit(token).refusal == "400 TOKEN_WAS_ALREADY_USED_FOR_ECP -")
            let card = try desk.filled()
            let rows = [
                (Self.debit(Self.bank, agreed: ""), "400 PAYMENT_NOT_AUTHORIZED_BY_SHOPPER 16004"),
                (
                    Self.debit(Self.bank, agreed: #""authorizedByShopper":false,"#),
                    "400 PAYMENT_NOT_AUTHORIZED_BY_SHOPPER 16004"
                ),
                (
                    Self.debit(Self.bank.replacing("021000021", with: "021000022")),
                    "400 VALIDATION_GENERAL_FAILURE 10001"
                ),
                (Self.debit(#""paypalTransaction":{}"#), "400 PAYMENT_METHOD_NOT_SUPPORTED 14011"),
                (Self.debit(BlueSnapDesk.named(card)), "400 TRANSACTION_PAYMENT_METHOD_NOT_SUPPORTED 20004"),
            ]
            for (body, expected) in rows {
                #expect(desk.server("POST", "/alt-transactions", body).refusal == expected)
            }
            #expect(desk.movements == ["purchase 2550"])
        }
    }
}
