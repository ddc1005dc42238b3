import GatewayKit
import GatewayKitCore
import GatewaySandbox
import GatewayTransport
import HellgateAdapter
import Testing

/// What the tests' accounts, cards and clocks are.
enum Shop {
    /// When all tests take place.
    static let now = WallTime(secondsSince1970: 1_907_755_200)  // 2030-06-15T12:00:00Z
    static let transport = CurlTransport(.loopback)
    static let apiKey = "sk_sndbx_KeyOfTestsOnlyNotReal0000001"
    static let vaultKey = "pk_sndbx_VaultKeyOfTestsNotReal00001"
    static let sessionID = "5b1c9f3e-7a41-4c0e-9d5b-0a6e4f1d2c3b"
    static let tokenID = "6f0a3c5e-1b1d-4222-8333-94d455e56d66"
    static let securityCode = "737"

    static var number: String { TestCard.named("visa")?.number ?? "" }

    static func card(
        _ name: String = "visa", expiry: CardExpiry? = CardExpiry(month: 9, year: 2031),
        code: String? = securityCode, holder: String? = "Ada Okoro"
    ) throws -> Card {
        let number = try #require(TestCard.named(name)?.number)
        return Card(
            number: try CardNumber(Sensitive(number)), expiry: expiry,
            securityCode: try code.map { try SecurityCode(Sensitive($0)) }, holderName: holder)
    }

    static func request(_ card: Card? = nil, shopper: Shopper = Shopper(), checksLocally: Bool = true) throws
        -> TokenizationRequest
    {
        TokenizationRequest(.card(try card ?? Self.card()), shopper: shopper, checksLocally: checksLocally)
    }

    static func settings(
        _ baseURL: String? = "http://127.0.0.1:9/hellgate", key: String? = apiKey, vaultHosts: String? = nil,
        environment: EnvironmentDescription.Kind = .sandbox, acceptsRawCardData: Bool = false
    ) throws -> AccountSettings {
        let provider = HellgateProvider()
        var values: [String: ConfigurationEntry.Value] = [:]
        values["apiKey"] = key.map { .secret(Sensitive($0)) }
        values["vaultHosts"] = vaultHosts.map { .plain($0) }
        return AccountSettings(
            name: try #require(AccountName("shop")), provider: provider.id,
            environment: try #require(provider.environments.first { $0.kind == environment }),
            baseURL: try baseURL.map { try WireURL(base: $0) }, acceptsRawCardData: acceptsRawCardData,
            timeout: .seconds(1000), values: values)
    }

    /// The surroundings: a fixed date, and waits that pass at once.
    static func runtime(
        _ transport: any HTTPTransport = transport, _ observer: Recorder? = nil, now: WallTime = now,
        clock: any GatewayClock = ImmediateClock()
    ) -> GatewayRuntime {
        GatewayRuntime(transport: transport, clock: clock, wallClock: .fixed(now), observer: observer)
    }

    static func gateway(
        _ settings: AccountSettings? = nil, _ runtime: GatewayRuntime = runtime()
    ) throws -> Gateway {
        try ProviderRegistry.all.gateway(try settings ?? Self.settings(), runtime)
    }

    static func reference(_ id: String = sessionID) throws -> SessionReference {
        SessionReference(account: try #require(AccountName("shop")), id: id)
    }
}

/// A sandbox whose clock a test can move, and accounts in it.
final class HellgateBox: Sendable {
    let sandbox: Sandbox
    private let time = Locked(Shop.now)

    init(_ choices: [String: String] = [:]) throws {
        var configuration = SandboxConfiguration()
        configuration.choices = choices
        configuration.now = { [time] in time.withLock { $0 } }
        sandbox = Sandbox(configuration)
        try sandbox.start()
    }

    deinit { sandbox.stop() }

    func advance(seconds: Int64) { time.withLock { $0 = $0.adding(seconds: seconds) } }

    func gateway(hasKey: Bool = true, _ observer: Recorder? = nil) throws -> Gateway {
        let key = try #require(sandbox.credentials(for: "hellgate")?["apiKey"])
        return try Shop.gateway(
            Shop.settings(sandbox.baseURL(for: "hellgate"), key: hasKey ? key : nil),
            Shop.runtime(Shop.transport, observer))
    }

    /// The operations that happened, in order.
    var operations: [String] { sandbox.ledger.entries.map(\.operation) }
}

/// Both ways in which a call can end, as one value.
enum End: Sendable {
    case result(TokenizationResult)
    case error(GatewayError)

    init(
        _ gateway: Gateway, _ request: TokenizationRequest, in session: String? = nil,
        _ context: CallContext = CallContext()
    ) async {
        do throws(GatewayError) {
            let tokens = try gateway.requireTokens()
            if let session {
                let reference = SessionReference(account: gateway.account, id: session)
                self = .result(try await tokens.tokenize(request, in: tokens.attach(reference), context))
            } else {
                self = .result(try await tokens.tokenize(request, context))
            }
        } catch {
            self = .error(error)
        }
    }

    var token: PaymentToken? { if case .result(.token(let token)) = self { token } else { nil } }
    var issues: [FieldIssue]? { if case .result(.invalid(let issues)) = self { issues } else { nil } }
    var decline: Decline? { if case .result(.declined(let decline)) = self { decline } else { nil } }
    var unusable: SessionStatus? { if case .result(.sessionUnusable(let status)) = self { status } else { nil } }
    var unknown: GatewayError? { if case .result(.unknown(_, let cause)) = self { cause } else { nil } }
    var thrown: GatewayError? { if case .error(let error) = self { error } else { nil } }

    /// The name of the case, or of the error's code.
    var name: String {
        switch self {
        case .result(let result): result.outcomeName
        case .error(let error): "throws " + error.code.description
        }
    }

    /// Everything that printing can show of it.
    var shown: String {
        switch self {
        case .result(let result): everything(of: result)
        case .error(let error): everything(of: error)
        }
    }
}

/// The error that a call throws, if it does.
func thrown(by call: () async throws -> Void) async -> GatewayError? {
    do {
        try await call()
        return nil
    } catch {
        return error as? GatewayError
    }
}

/// Description, debug description and dump.
func everything<Value>(of value: Value) -> String {
    var text = "\(value)\n\(String(reflecting: value))\n"
    dump(value, to: &text)
    return text
}

/// The real time, and waits that are over at once.
struct ImmediateClock: GatewayClock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}

/// Keeps events, with transcripts: the most talkative setting.
final class Recorder: GatewayObserver {
    private let list = Locked<[GatewayEvent]>([])
    let wantsTranscripts = true

    var events: [GatewayEvent] { list.withLock { $0 } }

    func record(_ event: GatewayEvent) {
        var event = event
        // Its digits are those of the clock: they could look like a security code by chance.
        event.duration = nil
        list.withLock { [event] in $0.append(event) }
    }

    var shown: String {
        var text = ""
        for event in events { dump(event, to: &text) }
        return text
    }
}
