import GatewayKitCore

/// Hellgate: tokens for cards, made in sessions that a backend opens and whoever knows their id completes.
public struct HellgateProvider: GatewayProvider {
    /// The adapter's description for the registry.
    public init() {}

    /// `hellgate`.
    public let id: ProviderID = "hellgate"
    /// `Hellgate`.
    public let displayName = "Hellgate"

    static let apiKey = SettingDescription(
        "apiKey", environmentVariable: "HELLGATE_API_KEY", isSecret: true,
        help: """
            The secret API key: opens sessions and looks after tokens; keep it on servers. A program that only takes up \
            sessions which another one opened needs none.
            """)
    static let vaultHosts = SettingDescription(
        "vaultHosts", environmentVariable: "HELLGATE_VAULT_HOSTS", isSecret: false,
        help: """
            Where a session may send card data besides Hellgate's own host, such as https://vault.example; several with \
            commas between.
            """)

    /// API key, hosts of vaults.
    public let settings = [apiKey, vaultHosts]
    /// Live and test have hosts of their own.
    public let environments = HellgateEnvironments.all

    /// Builds the gateway of an account. Without an API key it takes up sessions, tokenizes in them and tells their
    /// status; opening a session and the vault then throw ``GatewayError/Code/configuration``.
    /// - Throws: ``GatewayError/Code/configuration`` when an address is not allowed.
    public func makeGateway(
        _ account: AccountSettings, _ runtime: GatewayRuntime
    ) throws(GatewayError) -> Gateway {
        let client = try HellgateClient(account, runtime)
        let sessions = HellgateSessions(client: client)
        return Gateway(
            account: account.name, provider: id, tokens: HellgateTokens(client: client, sessions: sessions),
            vault: HellgateVault(client: client), sessions: sessions)
    }
}
