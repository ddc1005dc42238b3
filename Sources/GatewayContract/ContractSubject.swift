import GatewayKitCore

/// What the suite is run on: an account of a provider, and the way to get at it.
public struct ContractSubject: Sendable {
    /// What to call it in reports.
    public var name: String
    /// The provider.
    public var provider: any GatewayProvider
    /// What the provider's public test data do.
    public var testData: ProviderTestData
    /// How what is observed is to be taken.
    public var evidence: Evidence
    /// Prepares the account for one case, or one call of a walk; throws where that is impossible. Stages are apart from
    /// each other where they have controls: what happened on one is not seen on another.
    public var open: @Sendable () throws -> ContractStage

    /// Describes a subject.
    public init(
        _ name: String, _ provider: any GatewayProvider, testData: ProviderTestData, evidence: Evidence,
        open: @escaping @Sendable () throws -> ContractStage
    ) {
        self.name = name
        self.provider = provider
        self.testData = testData
        self.evidence = evidence
        self.open = open
    }

    /// What stands behind an observation.
    public enum Evidence: String, Sendable, Hashable, CaseIterable {
        /// An imitation: it shows that the adapter does what we believe the provider to want.
        case sandbox
        /// The provider itself.
        case account
    }
}

/// An account on which one case can be run.
public struct ContractStage: Sendable {
    /// The account, with its credentials and address.
    public var account: AccountSettings
    /// Network, time and chance. The suite puts its own observer in, and wraps the transport.
    public var runtime: GatewayRuntime
    /// What only an imitation can do; `nil` on a provider's own system.
    public var controls: ContractControls?
    /// Ends the stage. Called once; afterwards every open call must come to an end.
    public var close: @Sendable () -> Void

    /// Describes a stage.
    public init(
        account: AccountSettings, runtime: GatewayRuntime, controls: ContractControls? = nil,
        close: @escaping @Sendable () -> Void = {}
    ) {
        self.account = account
        self.runtime = runtime
        self.controls = controls
        self.close = close
    }
}

/// The hands that the suite has on an imitation of a provider.
public struct ContractControls: Sendable {
    /// The faults that can be switched on.
    public var faults: [ContractFault]
    /// Switches a fault on for the next request of an operation, named without its provider.
    public var strike: @Sendable (ContractFault, _ operation: String) -> Void
    /// What really happened, oldest first.
    public var history: @Sendable () -> [ContractRecord]
    /// Moves the time of both sides on.
    public var advance: @Sendable (Duration) -> Void

    /// Gathers the controls.
    public init(
        faults: [ContractFault],
        strike: @escaping @Sendable (ContractFault, _ operation: String) -> Void,
        history: @escaping @Sendable () -> [ContractRecord], advance: @escaping @Sendable (Duration) -> Void
    ) {
        self.faults = faults
        self.strike = strike
        self.history = history
        self.advance = advance
    }
}

/// Something that really happened at an imitated provider, whatever the caller was told.
public struct ContractRecord: Sendable, Hashable {
    /// The operation, named without its provider.
    public var operation: String
    /// What was done.
    public var outcome: Outcome
    /// The id of what was made, changed or shown.
    public var id: String?

    /// Describes what happened.
    public init(_ operation: String, _ outcome: Outcome, id: String?) {
        self.operation = operation
        self.outcome = outcome
        self.id = id
    }

    /// What was done.
    public enum Outcome: Sendable, Hashable {
        /// Something new exists.
        case created
        /// Something that existed is different now.
        case changed
        /// Nothing is different: it was read or refused.
        case nothing
    }
}

/// One thing that can go wrong with one exchange, and what it does to the certainty of what happened.
public struct ContractFault: Sendable, Hashable, CustomStringConvertible {
    /// The name, such as `answer-lost`.
    public let name: String
    /// What it does.
    public let effect: Effect
    /// Whether the answer never comes, so that only the caller's time limit ends the call.
    public let isEndless: Bool

    /// Describes a fault.
    public init(_ name: String, _ effect: Effect, isEndless: Bool = false) {
        self.name = name
        self.effect = effect
        self.isEndless = isEndless
    }

    /// The name.
    public var description: String { name }

    /// What a fault does to the certainty of what happened.
    public enum Effect: Sendable, Hashable {
        /// The whole answer arrives, if in an odd form: the call ends as it does without the fault.
        case harmless
        /// The answer arrives or is lost, by chance.
        case mayBeLost
        /// The request may have been processed, and no usable answer tells.
        case lost
        /// The answer arrives, but its words for states and kinds are unheard of.
        case unknownWords
        /// The request is delivered twice on the way.
        case repeated
        /// There is no connection.
        case refusesConnection
        /// An answer with this status, and nothing was done.
        case status(Int)
    }
}
