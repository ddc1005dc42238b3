import GatewayKitCore

/// A provider with a mistake around it.
struct Mistaken: GatewayProvider {
    let inner: any GatewayProvider
    let change: @Sendable (Gateway, GatewayRuntime) -> Gateway
    var observer: (@Sendable (any GatewayObserver) -> any GatewayObserver)?

    init(
        _ inner: any GatewayProvider,
        _ change: @escaping @Sendable (Gateway, GatewayRuntime) -> Gateway = { gateway, _ in gateway }
    ) {
        self.inner = inner
        self.change = change
    }

    /// With another observer in the place of the suite's.
    init(_ inner: any GatewayProvider, observer: @escaping @Sendable (any GatewayObserver) -> any GatewayObserver) {
        self.init(inner)
        self.observer = observer
    }

    var id: ProviderID { inner.id }
    var displayName: String { inner.displayName }
    var settings: [SettingDescription] { inner.settings }
    var environments: [EnvironmentDescription] { inner.environments }
    var tokenizationOptions: [OptionDescription] { inner.tokenizationOptions }

    func makeGateway(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) -> Gateway {
        var runtime = runtime
        if let observer, let wrapped = runtime.observer { runtime.observer = observer(wrapped) }
        return change(try inner.makeGateway(account, runtime), runtime)
    }
}

/// Tokens with a mistake around them.
struct MistakenTokens: TokenProvider {
    typealias Tokenize =
        @Sendable (any TokenProvider, TokenizationRequest, PaymentSession, CallContext)
        async
        throws(GatewayError) -> TokenizationResult

    let original: Gateway
    let inner: any TokenProvider
    var attach: (@Sendable (any TokenProvider, SessionReference) throws(GatewayError) -> PaymentSession)?
    var tokenize: Tokenize?

    init(_ gateway: Gateway) {
        original = gateway
        inner = gateway.tokens ?? NoTokens()
    }

    /// The gateway with these tokens in the place of its own.
    var gateway: Gateway {
        Gateway(
            account: original.account, provider: original.provider, tokens: self, vault: original.vault,
            sessions: original.sessions, payments: original.payments)
    }

    func openSession(
        _ request: SessionRequest, _ call: CallContext
    ) async throws(GatewayError) -> PaymentSession {
        try await inner.openSession(request, call)
    }

    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession {
        guard let attach else { return try inner.attach(reference) }
        return try attach(inner, reference)
    }

    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ call: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        guard let tokenize else { return try await inner.tokenize(request, in: session, call) }
        return try await tokenize(inner, request, session, call)
    }
}

/// Stands where a gateway has no tokens.
private struct NoTokens: TokenProvider {
    private var error: GatewayError {
        GatewayError(.notSupported, message: "There are no tokens.", advice: "Correct the test.")
    }

    func openSession(
        _ request: SessionRequest, _ call: CallContext
    ) async throws(GatewayError) -> PaymentSession { throw error }
    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession { throw error }
    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ call: CallContext
    ) async throws(GatewayError) -> TokenizationResult { throw error }
}

/// A vault with a mistake around it.
struct MistakenVault: Vault {
    typealias Change = @Sendable (any Vault, String, CallContext) async throws(GatewayError) -> VaultResult

    let inner: any Vault
    var show: Change?
    var retain: Change?
    var redact: Change?
    var page: (@Sendable (any Vault, VaultQuery, String?, CallContext) async throws(GatewayError) -> VaultPage)?

    init(_ inner: any Vault) { self.inner = inner }

    func show(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult {
        guard let show else { return try await inner.show(id, call) }
        return try await show(inner, id, call)
    }
    func page(
        _ query: VaultQuery, after cursor: String?, _ call: CallContext
    ) async throws(GatewayError) -> VaultPage {
        guard let page else { return try await inner.page(query, after: cursor, call) }
        return try await page(inner, query, cursor, call)
    }
    func update(_ id: String, _ change: VaultUpdate, _ call: CallContext) async throws(GatewayError) -> VaultResult {
        try await inner.update(id, change, call)
    }
    func retain(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult {
        guard let retain else { return try await inner.retain(id, call) }
        return try await retain(inner, id, call)
    }
    func redact(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult {
        guard let redact else { return try await inner.redact(id, call) }
        return try await redact(inner, id, call)
    }
    func deleteMetadata(
        _ keys: [String], of id: String, _ call: CallContext
    ) async throws(GatewayError) -> VaultResult {
        try await inner.deleteMetadata(keys, of: id, call)
    }

    /// The gateway with this vault in the place of its own.
    func gateway(_ original: Gateway) -> Gateway {
        Gateway(
            account: original.account, provider: original.provider, tokens: original.tokens, vault: self,
            sessions: original.sessions, payments: original.payments)
    }
}
