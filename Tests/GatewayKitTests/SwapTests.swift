import GatewayKit
import GatewayKitCore
import GatewaySandbox
import GatewayTransport
import Testing

/// One function of a backend, and as many configurations as there are providers.
@Suite struct SwapTests {
    /// The backend: it knows no provider.
    private static func tokenize(_ configuration: Configuration) async throws -> TokenizationResult {
        let runtime = GatewayRuntime(transport: WalkedAccount.transport, wallClock: .fixed(WalkedAccount.now))
        let gateway = try ProviderRegistry.all.gateway(AccountName("eu"), in: configuration, runtime)
        return try await gateway.requireTokens().tokenize(WalkedCall.request())
    }

    @Test(
        "Another provider is another word in the configuration, and no change of code",
        arguments: WalkedAccount.onePerProvider)
    func swap(account: WalkedAccount) async throws {
        let sandbox = try account.sandbox()
        defer { sandbox.stop() }
        var values = [
            "accounts.eu.provider": account.id, "accounts.eu.environment": "sandbox",
            "accounts.eu.baseURL": try #require(sandbox.baseURL(for: account.id)),
        ]
        for item in try #require(sandbox.credentials(for: account.id)).items {
            values["accounts.eu.\(item.name)"] = item.value
        }
        let configuration = try Configuration.load(ConfigurationSources(explicit: values), for: .all)
        guard case .token(let token) = try await Self.tokenize(configuration) else {
            Issue.record("no token of \(account.id)")
            return
        }
        let made = try #require(sandbox.ledger.entries.last { $0.outcome == .created })
        #expect(made.provider == account.id)
        #expect(made.token == token.id)
        #expect(token.card?.lastFour == "1111")
    }
}
