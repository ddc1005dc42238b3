import GatewayKitCore
import Testing

/// What is decided before the card is sent.
@Suite struct HellgateLocalCheckTests {
    private static func issues(_ request: TokenizationRequest, now: WallTime = Shop.now) async throws -> [String] {
        let peer = ScriptedHellgate(["status": [.encrypted], "tokenize": [.success]])
        let end = await End(
            try Shop.gateway(Shop.settings(), Shop.runtime(peer, now: now)), request, in: Shop.sessionID)
        #expect((end.issues == nil) == !peer.sent.isEmpty)
        return (end.issues ?? []).map { "\($0.field) \($0.problem)" }
    }

    @Test("Expiry and security code are needed")
    func missing() async throws {
        let card = try Shop.card(expiry: nil, code: nil)
        #expect(try await Self.issues(Shop.request(card)) == ["expiryMonth missing", "securityCode missing"])
    }

    @Test("A number whose check digit is wrong is not sent: the older SDK sends it")
    func checkDigit() async throws {
        var card = try Shop.card()
        card.number = try CardNumber(Sensitive(String(Shop.number.dropLast()) + "2"))
        #expect(try await Self.issues(Shop.request(card)) == ["number checkDigit"])
    }

    @Test(
        "A card is good to the end of its month, and an earlier month of this year has passed: the older SDK errs in both"
    )
    func expiry() async throws {
        let lastDay = WallTime(secondsSince1970: Shop.now.secondsSince1970 + 15 * 86_400)
        let thisMonth = try Shop.request(Shop.card(expiry: CardExpiry(month: 6, year: 2030)))
        #expect(try await Self.issues(thisMonth).isEmpty)
        #expect(try await Self.issues(thisMonth, now: lastDay).isEmpty)
        let lastMonth = try Shop.request(Shop.card(expiry: CardExpiry(month: 5, year: 2030)))
        #expect(try await Self.issues(lastMonth) == ["expiryMonth expired"])
    }

    @Test("The code's length goes by the brand")
    func codeLength() async throws {
        #expect(try await Self.issues(Shop.request(Shop.card("amex", code: "737"))) == ["securityCode tooShort"])
        #expect(try await Self.issues(Shop.request(Shop.card("amex", code: "7373"))).isEmpty)
    }

    @Test("Without our own checks the provider judges what there is")
    func unchecked() async throws {
        let peer = ScriptedHellgate(["status": [.encrypted], "tokenize": [.failure]])
        let request = try Shop.request(Shop.card(expiry: nil, code: nil), checksLocally: false)
        #expect(try await Shop.tokenize(peer, request).decline != nil)
        #expect(
            try TestKey.claims(in: try #require(peer.bodies("tokenize").first))
                == #"{"account_number":"\#(Shop.number)","cardholder_name":"Ada Okoro"}"#)
    }

    @Test("What Hellgate has no place for is refused by name, and nothing is sent")
    func notSupported() async throws {
        let stored = StoredCard(token: "t-1", securityCode: try SecurityCode(Sensitive("737")))
        var withMetadata = try Shop.request()
        withMetadata.metadata = [.init(key: "cart", value: .integer(7))]
        var withOption = try Shop.request()
        withOption.options = ["allowBlankName": .flag(true)]
        var unretained = try Shop.request()
        unretained.retain = false
        let rows: [(TokenizationRequest, GatewayError.Code, String)] = [
            (TokenizationRequest(.storedCard(stored)), .notSupported, "storedCard"),
            (
                TokenizationRequest(.foreignToken(ForeignToken(vault: "v", reference: Sensitive("r-1")))),
                .notSupported, "foreignToken"
            ),
            (withMetadata, .notSupported, "metadata"), (withOption, .invalidInput, "allowBlankName"),
            (unretained, .notSupported, "keeps every token"),
        ]
        for (request, code, word) in rows {
            let peer = ScriptedHellgate(["status": [.encrypted], "tokenize": [.success]])
            let error = try #require(try await Shop.tokenize(peer, request).thrown)
            #expect(error.code == code)
            #expect(error.message.description.contains(word))
            #expect(peer.sent.isEmpty)
        }
        var retained = try Shop.request()
        retained.retain = true
        let peer = ScriptedHellgate(["status": [.encrypted], "tokenize": [.success]])
        #expect(try await Shop.tokenize(peer, retained).token != nil)
    }

    @Test("Without a key: sessions of others are taken up; what needs the key says so by its name, and sends nothing")
    func withoutKey() async throws {
        for key in [nil, ""] {
            let peer = ScriptedHellgate(["status": [.encrypted], "tokenize": [.success]])
            let gateway = try Shop.gateway(Shop.settings(key: key), Shop.runtime(peer))
            #expect(await End(gateway, try Shop.request(), in: Shop.sessionID).token?.id == Shop.tokenID)
            #expect(try await gateway.requireSessions().status(of: Shop.reference()).phase == .open)
            let count = peer.sent.count
            let vault = try gateway.requireVault()
            let calls: [() async throws -> Void] = [
                { _ = try await gateway.requireTokens().openSession() }, { _ = try await vault.show("t-1") },
                { _ = try await vault.redact("t-1") },
                { _ = try await vault.page(VaultQuery(), after: nil, CallContext()) },
            ]
            for call in calls {
                let error = await thrown(by: call)
                #expect(error?.code == .configuration)
                #expect(error?.message.description.contains("apiKey") == true)
            }
            #expect(peer.sent.count == count)
        }
    }
}
