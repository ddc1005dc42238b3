import GatewayKitCore
import Testing

/// What is found before anything is sent.
@Suite struct BlueSnapLocalCheckTests {
    private static func end(_ request: TokenizationRequest, in token: String = Shop.token) async throws -> End {
        let peer = ScriptedBlueSnap(["tokenize": [.visa], "prefill": [.opened(Shop.other)]])
        let end = try await Shop.tokenize(peer, request, in: token)
        #expect(peer.sent.isEmpty, "something was sent")
        return end
    }

    @Test("Number, expiry and security code")
    func card() async throws {
        let rows: [(Card, FieldIssue.Field, FieldIssue.Problem)] = [
            (try Shop.card(expiry: nil), .expiryMonth, .missing), (try Shop.card(code: nil), .securityCode, .missing),
            (try Shop.card(expiry: CardExpiry(month: 5, year: 2030)), .expiryMonth, .expired),
            (try Shop.card(expiry: CardExpiry(month: 5, year: 2090)), .expiryYear, .tooFarAhead),
            (try Shop.card("amex"), .securityCode, .tooShort),
        ]
        for (card, field, problem) in rows {
            let issues = try #require(try await Self.end(Shop.request(card)).issues)
            #expect(issues.map(\.field) == [field])
            #expect(issues.map(\.problem) == [problem])
        }
    }

    @Test("C2: a card is good in its last month, which BlueSnap's iOS SDK refuses")
    func thisMonth() async throws {
        let peer = ScriptedBlueSnap(["tokenize": [.visa]])
        let card = try Shop.card(expiry: CardExpiry(month: 6, year: 2030))
        #expect(try await Shop.tokenize(peer, Shop.request(card)).token != nil)
    }

    @Test(
        "bigcommerce/checkout-sdk-js#2157: a state is a code of two letters where BlueSnap takes one",
        arguments: ["California", "C", "C1", "カ", ""])
    func states(_ region: String) async throws {
        let shopper = Shopper(
            billingAddress: Address(region: region, country: "US"),
            shippingAddress: Address(region: region, country: "CA"))
        let issues = try #require(try await Self.end(Shop.request(shopper: shopper)).issues)
        #expect(issues.map(\.field) == [.region, .region.ofShipping])
    }

    @Test("The fraud session's id has 1 to 32 characters", arguments: ["", String(repeating: "a", count: 33)])
    func fraudSession(_ id: String) async throws {
        var request = try Shop.request()
        request.fraudSessionID = id
        #expect(try await Self.end(request).issues?.count == 1)
    }

    @Test("Without our checks the provider decides")
    func unchecked() async throws {
        let peer = ScriptedBlueSnap(["tokenize": [.error("INVALID_EXP_DATE")]])
        let card = try Shop.card(expiry: CardExpiry(month: 5, year: 2030))
        let issues = try #require(
            try await Shop.tokenize(peer, Shop.request(card, checksLocally: false)).issues)
        #expect(issues.map(\.origin) == [.provider])
        #expect(peer.count("tokenize") == 1)
    }

    @Test("What a token has no place for is refused by name")
    func noPlace() async throws {
        var request = try Shop.request()
        request.metadata = [.init(key: "order", value: .text("A-17"))]
        #expect(try await Self.end(request).thrown?.code == .notSupported)
        request = try Shop.request()
        request.options = ["surelyNone": .flag(true)]
        #expect(try await Self.end(request).thrown?.code == .invalidInput)
        request.options = ["walletNetwork": .text("Visa")]
        #expect(try await Self.end(request).thrown?.code == .invalidInput)

        let apple = WalletPayment(payload: Sensitive(Array(BlueSnapRequestTests.applePay.utf8)))
        request = TokenizationRequest(.applePay(apple), retain: true)
        #expect(try await Self.end(request).thrown?.code == .notSupported)
        request = TokenizationRequest(.applePay(apple), options: ["walletNetwork": .flag(true)])
        #expect(try await Self.end(request).thrown?.code == .invalidInput)

        let code = try SecurityCode(Sensitive(Shop.securityCode))
        request = TokenizationRequest(.storedCard(StoredCard(token: "t-1", securityCode: code)))
        #expect(try await Self.end(request).thrown?.code == .notSupported)
        let canadian = BankAccount(
            routingNumber: Sensitive("000100002"), accountNumber: Sensitive("4099999992"), type: .checking,
            holderType: .personal, country: .canada)
        #expect(try await Self.end(TokenizationRequest(.bankAccount(canadian))).thrown?.code == .notSupported)
    }

    @Test("A prefilled token takes a card's number and expiry, and nothing is left out in silence")
    func prefilled() async throws {
        #expect(try await Self.end(Shop.request(), in: "prefill").thrown?.code == .notSupported)
        let bare = try Shop.card(code: nil)
        var requests = [
            try Shop.request(bare, shopper: Shopper(name: "Rita Quill")),
            TokenizationRequest(.cardNumber(bare.number)),
        ]
        var retained = try Shop.request(bare)
        retained.retain = true
        var watched = try Shop.request(bare)
        watched.fraudSessionID = "f00d"
        requests += [retained, watched]
        for request in requests {
            #expect(try await Self.end(request, in: "prefill").thrown?.code == .notSupported)
        }
        let expired = try Shop.card(expiry: CardExpiry(month: 5, year: 2030), code: nil)
        #expect(try await Self.end(Shop.request(expired), in: "prefill").issues?.map(\.problem) == [.expired])
    }

    @Test("A user name with a colon cannot be sent as one")
    func colon() throws {
        let provider = Shop.self
        _ = provider
        let settings = AccountSettings(
            name: try #require(AccountName("shop")), provider: "bluesnap",
            environment: try Shop.settings().environment, baseURL: try Shop.settings().baseURL,
            values: ["username": .plain("a:b"), "password": .secret(Sensitive(Shop.password))])
        #expect(throws: GatewayError.self) { try Shop.gateway(settings) }
    }
}
