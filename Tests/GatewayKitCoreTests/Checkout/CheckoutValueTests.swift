import Testing

@testable import GatewayKitCore

@Suite("Fraud session")
struct FraudSessionTests {
    @Test("an id is drawn where there is none: 32 digits, other ones each time")
    func drawn() throws {
        let numbers = Locked<UInt64>(1)
        let random = RandomSource {
            numbers.withLock {
                $0 += 1; return $0
            }
        }
        let session = try FraudSession(id: nil, collectorMerchantID: "700000", random: random)
        #expect(session.id == "0000000000000002" + "0000000000000003")
        #expect(session.collectorMerchantID == "700000")
        #expect(try FraudSession(id: "", random: random).id != session.id)
        #expect(FraudSession().id.utf8.count == FraudSession.longestID)
        #expect(FraudSession().id != FraudSession().id)
    }

    @Test(
        "the app's own id is kept, and never cut",
        arguments: [
            ("a", true), ("Order-77_b", true), (String(repeating: "f", count: 32), true),
            (String(repeating: "f", count: 33), false), ("a b", false), ("ä", false), ("a\n", false),
        ])
    func own(id: String, isTaken: Bool) throws {
        if isTaken {
            #expect(try FraudSession(id: id).id == id)
        } else {
            let error = #expect(throws: GatewayError.self) { try FraudSession(id: id) }
            #expect(error?.code == .invalidInput)
        }
    }
}

@Suite("Apple Pay request")
struct ApplePayRequestTests {
    private static func price(_ tax: String = "1.52") throws -> Price {
        try Price(amount: Money("25.00", .usd), tax: Money(tax, .usd))
    }

    @Test("subtotal, tax and total under the pay line, last")
    func items() throws {
        let request = ApplePayRequest(
            merchantID: "merchant.example.shop", countryCode: "us", networks: ["visa"], price: try Self.price(),
            merchantName: "Made Up Shop")
        #expect(
            request.items.map { "\($0.label) \($0.amount)" }
                == ["SUBTOTAL 25.00 USD", "TAX 1.52 USD", "Made Up Shop 26.52 USD"])
        #expect(request.issues.isEmpty)
        #expect(request.countryCode == "US")
    }

    @Test("without a tax there is the total alone; the pay line is the shop's, its name, or PAY")
    func payLine() throws {
        func request(_ payLine: String?, _ name: String?) throws -> ApplePayRequest {
            ApplePayRequest(
                merchantID: "merchant.example.shop", countryCode: "US", networks: ["visa"],
                price: try Self.price("0.00"),
                payLine: payLine, merchantName: name)
        }
        #expect(try request("Pay us", "Shop").items.map(\.label) == ["Pay us"])
        #expect(try request("", "Shop").items.map(\.label) == ["Shop"])
        #expect(try request(nil, nil).items.map(\.label) == ["PAY"])
    }

    @Test("networks come from the profile's brands, in its order, each once")
    func networks() throws {
        var profile = CheckoutProfile(
            session: PaymentSession(
                reference: SessionReference(account: AccountName(ProviderID(reading: "bluesnap")), id: "s")))
        profile.merchantName = "Made Up Shop"
        profile.brands = [
            .init(providerWord: "A", brand: .mastercard), .init(providerWord: "B", brand: nil),
            .init(providerWord: "C", brand: .naranja), .init(providerWord: "D", brand: .americanExpress),
            .init(providerWord: "E", brand: .mastercard),
        ]
        let request = ApplePayRequest(
            merchantID: "merchant.example.shop", countryCode: "US", profile: profile, price: try Self.price())
        #expect(request.networks == ["masterCard", "amex"])
        #expect(request.payLine == "Made Up Shop")
    }

    @Test("what Apple would refuse is told at once")
    func issues() throws {
        let request = ApplePayRequest(
            merchantID: "", countryCode: "ZZ", networks: [], price: try Price(amount: .zero(.usd)))
        #expect(
            request.issues.map { "\($0.field) \($0.problem)" }
                == ["option missing", "brand missing", "amount notAccepted", "country malformed"])
    }
}

@Suite("Chosen method and returning shopper")
struct ChosenMethodTests {
    private static let account = AccountName(ProviderID(reading: "bluesnap"))
    private static let card = CardExpiry(month: 11, year: 2031).map { expiry in
        ShopperCard(providerBrand: "VISA", lastFour: "1111", expiry: expiry)
    }

    private static func profile(
        _ choice: ChosenMethod?, cards: [CheckoutProfile.StoredCard] = []
    ) -> CheckoutProfile {
        var profile = CheckoutProfile(session: PaymentSession(reference: SessionReference(account: account, id: "s")))
        profile.payPalCurrencies = [.eur, .usd]
        profile.shopper = CheckoutProfile.ReturningShopper(id: "31009922", cards: cards)
        profile.shopper?.choice = choice
        return profile
    }

    @Test("a stored card that is good, a wallet, and PayPal in its currencies are charged")
    func chosen() throws {
        let card = try #require(Self.card)
        let stored = CheckoutProfile.StoredCard(card: card, brand: .visa, isExpired: false)
        for choice in [ChosenMethod.storedCard(card), .applePay, .googlePay, .payPal] {
            let profile = Self.profile(choice, cards: [stored])
            #expect(try profile.methodToCharge(in: .usd, of: Self.account) == choice)
        }
    }

    @Test("without a shopper, without a choice, and with one that is no good any more: named errors, nothing sent")
    func refused() throws {
        let card = try #require(Self.card)
        let expired = CheckoutProfile.StoredCard(card: card, brand: .visa, isExpired: true)
        var nobody = Self.profile(nil)
        nobody.shopper = nil
        let rows: [(CheckoutProfile, Currency, String)] = [
            (nobody, .usd, "for no shopper"), (Self.profile(nil), .usd, "no method"),
            (Self.profile(.storedCard(card)), .usd, "not stored"),
            (Self.profile(.storedCard(card), cards: [expired]), .usd, "expired"),
            (Self.profile(.payPal), .jpy, "not offered in JPY"),
        ]
        for (profile, currency, words) in rows {
            let error = #expect(throws: GatewayError.self) {
                try profile.methodToCharge(in: currency, of: Self.account)
            }
            #expect(error?.code == .invalidInput)
            #expect(error?.reach == .notSent)
            #expect(error?.message.description.contains(words) == true)
        }
    }

    @Test("a form begins with what the shop knows, then with what the provider knows; addresses are taken whole")
    func prefilled() {
        var profile = Self.profile(nil)
        let theirs = Address(line1: "1 Made Up St", city: "Boston", country: "US")
        profile.shopper?.shopper = Shopper(
            name: "Rita Quill", email: "rita@shop.example", billingAddress: theirs, shippingAddress: theirs)
        let ours = Address(city: "Berlin", country: "DE")
        let known = Shopper(name: " ", email: "new@shop.example", billingAddress: ours, shippingAddress: Address())
        let shopper = profile.shopper(knowing: known)
        #expect(shopper.name == "Rita Quill")
        #expect(shopper.email == "new@shop.example")
        #expect(shopper.billingAddress == ours)
        #expect(shopper.shippingAddress == theirs)
        profile.shopper = nil
        #expect(profile.shopper(knowing: known) == known)
    }
}
