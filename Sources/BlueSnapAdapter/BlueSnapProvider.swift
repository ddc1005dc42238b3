import GatewayKitCore

/// BlueSnap: Hosted Payment Fields tokens, which a backend opens and whoever knows them fills.
public struct BlueSnapProvider: GatewayProvider {
    /// The adapter's description for the registry.
    public init() {}

    /// `bluesnap`.
    public let id: ProviderID = "bluesnap"
    /// `BlueSnap`.
    public let displayName = "BlueSnap"

    static let username = SettingDescription(
        "username", environmentVariable: "BLUESNAP_USERNAME", isSecret: false,
        help: """
            The name of the API user: opens tokens and everything else a backend does. A program that only takes up \
            tokens which another one opened needs none.
            """)
    static let password = SettingDescription(
        "password", environmentVariable: "BLUESNAP_PASSWORD", isSecret: true,
        help: "The password of the API user; keep it on servers.")
    static let merchantID = SettingDescription(
        "merchantID", environmentVariable: "BLUESNAP_MERCHANT_ID", isSecret: false,
        help:
            "The merchant's number at BlueSnap. For looking payments up by the shop's own reference; nothing needs it yet."
    )
    static let apiVersion = SettingDescription(
        "apiVersion", environmentVariable: "BLUESNAP_API_VERSION", isSecret: false,
        help:
            "The version of the Payment API (1.0, 2.0 or 3.0); the merchant account's own default where it is not set.")

    /// API user and password, merchant number, version.
    public let settings = [username, password, merchantID, apiVersion]
    /// Live and test have hosts of their own.
    public let environments = BlueSnapEnvironments.all
    /// What a wallet tells of its card besides the payload.
    public let tokenizationOptions = BlueSnapOption.allCases.map(\.description)

    /// Builds the gateway of an account. Without an API user it takes up tokens, submits to them and probes them; what
    /// needs one then throws ``GatewayError/Code/configuration``.
    /// - Throws: ``GatewayError/Code/configuration`` when the address is not allowed or a setting is unusable.
    public func makeGateway(
        _ account: AccountSettings, _ runtime: GatewayRuntime
    ) throws(GatewayError) -> Gateway {
        let client = try BlueSnapClient(account, runtime)
        let sessions = BlueSnapSessions(client: client)
        return Gateway(
            account: account.name, provider: id, tokens: BlueSnapTokens(client: client, sessions: sessions),
            sessions: sessions, checkout: BlueSnapPayPal(client: client),
            profiles: BlueSnapCheckoutProfiles(client: client), currencyRates: BlueSnapCurrencies(client: client),
            shoppers: BlueSnapShoppers(client: client), walletSessions: BlueSnapWallets(client: client))
    }
}
