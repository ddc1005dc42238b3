import BlueSnapAdapter
import GatewayKit
import GatewayKitCore
import GatewaySandbox
import GatewayTransport
import Testing

/// What the tests' accounts, cards and clocks are.
enum Shop {
    /// When all tests take place.
    static let now = WallTime(secondsSince1970: 1_907_755_200)  // 2030-06-15T12:00:00Z
    static let transport = CurlTransport(.loopback)
    static let username = "API_tests_only"
    static let password = "PasswordOfTestsOnlyNotReal0001"
    /// Of `username` and `password` (RFC 7617).
    static let basic = "Basic QVBJX3Rlc3RzX29ubHk6UGFzc3dvcmRPZlRlc3RzT25seU5vdFJlYWwwMDAx"
    static let token = String(repeating: "7a10c2e9f4b8d635", count: 4) + "_"
    static let other = String(repeating: "0badcafe00c0ffee", count: 4) + "_"
    static let securityCode = "737"

    static var number: String { TestCard.named("visa")?.number ?? "" }

    static func card(
        _ name: String = "visa", expiry: CardExpiry? = CardExpiry(month: 11, year: 2031),
        code: String? = securityCode, holder: String? = nil
    ) throws -> Card {
        let number = try #require(TestCard.named(name)?.number)
        return Card(
            number: try CardNumber(Sensitive(number)), expiry: expiry,
            securityCode: try code.map { try SecurityCode(Sensitive($0)) }, holderName: holder)
    }

    static func request(
        _ card: Card? = nil, shopper: Shopper = Shopper(), checksLocally: Bool = true
    ) throws -> TokenizationRequest {
        TokenizationRequest(.card(try card ?? Self.card()), shopper: shopper, checksLocally: checksLocally)
    }

    static func settings(
        _ baseURL: String? = "http://127.0.0.1:9/bluesnap", hasUser: Bool = true, version: String? = nil,
        environment: EnvironmentDescription.Kind = .sandbox, credentials: SandboxCredentials? = nil
    ) throws -> AccountSettings {
        let provider = BlueSnapProvider()
        var values: [String: ConfigurationEntry.Value] = [:]
        if hasUser {
            values["username"] = .plain(credentials?["username"] ?? username)
            values["password"] = .secret(Sensitive(credentials?["password"] ?? password))
        }
        values["apiVersion"] = version.map { .plain($0) }
        return AccountSettings(
            name: try #require(AccountName("shop")), provider: provider.id,
            environment: try #require(provider.environments.first { $0.kind == environment }),
            baseURL: try baseURL.map { try WireURL(base: $0) }, acceptsRawCardData: true, timeout: .seconds(1000),
            values: values)
    }

    /// The surroundings: a fixed date, and waits that pass at once.
    static func runtime(
        _ transport: any HTTPTransport = transport, _ observer: Recorder? = nil, now: WallTime = now
    ) -> GatewayRuntime {
        GatewayRuntime(transport: transport, clock: ImmediateClock(), wallClock: .fixed(now), observer: observer)
    }

    static func gateway(
        _ settings: AccountSettings? = nil, _ runtime: GatewayRuntime = runtime()
    ) throws -> Gateway {
        try ProviderRegistry.all.gateway(try settings ?? Self.settings(), runtime)
    }

    static func reference(_ id: String = token) throws -> SessionReference {
        SessionReference(account: try #require(AccountName("shop")), id: id)
    }

    /// What becomes of a submission to a scripted BlueSnap, with a search of everything shown for secrets.
    static func tokenize(
        _ transport: ScriptedBlueSnap, _ request: TokenizationRequest? = nil, _ settings: AccountSettings? = nil,
        in token: String? = token, renewal: Renewal? = nil
    ) async throws -> End {
        let recorder = Recorder()
        let gateway = try gateway(settings, runtime(transport, recorder))
        let end = await End(
            gateway, try request ?? Self.request(), in: token, CallContext(renewal: renewal))
        for text in [end.shown, recorder.shown] {
            for secret in [number, password, basic] { #expect(!text.contains(secret), "\(text)") }
        }
        if let token, token != "prefill" { #expect(!recorder.shown.contains(token), "\(recorder.shown)") }
        #expect(transport.sent.isEmpty || recorder.events.last?.kind == .callFinished)
        return end
    }

    /// The answer to a submission, as an end.
    static func end(_ status: Int, _ body: String, type: String = "application/json") async throws -> End {
        try await tokenize(ScriptedBlueSnap(["tokenize": [.answer(status, body, type: type)], "status": [.alive]]))
    }
}

/// A sandbox whose clock a test can move, and accounts in it.
final class BlueSnapBox: Sendable {
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

    func gateway(hasUser: Bool = true, _ observer: Recorder? = nil) throws -> Gateway {
        let credentials = try #require(sandbox.credentials(for: "bluesnap"))
        return try Shop.gateway(
            Shop.settings(sandbox.baseURL(for: "bluesnap"), hasUser: hasUser, credentials: credentials),
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
