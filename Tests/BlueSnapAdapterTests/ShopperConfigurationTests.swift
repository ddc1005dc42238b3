import GatewayKitCore
import Testing

@testable import BlueSnapAdapter

@Suite struct BlueSnapShopperConfigurationTests {
    private static let rita = Shopper(
        name: "Rita Quill", email: "rita@example.org",
        billingAddress: Address(
            line1: "1 Made Up St", city: "Boston", region: "MA", postalCode: "02110", country: "US"),
        shippingAddress: Address(
            line1: "1 Made Up St", city: "Boston", region: "MA", postalCode: "02110", country: "US"))

    private static func visa() throws -> CardSummary {
        CardSummary(brand: .visa, lastFour: "1111", expiry: CardExpiry(month: 11, year: 2031))
    }

    private static func configure(
        _ peer: ScriptedBlueSnap, _ configuration: ShopperConfiguration, renewal: Renewal? = nil
    ) async throws -> ShopperConfigurationResult {
        let session = PaymentSession(reference: try Shop.reference())
        return try await Shop.gateway(nil, Shop.runtime(peer)).requireShoppers()
            .configure(configuration, in: session, CallContext(renewal: renewal))
    }

    private static let saved = ScriptedBlueSnap.Reply.answer(204, "")

    /// The start-up data of the shopper, by which a choice is proven.
    private static func told(_ chosen: String, of shopper: String = "1") -> ScriptedBlueSnap.Reply {
        .answer(
            200,
            """
            {"supportedPaymentMethods":{},"shopper":{"vaultedShopperId":\(shopper),"chosenPaymentMethod":\(chosen)}}
            """)
    }
    private static let toldVisa =
        #"{"chosenPaymentMethodType":"CC","creditCard":{"cardType":"VISA","#
        + #""cardLastFourDigits":"1111","expirationMonth":"11","expirationYear":"2031"}}"#

    @Test("the body is that of BlueSnap's SDK, byte for byte, but for empty texts")
    func request() async throws {
        let peer = ScriptedBlueSnap([
            "configure-shopper": [Self.saved], "sdk-init": [Self.told(Self.toldVisa, of: "31009922")],
        ])
        let result = try await Self.configure(
            peer,
            ShopperConfiguration(
                shopperID: "31009922", shopper: Self.rita, choice: .newCard(try Self.visa()), consentToStore: true))
        #expect(result == .saved(PaymentSession(reference: try Shop.reference())))
        #expect(peer.lines.first == "PUT http://127.0.0.1:9/bluesnap/services/2/tokenized-services/shopper")
        #expect(peer.sent.map(\.operation) == ["configure-shopper", "sdk-init"])
        #expect(
            peer.bodies("configure-shopper") == [
                #"{"vaultedShopperId":31009922,"firstName":"Rita","lastName":"Quill","country":"US","state":"MA","#
                    + #""city":"Boston","zip":"02110","address":"1 Made Up St","email":"rita@example.org","#
                    + #""shippingContactInfo":{"firstName":"Rita","lastName":"Quill","country":"US","state":"MA","#
                    + #""city":"Boston","zip":"02110","address1":"1 Made Up St"},"#
                    + #""chosenPaymentMethod":{"chosenPaymentMethodType":"CC","creditCard":{"cardType":"VISA","#
                    + #""cardLastFourDigits":"1111","expirationMonth":"11","expirationYear":"2031"}},"#
                    + #""paymentSources":{"creditCardInfo":[{"pfToken":"\#(Shop.token)"}]}}"#
            ])
    }

    @Test(
        "wallets and PayPal are chosen by their word alone",
        arguments: [
            (ShopperConfiguration.Choice.applePay, "APPLE_PAY"), (.googlePay, "GOOGLE_PAY"), (.payPal, "PAYPAL"),
        ])
    func wallets(choice: ShopperConfiguration.Choice, word: String) async throws {
        let peer = ScriptedBlueSnap(["configure-shopper": [Self.saved]])
        _ = try await Self.configure(
            peer,
            ShopperConfiguration(
                shopperID: "1", shopper: Shopper(name: "Rita Quill"), choice: choice, fraudSessionID: "f00d"))
        #expect(
            peer.bodies("configure-shopper") == [
                #"{"vaultedShopperId":1,"firstName":"Rita","lastName":"Quill","chosenPaymentMethod":"#
                    + #"{"chosenPaymentMethodType":"\#(word)"},"transactionFraudInfo":{"fraudSessionId":"f00d"}}"#
            ])
    }

    @Test("after a renewal the body names the new token: BlueSnap's SDK leaves the old one in it")
    func renewed() async throws {
        let peer = ScriptedBlueSnap([
            "configure-shopper": [.expired, Self.saved], "sdk-init": [Self.told(Self.toldVisa)],
        ])
        let expiry = try #require(CardExpiry(month: 11, year: 2031))
        let result = try await Self.configure(
            peer,
            ShopperConfiguration(
                shopperID: "1", shopper: Self.rita,
                choice: .storedCard(ShopperCard(providerBrand: "VISA", lastFour: "1111", expiry: expiry))),
            renewal: try Renewal(Shop.other))
        #expect(result == .saved(PaymentSession(reference: try Shop.reference(Shop.other))))
        let bodies = peer.bodies("configure-shopper")
        #expect(bodies.first?.contains(#""pfToken":"\#(Shop.token)""#) == true)
        #expect(bodies.last?.contains(#""pfToken":"\#(Shop.other)""#) == true)
        #expect(bodies.last?.contains(Shop.token) == false)
    }

    @Test("without a shopper or a choice: named errors, before anything is sent")
    func required() async throws {
        for (shopper, choice, words) in [
            (nil, ShopperConfiguration.Choice.payPal, "no shopper"), ("abc", .payPal, "no shopper"),
            ("", .payPal, "no shopper"), ("1", nil, "chosen no method"),
        ] as [(String?, ShopperConfiguration.Choice?, String)] {
            let peer = ScriptedBlueSnap([:])
            let error = await thrown {
                _ = try await Self.configure(
                    peer, ShopperConfiguration(shopperID: shopper, shopper: Self.rita, choice: choice))
            }
            #expect(error?.code == .invalidInput)
            #expect(error?.message.description.contains(words) == true)
            #expect(peer.sent.isEmpty)
        }
    }

    @Test("what is wrong is told all at once, before anything is sent")
    func issues() async throws {
        let peer = ScriptedBlueSnap([:])
        let expired = try #require(CardExpiry(month: 1, year: 2020))
        func issues(_ choice: ShopperConfiguration.Choice, _ shopper: Shopper) async throws -> [String] {
            guard
                case .invalid(let issues) = try await Self.configure(
                    peer,
                    ShopperConfiguration(
                        shopperID: "1", shopper: shopper, choice: choice,
                        fraudSessionID: String(repeating: "f", count: 33)))
            else { return [] }
            return issues.map { "\($0.field) \($0.problem)" }
        }
        #expect(
            try await issues(.newCard(CardSummary()), Shopper())
                == [
                    "name missing", "option malformed", "consent missing", "brand missing", "number missing",
                    "expiryYear missing",
                ])
        #expect(
            try await issues(
                .storedCard(ShopperCard(providerBrand: "VISA", lastFour: "1111", expiry: expired)), Self.rita)
                == ["option malformed", "expiryYear expired"])
        #expect(peer.sent.isEmpty)
    }

    @Test("a choice counts as written down when the shopper's data tell it, and not before")
    func proven() async throws {
        for (told, isSaved) in [
            (Self.told(#"{"chosenPaymentMethodType":"PAYPAL"}"#), true),
            (Self.told(#"{"chosenPaymentMethodType":"APPLE_PAY"}"#), false), (Self.told("null"), false),
            (Self.told(Self.toldVisa), false), (Self.told(#"{"chosenPaymentMethodType":"PAYPAL"}"#, of: "2"), false),
            (.answer(200, "{}"), false), (.lost, false), (.answer(500, ""), false), (.expired, false),
        ] {
            let peer = ScriptedBlueSnap(["configure-shopper": [Self.saved], "sdk-init": [told]])
            let result = try await Self.configure(
                peer, ShopperConfiguration(shopperID: "1", shopper: Self.rita, choice: .payPal))
            if isSaved {
                #expect(result == .saved(PaymentSession(reference: try Shop.reference())))
            } else if case .unknown(let cause) = result {
                #expect(cause.advice.description.contains("may have been written down"))
            } else {
                Issue.record("\(result)")
            }
            #expect(peer.count("configure-shopper") == 1)
        }
    }

    @Test("an answer that is lost, or tells nothing, is unknown: never saved, never sent twice")
    func unknown() async throws {
        for reply in [
            ScriptedBlueSnap.Reply.lost, .answer(500, ""), .error("SERVER_GENERAL_FAILURE", "10000"),
            .answer(200, "<html><body>x</body></html>", type: "text/html"),
            .answer(503, "Service is temporarily unavailable"),
            .answer(408, ""), .answer(302, ""),
        ] {
            let peer = ScriptedBlueSnap(["configure-shopper": [reply]])
            let result = try await Self.configure(
                peer, ShopperConfiguration(shopperID: "1", shopper: Self.rita, choice: .payPal))
            guard case .unknown(let cause) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(cause.reach != .notSent)
            #expect(peer.count("configure-shopper") == 1)
        }
        let error = await thrown {
            _ = try await Self.configure(
                ScriptedBlueSnap([:]), ShopperConfiguration(shopperID: "1", shopper: Self.rita, choice: .payPal))
        }
        #expect(error?.code == .unreachable)
    }

    @Test("a field that BlueSnap names is an issue, any other no is an error; too many calls say so")
    func refused() async throws {
        let body =
            #"{"message":[{"errorName":"VALIDATION_GENERAL_FAILURE","code":"10001","description":"x","invalidProperty":{"name":"zip"}}]}"#
        for (reply, end) in [
            (ScriptedBlueSnap.Reply.answer(400, body), "invalid postalCode"),
            (.error("SHOPPER_NOT_FOUND", "15008"), "notFound"),
            (.answer(429, "Client request rate is too high"), "rateLimited"),
            (.answer(503, "Client request rate is too high"), "rateLimited"), (.expired, "sessionUnusable"),
        ] {
            let peer = ScriptedBlueSnap(["configure-shopper": [reply]])
            let configuration = ShopperConfiguration(shopperID: "1", shopper: Self.rita, choice: .payPal)
            do {
                let result = try await Self.configure(peer, configuration)
                guard case .invalid(let issues) = result else {
                    Issue.record("\(result)")
                    continue
                }
                #expect(end == "invalid " + issues.map { "\($0.field)" }.joined())
            } catch let error as GatewayError {
                #expect(end == error.code.description)
            }
        }
    }

    @Test("at the sandbox: a card is sent and chosen, and the next profile tells the choice to charge")
    func sandbox() async throws {
        let box = try BlueSnapBox()
        let gateway = try box.gateway()
        let tokens = try gateway.requireTokens()
        func open() async throws -> PaymentSession {
            try await tokens.openSession(SessionRequest(shopperID: "31009922"), CallContext())
        }
        let session = try await open()
        var request = try Shop.request(Shop.card("mastercard", holder: "Rita Quill"), shopper: Self.rita)
        request.retain = true
        guard case .token(let token) = try await tokens.tokenize(request, in: session, CallContext()),
            let card = token.card
        else {
            Issue.record("no token")
            return
        }
        let shoppers = try gateway.requireShoppers()
        let summary = CardSummary(brand: card.brand, lastFour: card.lastFour, expiry: CardExpiry(month: 11, year: 2031))
        let result = try await shoppers.configure(
            ShopperConfiguration(
                shopperID: "31009922", shopper: Self.rita, choice: .newCard(summary), consentToStore: true),
            in: session, CallContext())
        #expect(result == .saved(session))

        let next = try await open()
        let profile = try await gateway.requireProfiles().profile(in: next, base: nil, CallContext())
        guard case .storedCard(let chosen) = try profile.methodToCharge(in: .usd, of: gateway.account) else {
            Issue.record("no card")
            return
        }
        #expect(chosen.lastFour == "4444")
        let charged = try await tokens.tokenize(
            TokenizationRequest(.shopperCard(chosen)), in: next, CallContext())
        guard case .token = charged else {
            Issue.record("\(charged)")
            return
        }

        for choice in [ShopperConfiguration.Choice.payPal, .applePay, .googlePay] {
            let saved = try await shoppers.configure(
                ShopperConfiguration(shopperID: "31009922", shopper: Self.rita, choice: choice), in: try await open(),
                CallContext())
            guard case .saved = saved else {
                Issue.record("\(saved)")
                continue
            }
            let profile = try await gateway.requireProfiles().profile(in: try await open(), base: nil, CallContext())
            #expect(profile.shopper?.choice != nil)
        }
    }
}
