import GatewayCrypto
import GatewayKit
import GatewayKitCore
import GatewayPayments
import GatewayStoreSQLite

/// What driver and workers share: the account at the sandbox, the journal, and the intents that are paid.
struct Bench {
    let settings: AccountSettings
    let journal: String
    let token: String

    /// An account at a sandbox that runs somewhere.
    static func settings(address: String, values: [String: String]) throws -> AccountSettings {
        let provider = try ProviderRegistry.all.provider("spreedly")
        guard let environment = provider.environments.first(where: { $0.kind == .sandbox }) else {
            throw Trouble("the provider has no sandbox")
        }
        var entries: [String: ConfigurationEntry.Value] = [:]
        for (name, value) in values {
            let isSecret = provider.settings.contains { $0.name == name && $0.isSecret }
            entries[name] = isSecret ? .secret(Sensitive(value)) : .plain(value)
        }
        return AccountSettings(
            name: AccountName(provider.id), provider: provider.id, environment: environment,
            baseURL: try WireURL(base: address), values: entries)
    }

    func service(_ time: SkewedTime?) throws -> PaymentService {
        var runtime = try GatewayRuntime.standard(NetworkSettings(), reachesSandbox: true)
        var wall = WallClock.system
        if let time {
            runtime.clock = time
            wall = WallClock { time.wall }
            runtime.wallClock = wall
        }
        return PaymentService(
            gateway: try ProviderRegistry.all.gateway(settings, runtime),
            store: try SQLitePaymentStore(path: journal, clock: wall),
            authenticator: KeyedAuthenticator(key: SecretBytes(Array(repeating: 7, count: 32))),
            clock: runtime.clock, timeout: .seconds(2))
    }

    /// The debts: every seventh is a credit (`nil`), of the others even ones are purchases, odd ones authorizations.
    /// Amounts avoid those that the test gateway gives a meaning.
    func intent(_ number: Int) throws -> (PaymentIntent, PaymentRequest.Kind?) {
        let amount = Money(minorUnits: 10_000 + Int64(number), currency: .usd)
        let intent = try PaymentIntent(
            id: "order-\(number)", amount: amount, orderReference: "\(number)", account: settings.name)
        guard number % 7 != 3 else { return (intent, nil) }
        return (intent, number.isMultiple(of: 2) ? .purchase : .authorize)
    }
}

/// Something is wrong with the test's own surroundings.
struct Trouble: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A generator whose run can be repeated.
struct SeededNumbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }
}
