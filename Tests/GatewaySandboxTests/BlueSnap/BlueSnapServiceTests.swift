import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// What clients read before a payment, by hand over real HTTP (dossier 2).
@Suite("BlueSnap: services in the sandbox") struct BlueSnapServiceTests {
    @Test("sdk-init: everything at the start, the patterns in BlueSnap's order, and no shopper for a plain token")
    func profile() async throws {
        try await withBlueSnap { desk, _ in
            let root = try desk.service("GET", "sdk-init?base-currency=USD&create-jwt=True", desk.open()).root
            #expect(try root["kountMerchantId"].integer() == 700_000)
            #expect(root["threeDSecureJwt"].kind == .absent && root["shopper"].kind == .absent)
            let methods = root["supportedPaymentMethods"]
            let order = try methods["creditCardRegex"].members().map(\.name)
            #expect(
                order == [
                    "ELO", "HIPERCARD", "CENCOSUD", "NARANJA", "TARJETASHOPPING", "ARGENCARD", "CABAL", "VISA",
                    "MASTERCARD", "AMEX", "DISCOVER", "DINERS", "JCB", "CHINA_UNION_PAY", "CARTE_BLEUE",
                ])
            #expect(try methods["creditCardRegex"]["VISA"].string() == "^4.+")
            #expect(try methods["creditCardRegex"]["CARTE_BLEUE"].string().contains("(059(?!34)|150"))
            #expect(try methods["paypalCurrencies"].elements().map { try $0.string() } == ["USD", "EUR", "GBP", "CAD"])
            #expect(try methods["paymentMethods"].elements().count == 5)
            let rates = root["rates"]
            #expect(try rates["baseCurrency"].string() == "USD")
            let yen = try #require(rates["exchangeRate"].items.first { try $0["quoteCurrency"].string() == "JPY" })
            #expect(try yen["fractionDigits"].integer() == 0)
            #expect(try yen["conversionRate"].decimalText() == "151.27")
        }
    }

    @Test("3-D Secure can be on: then there is a JWT, but only for who asks for one")
    func authentication() async throws {
        try await withBlueSnap(["bluesnap.3ds": "on"]) { desk, _ in
            let token = try desk.open()
            let with = try desk.service("GET", "sdk-init?create-jwt=True", token).root
            let parts = try with["threeDSecureJwt"].string().split(separator: ".")
            #expect(parts.count == 3)
            #expect(try desk.service("GET", "sdk-init", token).root["threeDSecureJwt"].kind == .absent)
            let wrong = desk.service("GET", "sdk-init?create-jwt=true", token)
            #expect(wrong.refusal == "400 VALIDATION_GENERAL_FAILURE 10001")
        }
    }

    @Test("a returning shopper has a good card, one that has expired, and an address under two names")
    func shopper() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.open("?shopperId=\(BlueSnapDesk.shopper)")
            let shopper = try desk.service("GET", "sdk-init?create-jwt=True", token).root["shopper"]
            #expect(shopper["vaultedShopperId"].kind == .number)
            #expect(try shopper["vaultedShopperId"].integer() == 31_009_922)
            #expect(try shopper["country"].string() == "us")
            #expect(try shopper["address"].string() == "1 Made Up St")
            #expect(try shopper["shippingContactInfo"]["address1"].string() == "1 Made Up St")
            #expect(try shopper["lastPaymentInfo"]["paymentMethod"].string() == "CC")
            let cards = try shopper["paymentSources"]["creditCardInfo"].elements().map { $0["creditCard"] }
            #expect(cards.map { $0["expirationMonth"].kind } == [.string, .string])
            #expect(try cards.map { try $0["cardLastFourDigits"].string() } == ["1111", "9903"])
            #expect(try cards.map { try $0["expirationYear"].string() } == ["2029", "2024"])
        }
    }

    @Test("methods and rates alone; the base can be another currency")
    func alone() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.open()
            let methods = try desk.service("GET", "supported-payment-methods", token).root
            #expect(try methods["creditCardTypes"].elements().count == 3)
            let rates = try desk.service("GET", "rates?base-currency=EUR", token).root
            #expect(try rates["baseCurrencyName"].string() == "Euro")
            let dollar = try #require(rates["exchangeRate"].items.first { try $0["quoteCurrency"].string() == "USD" })
            #expect(try dollar["conversionRate"].decimalText() == "1.085376")
            let unknown = desk.service("GET", "rates?base-currency=XXX", token)
            #expect(unknown.refusal == "400 PRICING_CURRENCY_NOT_FOUND 13001")
        }
    }

    @Test("a token that is missing, unknown or too old is 401 there")
    func unusable() async throws {
        try await withBlueSnap { desk, time in
            let token = try desk.open()
            let names = [
                "sdk-init", "supported-payment-methods", "rates", "paypal-token?amount=1&currency=USD",
                "transaction-status",
            ]
            for name in names {
                #expect(desk.call("GET", "/services/2/tokenized-services/" + name).status == 401, "\(name)")
                #expect(desk.service("GET", name, "none").status == 401, "\(name)")
            }
            time.withLock { $0 = $0.adding(seconds: 3_600) }
            for name in names { #expect(desk.service("GET", name, token).status == 401, "\(name)") }
        }
    }

    @Test("the server's rates and conversion are exact")
    func tools() async throws {
        try await withBlueSnap { desk, _ in
            let path = "/tools/currency-rates?base-currency=EUR&quote-currency=JPY&quote-currency=KWD"
            let rates = try desk.server("GET", path).root
            #expect(try rates["baseCurrency"].string() == "EUR")
            #expect(
                try rates["currencyRate"].elements().map { try $0["conversionRate"].decimalText() }
                    == ["164.184774", "0.333699"])
            let rows = [
                ("from=USD&to=EUR&amount=10", "9.21"), ("from=USD&to=JPY&amount=10.00", "1513"),
                ("from=JPY&to=KWD&amount=1000", "2.032"), ("from=EUR&to=EUR&amount=0.01", "0.01"),
                ("from=KWD&to=PKR&amount=1000000000.000", "905675720000.00"),
            ]
            for (query, value) in rows {
                let root = try desk.server("GET", "/tools/merchant-currency-convertor?" + query).root
                #expect(try root["value"].decimalText() == value, "\(query)")
            }
            let price = try desk.server("GET", "/tools/merchant-currency-convertor?from=USD&to=EUR&amount=10").root
            #expect(try price["formattedPrice"]["iso"].string() == "EUR 9.21")
            let wrong = [
                ("/tools/currency-rates?base-currency=XXX", "400 PRICING_CURRENCY_NOT_FOUND 13001"),
                ("/tools/currency-rates?quote-currency=XXX", "400 PRICING_CURRENCY_NOT_FOUND 13001"),
                ("/tools/merchant-currency-convertor?from=USD&to=EUR", "400 VALIDATION_GENERAL_FAILURE 10001"),
                (
                    "/tools/merchant-currency-convertor?from=JPY&to=EUR&amount=1.5",
                    "400 VALIDATION_GENERAL_FAILURE 10001"
                ),
            ]
            for (path, expected) in wrong { #expect(desk.server("GET", path).refusal == expected, "\(path)") }
        }
    }

    @Test("Apple's merchant session wants one of Apple's addresses")
    func wallet() async throws {
        try await withBlueSnap { desk, _ in
            func body(_ url: String, _ type: String = "APPLE_PAY") -> String {
                #"{"walletType":"\#(type)","validationUrl":"\#(url)","domainName":"shop.example","displayName":"Shop"}"#
            }
            let answer = try desk.server("POST", "/wallets", body("https://apple-pay-gateway.apple.com/pay")).root
            #expect(try answer["walletType"].string() == "APPLE_PAY")
            #expect(try !answer["walletToken"].string().isEmpty)
            for wrong in [
                body("https://evil.example/pay"), body("http://apple-pay-gateway.apple.com/pay"),
                body("https://apple-pay-gateway.apple.com/pay", "PAYPAL"), "{}",
            ] {
                #expect(desk.server("POST", "/wallets", wrong).refusal == "400 VALIDATION_GENERAL_FAILURE 10001")
            }
        }
    }

    // MARK: - The shopper's choice

    private static func shopper(_ choice: String, id: String = "31009922", sources: String = "") -> String {
        #"{"vaultedShopperId":\#(id),"firstName":"Rita","lastName":"Quill","country":"US","state":"MA","#
            + #""city":"Boston","zip":"02110","address":"1 Made Up St","address2":"","email":"rita@example.org","phone":"","#
            + #""shippingContactInfo":{"firstName":"Rita","lastName":"Quill","address1":"1 Made Up St","#
            + #""address":"1 Made Up St","city":"Boston","state":"MA","zip":"02110","country":"US"},"#
            + #""chosenPaymentMethod":{"chosenPaymentMethodType":\#(choice)}\#(sources)}"#
    }

    private static func card(_ type: String, _ lastFour: String, _ month: String, _ year: String) -> String {
        #""CC","creditCard":{"cardType":"\#(type)","cardLastFourDigits":"\#(lastFour)","expirationMonth":"\#(month)","#
            + #""expirationYear":"\#(year)"}"#
    }

    @Test("a new card is kept with consent and chosen; the next token of the shopper tells so")
    func configure() async throws {
        try await withBlueSnap { desk, _ in
            let body = BlueSnapDesk.card("5425233430109903", "04/2032", more: #","storeCard":"true""#)
            let token = try desk.filled(body, "?shopperId=31009922")
            let sources = #","paymentSources":{"creditCardInfo":[{"pfToken":"\#(token)"}]}"#
            let choice = Self.card("MASTERCARD", "9903", "04", "2032")
            let answer = desk.service("PUT", "shopper", token, Self.shopper(choice, sources: sources))
            #expect(answer.status == 204)
            let next = try desk.open("?shopperId=31009922")
            let shopper = try desk.service("GET", "sdk-init", next).root["shopper"]
            #expect(try shopper["chosenPaymentMethod"]["chosenPaymentMethodType"].string() == "CC")
            #expect(try shopper["chosenPaymentMethod"]["creditCard"]["cardLastFourDigits"].string() == "9903")
            #expect(try shopper["paymentSources"]["creditCardInfo"].elements().count == 2)
            let payPal = desk.service("PUT", "shopper", next, Self.shopper(#""PAYPAL""#))
            #expect(payPal.status == 204)
        }
    }

    @Test("what is wrong with a choice")
    func wrongChoice() async throws {
        try await withBlueSnap { desk, time in
            let token = try desk.filled(BlueSnapDesk.card("5425233430109903"), "?shopperId=31009922")
            let sources = #","paymentSources":{"creditCardInfo":[{"pfToken":"\#(token)"}]}"#
            let visa = Self.card("VISA", "1111", "11", "2029")
            let rows = [
                (Self.shopper(visa, sources: sources), "400 VALIDATION_GENERAL_FAILURE 10001"),
                (Self.shopper(visa), "400 VALIDATION_GENERAL_FAILURE 10001"),
                (Self.shopper(visa, id: "31009923"), "400 SHOPPER_NOT_FOUND 15008"),
                (Self.shopper(#""WIRE""#), "400 VALIDATION_GENERAL_FAILURE 10001"),
                (Self.shopper(#""PAYPAL""#).replacing("Rita\"", with: "\""), "400 VALIDATION_GENERAL_FAILURE 10001"),
                (
                    Self.shopper(#""PAYPAL""#).replacing("\"US\"", with: "\"DE\""),
                    "400 VALIDATION_GENERAL_FAILURE 10001"
                ),
                (
                    Self.shopper(#""PAYPAL""#).replacing("\"phone\"", with: "\"fax\""),
                    "400 VALIDATION_GENERAL_FAILURE 10001"
                ),
            ]
            for (index, (body, expected)) in rows.enumerated() {
                #expect(desk.service("PUT", "shopper", token, body).refusal == expected, "row \(index)")
            }
            let empty = try desk.open("?shopperId=31009922")
            let named = #","paymentSources":{"creditCardInfo":[{"pfToken":"\#(empty)"}]}"#
            #expect(desk.service("PUT", "shopper", empty, Self.shopper(visa, sources: named)).status == 204)
            let stranger = Self.card("VISA", "2222", "11", "2029")
            #expect(
                desk.service("PUT", "shopper", empty, Self.shopper(stranger, sources: named)).refusal
                    == "400 BLS_NO_SUCH_SHOPPER_PAYMENT_METHOD 10000")
            let plain = try desk.open()
            #expect(
                desk.service("PUT", "shopper", plain, Self.shopper(#""PAYPAL""#)).refusal
                    == "400 SHOPPER_NOT_FOUND 15008")
            time.withLock { $0 = $0.adding(seconds: 3_600) }
            let late = desk.service("PUT", "shopper", empty, Self.shopper(#""PAYPAL""#))
            #expect(late.refusal == "400 EXPIRED_TOKEN 14040")
            let none = desk.service("PUT", "shopper", "none", Self.shopper(#""PAYPAL""#))
            #expect(none.refusal == "400 TOKEN_NOT_FOUND 14041")
        }
    }
}
