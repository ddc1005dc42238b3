import Testing

@testable import GatewayKitCore

@Suite("Registry")
struct ProviderRegistryTests {
    static let runtime = GatewayRuntime(transport: ScriptedTransport([]))

    static func request() throws -> TokenizationRequest {
        TokenizationRequest(.card(Card(number: try CardNumber(Sensitive(TestCard.all[0].number)))))
    }

    @Test(
        "raw card numbers reach a live account only where it says so",
        arguments: [
            ("live", nil, false), ("live", "false", false), ("live", "true", true), (nil, nil, false),
            ("test", nil, true), ("sandbox", nil, true), ("test", "false", true),
        ] as [(String?, String?, Bool)])
    func rawCards(environment: String?, accepts: String?, isAllowed: Bool) async throws {
        let provider = TestProvider()
        let registry = ProviderRegistry([provider])
        var explicit = ["accounts.eu.provider": "acme", "accounts.eu.apiKey": "key-1"]
        explicit["accounts.eu.environment"] = environment
        explicit["accounts.eu.acceptsRawCardData"] = accepts
        let configuration = try Configuration.load(ConfigurationSources(explicit: explicit), for: registry)
        let tokens = try registry.gateway(in: configuration, Self.runtime).requireTokens()
        let session = try await tokens.openSession()
        do throws(GatewayError) {
            let request = try? Self.request()
            guard let request else { return }
            let result = try await tokens.tokenize(request, in: session)
            #expect(isAllowed && result.outcomeName == "token")
        } catch {
            #expect(!isAllowed)
            #expect(error.code == .configuration && error.reach == .notSent)
            #expect(error.advice.description.contains("acceptsRawCardData"))
            #expect(!everythingShown(error).contains(TestCard.all[0].number))
        }
        #expect(provider.asked.withLock { $0 } == (isAllowed ? 1 : 0))
    }

    @Test("the guard stands in every way in")
    func conveniences() async throws {
        let provider = TestProvider()
        let registry = ProviderRegistry([provider])
        let settings = AccountSettings(
            name: .known("eu"), provider: "acme", environment: provider.environments[0],
            values: ["apiKey": .secret(Sensitive("key-1"))])
        let tokens = try registry.gateway(settings, Self.runtime).requireTokens()
        let request = try Self.request()
        await #expect(throws: GatewayError.self) { try await tokens.tokenize(request) }
        let attached = try tokens.attach(SessionReference(account: .known("eu"), id: "x"))
        await #expect(throws: GatewayError.self) { try await tokens.tokenize(request, in: attached) }
        #expect(provider.asked.withLock { $0 } == 0)
    }

    @Test("an unknown provider is told with those there are")
    func unknownProvider() {
        let registry = ProviderRegistry([TestProvider("acme"), TestProvider("zeta")])
        do throws(GatewayError) {
            _ = try registry.provider(ProviderID(reading: "acne"))
            Issue.record("found")
        } catch {
            #expect(error.code == .configuration)
            #expect(error.message.description.contains("acne"))
            #expect(error.advice.description.contains("acme, zeta"))
        }
    }

    @Test("of two providers with one id the first counts")
    func twice() throws {
        let first = TestProvider("acme")
        let found = try ProviderRegistry([first, TestProvider("acme")]).provider("acme")
        #expect((found as? TestProvider)?.asked === first.asked)
    }

    @Test("a gateway without a capability says so")
    func notSupported() {
        let gateway = Gateway(account: .known("eu"), provider: "acme")
        do throws(GatewayError) {
            _ = try gateway.requireTokens()
            Issue.record("no error")
        } catch {
            #expect(error.code == .notSupported && error.reach == .notSent && error.account?.description == "eu")
        }
    }

    @Test(
        "a missing setting is told with the ways to set it",
        arguments: [("acme", "ACME_API_KEY"), ("eu", "GATEWAYKIT_EU_API_KEY")])
    func missing(account: String, variable: String) throws {
        let registry = ProviderRegistry([TestProvider()])
        let configuration = try Configuration.load(
            ConfigurationSources(explicit: ["accounts.\(account).provider": "acme"]), for: registry)
        do throws(GatewayError) {
            _ = try registry.gateway(in: configuration, Self.runtime)
            Issue.record("no error")
        } catch {
            #expect(error.code == .configuration)
            #expect(error.message.description.contains("apiKey"))
            #expect(error.advice.description.contains(variable))
        }
    }

    @Test(
        "options read as what they look like",
        arguments: [
            ("true", .flag(true)), ("false", .flag(false)), ("True", .text("True")), ("7", .integer(7)),
            ("-7", .integer(-7)), ("007", .text("007")), ("+7", .text("+7")), ("", .text("")),
            ("9223372036854775808", .text("9223372036854775808")), ("7.0", .text("7.0")),
        ] as [(String, OptionValue)])
    func options(text: String, value: OptionValue) {
        #expect(OptionValue(reading: text) == value)
    }
}
