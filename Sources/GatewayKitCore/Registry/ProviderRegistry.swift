/// The providers that a program knows: the one place that turns an account's name into a ``Gateway``.
public struct ProviderRegistry: Sendable {
    /// The providers, in the order given.
    public let providers: [any GatewayProvider]

    /// A registry of these providers. Of two with the same id the first counts.
    public init(_ providers: [any GatewayProvider]) {
        self.providers = providers
    }

    /// The provider with that id.
    /// - Throws: ``GatewayError/Code/configuration``, with the ids there are.
    public func provider(_ id: ProviderID) throws(GatewayError) -> any GatewayProvider {
        if let provider = providers.first(where: { $0.id == id }) { return provider }
        let known = providers.map(\.id.description).joined(separator: ", ")
        throw GatewayError(
            .configuration, message: "There is no provider '\(id)'.", advice: "Known providers: \(known).")
    }

    /// Builds the gateway of an account.
    ///
    /// - Parameter name: The account; `nil` means the configuration's default account.
    /// - Throws: ``GatewayError/Code/configuration`` when there is no such account or a setting is missing or wrong.
    public func gateway(
        _ name: AccountName? = nil, in configuration: Configuration, _ runtime: GatewayRuntime
    ) throws(GatewayError) -> Gateway {
        let account = try configuration.account(name, self)
        return try gateway(account, runtime)
    }

    /// Builds the gateway of settings that are at hand.
    public func gateway(
        _ account: AccountSettings, _ runtime: GatewayRuntime
    ) throws(GatewayError) -> Gateway {
        let gateway = try provider(account.provider).makeGateway(account, runtime)
        guard let tokens = gateway.tokens else { return gateway }
        return gateway.replacing(tokens: RawCardGuard(account: account, inner: tokens))
    }
}

/// Refuses raw card and bank account data on live accounts that have not opted in, whichever adapter is behind it.
struct RawCardGuard: TokenProvider {
    let account: AccountSettings
    let inner: any TokenProvider

    func openSession(
        _ request: SessionRequest, _ call: CallContext
    ) async throws(GatewayError) -> PaymentSession {
        try await inner.openSession(request, call)
    }

    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession {
        try inner.attach(reference)
    }

    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ call: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        if request.instrument.isRaw, account.environment.kind == .live, !account.acceptsRawCardData {
            throw GatewayError(
                .configuration,
                message:
                    "Account \(account.name) is live and does not accept raw card numbers, security codes or bank accounts.",
                advice: """
                    Let the shopper's browser or app send the card to the provider, or set "acceptsRawCardData": true \
                    for this account if your PCI DSS assessment covers card numbers on this machine.
                    """,
                account: account.name)
        }
        return try await inner.tokenize(request, in: session, call)
    }
}
