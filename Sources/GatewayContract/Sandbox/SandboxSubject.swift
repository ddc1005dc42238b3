import GatewayKitCore
import GatewaySandbox

/// Makes subjects of what the built-in sandbox imitates.
public enum SandboxSubject {
    /// A provider in the sandbox, with the adapter's default for every setting that has choices.
    ///
    /// Every stage is a sandbox of its own, with the same credentials and ids in every run, at a date of its own
    /// (15 June 2030). Waits between tries are over at once.
    ///
    /// - Parameters:
    ///   - provider: The adapter.
    ///   - transport: Goes to the sandbox; it must allow plain HTTP to this machine.
    ///   - sandbox: Makes a sandbox for a configuration: for providers that are not built in.
    /// - Throws: ``GatewayKitCore/GatewayError/Code/configuration`` when the sandbox does not imitate the provider, or
    ///   the adapter has no environment for it.
    public static func make(
        _ provider: any GatewayProvider, transport: any HTTPTransport,
        sandbox make: @escaping @Sendable (SandboxConfiguration) -> Sandbox = { Sandbox($0) }
    ) throws(GatewayError) -> ContractSubject {
        let id = provider.id.description
        let unimitated = GatewayError(
            .configuration, message: "The sandbox does not imitate \(provider.id).",
            advice: "Add its part to the sandbox: Docs/AddingAProvider.md tells how.")
        let still = make(SandboxConfiguration())
        guard still.providers.contains(id),
            let environment = provider.environments.first(where: { $0.kind == .sandbox })
        else {
            throw unimitated
        }
        return ContractSubject(
            id, provider, testData: still.testData(for: id) ?? ProviderTestData(), evidence: .sandbox
        ) {
            let time = Locked(start)
            var configuration = SandboxConfiguration()
            configuration.now = { time.withLock { $0 } }
            configuration.pause = { _ in }
            let sandbox = make(configuration)
            try sandbox.start()
            guard let address = sandbox.baseURL(for: id), let credentials = sandbox.credentials(for: id) else {
                throw unimitated
            }
            return ContractStage(
                account: account(provider, environment, try WireURL(base: address), credentials),
                runtime: GatewayRuntime(
                    transport: transport, clock: ImpatientClock(), wallClock: WallClock { time.withLock { $0 } }),
                controls: controls(sandbox, id, time), close: { sandbox.stop() })
        }
    }

    /// 15 June 2030, noon UTC.
    private static let start = WallTime(secondsSince1970: 1_907_755_200)

    private static func account(
        _ provider: any GatewayProvider, _ environment: EnvironmentDescription, _ address: WireURL,
        _ credentials: SandboxCredentials
    ) -> AccountSettings {
        var values: [String: ConfigurationEntry.Value] = [:]
        for setting in provider.settings {
            guard let value = credentials[setting.name] else { continue }
            values[setting.name] = setting.isSecret ? .secret(Sensitive(value)) : .plain(value)
        }
        return AccountSettings(
            name: AccountName(provider.id), provider: provider.id, environment: environment, baseURL: address,
            timeout: .seconds(60), values: values)
    }

    private static func controls(_ sandbox: Sandbox, _ id: String, _ time: Locked<WallTime>) -> ContractControls {
        let faults = FaultKind.ofContract.map { kind in
            (kind, ContractFault(kind.description, kind.contractEffect, isEndless: kind.isEndless))
        }
        return ContractControls(
            faults: faults.map { $0.1 },
            strike: { fault, operation in
                guard let kind = faults.first(where: { $0.1 == fault })?.0 else { return }
                sandbox.faults.add(FaultRule(kind, provider: id, operation: operation))
            },
            history: { sandbox.ledger.entries.filter { $0.provider == id }.map(ContractRecord.init) },
            advance: { duration in time.withLock { $0 = $0.adding(seconds: duration.components.seconds) } })
    }
}

extension ContractRecord {
    init(_ entry: LedgerEntry) {
        let outcome: Outcome =
            switch entry.outcome {
            case .created: .created
            case .changed: .changed
            default: .nothing
            }
        self.init(entry.operation, outcome, id: entry.token)
    }
}

/// The real time, and waits that are over at once: a wrong repetition shows, and a right one costs no time.
struct ImpatientClock: GatewayClock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}
