import GatewayKitCore

/// A provider for tests of core: two secrets, a choice and a text, in all three kinds of environment. Its tokenizing
/// answers at once and remembers that it was asked.
struct TestProvider: GatewayProvider {
    let id: ProviderID
    let displayName = "Test Provider"
    let asked = Locked(0)

    init(_ id: ProviderID = "acme") {
        self.id = id
    }

    var variablePrefix: String { id.description.uppercased() }
    var key: SettingDescription {
        SettingDescription("apiKey", environmentVariable: variablePrefix + "_API_KEY", isSecret: true, help: "key")
    }
    var secret: SettingDescription {
        SettingDescription(
            "apiSecret", environmentVariable: variablePrefix + "_API_SECRET", isSecret: true, help: "secret")
    }
    var mode: SettingDescription {
        SettingDescription(
            "mode", environmentVariable: variablePrefix + "_MODE", isSecret: false, choices: ["fast", "safe"],
            help: "mode")
    }
    var merchant: SettingDescription {
        SettingDescription(
            "merchantID", environmentVariable: variablePrefix + "_MERCHANT_ID", isSecret: false, help: "id")
    }

    var settings: [SettingDescription] { [key, secret, mode, merchant] }
    let environments = [
        EnvironmentDescription("live", .live, help: "live"), EnvironmentDescription("test", .test, help: "test"),
        EnvironmentDescription("sandbox", .sandbox, help: "sandbox"),
    ]

    func makeGateway(
        _ account: AccountSettings, _ runtime: GatewayRuntime
    ) throws(GatewayError) -> Gateway {
        _ = try account.require(key)
        return Gateway(account: account.name, provider: id, tokens: TestTokens(account: account.name, asked: asked))
    }
}

struct TestTokens: TokenProvider {
    let account: AccountName
    let asked: Locked<Int>

    func openSession(
        _ request: SessionRequest, _ call: CallContext
    ) async throws(GatewayError) -> PaymentSession {
        PaymentSession(reference: SessionReference(account: account, id: "s-1"))
    }

    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession {
        PaymentSession(reference: reference)
    }

    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ call: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        asked.withLock { $0 += 1 }
        return .token(PaymentToken(id: "tok_1", account: account, usage: .reusable))
    }
}
