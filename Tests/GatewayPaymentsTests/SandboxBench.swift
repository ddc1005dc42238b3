import GatewayCrypto
import GatewayKit
import GatewayKitCore
import GatewayPayments
import GatewaySandbox
import GatewayStoreSQLite

/// A provider's sandbox over real HTTP, and a journal in a real file. Each service is like another process.
struct SandboxBench {
    let sandbox: Sandbox
    let wall = TestWall()
    let folder = TestFolder()
    let gateway: Gateway
    let transport: any HTTPTransport
    let key = SecretBytes(Array(0..<32))

    init(_ id: ProviderID = "spreedly") throws {
        var configuration = SandboxConfiguration()
        let wall = wall
        configuration.now = { wall.now }
        sandbox = Sandbox(configuration)
        try sandbox.start()
        guard let address = sandbox.baseURL(for: id.description),
            let credentials = sandbox.credentials(for: id.description)
        else { throw Unexpected(what: "no sandbox of \(id)") }
        let provider = try ProviderRegistry.all.provider(id)
        guard let environment = provider.environments.first(where: { $0.kind == .sandbox }) else {
            throw Unexpected(what: "no environment")
        }
        var entries: [String: ConfigurationEntry.Value] = [:]
        for item in credentials.items {
            let isSecret = provider.settings.contains { $0.name == item.name && $0.isSecret }
            entries[item.name] = isSecret ? .secret(Sensitive(item.value)) : .plain(item.value)
        }
        let settings = AccountSettings(
            name: StoreBench.account, provider: provider.id, environment: environment,
            baseURL: try WireURL(base: address), values: entries)
        var runtime = try GatewayRuntime.standard(NetworkSettings(), reachesSandbox: true)
        runtime.wallClock = wall.clock
        gateway = try ProviderRegistry.all.gateway(settings, runtime)
        transport = runtime.transport
    }

    /// Another process on the same journal.
    func service(seals: Bool = true, key other: SecretBytes? = nil) throws -> PaymentService {
        PaymentService(
            gateway: gateway, store: try SQLitePaymentStore(path: folder.journal, clock: wall.clock),
            authenticator: KeyedAuthenticator(key: key), sealer: seals ? try Self.sealer(other ?? key) : nil,
            timeout: .seconds(300))
    }

    static func sealer(_ key: SecretBytes = SecretBytes(Array(0..<32))) throws -> KeyedSealer {
        try KeyedSealer(current: .init(id: "test", key))
    }

    /// A token of a test card.
    func token(_ name: String = "visa") async throws -> String {
        guard let test = TestCard.all.first(where: { $0.name == name }) else { throw Unexpected(what: "no card") }
        let card = try Card.read(
            number: Sensitive(test.number), month: "12", year: "\(wall.now.utcDate.year + 3)",
            securityCode: Sensitive("123"), name: "Ada Okoro", now: wall.now)
        var request = TokenizationRequest(.card(card))
        request.retain = true
        guard
            case .token(let token) = try await gateway.requireTokens().tokenize(
                request, CallContext(timeout: .seconds(300)))
        else { throw Unexpected(what: "no token") }
        return token.id
    }

    func intent(_ id: String, _ cents: Int64 = 1_000) throws -> PaymentIntent {
        try StoreBench.intent(id, StoreBench.usd(cents))
    }

    /// What moved, in the sandbox's own books.
    var movements: [String] { sandbox.ledger.entries.compactMap { $0.movement?.kind } }
}
