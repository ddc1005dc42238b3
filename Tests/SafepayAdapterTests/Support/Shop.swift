import GatewayKit
import GatewayKitCore
import GatewaySandbox
import GatewayTransport
import Testing

@testable import SafepayAdapter

/// What the tests' accounts, cards and clocks are.
enum Shop {
    /// When all tests take place.
    static let now = WallTime(secondsSince1970: 1_907_755_200)  // 2030-06-15T12:00:00Z
    static let transport = CurlTransport(.loopback)
    static let apiKey = "sec_00000000-0000-4000-8000-0000000000aa"
    static let secretKey = "5ec2e7000000000000000000000000000000000000000000000000000000e577"
    static let tracker = "track_00000000-0000-4000-8000-000000000001"
    static let customer = "cus_00000000-0000-4000-8000-000000000002"
    static let card = "pm_00000000-0000-4000-8000-000000000003"
    static let base = "http://127.0.0.1:9/safepay"
    static let securityCode = "737"
    static let amount = Money(minorUnits: 150_000, currency: .pkr)

    static var number: String { TestCard.named("visa")?.number ?? "" }

    /// A session's id, as opening one gives it.
    static func session(
        _ mode: String = "payment", _ entry: String = "raw", amount: String = "150000", customer: String = "-"
    ) -> String {
        "v3:sandbox:\(mode):\(entry):PKR:\(amount):\(customer):\(tracker)"
    }
    static let order = "v1:sandbox:payment:-:PKR:150000:-:\(tracker)"
    static let instrument = session("instrument", amount: "-")

    static func card(
        expiry: CardExpiry? = CardExpiry(month: 9, year: 2031), code: String? = securityCode
    ) throws -> Card {
        Card(
            number: try CardNumber(Sensitive(number)), expiry: expiry,
            securityCode: try code.map { try SecurityCode(Sensitive($0)) }, holderName: "Ada Okoro")
    }

    static func request(_ card: Card? = nil, checksLocally: Bool = true) throws -> TokenizationRequest {
        TokenizationRequest(.card(try card ?? Self.card()), checksLocally: checksLocally)
    }

    static func settings(
        _ baseURL: String? = base, key: String? = secretKey, values others: [String: String] = [:],
        environment: String = "sandbox"
    ) throws -> AccountSettings {
        let provider = SafepayProvider()
        var values: [String: ConfigurationEntry.Value] = ["apiKey": .plain(apiKey)]
        values["secretKey"] = key.map { .secret(Sensitive($0)) }
        for (name, value) in others {
            let isSecret = provider.settings.first { $0.name == name }?.isSecret == true
            values[name] = isSecret ? .secret(Sensitive(value)) : .plain(value)
        }
        return AccountSettings(
            name: try #require(AccountName("shop")), provider: provider.id,
            environment: try #require(provider.environments.first { $0.name == environment }),
            baseURL: try baseURL.map { try WireURL(base: $0) }, acceptsRawCardData: true, timeout: .seconds(1000),
            values: values)
    }

    /// The surroundings: a fixed date, and waits that pass at once.
    static func runtime(
        _ transport: any HTTPTransport = transport, _ observer: Recorder? = nil, sealer: (any Sealer)? = nil
    ) -> GatewayRuntime {
        GatewayRuntime(
            transport: transport, clock: ImmediateClock(), wallClock: .fixed(now), observer: observer, sealer: sealer)
    }

    static func gateway(
        _ transport: any HTTPTransport, _ settings: AccountSettings? = nil, _ observer: Recorder? = nil,
        sealer: (any Sealer)? = nil
    ) throws -> Gateway {
        try ProviderRegistry.all.gateway(
            try settings ?? Self.settings(), runtime(transport, observer, sealer: sealer))
    }

    static func reference(_ id: String) throws -> SessionReference {
        SessionReference(account: try #require(AccountName("shop")), id: id)
    }

    /// What becomes of an instrument in a session, with a search of everything shown for secrets.
    static func tokenize(
        _ peer: ScriptedSafepay, _ request: TokenizationRequest? = nil, in session: String = Shop.session(),
        sealer: (any Sealer)? = nil, settings: AccountSettings? = nil
    ) async throws -> End {
        let recorder = Recorder()
        let gateway = try gateway(peer, settings, recorder, sealer: sealer)
        let end = await End(gateway, try request ?? Self.request(), in: session)
        #expect(peer.count("tokenize", reached: true) <= 1, "a card must not be sent twice")
        for text in [end.shown, recorder.shown] {
            for secret in [number, secretKey, "eyJhY2Nlc3M", "eyJjYXJkaW5hbA"] {
                #expect(!text.contains(secret), "\(secret) in \(text)")
            }
        }
        return end
    }
}

/// Both ways in which a call can end, as one value.
enum End: Sendable {
    case result(TokenizationResult)
    case error(GatewayError)

    init(_ gateway: Gateway, _ request: TokenizationRequest, in session: String) async {
        do throws(GatewayError) {
            let tokens = try gateway.requireTokens()
            let reference = SessionReference(account: gateway.account, id: session)
            self = .result(try await tokens.tokenize(request, in: tokens.attach(reference)))
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
