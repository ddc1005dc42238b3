import GatewayKitCore
import GatewaySandbox
import Testing

/// The adapter against the imitation, over real HTTP.
@Suite struct BlueSnapSandboxTests {
    @Test("Opened, submitted, probed, by a program without the API user too", arguments: ["plain", "full"])
    func lifecycle(form: String) async throws {
        let box = try BlueSnapBox(["bluesnap.submit": form])
        let session = try await box.gateway().requireTokens().openSession()
        let front = try box.gateway(hasUser: false)
        let end = await End(front, try Shop.request(), in: session.reference.id)
        let token = try #require(end.token)
        #expect(token.id == session.reference.id)
        #expect(token.card?.issuingCountry == "US")
        #expect(try await front.requireSessions().status(of: session.reference).phase == .open)
        #expect(box.operations == ["open-session", "tokenize", "status"])
    }

    @Test("An empty 2xx, which BlueSnap's SDKs take for success, proves nothing")
    func empty() async throws {
        let box = try BlueSnapBox(["bluesnap.submit": "empty"])
        let end = await End(try box.gateway(), try Shop.request())
        #expect(end.unknown != nil)
    }

    @Test(
        "A token lives an hour: then it is told so in every form of error body that can say it",
        arguments: ["string-code", "numeric-code", "flat", "text"])
    func expiry(form: String) async throws {
        let box = try BlueSnapBox(["bluesnap.errors": form])
        let gateway = try box.gateway()
        let tokens = try gateway.requireTokens()
        let session = try await tokens.openSession()
        box.advance(seconds: 59 * 60)
        #expect(await End(gateway, try Shop.request(), in: session.reference.id).token != nil)
        box.advance(seconds: 60)
        let status = try #require(await End(gateway, try Shop.request(), in: session.reference.id).unusable)
        #expect(status.providerWord == "EXPIRED_TOKEN")
        #expect(try await gateway.requireSessions().status(of: session.reference).phase == .expired)

        struct Backend: SessionRenewal {
            let tokens: any TokenProvider
            func session(insteadOf old: SessionReference) async throws(GatewayError) -> PaymentSession {
                try await tokens.openSession()
            }
        }
        let context = CallContext(renewal: Backend(tokens: tokens))
        let renewed = try #require(await End(gateway, try Shop.request(), in: session.reference.id, context).token)
        #expect(renewed.id != session.reference.id)
        #expect(box.operations.suffix(3) == ["tokenize", "open-session", "tokenize"])
    }

    @Test("Every instrument is taken in the form in which it is sent")
    func instruments() async throws {
        let box = try BlueSnapBox()
        let gateway = try box.gateway()
        let wallet: [String: OptionValue] = ["walletNetwork": .text("Visa"), "walletDisplayName": .text("Visa 1111")]
        let apple = WalletPayment(payload: Sensitive(Array(BlueSnapRequestTests.applePay.utf8)))
        let google = WalletPayment(
            payload: Sensitive(Array(#"{"signature":"s?>~","protocolVersion":"ECv1","signedMessage":"m"}"#.utf8)))
        let account = BankAccount(
            routingNumber: Sensitive("011075150"), accountNumber: Sensitive("4099999992"), type: .savings,
            holderType: .business)
        let shopper = Shopper(
            name: "Rita Quill", email: "rita@example.org",
            billingAddress: Address(
                line1: "1 Made Up St", city: "Boston", region: "ma", postalCode: "02110", country: "US"),
            shippingAddress: Address(line1: "9 Mill Row", city: "Leeds", region: "Yorkshire", country: "GB"))
        var card = try Shop.request(shopper: shopper)
        card.retain = true
        card.fraudSessionID = "f00dfeed00000000000000000000beef"
        let requests = [
            card, TokenizationRequest(.cardNumber(try Shop.card().number)),
            TokenizationRequest(.applePay(apple), shopper: shopper, options: wallet),
            TokenizationRequest(.googlePay(google), options: wallet),
            TokenizationRequest(.bankAccount(account), shopper: shopper),
        ]
        for request in requests {
            let end = await End(gateway, request)
            #expect(end.token != nil, "\(request.instrument.kindName): \(end.name) \(end.shown)")
        }
        let prefilled = try await gateway.requireTokens().openSession(SessionRequest(entry: .cardData))
        #expect(await End(gateway, try Shop.request(Shop.card(code: nil)), in: prefilled.reference.id).token != nil)
    }

    @Test("Wrong credentials, an unknown shopper, and a token that is not there")
    func refusals() async throws {
        let box = try BlueSnapBox()
        let wrong = try Shop.gateway(Shop.settings(box.sandbox.baseURL(for: "bluesnap")))
        #expect(await thrown { _ = try await wrong.requireTokens().openSession() }?.code == .credentialsRefused)
        let gateway = try box.gateway()
        let unknown = await thrown {
            _ = try await gateway.requireTokens().openSession(SessionRequest(shopperID: "99999999"))
        }
        #expect(unknown?.code == .notFound)
        #expect(await End(gateway, try Shop.request(), in: Shop.token).unusable?.providerWord == "TOKEN_NOT_FOUND")
        let status = await thrown { _ = try await gateway.requireSessions().status(of: Shop.reference()) }
        #expect(status?.code == .notFound)
    }
}
