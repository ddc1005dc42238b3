import GatewayKit
import GatewayKitCore
import GatewaySandbox
import GatewayTransport
import Testing

/// An account of one provider, in one way to authenticate, for the walk: every provider of the registry, once for each
/// choice of each of its settings and for each way in which the sandbox can imitate it. A new adapter is in it by being
/// in the registry.
struct WalkedAccount: Sendable, CustomTestStringConvertible {
    let provider: any GatewayProvider
    /// The choices made, by the name of the setting.
    let choices: [String: String]
    /// How the sandbox behaves, where it does not as usual.
    var ways: [String: String] = [:]

    var id: String { provider.id.description }

    var testDescription: String {
        ([id] + choices.merging(ways) { first, _ in first }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
            .joined(separator: ", ")
    }

    static let all: [WalkedAccount] = ProviderRegistry.all.providers.flatMap { provider in
        var choices: [[String: String]] = [[:]]
        for setting in provider.settings where !setting.choices.isEmpty {
            choices = choices.flatMap { before in
                setting.choices.map { choice in before.merging([setting.name: choice]) { _, new in new } }
            }
        }
        let ways =
            [[:]]
            + Sandbox().choices.filter { $0.name.hasPrefix(provider.id.description + ".") }.flatMap { choice in
                choice.values.dropFirst().prefix(1).map { [choice.name: $0] }
            }
        return choices.flatMap { choice in
            ways.map { WalkedAccount(provider: provider, choices: choice, ways: $0) }
        }
    }

    /// Whether it is the first account of its provider.
    var isFirst: Bool { Self.onePerProvider.contains { $0.testDescription == testDescription } }

    /// For what does not depend on the choices, such as how often a request is sent.
    static let onePerProvider = ProviderRegistry.all.providers.compactMap { provider in
        all.first { $0.provider.id == provider.id }
    }

    /// When all tests take place: 2030-06-15, noon.
    static let now = WallTime(secondsSince1970: 1_907_755_200)
    static let transport = CurlTransport(.loopback)

    /// A sandbox of its own, at the tests' date.
    func sandbox() throws -> Sandbox {
        var configuration = SandboxConfiguration()
        configuration.choices = ways
        configuration.now = { Self.now }
        let sandbox = Sandbox(configuration)
        try sandbox.start()
        return sandbox
    }

    func gateway(in sandbox: Sandbox, _ observer: any GatewayObserver) throws -> Gateway {
        let credentials = try #require(sandbox.credentials(for: id), "the sandbox imitates every provider")
        let baseURL = try #require(sandbox.baseURL(for: id))
        var values: [String: ConfigurationEntry.Value] = choices.mapValues { .plain($0) }
        for setting in provider.settings {
            guard let value = credentials[setting.name] else { continue }
            values[setting.name] = setting.isSecret ? .secret(Sensitive(value)) : .plain(value)
        }
        let account = AccountSettings(
            name: try #require(AccountName("walk")), provider: provider.id,
            environment: try #require(provider.environments.first { $0.kind == .sandbox }),
            baseURL: try WireURL(base: baseURL), timeout: .seconds(300), values: values)
        let runtime = GatewayRuntime(
            transport: Self.transport, clock: ImmediateClock(), wallClock: .fixed(Self.now), observer: observer)
        return try ProviderRegistry.all.gateway(account, runtime)
    }
}

/// The real time, and waits that are over at once, so that a wrong repetition shows.
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
    func forget() { list.withLock { $0 = [] } }

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
