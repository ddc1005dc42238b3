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
    /// Moving money.
    public private(set) var payments: PaymentCapabilities

    /// Made by adapters.
    public init(
        account: AccountName, provider: ProviderID, tokens: (any TokenProvider)? = nil, vault: (any Vault)? = nil,
        sessions: (any SessionStatusSource)? = nil, payments: PaymentCapabilities = PaymentCapabilities()
    ) {
        self.account = account
        self.provider = provider
        self.tokens = tokens
        self.vault = vault
        self.sessions = sessions
        self.payments = payments
    }

    /// The same gateway with a wrapped capability.
    func replacing(tokens: any TokenProvider) -> Gateway {
        var copy = self
        copy.tokens = tokens
        return copy
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireTokens() throws(GatewayError) -> any TokenProvider {
        guard let tokens else {
            throw GatewayError(
                .notSupported, message: "Account \(account) (\(provider)) cannot tokenize.",
                advice: "Choose an account whose provider can: 'gatewayctl providers' lists them.", account: account)
        }
        return tokens
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireVault() throws(GatewayError) -> any Vault {
        guard let vault else {
            throw GatewayError(
                .notSupported, message: "Account \(account) (\(provider)) has no vault.",
                advice: "Choose an account whose provider has one: 'gatewayctl providers' lists them.",
                account: account)
        }
        return vault
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireSessions() throws(GatewayError) -> any SessionStatusSource {
        guard let sessions else {
            throw GatewayError(
                .notSupported, message: "Account \(account) (\(provider)) has no sessions to ask about.",
                advice: "Choose an account whose provider has them: 'gatewayctl providers' lists them.",
                account: account)
        }
        return sessions
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

    /// Gathers the surroundings. Only the transport has no default: `GatewayTransport` has one.
    public init(
        transport: any HTTPTransport, clock: any GatewayClock = ContinuousClock(), wallClock: WallClock = .system,
        random: RandomSource = .system, observer: (any GatewayObserver)? = nil, retry: RetryPolicy = RetryPolicy()
    ) {
        self.transport = transport
        self.clock = clock
        self.wallClock = wallClock
        self.random = random
        self.observer = observer
        self.retry = retry
    }
}
