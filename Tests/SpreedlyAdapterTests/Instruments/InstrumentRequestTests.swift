import GatewayKitCore
import SpreedlyAdapter
import Testing

/// What goes out for each kind of instrument, byte for byte (dossier 1.3 and 1.6).
@Suite struct InstrumentRequestTests {
    private func sent(
        _ request: TokenizationRequest, authentication: String = "secret"
    ) async throws -> (line: String, body: String, AnswerPeer.Received) {
        let peer = try AnswerPeer(status: 503)
        _ = try await Instruments.answer(of: peer, request, authentication: authentication)
        let received = try #require(peer.received.first)
        return (received.requestLine, String(decoding: received.body, as: UTF8.self), received)
    }

    private static let shopper = Shopper(
        name: "Ada Okoro", email: "ada@example.com", phone: "441130000000",
        billingAddress: Address(line1: "9 Mill Row", postalCode: "LS1 4AB", country: "GB"))
    private static let contact = """
        "full_name":"Ada Okoro","address1":"9 Mill Row","zip":"LS1 4AB","country":"GB","phone_number":"441130000000"
        """
    private static let create = "POST /v1/payment_methods.json HTTP/1.1"

    @Test("Apple Pay: the payload as an object, as it was written; name and address beside it")
    func applePay() async throws {
        let (line, body, _) = try await sent(
            Instruments.request(Instruments.applePay(), shopper: Self.shopper, retain: true))
        #expect(line == Self.create)
        #expect(
            body == """
                {"payment_method":{"apple_pay":{"payment_data":\(Instruments.applePayload),\
                "test_card_number":"\(Shop.number)"},\(Self.contact),"email":"ada@example.com","retained":true}}
                """)
    }

    @Test("Google Pay: name and address inside it")
    func googlePay() async throws {
        let (line, body, _) = try await sent(
            Instruments.request(Instruments.googlePay(testCard: nil), shopper: Self.shopper))
        #expect(line == Self.create)
        #expect(
            body == """
                {"payment_method":{"google_pay":{"payment_data":\(Instruments.googlePayload),\(Self.contact)},\
                "email":"ada@example.com"}}
                """)
    }

    @Test("Bank account: the request's own names; the bank's country stands in for a missing one")
    func bankAccount() async throws {
        let (line, body, _) = try await sent(
            Instruments.request(.bankAccount(Instruments.account("98-765 432-10")), retain: true))
        #expect(line == Self.create)
        #expect(
            body == """
                {"payment_method":{"bank_account":{"bank_routing_number":"021000021",\
                "bank_account_number":"9876543210","bank_account_type":"checking",\
                "bank_account_holder_type":"personal","full_name":"Ada Okoro","bank_name":"First Bank of Tests",\
                "country":"US"},"retained":true}}
                """)
        var business = Instruments.account(routing: "000312345", holder: nil, bank: nil, country: .canada)
        business.type = .savings
        business.holderType = .business
        let shopper = Shopper(name: "Kite Ltd", billingAddress: Address(city: "Ottawa"))
        let (_, other, _) = try await sent(Instruments.request(.bankAccount(business), shopper: shopper))
        #expect(
            other == """
                {"payment_method":{"bank_account":{"bank_routing_number":"000312345",\
                "bank_account_number":"9876543210","bank_account_type":"savings",\
                "bank_account_holder_type":"business","full_name":"Kite Ltd","city":"Ottawa","country":"CA"}}}
                """)
    }

    @Test("Another vault's token: flat, without an object of its own")
    func foreignToken() async throws {
        let (line, body, _) = try await sent(Instruments.request(Instruments.foreign))
        #expect(line == Self.create)
        #expect(
            body == """
                {"payment_method":{"payment_method_type":"third_party_token",\
                "reference":"\(Instruments.reference)","gateway_type":"test"}}
                """)
    }

    @Test("Recache: the code alone, to the stored card's address, in each way to authenticate")
    func recache() async throws {
        let path = "/v1/payment_methods/\(Instruments.storedToken)/recache.json"
        let inner = #""payment_method":{"credit_card":{"verification_value":"737"}}"#
        let request = Instruments.request(try Instruments.stored())
        let (line, body, received) = try await sent(request)
        #expect(line == "POST \(path) HTTP/1.1")
        #expect(body == "{\(inner)}")
        #expect(received.values(of: "authorization").count == 1)

        for authentication in ["restricted", "query"] {
            let (line, body, received) = try await sent(request, authentication: authentication)
            #expect(line == "POST \(path) HTTP/1.1")
            #expect(body == #"{"environment_key":"\#(Shop.environmentKey)",\#(inner)}"#)
            #expect(received.values(of: "authorization") == [])
        }

        let (signedLine, signedBody, signed) = try await sent(request, authentication: "signed")
        #expect(signedLine == "POST \(path) HTTP/1.1")
        #expect(signedBody.hasPrefix(#"{"environment_key":"\#(Shop.environmentKey)","nonce":"#))
        #expect(signedBody.hasSuffix(inner + "}"))
        #expect(signed.values(of: "authorization") == [])

        let withOption = Instruments.request(try Instruments.stored(), options: ["allowBlankName": .flag(false)])
        let (_, optionBody, _) = try await sent(withOption)
        #expect(
            optionBody
                == #"{"payment_method":{"credit_card":{"verification_value":"737"},"allow_blank_name":false}}"#)
    }

    @Test("A token leads nowhere else, whatever is in it", arguments: ["a/../b", "..", "a?b=c", "a#b", "a%2Fb"])
    func oddToken(token: String) async throws {
        let (line, _, _) = try await sent(Instruments.request(try Instruments.stored(token)))
        let path = try #require(line.split(separator: " ").dropFirst().first)
        #expect(path.hasPrefix("/v1/payment_methods/") && path.hasSuffix("/recache.json"))
        #expect(path.split(separator: "/").count == 4 && !path.contains("?") && !path.contains("#"))
    }

    @Test("The restricted way puts the key beside every instrument")
    func restricted() async throws {
        for instrument in try Instruments.all() {
            let (line, body, received) = try await sent(
                Instruments.request(instrument), authentication: "restricted")
            #expect(line.contains("restricted.json") || line.contains("recache.json"))
            #expect(body.hasPrefix(#"{"environment_key":"\#(Shop.environmentKey)","payment_method":{"#))
            #expect(received.values(of: "authorization") == [])
        }
    }

    @Test("Offsite: a form for the shopper's browser, and no call")
    func offsite() async throws {
        let method = OffsiteMethod(kind: "sprel", returnURL: "https://shop.example/back?order=7")
        for authentication in ["secret", "restricted", "query"] {
            let peer = try AnswerPeer(status: 201)
            let end = try await Instruments.answer(
                of: peer, Instruments.request(.offsite(method)), authentication: authentication)
            guard case .result(.actionRequired(.redirect(let verb, let url, let fields))) = end else {
                Issue.record("\(end.name)")
                return
            }
            #expect(verb == .post && url == peer.baseURL + "/payment_methods")
            #expect(
                fields == [
                    .init(name: "environment_key", value: Shop.environmentKey),
                    .init(name: "redirect_url", value: "https://shop.example/back?order=7"),
                    .init(name: "payment_method_type", value: "sprel"),
                ])
            #expect(LeakSearch([Sensitive(Shop.accessSecret)]).leaks(in: end.shown).isEmpty)
            #expect(peer.received.isEmpty)
        }
    }
}
