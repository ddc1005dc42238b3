import GatewayKitCore

/// Imitates every provider over real HTTP or HTTPS on 127.0.0.1, with faults on demand and a ledger of what really
/// happened.
///
/// ```swift
/// let sandbox = Sandbox()
/// try sandbox.start()
/// defer { sandbox.stop() }
/// sandbox.faults.add(.answerLost, provider: "spreedly", operation: "tokenize")
/// // Point your backend at sandbox.baseURL(for: "spreedly"), with sandbox.credentials(for: "spreedly").
/// ```
///
/// It knows the public test cards (``GatewayKitCore/TestCard``) and refuses every other number. Card numbers are not
/// kept: neither the state nor the ledger holds more of a card than its first eight (the issuer's number, as the
/// provider answers it) and last four digits. Its methods may be called from any thread.
public final class Sandbox: Sendable {
    private let configuration: SandboxConfiguration
    private let engine: SandboxEngine
    private let server: HTTPServer
    private let tls = Locked<TLSContext?>(nil)

    /// Prepares a sandbox; nothing listens yet. Credentials are made here.
    public convenience init(_ configuration: SandboxConfiguration = SandboxConfiguration()) {
        self.init(configuration, further: [])
    }

    /// A sandbox that imitates providers which are not built in, too.
    init(_ configuration: SandboxConfiguration, further: [any SandboxProvider]) {
        self.configuration = configuration
        engine = SandboxEngine(configuration, further: further)
        var settings = HTTPServer.Settings()
        settings.maximumConnections = configuration.maximumConnections
        settings.idleTimeout = configuration.idleTimeout
        settings.limits.head = configuration.maximumHeadBytes
        settings.limits.body = configuration.maximumBodyBytes
        settings.pause = configuration.pause
        settings.atPoint = configuration.atPoint
        server = HTTPServer(settings: settings, responder: engine)
        engine.control.setAction("reset") { [weak engine, weak server] in
            server?.releaseHeld()
            engine?.reset()
        }
        engine.control.setAction("release") { [weak server] in server?.releaseHeld() }
    }

    deinit {
        server.stop()
    }

    /// Begins to listen. After ``stop()`` it may be started again, with the state it had.
    public func start() throws(SandboxError) {
        if let name = engine.unknownChoice { throw .unknownChoice(name) }
        if configuration.tls != .off, certificateAuthorityPEM == nil {
            let context = try TLSContext(configuration.tls)
            tls.withLock { $0 = context }
        }
        try server.start(port: configuration.port, tls: tls.withLock { $0 })
        engine.origin.withLock { [origin] in $0 = origin ?? "" }
    }

    /// The certificate authority that clients have to trust, as PEM text for a file: `network.caFile` of a
    /// configuration, `--cacert` of curl. `nil` before the first ``start()`` and without TLS. Each sandbox makes its
    /// own; its key never leaves the process.
    public var certificateAuthorityPEM: String? { tls.withLock { $0?.authorityPEM } }

    /// Ends every connection, whatever it waits for, and returns when none of the sandbox's threads is left; does
    /// nothing when it is not running. Blocks the calling thread for a moment.
    public func stop() {
        server.stop()
    }

    /// The port, while running.
    public var port: UInt16? { server.port }

    /// How many connections are open.
    public var connectionCount: Int { server.connectionCount }

    /// The ids of the imitated providers.
    public var providers: [String] { engine.providers.map(\.id) }

    /// The base URL to configure for a provider, such as `http://127.0.0.1:4242/spreedly/v1`, or `https` under TLS;
    /// `nil` when the sandbox is not running or does not know the provider.
    public func baseURL(for provider: String) -> String? {
        guard let origin, let provider = engine.providers.first(where: { $0.id == provider }) else { return nil }
        return origin + "/" + ([provider.id] + provider.prefix).joined(separator: "/")
    }

    private var origin: String? {
        port.map { (configuration.tls == .off ? "http" : "https") + "://127.0.0.1:\($0)" }
    }

    /// The ways of behaving that can be chosen.
    public var choices: [SandboxChoice] { engine.providers.flatMap(\.chosen.choices) }

    /// Makes a provider behave like that from now on. A choice outlives ``reset()``.
    ///
    /// - Returns: `false` when there is no such choice or value; nothing is changed then.
    @discardableResult
    public func choose(_ value: String, for name: String) -> Bool {
        engine.providers.contains { $0.chosen.choose(value, for: name) }
    }

    /// The credentials that a provider accepts; `nil` when the sandbox does not know the provider.
    public func credentials(for provider: String) -> SandboxCredentials? {
        engine.providers.first { $0.id == provider }?.credentials
    }

    /// What a provider's public test data do, for the contract suite; `nil` when the sandbox does not know the provider.
    public func testData(for provider: String) -> ProviderTestData? {
        engine.providers.first { $0.id == provider }?.testData
    }

    /// The faults that are still to come.
    public var faults: FaultBook { engine.faults }

    /// What really happened.
    public var ledger: Ledger { engine.ledger }

    /// Makes everything as it was at the start, with the same credentials, and lets held answers go. Tokens made
    /// afterwards are new ones.
    public func reset() {
        server.releaseHeld()
        engine.reset()
    }

    /// Lets the answers go that wait under the fault `hold`.
    public func releaseHeldAnswers() {
        server.releaseHeld()
    }

    /// Accepts no more connections: from now on the system refuses them. Open connections live on.
    public func stopListening() {
        server.stopListening()
    }

    /// Accepts connections again, on the same port.
    public func resumeListening() throws(SandboxError) {
        try server.listen()
    }
}
