import GatewayKitCore

/// Spreedly: a vault that stores cards and passes payments on to many gateways.
public struct SpreedlyProvider: GatewayProvider {
    /// The adapter's description for the registry.
    public init() {}

    /// `spreedly`.
    public let id: ProviderID = "spreedly"
    /// `Spreedly`.
    public let displayName = "Spreedly"

    static let environmentKey = SettingDescription(
        "environmentKey", environmentVariable: "SPREEDLY_ENVIRONMENT_KEY", isSecret: true,
        help: "The environment key: names the Spreedly environment in which tokens are made.")
    static let accessSecret = SettingDescription(
        "accessSecret", environmentVariable: "SPREEDLY_ACCESS_SECRET", isSecret: true,
        help: "The access secret that goes with the environment key. Needed to retain cards; keep it on servers.")
    static let authentication = SettingDescription(
        "authentication", environmentVariable: "SPREEDLY_AUTHENTICATION", isSecret: false,
        choices: SpreedlyAuthentication.Mode.allCases.map(\.rawValue),
        help: """
            How a create call proves itself: secret (key and access secret, the default where a secret is set), \
            restricted (the key in the body of the restricted path), query (the key in the query, as old apps do) or \
            signed (the restricted path with a nonce that signingKey signs).
            """)
    static let certificateToken = SettingDescription(
        "certificateToken", environmentVariable: "SPREEDLY_CERTIFICATE_TOKEN", isSecret: false,
        help: "The token of the certificate whose key signs. Needed for authentication signed.")
    static let signingKey = SettingDescription(
        "signingKey", environmentVariable: "SPREEDLY_SIGNING_KEY", isSecret: true,
        help: "The RSA private key of that certificate, as PEM. Needed for authentication signed; keep it on servers.")

    static let gatewayToken = SettingDescription(
        "gatewayToken", environmentVariable: "SPREEDLY_GATEWAY_TOKEN", isSecret: false,
        help: "The token of the gateway that takes the account's payments, from Spreedly's list of gateways.")

    /// Environment key, access secret, authentication, certificate token, signing key, gateway.
    public let settings = [environmentKey, accessSecret, authentication, certificateToken, signingKey, gatewayToken]
    /// Live and test share Spreedly's one host; which cards work is a property of the environment key.
    public let environments = SpreedlyEnvironments.all

    /// Flags of the create call (Spreedly API V1, "Create credit card").
    public let tokenizationOptions = SpreedlyOption.allCases.map(\.description)

    /// Of Spreedly's published test data and its SDKs' samples.
    public let testCardEffects = SpreedlyTestCards.effects

    /// Members of purchases and authorizations (Spreedly API V1, "Purchase").
    public let paymentOptions = SpreedlyPaymentOption.allCases.map(\.description)

    /// Builds the gateway of an account. What a call needs beyond the environment key (the access secret for the vault
    /// and payments, the gateway's token to begin one) is asked for by the call.
    /// - Throws: ``GatewayError/Code/configuration`` when the environment key, or what the configured authentication
    ///   needs besides, is missing or unusable, or the address is not allowed.
    public func makeGateway(
        _ account: AccountSettings, _ runtime: GatewayRuntime
    ) throws(GatewayError) -> Gateway {
        let client = try SpreedlyClient(account, runtime)
        return Gateway(
            account: account.name, provider: id, tokens: SpreedlyTokens(client: client),
            vault: SpreedlyVault(client: client), sessions: SpreedlySessions(client: client),
            payments: payments(client, runtime))
    }

    private func payments(_ client: SpreedlyClient, _ runtime: GatewayRuntime) -> PaymentCapabilities {
        let payments = SpreedlyPayments(client: client)
        var capabilities = PaymentCapabilities()
        capabilities.charging = payments
        capabilities.capturing = payments
        capabilities.voiding = payments
        capabilities.refunding = payments
        capabilities.crediting = payments
        capabilities.lookup = SpreedlyPaymentLookup(client: client, pace: SpreedlyListPace(runtime.clock))
        return capabilities
    }
}
