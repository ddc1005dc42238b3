import FuzzSupport
import GatewayCrypto
import GatewayKit
import GatewayKitCore

/// How a call ended.
enum CallEnd: Sendable {
    case tokenized(TokenizationResult)
    case kept(VaultResult)
    case listed(VaultPage)
    case session(SessionStatus)
    case profile(CheckoutProfile)
    case rates(CurrencyRates)
    case configured(ShopperConfigurationResult)
    case wallet(Sensitive<String>)
    case page(CheckoutPage)
    case proof(SessionStatus)
    case opened(PaymentSession)
    case paid(PaymentResult)
    case found(PaymentFinding)
    case payments(PaymentPage)
    case nothingMoved(NothingMoved)
    case notOffered
    case thrown(GatewayError)

    var name: String {
        switch self {
        case .tokenized(let result): result.outcomeName
        case .kept(let result): result.outcomeName
        case .listed: "listed"
        case .session(let status): status.phase.description
        case .profile: "profile"
        case .rates: "rates"
        case .configured: "configured"
        case .wallet: "wallet"
        case .page: "page"
        case .proof(let status): "proof " + status.phase.description
        case .opened: "opened"
        case .paid(let result): result.outcomeName
        case .found: "found"
        case .payments: "payments"
        case .nothingMoved(let nothing): "nothing moved: " + nothing.error.code.description
        case .notOffered: "not offered"
        case .thrown(let error): error.code.description
        }
    }
}

/// One account of one provider, in one way to authenticate, and every call that it offers.
struct Subject: Sendable {
    let provider: any GatewayProvider
    let account: AccountSettings

    /// A new capability of ``Gateway`` joins here.
    var calls: [@Sendable (ScriptedTransport) async -> CallEnd] {
        [
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    .tokenized(try await gateway.requireTokens().tokenize(Subjects.request))
                }
            },
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let vault = gateway.vault else { return .notOffered }
                    return .kept(try await vault.show(Subjects.storedID(gateway)))
                }
            },
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let vault = gateway.vault else { return .notOffered }
                    return .kept(try await vault.retain(Subjects.storedID(gateway)))
                }
            },
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let vault = gateway.vault else { return .notOffered }
                    return .kept(try await vault.redact(Subjects.storedID(gateway)))
                }
            },
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let sessions = gateway.sessions else { return .notOffered }
                    return .session(try await sessions.status(of: Subjects.session(gateway)))
                }
            },
            { transport in
                await end(transport) { (gateway) async throws(GatewayError) in
                    guard gateway.sessions != nil else { return .notOffered }
                    let session = try await gateway.requireTokens().openSession()
                    // Where the provider wants no session there was no answer to read.
                    return transport.isUsed ? .opened(session) : .notOffered
                }
            },
            tokenizing(after: 0), tokenizing(after: 1), tokenizing(after: 2),
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let vault = gateway.vault else { return .notOffered }
                    return .listed(try await vault.page(Subjects.query(gateway), after: nil, CallContext()))
                }
            },
        ] + checkoutCalls + paymentCalls
    }

    /// What a checkout reads and writes down.
    private var checkoutCalls: [@Sendable (ScriptedTransport) async -> CallEnd] {
        [
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let profiles = gateway.profiles else { return .notOffered }
                    return .profile(
                        try await profiles.profile(
                            in: PaymentSession(reference: Subjects.session(gateway)), base: nil, CallContext()))
                }
            },
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let source = gateway.currencyRates else { return .notOffered }
                    return .rates(try await source.rates(base: .usd, quotes: [], in: nil, CallContext()))
                }
            },
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let source = gateway.currencyRates else { return .notOffered }
                    let session = PaymentSession(reference: Subjects.session(gateway))
                    return .rates(try await source.rates(base: .usd, quotes: [.eur], in: session, CallContext()))
                }
            },
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let shoppers = gateway.shoppers else { return .notOffered }
                    return .configured(
                        try await shoppers.configure(
                            ShopperConfiguration(
                                shopperID: "1", shopper: Shopper(name: "Ada Okoro"), choice: .payPal),
                            in: PaymentSession(reference: Subjects.session(gateway)), CallContext()))
                }
            },
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let wallets = gateway.walletSessions else { return .notOffered }
                    return .wallet(
                        try await wallets.applePaySession(
                            validationURL: "https://apple-pay-gateway.apple.com/x", domain: "shop.example",
                            displayName: "Shop", CallContext()))
                }
            },
            // Of every provider's pages only BlueSnap's are read from an answer; others are made here.
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let checkout = gateway.checkout, gateway.walletSessions != nil else { return .notOffered }
                    return .page(
                        try await checkout.page(
                            CheckoutPageRequest(amount: Money(minorUnits: 1000, currency: .usd), surface: .mobile),
                            for: PaymentSession(reference: Subjects.session(gateway)), CallContext()))
                }
            },
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let checkout = gateway.checkout else { return .notOffered }
                    let page = CheckoutPage(session: Subjects.session(gateway), url: "", surface: .mobile)
                    return .proof(try await checkout.proof(of: page, CallContext()))
                }
            },
        ]
    }

    /// Every call that moves money, and the look-ups.
    private var paymentCalls: [@Sendable (ScriptedTransport) async -> CallEnd] {
        [
            {
                await paid($0) { (p) async throws(NothingMoved) in
                    try await p.charging?.charge(Subjects.payment, CallContext())
                }
            },
            {
                await paid($0) { (p) async throws(NothingMoved) in
                    try await p.crediting?.credit(Subjects.payment, CallContext())
                }
            },
            {
                await paid($0) { (p) async throws(NothingMoved) in
                    try await p.capturing?.capture(Subjects.child, CallContext())
                }
            },
            {
                await paid($0) { (p) async throws(NothingMoved) in
                    try await p.voiding?.void(Subjects.child, CallContext())
                }
            },
            {
                await paid($0) { (p) async throws(NothingMoved) in
                    try await p.refunding?.refund(Subjects.child, CallContext())
                }
            },
            {
                await paid($0) { (p) async throws(NothingMoved) in
                    try await p.charging?.resume(Subjects.child.payment, CallContext())
                }
            },
            { await look($0, Subjects.child.payment) },
            { await look($0, PaymentReference(account: AccountName(provider.id), ownReference: Subjects.reference)) },
            {
                await end($0) { (gateway) async throws(GatewayError) in
                    guard let lookup = gateway.payments.lookup else { return .notOffered }
                    return .payments(try await lookup.page(after: nil, CallContext()))
                }
            },
        ]
    }

    /// A tokenization in a session that was opened before, whose first answers are good ones.
    private func tokenizing(after count: Int) -> @Sendable (ScriptedTransport) async -> CallEnd {
        { transport in
            var transport = transport
            transport.good = Array(Subjects.goodAnswers.prefix(count))
            return await end(transport) { (gateway) async throws(GatewayError) in
                guard gateway.sessions != nil else { return .notOffered }
                let tokens = try gateway.requireTokens()
                let session = try tokens.attach(Subjects.session(gateway))
                return .tokenized(try await tokens.tokenize(Subjects.request, in: session))
            }
        }
    }

    private func look(_ transport: ScriptedTransport, _ reference: PaymentReference) async -> CallEnd {
        await end(transport) { (gateway) async throws(GatewayError) in
            guard let lookup = gateway.payments.lookup else { return .notOffered }
            return .found(try await lookup.find(reference, since: Subjects.now, CallContext()))
        }
    }

    private func paid(
        _ transport: ScriptedTransport,
        _ call: (PaymentCapabilities) async throws(NothingMoved) -> PaymentResult?
    ) async -> CallEnd {
        await end(transport) { (gateway) async throws(GatewayError) in
            do throws(NothingMoved) {
                return try await call(gateway.payments).map { .paid($0) } ?? .notOffered
            } catch {
                return .nothingMoved(error)
            }
        }
    }

    private func end(
        _ transport: ScriptedTransport, _ call: (Gateway) async throws(GatewayError) -> CallEnd
    ) async -> CallEnd {
        let runtime = GatewayRuntime(
            transport: transport, clock: ImmediateClock(), wallClock: .fixed(Subjects.now),
            random: RandomSource { 4 })
        do throws(GatewayError) {
            return try await call(try ProviderRegistry.all.gateway(account, runtime))
        } catch {
            return .thrown(error)
        }
    }
}

enum Subjects {
    static let now = WallTime(secondsSince1970: 1_907_755_200)
    static let number = TestCard.named("visa")?.number ?? ""
    static let lastFour = String(number.suffix(4))
    static let storedID = "01KZZ4M2Q8S6T1V0X9Y3B5D7FH"
    static let grouped = "4111 1111 1111 1111"
    static let reference = "attempt-0001"
    static let payment = PaymentRequest(
        .purchase, Money(minorUnits: 1000, currency: .usd), token: storedID, ownReference: reference)
    static let child = ChildRequest(
        of: PaymentReference(account: AccountName("spreedly"), ownReference: reference, providerID: storedID),
        Money(minorUnits: 1000, currency: .usd), ownReference: reference)
    /// Where a provider's own form is wanted.
    static let sessionIDs: [ProviderID: String] = [
        "safepay": "v3:sandbox:instrument:raw:PKR:-:-:track_0",
        "bluesnap": String(repeating: "7a10c2e9f4b8d635", count: 4) + "_",
    ]
    static let storedIDs: [ProviderID: String] = ["safepay": "cus_0/pm_0"]
    static let shopperIDs: [ProviderID: String] = ["safepay": "cus_0"]
    static func storedID(_ gateway: Gateway) -> String { storedIDs[gateway.provider] ?? storedID }
    static func query(_ gateway: Gateway) -> VaultQuery { VaultQuery(shopperID: shopperIDs[gateway.provider]) }
    static let credential = "zQ7kSecretOfFuzzing0NotReal"
    /// Of the account that signs its calls.
    static let signingKey =
        (try? RSAPrivateKey.generate().pem()).map { $0.withExposed { String(decoding: $0, as: UTF8.self) } } ?? ""
    static let secrets = [number, grouped, credential]
    static let search = LeakSearch([number, credential].map { Sensitive($0) })

    static func session(_ gateway: Gateway) -> SessionReference {
        SessionReference(
            account: gateway.account, id: sessionIDs[gateway.provider] ?? "5b1c9f3e-7a41-4c0e-9d5b-0a6e4f1d2c3b")
    }

    /// What comes before the answer in question: a session that names a vault, and the vault.
    static let goodAnswers = [
        #"{"next_action":"tokenize_card","data":{"provider":"guardian","base_url":"http://127.0.0.1:9/v","api_key":"k"}}"#,
        #"{"id":"vault-entry-0001"}"#,
    ]

    static let request: TokenizationRequest = {
        do {
            let card = try Card.read(
                number: Sensitive(number), expiry: "09/2031", securityCode: Sensitive("737"), name: "Ada Okoro",
                now: now)
            return TokenizationRequest(.card(card))
        } catch {
            preconditionFailure("the test card cannot be read")
        }
    }()

    /// Of settings that do not take every text.
    static let plainValues = [
        "apiKey": "sec_fuzzing", "currency": "PKR", "intent": "CYBERSOURCE", "hostedPages": "v1",
        "vaultHosts": "http://127.0.0.1:9", "apiVersion": "3.0", "username": "fuzz-1", "merchantID": "700",
    ]

    /// Every provider of the registry, once for each choice of each of its settings.
    static let all: [Subject] = ProviderRegistry.all.providers.flatMap { provider in
        guard let environment = provider.environments.first(where: { $0.kind == .sandbox }),
            let address = try? WireURL(base: "http://127.0.0.1:9/v1")
        else { return [Subject]() }
        var settings: [[String: ConfigurationEntry.Value]] = [[:]]
        for setting in provider.settings {
            let values: [ConfigurationEntry.Value] =
                setting.isSecret
                ? [.secret(Sensitive(setting.name == "signingKey" ? signingKey : credential))]
                : setting.choices.isEmpty
                    ? [.plain(plainValues[setting.name] ?? "http://127.0.0.1:9")] : setting.choices.map { .plain($0) }
            settings = settings.flatMap { before in
                values.map { value in before.merging([setting.name: value]) { _, new in new } }
            }
        }
        return settings.map { values in
            Subject(
                provider: provider,
                account: AccountSettings(
                    name: AccountName(provider.id), provider: provider.id, environment: environment, baseURL: address,
                    values: values))
        }
    }
}

/// An answer that the input describes.
struct Answer: Sendable {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]
    /// The search through every encoding takes longer than everything else together: one short answer in 32.
    var isForSlowSearch: Bool { body.count < 2_000 && body.reduce(0) { $0 &+ $1 } % 32 == 0 }

    init(_ input: inout FuzzInput) {
        let usual = [201, 200, 422, 402, 400, 401, 403, 404, 409, 429, 500, 502, 503, 204, 302]
        let place = Int(input.byte())
        status = place < 240 ? usual[place % usual.count] : 200 + input.number(below: 400)
        var fields = HTTPFields()
        if let type = input.pick(["application/json", "application/json; charset=utf-8", "text/html", ""]) {
            fields.append("content-type", .plain(type))
        }
        if input.byte() % 4 == 1 { fields.append("retry-after", .plain(Self.value(&input))) }
        if input.byte() % 4 == 1 { fields.append("x-request-id", .plain(Self.value(&input))) }
        self.fields = fields
        body = Self.echoing(input.remaining())
    }

    private static func value(_ input: inout FuzzInput) -> String {
        String(decoding: echoing(input.bytes(24)), as: UTF8.self)
    }

    private static func echoing(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte in
            switch byte {
            case 1: Array(Subjects.number.utf8)
            case 2: Array(Subjects.grouped.utf8)
            case 3: Array(Subjects.credential.utf8)
            default: [byte]
            }
        }
    }
}

/// Gives every request the same answer, behind some good ones.
struct ScriptedTransport: HTTPTransport {
    let answer: Answer
    var good: [String] = []
    private let count = Locked(0)

    init(_ answer: Answer) { self.answer = answer }

    /// Whether a request was made.
    var isUsed: Bool { count.withLock { $0 > 0 } }

    func send(_ request: WireRequest, deadline: ContinuousClock.Instant) async throws(TransportError) -> WireResponse {
        let place = count.withLock { count in
            defer { count += 1 }
            return count
        }
        guard place >= good.count else {
            return WireResponse(status: 200, fields: HTTPFields(), body: Array(good[place].utf8))
        }
        return WireResponse(status: answer.status, fields: answer.fields, body: answer.body)
    }
}

/// The real time, and waits that are over at once.
struct ImmediateClock: GatewayClock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}
