import GatewayCrypto
import GatewayKitCore
import Testing

/// What is sent, byte for byte: the examples of BlueSnap's documents and SDKs, rebuilt.
@Suite struct BlueSnapRequestTests {
    static let submit = "PUT http://127.0.0.1:9/bluesnap/services/2/payment-fields-tokens/" + Shop.token
    static let rita = Shopper(
        name: "Rita Quill", email: "rita@example.org",
        billingAddress: Address(region: "MA", postalCode: "02110", country: "us"))

    static func submitted(_ request: TokenizationRequest, _ reply: ScriptedBlueSnap.Reply = .visa) async throws
        -> String
    {
        let peer = ScriptedBlueSnap(["tokenize": [reply]])
        let end = try await Shop.tokenize(peer, request)
        #expect(end.token?.id == Shop.token, "\(end.name)")
        #expect(peer.lines == [submit])
        #expect(
            peer.sent.first?.fields == ["accept: application/json", "token-authentication: " + Shop.token],
            "a submission proves itself with the token alone")
        #expect(peer.sent.first?.repeatability == .once)
        return try #require(peer.bodies("tokenize").first)
    }

    @Test(
        "A new card with billing, consent and fraud session: flat, every value a text, in the order of BlueSnap's example"
    )
    func newCard() async throws {
        var request = try Shop.request(shopper: Self.rita)
        request.retain = true
        request.fraudSessionID = "f00dfeed00000000000000000000beef"
        #expect(
            try await Self.submitted(request) == """
                {"ccNumber":"4111111111111111","cvv":"737","expDate":"11/2031","ccType":"VISA","storeCard":"true",\
                "billingFirstName":"Rita","billingLastName":"Quill","billingCountry":"US","billingState":"MA",\
                "billingZip":"02110","email":"rita@example.org","fraudSessionId":"f00dfeed00000000000000000000beef"}
                """)
    }

    @Test("Everything that there is a key for, with shipping; the telephone, which has none, is not sent")
    func everything() async throws {
        let shopper = Shopper(
            name: "Somebody Else", email: "ana@example.org", phone: "+551155550100", company: "Quill Ltd",
            billingAddress: Address(
                line1: "1 Made Up St", line2: "Unit 2", city: "Sao Paulo", region: "sp", postalCode: "01310-000",
                country: "BR"),
            shippingAddress: Address(
                line1: "9 Mill Row", city: "Leeds", region: "Yorkshire", postalCode: "LS9 8AB", country: "GB"),
            shippingName: "Grace", shippingPhone: "+441135550100")
        var request = try Shop.request(Shop.card(holder: " Ana  Maria Lopez "), shopper: shopper)
        request.retain = false
        #expect(
            try await Self.submitted(request) == """
                {"ccNumber":"4111111111111111","cvv":"737","expDate":"11/2031","ccType":"VISA","storeCard":"false",\
                "billingFirstName":"Ana","billingLastName":"Maria Lopez","billingCountry":"BR","billingState":"SP",\
                "billingCity":"Sao Paulo","billingAddress":"1 Made Up St Unit 2","billingZip":"01310-000",\
                "email":"ana@example.org","shippingFirstName":"Grace","shippingCountry":"GB","shippingCity":"Leeds",\
                "shippingAddress":"9 Mill Row","shippingZip":"LS9 8AB"}
                """)
    }

    @Test(
        "A state goes where BlueSnap takes one, and nowhere else (activemerchant#3229)",
        arguments: [
            ("US", "ma", "MA"), ("CA", "QC", "QC"), ("BR", "RJ", "RJ"), ("DE", "Sachsen", nil), ("GB", "LND", nil),
            ("PK", "PB", nil),
        ])
    func states(country: String, region: String, sent: String?) async throws {
        let shopper = Shopper(billingAddress: Address(region: region, country: country))
        let body = try await Self.submitted(Shop.request(shopper: shopper))
        #expect(body.contains("billingState") == (sent != nil))
        if let sent { #expect(body.contains("\"billingState\":\"\(sent)\"")) }
    }

    @Test(
        "C4, C6: a name is split at its first blank, and no word of it is lost",
        arguments: [
            ("aa vv bb", "aa", "vv bb"), ("aaa", "aaa", nil), ("James", "James", nil), ("", nil, nil),
            (" \t", nil, nil),
            ("Ana Maria Lopez", "Ana", "Maria Lopez"), (" José \u{3000}Müller ", "José", "Müller"), ("김 철수", "김", "철수"),
        ] as [(String, String?, String?)])
    func names(name: String, first: String?, last: String?) async throws {
        let body = try JSONValue(
            parsing: Array(try await Self.submitted(Shop.request(shopper: Shopper(name: name))).utf8))
        #expect(try body["billingFirstName"].present?.string() == first)
        #expect(try body["billingLastName"].present?.string() == last)
    }

    @Test("A stored card of the token's shopper, chosen by what may be shown")
    func shopperCard() async throws {
        let card = ShopperCard(
            providerBrand: "visa", lastFour: "1111", expiry: try #require(CardExpiry(month: 2, year: 2032)))
        #expect(
            try await Self.submitted(TokenizationRequest(.shopperCard(card)))
                == #"{"ccType":"VISA","lastFourDigits":"1111","expDate":"02/2032"}"#)
    }

    @Test("A number alone")
    func numberAlone() async throws {
        let number = try CardNumber(Sensitive("4111 1111 1111 1111"))
        #expect(
            try await Self.submitted(TokenizationRequest(.cardNumber(number))) == #"{"ccNumber":"4111111111111111"}"#)
    }

    @Test(
        "A bank account",
        arguments: [
            (BankAccount.HolderType.personal, BankAccount.Kind.checking, "CONSUMER_CHECKING"),
            (.personal, .savings, "CONSUMER_SAVINGS"), (.business, .checking, "CORPORATE_CHECKING"),
            (.business, .savings, "CORPORATE_SAVINGS"),
        ])
    func bankAccount(holder: BankAccount.HolderType, kind: BankAccount.Kind, word: String) async throws {
        let account = BankAccount(
            routingNumber: Sensitive("011075150"), accountNumber: Sensitive("4099999992"), type: kind,
            holderType: holder, holderName: "Rita Quill")
        #expect(
            try await Self.submitted(
                TokenizationRequest(.bankAccount(account)),
                .answer(200, #"{"paymentMethod":"ECP","ecpAccountNumber":"9992"}"#)) == """
                    {"paymentMethod":"ECP","ecpRoutingNumber":"011075150","ecpAccountNumber":"4099999992",\
                    "ecpAccountType":"\(word)","billingFirstName":"Rita","billingLastName":"Quill"}
                    """)
    }

    static let applePay = """
        {"version":"EC_v1","data":"ZGF0YQ==","signature":"c2ln","header":{"publicKeyHash":"aGFzaA==",\
        "transactionId":"ab12","ephemeralPublicKey":"a2V5"}}
        """

    @Test("Apple Pay: BlueSnap's envelope in base64, with the payload as Apple signed it and contacts beside it")
    func applePay() async throws {
        var request = TokenizationRequest(
            .applePay(WalletPayment(payload: Sensitive(Array(Self.applePay.utf8)))),
            shopper: Shopper(
                name: "Rita Quill", email: "rita@example.org",
                billingAddress: Address(
                    line1: "1 Made Up St", city: "Boston", postalCode: "02110", country: "US")))
        request.options = [
            "walletDisplayName": .text("Visa 1111"), "walletNetwork": .text("Visa"), "walletCardType": .text("debit"),
        ]
        let body = try JSONValue(parsing: Array(try await Self.submitted(request).utf8))
        #expect(try body.members().map(\.name) == ["applePayToken", "email"])
        let token = String(decoding: try Base64.standard.decode(body["applePayToken"].string()), as: UTF8.self)
        #expect(
            token == """
                {"billingContact":{"addressLines":["1 Made Up St"],"countryCode":"US","familyName":"Quill",\
                "givenName":"Rita","locality":"Boston","postalCode":"02110"},"token":{"transactionIdentifier":"ab12",\
                "paymentData":\(Self.applePay),"paymentMethod":{"displayName":"Visa 1111","network":"Visa",\
                "type":"debit"}}}
                """)
    }

    @Test("Google Pay: the token as a text in BlueSnap's envelope, in the base64 of the Android SDK")
    func googlePay() async throws {
        let payload = #"{"signature":"MEQ?>","protocolVersion":"ECv1","signedMessage":"{\"x\":\"~~~\"}"}"#
        var request = TokenizationRequest(.googlePay(WalletPayment(payload: Sensitive(Array(payload.utf8)))))
        request.options = ["walletNetwork": .text("VISA")]
        let body = try JSONValue(parsing: Array(try await Self.submitted(request).utf8))
        #expect(try body.members().map(\.name) == ["paymentToken", "paymentMethod"])
        #expect(try body["paymentMethod"].string() == "GOOGLE_PAY")
        let text = try body["paymentToken"].string()
        #expect(!text.contains("+") && !text.contains("/"))
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let envelope = try JSONValue(parsing: try Base64.standard.decode(standard))
        #expect(try envelope["paymentMethodData"]["tokenizationData"]["type"].string() == "PAYMENT_GATEWAY")
        #expect(try envelope["paymentMethodData"]["tokenizationData"]["token"].string() == payload)
        #expect(try envelope["paymentMethodData"]["info"]["cardNetwork"].string() == "VISA")
    }

    @Test(
        "Tokens are opened with the API user, an empty body and the wishes in the query",
        arguments: [
            (SessionRequest(), ""), (SessionRequest(shopperID: "31009922"), "?shopperId=31009922"),
            (SessionRequest(authentication: .required), "?authenticationrequired3ds=true"),
            (
                SessionRequest(shopperID: "1", authentication: .challenge),
                "?shopperId=1&authenticationrequired3ds=true&challengerequested3ds=true"
            ),
        ])
    func openSession(request: SessionRequest, query: String) async throws {
        let peer = ScriptedBlueSnap(["open-session": [.opened(Shop.token)]])
        let gateway = try Shop.gateway(Shop.settings(version: "3.0"), Shop.runtime(peer))
        let session = try await gateway.requireTokens().openSession(request)
        #expect(session.reference == (try Shop.reference()))
        #expect(peer.lines == ["POST http://127.0.0.1:9/bluesnap/services/2/payment-fields-tokens" + query])
        #expect(
            peer.sent.first?.fields == [
                "accept: application/json", "authorization: " + Shop.basic, "bluesnap-version: 3.0",
            ])
        #expect(peer.bodies("open-session") == [""])
        #expect("\(session.reference)" == "session of shop ending 635_")
    }

    @Test("A prefilled token is made of number and expiry, with the API user")
    func prefilled() async throws {
        let peer = ScriptedBlueSnap(["prefill": [.opened(Shop.other)]])
        let gateway = try Shop.gateway(nil, Shop.runtime(peer))
        let tokens = try gateway.requireTokens()
        let session = try await tokens.openSession(SessionRequest(entry: .cardData))
        let again = try tokens.attach(session.reference)
        #expect(peer.sent.isEmpty)
        let result = try await tokens.tokenize(Shop.request(Shop.card(code: nil)), in: again)
        guard case .token(let token) = result else { throw TestFailure("\(result.outcomeName)") }
        #expect(token.id == Shop.other)
        #expect(token.origin == .newCard)
        #expect(token.card?.description == "visa ending 1111, expires 11/2031")
        #expect(peer.lines == ["POST http://127.0.0.1:9/bluesnap/services/2/payment-fields-tokens/prefill"])
        #expect(peer.bodies("prefill") == [#"{"ccNumber":"4111111111111111","expDate":"11/2031"}"#])
        #expect(peer.sent.first?.fields == ["accept: application/json", "authorization: " + Shop.basic])
    }

    @Test(
        "Outside the sandbox each token goes to the server that its last character names, and the API user's calls to theirs",
        arguments: [
            (EnvironmentDescription.Kind.test, "_", "sandbox", "sandbox"), (.live, "1", "ws", "ws1"),
            (.live, "2", "ws", "ws2"),
        ])
    func hosts(kind: EnvironmentDescription.Kind, suffix: String, server: String, own: String) async throws {
        let token = String(Shop.token.dropLast()) + suffix
        let peer = ScriptedBlueSnap(["open-session": [.opened(token)], "tokenize": [.visa]])
        let end = try await Shop.tokenize(peer, nil, Shop.settings(nil, environment: kind), in: nil)
        #expect(end.token?.id == token)
        #expect(end.token?.isTest == (suffix == "_"))
        #expect(
            peer.lines == [
                "POST https://\(server).bluesnap.com/services/2/payment-fields-tokens",
                "PUT https://\(own).bluesnap.com/services/2/payment-fields-tokens/" + token,
            ])
    }

    @Test("An address of the account's own wins over the token's last character")
    func ownAddress() async throws {
        let token = String(Shop.token.dropLast()) + "2"
        let peer = ScriptedBlueSnap(["tokenize": [.visa]])
        let settings = try Shop.settings("https://pay.example/relay", environment: .live)
        #expect(try await Shop.tokenize(peer, nil, settings, in: token).token != nil)
        #expect(peer.lines == ["PUT https://pay.example/relay/services/2/payment-fields-tokens/" + token])
    }
}

/// Why a test cannot go on.
struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
