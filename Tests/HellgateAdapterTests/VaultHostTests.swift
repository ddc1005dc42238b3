import GatewayKitCore
import Testing

/// Card data goes only where the account says, whatever a session says.
@Suite struct HellgateVaultHostTests {
    @Test(
        "A vault that is not on the allow list is sent nothing",
        arguments: [
            "https://vault.example", "http://127.0.0.1:10/vault", "https://127.0.0.1:9/vault", "http://localhost:9",
            "http://127.0.0.1/vault", "http://127.0.0.1:9@vault.example/x", "http://127.0.0.1:9.vault.example",
            "https://vault.example/#http://127.0.0.1:9", "//127.0.0.1:9/vault", "ftp://127.0.0.1:9", "127.0.0.1:9",
            "http://127.1:9/vault", "http://2130706433:9/", "http://127.0.0.1:9/vault?x=1", "javascript:1", " ",
            "http://127.0.0.1:9/va ult", "http://0.0.0.0:9/vault", "http://127.0.0.1:9/../x", "http://[::1]:9/vault",
        ], ["guardian", "basis_theory"])
    func refused(address: String, provider: String) async throws {
        let peer = ScriptedHellgate([
            "status": [.vault(provider, address)], "store-card": [.stored], "tokenize": [.success],
        ])
        let error = try #require(try await Shop.tokenize(peer).thrown)
        #expect(error.code == .refusedHost)
        #expect(error.reach == .notSent)
        #expect(error.advice.description.contains("Nothing was stored"))
        #expect(peer.sent.map(\.operation) == ["status"])
        #expect(peer.sent.allSatisfy { $0.body.isEmpty })
    }

    @Test("A vault that the account names is used, outside the sandbox over HTTPS only")
    func allowed() async throws {
        for hosts in ["https://vault.example", "https://other.example, https://vault.example:443/"] {
            let settings = try Shop.settings(nil, vaultHosts: hosts, environment: .test)
            let peer = ScriptedHellgate([
                "status": [.vault("guardian", "https://vault.example/api/pci")], "store-card": [.stored],
                "tokenize": [.success],
            ])
            #expect(try await Shop.tokenize(peer, nil, settings).token != nil)
            #expect(peer.lines[1] == "POST https://vault.example/api/pci/tokenize")
            let plain = ScriptedHellgate(["status": [.vault("guardian", "http://vault.example/api/pci")]])
            #expect(try await Shop.tokenize(plain, nil, settings).thrown?.code == .refusedHost)
        }
    }

    @Test("Hellgate's own host is allowed without being named")
    func own() async throws {
        let peer = ScriptedHellgate([
            "status": [.vault("guardian", "https://sandbox.hellgate.io/pci")], "store-card": [.stored],
            "tokenize": [.success],
        ])
        #expect(try await Shop.tokenize(peer, nil, Shop.settings(nil, environment: .test)).token != nil)
    }

    @Test(
        "A list of hosts that cannot be used is refused when the gateway is built",
        arguments: [
            ("vault.example", EnvironmentDescription.Kind.test), ("https://vault.example/path", .test),
            ("http://vault.example", .test), ("https://127.0.0.1", .live), ("https://user@vault.example", .live),
            ("https://vault.example", .sandbox), ("https://", .test),
        ])
    func unusable(hosts: String, kind: EnvironmentDescription.Kind) throws {
        let baseURL = kind == .sandbox ? "http://127.0.0.1:9/hellgate" : nil
        let settings = try Shop.settings(baseURL, vaultHosts: hosts, environment: kind)
        #expect {
            _ = try Shop.gateway(settings)
        } throws: {
            ($0 as? GatewayError)?.code == .configuration && "\($0)".contains("vaultHosts")
        }
    }

    @Test(
        "A session that cannot be understood is sent nothing",
        arguments: [
            #"{}"#, #"{"jwk":{}}"#, #"{"jwk":{"kty":"EC","n":"AQAB","e":"AQAB"}}"#,
            #"{"jwk":{"kty":"RSA","n":"AQAB"}}"#,
            #"{"jwk":{"kty":"RSA","n":"AQAB","e":"AQAB"}}"#, #"{"jwk":{"kty":"RSA","n":"!!","e":"AQAB"}}"#,
            #"{"jwk":{"kty":"RSA","n":"AQAB","e":"AQAB","alg":"RSA1_5"}}"#, #"{"jwk":"text"}"#,
            #"{"provider":"unheard_of","base_url":"http://127.0.0.1:9/v","api_key":"k"}"#,
            #"{"provider":"guardian","api_key":"k"}"#, #"{"provider":"guardian","base_url":"http://127.0.0.1:9/v"}"#,
            #"{"base_url":"http://127.0.0.1:9/v","api_key":"k"}"#,
        ])
    func notUnderstood(_ data: String) async throws {
        let peer = ScriptedHellgate([
            "status": [.answer(200, #"{"next_action":"tokenize_card","data":\#(data)}"#)], "store-card": [.stored],
            "tokenize": [.success],
        ])
        let error = try #require(try await Shop.tokenize(peer).thrown)
        #expect(error.code == .unreadableAnswer)
        #expect(error.advice.description.contains("Nothing was stored"))
        #expect(peer.sent.map(\.operation) == ["status"])
    }
}
