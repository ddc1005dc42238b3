import GatewayKitCore
import Testing

/// What is sent, byte for byte.
@Suite struct HellgateRequestTests {
    static let shopper = Shopper(
        name: "Somebody Else", email: "ada@shop.example",
        billingAddress: Address(
            line1: "9 Mill Row", line2: "Unit 2", line3: "Yard \"B\"", city: "Leeds", postalCode: "LS9 8AB",
            country: "gb"))
    static let additional = """
        "cardholder_name":"Ada Okoro","email":"ada@shop.example","billing_address_line_1":"9 Mill Row",\
        "billing_address_line_2":"Unit 2","billing_address_line_3":"Yard \\"B\\"",\
        "billing_address_postal_code":"LS9 8AB","billing_address_city":"Leeds","billing_address_country":"GB"
        """

    @Test("The newer protocol: session, then one completion with all eight additional fields, encrypted")
    func encrypted() async throws {
        let peer = ScriptedHellgate(["status": [.encrypted], "tokenize": [.success]])
        let end = try await Shop.tokenize(peer, Shop.request(shopper: Self.shopper))
        #expect(end.token?.id == Shop.tokenID)
        let session = "http://127.0.0.1:9/hellgate/sessions/\(Shop.sessionID)"
        #expect(peer.lines == ["GET " + session, "POST " + session + "/complete-action"])
        let body = try #require(peer.bodies("tokenize").first)
        #expect(body.hasPrefix(#"{"action":"tokenize_card","result":{"enc_payload":""#) && body.hasSuffix("\"}}"))
        #expect(
            try TestKey.claims(in: body)
                == """
                {"account_number":"\(Shop.number)","expiry_month":9,"expiry_year":2031,"security_code":"737",\
                \(Self.additional)}
                """)
        #expect(!body.contains(Shop.number) && !body.contains("ada@"))
    }

    @Test("The JWE says RSA-OAEP-256 and A256GCM, and two of them have nothing in common but that")
    func envelope() async throws {
        var parts: [[Substring]] = []
        for _ in 0..<2 {
            let peer = ScriptedHellgate(["status": [.encrypted], "tokenize": [.success]])
            _ = try await Shop.tokenize(peer)
            let body = try JSONValue(parsing: Array(try #require(peer.bodies("tokenize").first).utf8))
            parts.append(try body["result"]["enc_payload"].string().split(separator: "."))
        }
        #expect(parts.allSatisfy { $0.count == 5 })
        // {"alg":"RSA-OAEP-256","enc":"A256GCM"}
        #expect(parts.allSatisfy { $0[0] == "eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIn0" })
        for index in 1..<5 { #expect(parts[0][index] != parts[1][index]) }
    }

    @Test("The older protocol, Guardian: the security code under its own name, not as the issuer's number")
    func guardian() async throws {
        let peer = ScriptedHellgate(["status": [.vault()], "store-card": [.stored], "tokenize": [.success]])
        let end = try await Shop.tokenize(peer, Shop.request(shopper: Self.shopper))
        #expect(end.token?.id == Shop.tokenID)
        let session = "http://127.0.0.1:9/hellgate/sessions/\(Shop.sessionID)"
        #expect(
            peer.lines == [
                "GET " + session, "POST http://127.0.0.1:9/vault/tokenize", "POST " + session + "/complete-action",
            ])
        #expect(
            peer.bodies("store-card") == [
                """
                {"account_number":"\(Shop.number)","expiry_month":9,"expiry_year":2031,"security_code":"737"}
                """
            ])
        #expect(
            peer.bodies("tokenize") == [
                """
                {"action":"tokenize_card","result":{"token_id":"vault-entry-0001",\
                "additional_data":{\(Self.additional)}}}
                """
            ])
        #expect(peer.sent[1].fields == ["accept: application/json", "x-api-key: \(Shop.vaultKey)"])
    }

    @Test("The older protocol, the other vault: no mask that shows the number")
    func basisTheory() async throws {
        let peer = ScriptedHellgate([
            "status": [.vault("basis_theory", "http://127.0.0.1:9/vault/")], "store-card": [.stored],
            "tokenize": [.success],
        ])
        let end = try await Shop.tokenize(peer, Shop.request(Shop.card(holder: nil)))
        #expect(end.token?.id == Shop.tokenID)
        #expect(peer.lines[1] == "POST http://127.0.0.1:9/vault/tokenize")
        #expect(
            peer.bodies("store-card") == [
                """
                {"type":"card","data":{"number":"\(Shop.number)","expiry_month":9,"expiry_year":2031,"cvc":"737"}}
                """
            ])
        #expect(peer.bodies("tokenize") == [#"{"action":"tokenize_card","result":{"token_id":"vault-entry-0001"}}"#])
        #expect(peer.sent[1].fields == ["accept: application/json", "bt-api-key: \(Shop.vaultKey)"])
    }

    @Test("Who knows the session needs no credential: none is sent to it, and the vault gets its own only")
    func noCredentials() async throws {
        for status in [ScriptedHellgate.Reply.encrypted, .vault()] {
            let peer = ScriptedHellgate(["status": [status], "store-card": [.stored], "tokenize": [.success]])
            _ = try await Shop.tokenize(peer)
            for sent in peer.sent {
                #expect(!sent.fields.contains { $0.contains(Shop.apiKey) || $0.hasPrefix("authorization") })
                #expect(sent.operation == "store-card" || sent.fields == ["accept: application/json"])
            }
        }
    }

    @Test("A session that hands out both gets the card encrypted")
    func both() async throws {
        let data = #""provider":"guardian","base_url":"http://127.0.0.1:9/vault","api_key":"k""#
        let peer = ScriptedHellgate([
            "status": [.answer(200, #"{"next_action":"tokenize_card","data":{"jwk":\#(TestKey.jwk),\#(data)}}"#)],
            "tokenize": [.success],
        ])
        #expect(try await Shop.tokenize(peer).token != nil)
        #expect(peer.count("store-card") == 0)
    }

    @Test("Texts that are blank are left out: Hellgate knows no empty ones")
    func blank() async throws {
        let shopper = Shopper(name: " ", email: "", billingAddress: Address(line1: "\t", city: "Leeds"))
        let peer = ScriptedHellgate(["status": [.encrypted], "tokenize": [.success]])
        _ = try await Shop.tokenize(peer, Shop.request(Shop.card(holder: "  "), shopper: shopper))
        let claims = try TestKey.claims(in: try #require(peer.bodies("tokenize").first))
        #expect(claims.hasSuffix(#""security_code":"737","billing_address_city":"Leeds"}"#))
    }

    @Test("A session is opened with the key; the id comes back and shows nowhere")
    func openSession() async throws {
        let recorder = Recorder()
        let peer = ScriptedHellgate(["open-session": [.answer(200, #"{"session_id":"\#(Shop.sessionID)"}"#)]])
        let gateway = try Shop.gateway(Shop.settings(), Shop.runtime(peer, recorder))
        let session = try await gateway.requireTokens().openSession()
        #expect(session.reference == (try Shop.reference()))
        #expect(peer.lines == ["POST http://127.0.0.1:9/hellgate/tokens/session"])
        #expect(peer.sent.first?.fields == ["accept: application/json", "x-api-key: \(Shop.apiKey)"])
        #expect(peer.bodies("open-session") == [""])
        #expect(!recorder.shown.contains(Shop.sessionID))
        #expect(!everything(of: session).contains(Shop.sessionID))
        #expect("\(session.reference)" == "session of shop ending 2c3b")
    }

    @Test("Live and test have Hellgate's hosts")
    func hosts() async throws {
        for (kind, host) in [(EnvironmentDescription.Kind.live, "api"), (.test, "sandbox")] {
            let peer = ScriptedHellgate(["status": [.encrypted], "tokenize": [.success]])
            let settings = try Shop.settings(nil, environment: kind, acceptsRawCardData: true)
            _ = try await Shop.tokenize(peer, nil, settings)
            let session = "https://\(host).hellgate.io/sessions/\(Shop.sessionID)"
            #expect(peer.lines == ["GET " + session, "POST " + session + "/complete-action"])
        }
    }
}
