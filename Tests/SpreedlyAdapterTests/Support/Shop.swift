import GatewayCrypto
import GatewayKitCore
import GatewaySandbox
import GatewayTransport
import SpreedlyAdapter
import Testing

/// What the tests' accounts, cards and clocks are.
enum Shop {
    /// When all tests take place.
    static let now = WallTime(secondsSince1970: 1_907_755_200)  // 2030-06-15T12:00:00Z
    static let transport = CurlTransport(.loopback)
    static let environmentKey = "EnvKey0TestOnly0NotReal0001"
    static let accessSecret = "SecretOfTestsOnlyNotReal+/=00000000000000001"
    static let securityCode = "737"
    static let gatewayToken = "GatewayOfTests0Only00000001"
    static let certificateToken = "CertificateOfTestsOnly0001"
    /// Stands for ``signingKeyPEM`` where the way to authenticate needs a key, and for none elsewhere.
    static let keyIfNeeded = "if needed"
    /// Made once for all tests.
    static let signingKey = try? RSAPrivateKey.generate()
    static let signingKeyPEM =
        (try? signingKey?.pem()).map { $0.withExposed { String(decoding: $0, as: UTF8.self) } } ?? ""

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

    static func request(
        _ card: Card? = nil, shopper: Shopper = Shopper(), retain: Bool? = nil,
        metadata: [TokenizationRequest.Metadata] = [], options: [String: OptionValue] = [:], checksLocally: Bool = true
    ) throws -> TokenizationRequest {
        TokenizationRequest(
            .card(try card ?? Self.card()), shopper: shopper, retain: retain, metadata: metadata, options: options,
            checksLocally: checksLocally)
    }

    static func settings(
        _ baseURL: String, account: String = "shop", authentication: String? = "secret",
        key: String = environmentKey, secret: String? = accessSecret, gateway: String? = gatewayToken,
        certificateToken: String? = certificateToken, signingKey: String? = keyIfNeeded,
        timeout: Duration = .seconds(1000)
    ) throws -> AccountSettings {
        let provider = SpreedlyProvider()
        let environment = try #require(provider.environments.first { $0.kind == .sandbox })
        var values: [String: ConfigurationEntry.Value] = ["environmentKey": .secret(Sensitive(key))]
        values["accessSecret"] = secret.map { .secret(Sensitive($0)) }
        values["certificateToken"] = certificateToken.map { .plain($0) }
        let ownKey = authentication == "signed" ? signingKeyPEM : nil
        values["signingKey"] = (signingKey == keyIfNeeded ? ownKey : signingKey).map { .secret(Sensitive($0)) }
        values["authentication"] = authentication.map { .plain($0) }
        values["gatewayToken"] = gateway.map { .plain($0) }
        return AccountSettings(
            name: try #require(AccountName(account)), provider: provider.id, environment: environment,
            baseURL: try WireURL(base: baseURL), timeout: timeout, values: values)
    }

    /// The surroundings: real HTTP, a fixed date, and waits that pass at once, so that a wrong repetition shows.
    static func runtime(
        _ observer: Recorder? = nil, retry: RetryPolicy = RetryPolicy(), transport: any HTTPTransport = transport
    ) -> GatewayRuntime {
        GatewayRuntime(
            transport: transport, clock: ImmediateClock(), wallClock: .fixed(now), observer: observer, retry: retry)
    }

    static func tokens(
        _ settings: AccountSettings, _ runtime: GatewayRuntime = runtime()
    ) throws -> any TokenProvider {
        try SpreedlyProvider().makeGateway(settings, runtime).requireTokens()
    }

    /// What becomes of a card that is sent to `peer`.
    static func answer(
        of peer: AnswerPeer, _ request: TokenizationRequest? = nil, _ observer: Recorder? = nil,
        authentication: String = "secret"
    ) async throws -> End {
        let settings = try settings(peer.baseURL, authentication: authentication)
        let end = await End(of: try tokens(settings, runtime(observer)), try request ?? Self.request())
        #expect(peer.received.count <= 1, "a create call must not be sent twice")
        #expect(end.leaks.isEmpty)
        return end
    }

    /// A sandbox at the tests' date, and an account in it.
    static func sandbox(seed: UInt64 = 1) throws -> Sandbox {
        var configuration = SandboxConfiguration()
        configuration.seed = seed
        configuration.now = { now }
        let sandbox = Sandbox(configuration)
        try sandbox.start()
        return sandbox
    }

    static func settings(
        in sandbox: Sandbox, authentication: String? = "secret", timeout: Duration = .seconds(1000)
    ) throws -> AccountSettings {
        let credentials = try #require(sandbox.credentials(for: "spreedly"))
        return try settings(
            try #require(sandbox.baseURL(for: "spreedly")), authentication: authentication,
            key: try #require(credentials["environmentKey"]), secret: credentials["accessSecret"],
            gateway: credentials["gatewayToken"],
            certificateToken: credentials["certificateToken"],
            signingKey: authentication == "signed" ? credentials["signingKey"] : nil,
            timeout: timeout)
    }
}

/// Both ways in which a call can end, as one value, with a search for secrets in everything it shows.
enum End: Sendable {
    case result(TokenizationResult)
    case error(GatewayError)

    init(of tokens: any TokenProvider, _ request: TokenizationRequest, _ call: CallContext = CallContext()) async {
        do {
            self = .result(try await tokens.tokenize(request, call))
        } catch {
            self = .error(error)
        }
    }

    var token: PaymentToken? {
        if case .result(.token(let token)) = self { token } else { nil }
    }
    var issues: [FieldIssue]? {
        if case .result(.invalid(let issues)) = self { issues } else { nil }
    }
    var decline: Decline? {
        if case .result(.declined(let decline)) = self { decline } else { nil }
    }
    /// Why the outcome is unknown.
    var unknown: GatewayError? {
        if case .result(.unknown(_, let cause)) = self { cause } else { nil }
    }
    var thrown: GatewayError? {
        if case .error(let error) = self { error } else { nil }
    }

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

    var leaks: [LeakSearch.Leak] { secretSearch.leaks(in: shown) }

    /// Sends a card and waits for so long, or longer on a machine so busy that `hasArrived` is still false then.
    static func patiently(
        _ tokens: any TokenProvider, _ request: TokenizationRequest, hasArrived: () -> Bool
    ) async -> End {
        var end = End.error(GatewayError(.timedOut, message: "not begun", advice: ""))
        for seconds in [1, 4, 16, 64] where !hasArrived() {
            end = await End(of: tokens, request, CallContext(timeout: .seconds(seconds)))
        }
        return end
    }
}

/// The secrets of the tests' card and account.
let secretSearch = LeakSearch(
    [Shop.number, Shop.securityCode, Shop.accessSecret, Shop.environmentKey].map { Sensitive($0) })

/// Description, debug description and dump.
func everything<Value>(of value: Value) -> String {
    var text = "\(value)\n\(String(reflecting: value))\n"
    dump(value, to: &text)
    // Swift prints addresses of private types, in which any few digits may be by chance.
    while let mark = text.firstRange(of: "context at $") {
        text.replaceSubrange(mark, with: "context at ")
        let address = text[mark.lowerBound...].dropFirst("context at ".count).prefix(while: \.isHexDigit)
        text.removeSubrange(address.startIndex..<address.endIndex)
    }
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
    let wantsTranscripts: Bool

    init(transcripts: Bool = true) { wantsTranscripts = transcripts }

    var events: [GatewayEvent] { list.withLock { $0 } }

    func record(_ event: GatewayEvent) {
        var event = event
        // Its digits are those of the clock: they could look like a security code by chance.
        event.duration = nil
        list.withLock { [event] in $0.append(event) }
    }

    func count(_ kind: GatewayEvent.Kind) -> Int { events.count { $0.kind == kind } }
    var shown: String {
        var text = ""
        for event in events { dump(event, to: &text) }
        return text
    }
}
