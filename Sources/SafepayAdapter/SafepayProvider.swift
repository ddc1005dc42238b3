import GatewayKitCore

/// Safepay of Pakistan: payments on orders and trackers, whose amount is fixed when they are opened, and customers'
/// saved cards.
public struct SafepayProvider: GatewayProvider {
    /// The adapter's description for the registry.
    public init() {}

    /// `safepay`.
    public let id: ProviderID = "safepay"
    /// `Safepay`.
    public let displayName = "Safepay"

    static let apiKey = SettingDescription(
        "apiKey", environmentVariable: "SAFEPAY_API_KEY", isSecret: false,
        help: "The API key, which names the merchant in every session. Public, although it begins with 'sec_'.")
    static let secretKey = SettingDescription(
        "secretKey", environmentVariable: "SAFEPAY_SECRET_KEY", isSecret: true,
        help:
            "The secret key, 64 hexadecimal digits: opens trackers, reads payments, checks redirects; keep it on servers."
    )
    static let passportToken = SettingDescription(
        "passportToken", environmentVariable: "SAFEPAY_PASSPORT_TOKEN", isSecret: true,
        help: """
            A time-based token (tbt) that a backend got (by Safepay's own SDK; GatewayKit gives none out), for programs without the secret key: good for about an hour, \
            to send a card in a tracker and to read it.
            """)
    static let intent = SettingDescription(
        "intent", environmentVariable: "SAFEPAY_INTENT", isSecret: false,
        help: "The processor that a tracker prefers: CYBERSOURCE (the default), MPGS or PAYFAST.")
    static let hostedPages = SettingDescription(
        "hostedPages", environmentVariable: "SAFEPAY_HOSTED_PAGES", isSecret: false,
        help: """
            The generation of hosted payment pages: v1 (the default, whose redirects are signed) or v3 (the embedded \
            page, whose redirects are not).
            """)
    static let currency = SettingDescription(
        "currency", environmentVariable: "SAFEPAY_CURRENCY", isSecret: false,
        help: "The currency of sessions that have no amount, such as those that only keep a card: PKR unless set.")

    /// API key, secret key, passport token, intent, generation of hosted pages, currency.
    public let settings = [apiKey, secretKey, passportToken, intent, hostedPages, currency]
    /// Production, sandbox and development have hosts of their own; GatewayKit's sandbox is on this machine.
    public let environments = SafepayEnvironments.all

    /// `isMobile`.
    public let tokenizationOptions = [SafepayTokens.isMobile]

    /// Builds the gateway of an account. Which of the keys a call needs is asked for by the call.
    /// - Throws: ``GatewayError/Code/configuration`` when the address is not allowed, or currency, intent or generation
    ///   are not known.
    public func makeGateway(
        _ account: AccountSettings, _ runtime: GatewayRuntime
    ) throws(GatewayError) -> Gateway {
        let client = try SafepayClient(account, runtime)
        let wallet = SafepayWallet(client: client)
        let sessions = SafepaySessions(client: client, wallet: wallet)
        let checkout = SafepayCheckout(client: client, sessions: sessions)
        return Gateway(
            account: account.name, provider: id,
            tokens: SafepayTokens(
                client: client, sessions: sessions, wallet: wallet, sealer: runtime.sealer, checkout: checkout),
            vault: SafepayVault(client: client, wallet: wallet), sessions: sessions, checkout: checkout,
            customers: SafepayCustomers(client: client))
    }
}
