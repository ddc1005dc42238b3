import GatewayKitCore
import Testing

@testable import BlueSnapAdapter

/// `sdk-init`: what becomes of it, against the sandbox and against answers by hand.
@Suite struct BlueSnapCheckoutProfileTests {
    private static func session(_ token: String = Shop.token) throws -> PaymentSession {
        PaymentSession(reference: try Shop.reference(token))
    }

    private static func profile(_ body: String) async throws -> CheckoutProfile {
        let peer = ScriptedBlueSnap(["sdk-init": [.answer(200, body)]])
        return try await Shop.gateway(nil, Shop.runtime(peer)).requireProfiles()
            .profile(in: try session(), base: nil, CallContext())
    }

    private static let least = #"{"supportedPaymentMethods":{"paymentMethods":["CC"]}}"#

    @Test("the call is BlueSnap's own, byte for byte")
    func request() async throws {
        let peer = ScriptedBlueSnap(["sdk-init": [.answer(200, Self.least)]])
        let profiles = try Shop.gateway(nil, Shop.runtime(peer)).requireProfiles()
        _ = try await profiles.profile(in: Self.session(), base: nil, CallContext())
        _ = try await profiles.profile(in: Self.session(), base: .eur, CallContext())
        let path = "GET http://127.0.0.1:9/bluesnap/services/2/tokenized-services/sdk-init?base-currency="
        #expect(peer.lines == [path + "USD&create-jwt=True", path + "EUR&create-jwt=True"])
        #expect(peer.sent.allSatisfy { $0.body.isEmpty && $0.repeatability == .read })
        #expect(peer.sent.allSatisfy { $0.fields.contains("token-authentication: " + Shop.token) })
        #expect(peer.sent.allSatisfy { !$0.fields.contains { $0.hasPrefix("authorization") } })
    }

    @Test("the sandbox's returning shopper: contact, shipping, cards with the expired one marked, and what is offered")
    func returning() async throws {
        let box = try BlueSnapBox(["bluesnap.3ds": "on"])
        let gateway = try box.gateway()
        let session = try await gateway.requireTokens().openSession(
            SessionRequest(shopperID: "31009922"), CallContext())
        let profile = try await gateway.requireProfiles().profile(in: session, base: .eur, CallContext())
        #expect(profile.session.reference == session.reference)
        #expect(profile.methods.contains("CC") && profile.methods.contains("PAYPAL"))
        #expect(profile.offersPayPal(in: .eur) && !profile.offersPayPal(in: .jpy))
        #expect(profile.cardTypes == ["CREDIT", "DEBIT", "PREPAID"])
        #expect(profile.brands.first?.providerWord == "ELO" && profile.brands.first?.brand == .elo)
        #expect(profile.brands.contains { $0.brand == .americanExpress && $0.pattern != nil })
        let rules = BrandRules(profile.brands)
        #expect(rules.brand(of: Sensitive("628013" + String(repeating: "3", count: 10)))?.brand == .mastercard)
        #expect(profile.rates?.base == .eur)
        #expect(profile.fraudMerchantID == "700000")
        #expect(profile.merchantName == "Example Shop")
        let shopper = try #require(profile.shopper)
        #expect(shopper.id == "31009922")
        #expect(shopper.shopper.name == "Rita Quill")
        #expect(shopper.shopper.email == "rita@example.org")
        #expect(shopper.shopper.billingAddress?.country == "US")
        #expect(shopper.shopper.shippingAddress?.line1 == "1 Made Up St")
        #expect(shopper.cards.map(\.card.lastFour) == ["1111", "9903"])
        #expect(shopper.cards.map(\.isExpired) == [false, true])
        #expect(shopper.cards.first?.billing.billingAddress?.city == "Boston")
        #expect(shopper.currency == .usd)
        #expect(
            CheckoutRequirements(.shopperConfiguration).issues(
                with: profile.shopper(knowing: Shopper()), paying: .storedCard
            ).isEmpty)
    }

    @Test("3-D Secure is on where its token is told, and the token is in no text")
    func authentication() async throws {
        for (body, isOn) in [
            (#"{"threeDSecureJwt":"eyJ0ZXN0IjoxfQ.aa.bb","supportedPaymentMethods":{}}"#, true),
            (#"{"threeDSecureJwt":null,"supportedPaymentMethods":{}}"#, false),
            (#"{"threeDSecureJwt":"","supportedPaymentMethods":{}}"#, false), (Self.least, false),
        ] {
            let profile = try await Self.profile(body)
            #expect(profile.authenticates == isOn)
            #expect((profile.authenticationToken != nil) == isOn)
            #expect(!everything(of: profile).contains("eyJ0ZXN0IjoxfQ"))
        }
    }

    @Test("brands keep the order of creditCardRegex, which decides; those without a pattern come behind")
    func order() async throws {
        let profile = try await Self.profile(
            """
            {"supportedPaymentMethods":{"paymentMethods":["CC"],"creditCardBrands":["VISA","SOLO","AMEX"],
            "creditCardRegex":{"ZETA":"^9.+","VISA":"^4.+","AMEX":"^3[47].+","ALPHA":"^4[0-2].+"}}}
            """)
        #expect(profile.brands.map(\.providerWord) == ["ZETA", "VISA", "AMEX", "ALPHA", "SOLO"])
        #expect(profile.brands.last?.pattern == nil)
        #expect(BrandRules(profile.brands).brand(of: Sensitive("4111"))?.providerWord == "VISA")
    }

    @Test("what is missing, odd or beyond the profile is left out, and never a failure")
    func odd() async throws {
        let profile = try await Self.profile(
            """
            {"kountMerchantId":700000,"merchantId":"77","rates":{"baseCurrency":"ZZZ"},"unknown":[{}],
            "supportedPaymentMethods":{"paymentMethods":["CC","",7,{"x":1},"A B"],"paypalCurrencies":["USD"]},
            "shopper":{"vaultedShopperId":31009922,"firstName":"Rita","country":"br","state":"XC","shopperCurrency":"XXX",
             "chosenPaymentMethod":{"chosenPaymentMethodType":"WIRE"},"paymentSources":{"creditCardInfo":[
              {"creditCard":{"cardLastFourDigits":"1111","cardType":"visa","expirationMonth":"11","expirationYear":"2031"}},
              {"creditCard":{"cardLastFourDigits":"4111111111111111","cardType":"VISA","expirationMonth":"1","expirationYear":"2031"}},
              {"creditCard":{"cardLastFourDigits":"2222","cardType":"VISA","expirationMonth":"13","expirationYear":"2031"}},
              {"creditCard":{"cardLastFourDigits":"3333","cardType":"VISA"}},{}]}}}
            """)
        #expect(profile.merchantID == "77" && profile.fraudMerchantID == "700000" && profile.rates == nil)
        #expect(profile.methods == ["CC", "7"])
        #expect(profile.payPalCurrencies.isEmpty, "currencies without the method")
        let shopper = try #require(profile.shopper)
        #expect(shopper.cards.map(\.card.lastFour) == ["1111"])
        #expect(shopper.cards.first?.card.providerBrand == "VISA")
        #expect(shopper.shopper.billingAddress?.region == "MT", "BlueSnap's own code for Mato Grosso")
        #expect(shopper.choice == nil && shopper.chosenMethod == "WIRE" && shopper.currency == nil)
    }

    @Test("the chosen method is read as one that can be charged")
    func choice() async throws {
        func choice(_ chosen: String) async throws -> ChosenMethod? {
            try await Self.profile(
                """
                {"supportedPaymentMethods":{},"shopper":{"vaultedShopperId":1,"chosenPaymentMethod":\(chosen)}}
                """
            ).shopper?.choice
        }
        #expect(try await choice(#"{"chosenPaymentMethodType":"APPLE_PAY"}"#) == .applePay)
        #expect(try await choice(#"{"chosenPaymentMethodType":"GOOGLE_PAY"}"#) == .googlePay)
        #expect(try await choice(#"{"chosenPaymentMethodType":"PAYPAL"}"#) == .payPal)
        #expect(try await choice(#"{"chosenPaymentMethodType":"CC"}"#) == nil, "no card")
        #expect(try await choice("null") == nil)
        let card = try await choice(
            """
            {"chosenPaymentMethodType":"CC","creditCard":{"cardType":"VISA","cardLastFourDigits":"1111",
            "expirationMonth":"11","expirationYear":"2031"}}
            """)
        let expiry = try #require(CardExpiry(month: 11, year: 2031))
        #expect(card == .storedCard(ShopperCard(providerBrand: "VISA", lastFour: "1111", expiry: expiry)))
    }

    @Test(
        "an answer without the methods is no profile",
        arguments: ["{}", "[]", "", "null", #"{"supportedPaymentMethods":[]}"#, "<html></html>"])
    func unreadable(body: String) async throws {
        let error = await thrown { _ = try await Self.profile(body) }
        #expect(error?.code == .unreadableAnswer)
    }

    @Test("a session that cannot be used any more is renewed once, and the profile tells which one it is of")
    func renewed() async throws {
        let peer = ScriptedBlueSnap(["sdk-init": [.expired, .answer(200, Self.least)]])
        let renewal = try Renewal(Shop.other)
        let profile = try await Shop.gateway(nil, Shop.runtime(peer)).requireProfiles()
            .profile(in: Self.session(), base: nil, CallContext(renewal: renewal))
        #expect(profile.session.reference.id == Shop.other)
        #expect(renewal.asked == 1)
        let error = await thrown {
            let peer = ScriptedBlueSnap(["sdk-init": [.expired]])
            _ = try await Shop.gateway(nil, Shop.runtime(peer)).requireProfiles()
                .profile(in: Self.session(), base: nil, CallContext())
        }
        #expect(error?.code == .sessionUnusable)
    }

    @Test("a page of a 401 is probed: only a token that is over is renewed")
    func refused() async throws {
        let page = ScriptedBlueSnap.Reply.answer(401, "<html><body>Bad credentials</body></html>", type: "text/html")
        for (probe, end) in [
            (ScriptedBlueSnap.Reply.alive, GatewayError.Code.credentialsRefused), (.expired, .sessionUnusable),
        ] {
            let peer = ScriptedBlueSnap(["sdk-init": [page], "status": [probe]])
            let error = await thrown {
                _ = try await Shop.gateway(nil, Shop.runtime(peer)).requireProfiles()
                    .profile(in: Self.session(), base: nil, CallContext())
            }
            #expect(error?.code == end)
            #expect(peer.count("status") == 1)
        }
    }
}
