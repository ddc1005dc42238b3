import GatewayKit
import GatewayKitCore
import GatewaySandbox
import SpreedlyAdapter
import Testing

/// From configuration text to a token, the way that a backend goes.
@Suite struct ConfigurationTests {
    /// Sources that have this text as their only file, and no environment.
    private static func sources(_ text: String, environment: [String: String] = [:]) -> ConfigurationSources {
        ConfigurationSources(
            environment: environment, projectFile: ConfigurationFileName("/etc/gatewaykit.json", mustExist: true),
            files: FileAccess { $0 == "/etc/gatewaykit.json" ? .file(Array(text.utf8), permissions: 0o600) : .nothing })
    }

    private static func account(_ sandbox: Sandbox, authentication: String, key: String? = nil) throws -> String {
        let credentials = try #require(sandbox.credentials(for: "spreedly"))
        let key = try #require(key ?? credentials["environmentKey"])
        let secret = try #require(credentials["accessSecret"])
        let baseURL = try #require(sandbox.baseURL(for: "spreedly"))
        return """
            {"provider": "spreedly", "environment": "sandbox", "baseURL": "\(baseURL)",
             "environmentKey": "\(key)", "accessSecret": "\(secret)", "authentication": "\(authentication)"}
            """
    }

    @Test("A backend picks its account by configuration text")
    func backend() async throws {
        let eu = try Shop.sandbox(seed: 11)
        let us = try Shop.sandbox(seed: 12)
        let text = """
            {"defaultAccount": "eu", "accounts": {
               "eu": \(try Self.account(eu, authentication: "secret")),
               "us": \(try Self.account(us, authentication: "restricted"))}}
            """
        let configuration = try Configuration.load(Self.sources(text), for: .all)
        let runtime = try GatewayRuntime.standard(configuration.network, reachesSandbox: true)
        func tokenize(_ account: AccountName?) async throws -> PaymentToken {
            let gateway = try ProviderRegistry.all.gateway(account, in: configuration, runtime)
            let card = Card(
                number: try CardNumber(Sensitive(Shop.number)), expiry: CardExpiry(month: 12, year: 2040),
                holderName: "Ada Okoro")
            let result = try await gateway.requireTokens().tokenize(TokenizationRequest(.card(card)))
            guard case .token(let token) = result else {
                Issue.record("\(result)")
                throw GatewayError(.notSupported, message: "no token", advice: "")
            }
            return token
        }
        let first = try await tokenize(nil)
        #expect(first.account == AccountName("eu"))
        #expect(eu.ledger.entries.map(\.token) == [first.id])
        let second = try await tokenize(AccountName("us"))
        #expect(second.account == AccountName("us"))
        #expect(us.ledger.entries.map(\.token) == [second.id])
        #expect(eu.ledger.count == 1)
        eu.stop()
        us.stop()
    }

    @Test("Two accounts of one provider do not mix: each key opens its own environment only")
    func twoAccounts() async throws {
        let eu = try Shop.sandbox(seed: 11)
        let us = try Shop.sandbox(seed: 12)
        let foreign = try #require(us.credentials(for: "spreedly")?["environmentKey"])
        let text = """
            {"accounts": {
               "eu": \(try Self.account(eu, authentication: "restricted")),
               "us": \(try Self.account(us, authentication: "query")),
               "mixed": \(try Self.account(eu, authentication: "restricted", key: foreign))}}
            """
        let configuration = try Configuration.load(Self.sources(text), for: .all)
        var ends: [String: String] = [:]
        for name in configuration.accountNames {
            let gateway = try ProviderRegistry.all.gateway(name, in: configuration, Shop.runtime())
            ends[name.description] = await End(of: try gateway.requireTokens(), try Shop.request()).name
        }
        #expect(ends == ["eu": "token", "us": "token", "mixed": "throws credentialsRefused"])
        #expect(eu.ledger.entries.map(\.outcome) == [.created, .refused])
        #expect(us.ledger.entries.map(\.outcome) == [.created])
        let euGateway = try ProviderRegistry.all.gateway(AccountName("eu"), in: configuration, Shop.runtime())
        let usGateway = try ProviderRegistry.all.gateway(AccountName("us"), in: configuration, Shop.runtime())
        let session = try await euGateway.requireTokens().openSession()
        #expect(throws: GatewayError.self) { try usGateway.requireTokens().attach(session.reference) }
        eu.stop()
        us.stop()
    }

    @Test("The implicit account of the environment variables")
    func environmentVariables() throws {
        let configuration = try Configuration.load(
            ConfigurationSources(
                environment: [
                    "SPREEDLY_ENVIRONMENT_KEY": Shop.environmentKey, "SPREEDLY_ACCESS_SECRET": Shop.accessSecret,
                ], files: FileAccess { _ in .nothing }), for: .all)
        let gateway = try ProviderRegistry.all.gateway(in: configuration, Shop.runtime())
        #expect(gateway.provider == "spreedly")
        #expect(gateway.account == AccountName("spreedly"))
        #expect(secretSearch.leaks(in: everything(of: gateway)).isEmpty)
    }

    @Test("The first environment is the live one: raw cards are refused there unless the account says so")
    func liveGuard() async throws {
        let configuration = try Configuration.load(
            ConfigurationSources(
                environment: ["SPREEDLY_ENVIRONMENT_KEY": Shop.environmentKey], files: FileAccess { _ in .nothing }),
            for: .all)
        let tokens = try ProviderRegistry.all.gateway(in: configuration, Shop.runtime()).requireTokens()
        let end = await End(of: tokens, try Shop.request())
        #expect(end.thrown?.code == .configuration)
        #expect(end.thrown?.reach == .notSent)
    }

    @Test("Settings that are missing or make no sense are refused when the gateway is built")
    func unusable() throws {
        let base = "http://127.0.0.1:9/v1"
        let provider = SpreedlyProvider()
        func code(_ settings: AccountSettings) -> GatewayError.Code? {
            do throws(GatewayError) {
                _ = try provider.makeGateway(settings, Shop.runtime())
                return nil
            } catch {
                #expect(secretSearch.leaks(in: everything(of: error)).isEmpty)
                return error.code
            }
        }
        #expect(code(try Shop.settings(base)) == nil)
        #expect(code(try Shop.settings(base, secret: nil)) == .configuration)
        #expect(code(try Shop.settings(base, authentication: "restrictd")) == .configuration)
        #expect(code(try Shop.settings(base, authentication: "")) == .configuration)
        #expect(code(try Shop.settings(base, key: "")) == .configuration)
        #expect(code(try Shop.settings(base, secret: "")) == .configuration)
        #expect(code(try Shop.settings(base, key: "a:b")) == .configuration, "Basic ends the user at the first colon")
        #expect(code(try Shop.settings(base, authentication: "restricted", key: "a:b")) == nil)
        #expect(code(try Shop.settings(base, authentication: "signed")) == nil)
        #expect(code(try Shop.settings(base, authentication: "signed", secret: nil)) == nil)
        #expect(code(try Shop.settings(base, authentication: "signed", certificateToken: nil)) == .configuration)
        #expect(code(try Shop.settings(base, authentication: "signed", signingKey: nil)) == .configuration)
        #expect(code(try Shop.settings(base, authentication: "signed", signingKey: "")) == .configuration)
        #expect(code(try Shop.settings(base, authentication: "signed", signingKey: "no key")) == .configuration)
        #expect(code(try Shop.settings(base, signingKey: "no key")) == nil, "looked at where it is needed")
        #expect(code(try Shop.settings("https://core.spreedly.com/v1")) == .configuration, "sandbox is this machine")
        #expect(code(try Shop.settings("http://sandbox.example/v1")) == .configuration)
    }

    @Test("A network setting that the transport cannot use is named, without the password")
    func networkSettings() throws {
        func error(_ change: (inout NetworkSettings) -> Void) -> GatewayError? {
            var network = NetworkSettings()
            change(&network)
            do throws(GatewayError) {
                _ = try GatewayRuntime.standard(network)
                return nil
            } catch {
                return error
            }
        }
        #expect(error { _ in } == nil)
        #expect(
            error {
                $0.proxy = "http://proxy.example:3128"
                $0.proxyUser = "operator"
                $0.proxyPassword = Sensitive(Shop.accessSecret)
                $0.noProxy = ["localhost", ".internal.example"]
            } == nil)
        let bad = try #require(
            error {
                $0.proxy = "ftp://operator:\(Shop.accessSecret)@proxy.example"
                $0.proxyPassword = Sensitive(Shop.accessSecret)
            })
        #expect(bad.code == .configuration)
        #expect(bad.reach == .notSent)
        #expect(secretSearch.leaks(in: everything(of: bad)).isEmpty)
        #expect(error { $0.connectTimeout = .seconds(-1) }?.code == .configuration)
        #expect(error { $0.caFile = "" }?.code == .configuration)
    }

    @Test("Live and test go to Spreedly over HTTPS, and to no address of this machine")
    func addresses() async throws {
        let provider = SpreedlyProvider()
        for environment in provider.environments where environment.kind != .sandbox {
            func settings(_ baseURL: String?) throws -> AccountSettings {
                AccountSettings(
                    name: try #require(AccountName("shop")), provider: provider.id, environment: environment,
                    baseURL: try baseURL.map { try WireURL(base: $0) }, acceptsRawCardData: true,
                    values: ["environmentKey": .secret(Sensitive(Shop.environmentKey))])
            }
            let catcher = CatchingTransport()
            let gateway = try provider.makeGateway(settings(nil), Shop.runtime(transport: catcher))
            _ = await End(of: try gateway.requireTokens(), try Shop.request())
            #expect(
                catcher.addresses == ["https://core.spreedly.com/v1/payment_methods/restricted.json"])
            for address in ["http://core.spreedly.com/v1", "https://127.0.0.1/v1", "https://localhost/v1"] {
                #expect(throws: GatewayError.self) {
                    try provider.makeGateway(settings(address), Shop.runtime(transport: catcher))
                }
            }
        }
    }
}

/// Notes where requests would go and sends nothing.
final class CatchingTransport: HTTPTransport {
    private let list = Locked<[String]>([])
    var addresses: [String] { list.withLock { $0 } }

    func send(
        _ request: WireRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> WireResponse {
        let address = request.url.shown().description
        list.withLock { $0.append(address) }
        throw TransportError(.dryRun, reach: .notSent, detail: "caught")
    }
}
