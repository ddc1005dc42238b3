/// What an account can do: a struct of optional capabilities. What is `nil` is not supported.
///
/// Callers ask a gateway what it can do; they do not switch over its provider.
public struct Gateway: Sendable {
    /// The account.
    public let account: AccountName
    /// The provider, for display and journals.
    public let provider: ProviderID
    /// Turning instruments into tokens.
    public private(set) var tokens: (any TokenProvider)?
    /// Looking after stored instruments.
    public private(set) var vault: (any Vault)?
    /// Telling where sessions stand.
    public private(set) var sessions: (any SessionStatusSource)?
    /// Pages of the provider's.
    public private(set) var checkout: (any HostedCheckout)?
    /// What a checkout can offer.
    public private(set) var profiles: (any CheckoutProfileSource)?
    /// Rates of exchange.
    public private(set) var currencyRates: (any CurrencyRateSource)?
    /// What the provider keeps of a shopper and the shopper's choice.
    public private(set) var shoppers: (any ShopperConfiguring)?
    /// Starting Apple Pay in a browser.
    public private(set) var walletSessions: (any WalletSessionSource)?
    /// Moving money.
    public private(set) var payments: PaymentCapabilities

    /// Made by adapters.
    public init(
        account: AccountName, provider: ProviderID, tokens: (any TokenProvider)? = nil, vault: (any Vault)? = nil,
        sessions: (any SessionStatusSource)? = nil, checkout: (any HostedCheckout)? = nil,
        profiles: (any CheckoutProfileSource)? = nil, currencyRates: (any CurrencyRateSource)? = nil,
        shoppers: (any ShopperConfiguring)? = nil, walletSessions: (any WalletSessionSource)? = nil,
        payments: PaymentCapabilities = PaymentCapabilities()
    ) {
        self.account = account
        self.provider = provider
        self.tokens = tokens
        self.vault = vault
        self.sessions = sessions
        self.checkout = checkout
        self.profiles = profiles
        self.currencyRates = currencyRates
        self.shoppers = shoppers
        self.walletSessions = walletSessions
        self.payments = payments
    }

    /// The same gateway with a wrapped capability.
    func replacing(tokens: any TokenProvider) -> Gateway {
        var copy = self
        copy.tokens = tokens
        return copy
    }
}

/// Everything that an adapter needs from outside: network, time, randomness, an observer.
public struct GatewayRuntime: Sendable {
    /// Sends requests.
    public var transport: any HTTPTransport
    /// For deadlines and waits.
    public var clock: any GatewayClock
    /// For dates: expiry, `Retry-After`.
    public var wallClock: WallClock
    /// For jitter and call ids.
    public var random: RandomSource
    /// Is told what happens.
    public var observer: (any GatewayObserver)?
    /// Decides about repeating requests.
    public var retry: RetryPolicy
    /// Seals what callers keep and must not see. Without one such parts of results are absent.
    public var sealer: (any Sealer)?

    /// Gathers the surroundings. Only the transport has no default: `GatewayTransport` has one.
    public init(
        transport: any HTTPTransport, clock: any GatewayClock = ContinuousClock(), wallClock: WallClock = .system,
        random: RandomSource = .system, observer: (any GatewayObserver)? = nil, retry: RetryPolicy = RetryPolicy(),
        sealer: (any Sealer)? = nil
    ) {
        self.transport = transport
        self.clock = clock
        self.wallClock = wallClock
        self.random = random
        self.observer = observer
        self.retry = retry
        self.sealer = sealer
    }
}
