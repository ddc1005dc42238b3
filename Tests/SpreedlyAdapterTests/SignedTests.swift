import GatewayCrypto
import GatewayKitCore
import GatewaySandbox
import SpreedlyAdapter
import Testing

/// The signed way to authenticate (dossier 1.1, "Enhanced"), and its signing half for backends.
@Suite struct SignedTests {
    private static let random = RandomSource { 0xFEDC_BA98_7654_3210 }
    private static let nonce = "fedcba98-7654-4210-bedc-ba9876543210"

    private static func signer() throws -> SpreedlySigner {
        try SpreedlySigner(Shop.settings("http://127.0.0.1:9/v1", authentication: "signed"))
    }

    @Test("A set is a UUID, Unix seconds, the certificate's token, and their signature in base64")
    func set() throws {
        let signed = try Self.signer().sign(at: Shop.now, Self.random)
        #expect(signed.nonce == Self.nonce)
        #expect(signed.timestamp == 1_907_755_200)
        #expect(signed.certificateToken == Shop.certificateToken)
        let signature = try signed.signature.withExposed { try Base64.standard.decode($0) }
        let key = try #require(Shop.signingKey)
        let message = Self.nonce + "1907755200" + Shop.certificateToken
        #expect(try key.publicKey.isValid(signature, for: Array(message.utf8)))
        #expect(try Self.signer().sign(at: Shop.now, Self.random) == signed, "the same time and chance, the same set")
    }

    @Test("Every set has a nonce of its own, which is a random UUID")
    func nonces() throws {
        let signer = try Self.signer()
        let nonces = try (0..<100).map { _ in try signer.sign(at: Shop.now).nonce }
        #expect(Set(nonces).count == 100)
        for nonce in nonces {
            let groups = nonce.split(separator: "-")
            #expect(groups.map(\.count) == [8, 4, 4, 4, 12])
            #expect(nonce.allSatisfy { $0.isHexDigit || $0 == "-" } && nonce == nonce.lowercased())
            #expect(groups[2].first == "4" && "89ab".contains(groups[3].first ?? "-"))
        }
    }

    @Test("Neither a set nor a signer shows signature or key")
    func shown() throws {
        let signer = try Self.signer()
        let signed = try signer.sign(at: Shop.now)
        let signature = signed.signature.withExposed { $0 }
        let search = LeakSearch([signature, Shop.environmentKey].map { Sensitive($0) })
        #expect(search.leaks(in: everything(of: signed) + everything(of: signer)).isEmpty)
        #expect(!everything(of: signer).contains("PRIVATE KEY"))
    }

    @Test("What cannot sign is told by the setting's name, and why")
    func unusable() throws {
        func message(_ settings: AccountSettings) -> String {
            do throws(GatewayError) {
                _ = try SpreedlySigner(settings)
                return "signs"
            } catch {
                #expect(error.code == .configuration && error.reach == .notSent)
                return "\(error)"
            }
        }
        let base = "http://127.0.0.1:9/v1"
        #expect(message(try Shop.settings(base, authentication: "signed")) == "signs")
        #expect(message(try Shop.settings(base, signingKey: Shop.signingKeyPEM)) == "signs", "whatever the way is")
        #expect(message(try Shop.settings(base, certificateToken: nil)).contains("certificateToken"))
        #expect(message(try Shop.settings(base, certificateToken: "")).contains("certificateToken"))
        #expect(message(try Shop.settings(base, signingKey: nil)).contains("SPREEDLY_SIGNING_KEY") == false)
        #expect(message(try Shop.settings(base, signingKey: nil)).contains("signingKey"))
        let publicKey = try #require(Shop.signingKey).publicKey.pem()
        #expect(message(try Shop.settings(base, signingKey: publicKey)).contains("a public key stands where"))
        #expect(message(try Shop.settings(base, signingKey: "zQ7kXw")).contains("no BEGIN line"))
        #expect(!message(try Shop.settings(base, signingKey: "zQ7kXw")).contains("zQ7kXw"))
    }

    @Test("The call: the restricted path, the set and the key beside the card, no Authorization")
    func request() async throws {
        let peer = try AnswerPeer(status: 503)
        _ = await End(of: try Shop.tokens(Shop.settings(peer.baseURL, authentication: "signed")), try Shop.request())
        let received = try #require(peer.received.first)
        #expect(received.requestLine == "POST /v1/payment_methods/restricted.json HTTP/1.1")
        #expect(received.values(of: "authorization") == [])
        let body = try JSONValue(parsing: received.body)
        let names = try body.members().map(\.name)
        #expect(
            names == ["environment_key", "nonce", "timestamp", "certificate_token", "signature", "payment_method"])
        #expect(try body["environment_key"].string() == Shop.environmentKey)
        #expect(try body["timestamp"].integer() == 1_907_755_200)
        let message = try body["nonce"].string() + "1907755200" + Shop.certificateToken
        let signature = try Base64.standard.decode(body["signature"].string())
        let key = try #require(Shop.signingKey)
        #expect(try key.publicKey.isValid(signature, for: Array(message.utf8)))
    }

    @Test("The sandbox takes each set once")
    func sandbox() async throws {
        let sandbox = try Shop.sandbox()
        let settings = try Shop.settings(in: sandbox, authentication: "signed")
        for _ in 0..<2 {
            let end = await End(of: try Shop.tokens(settings), try Shop.request())
            #expect(end.token?.usage == .single, "\(end.shown)")
        }
        var runtime = Shop.runtime()
        runtime.random = Self.random
        let tokens = try Shop.tokens(settings, runtime)
        #expect(await End(of: tokens, try Shop.request()).token != nil)
        let again = await End(of: tokens, try Shop.request())
        #expect(again.unknown?.code == .credentialsRefused, "\(again.name)")
        #expect(again.unknown?.answer?.providerCode == "errors.invalid_enhanced_authentication_params")
        #expect(sandbox.ledger.entries.count { $0.outcome == .created } == 3)
        sandbox.stop()
    }

    @Test("A wrong key and a wrong certificate are told as such, and never as a decline")
    func wrongKey() async throws {
        let sandbox = try Shop.sandbox()
        let base = try #require(sandbox.baseURL(for: "spreedly"))
        let credentials = try #require(sandbox.credentials(for: "spreedly"))
        let environmentKey = try #require(credentials["environmentKey"])
        let foreign = try Shop.settings(
            base, authentication: "signed", key: environmentKey, certificateToken: credentials["certificateToken"])
        let unknown = try Shop.settings(
            base, authentication: "signed", key: environmentKey, signingKey: credentials["signingKey"])
        for settings in [foreign, unknown] {
            let end = await End(of: try Shop.tokens(settings), try Shop.request())
            let cause = try #require(end.unknown)
            #expect(cause.code == .credentialsRefused && cause.answer?.status == 401)
            #expect(cause.advice.description.contains("signingKey"))
        }
        let wrongEnvironment = try Shop.settings(base, authentication: "signed")
        #expect(
            await End(of: try Shop.tokens(wrongEnvironment), try Shop.request()).thrown?.code == .credentialsRefused)
        #expect(sandbox.ledger.entries.allSatisfy { $0.outcome == .refused })
        sandbox.stop()
    }

    @Test("A card cannot be retained at once, and can be later with the access secret")
    func retain() async throws {
        let settings = try Shop.settings("http://127.0.0.1:9/v1", authentication: "signed")
        let end = await End(of: try Shop.tokens(settings), try Shop.request(retain: true))
        #expect(end.thrown?.code == .configuration && end.thrown?.reach == .notSent)
    }
}
