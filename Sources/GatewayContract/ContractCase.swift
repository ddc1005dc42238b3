import GatewayKitCore

/// One case of the contract: what a gateway needs for it, what is done, and what must come back.
///
/// Cases know core only, and no provider: what differs from provider to provider is in ``GatewayKitCore/ProviderTestData``.
public struct ContractCase: Sendable, CustomStringConvertible {
    /// The name, such as `tokens.approved-card`: the capability, a dot, what is shown.
    public let name: String
    /// What must hold, in one sentence.
    public let expectation: String
    /// The capability that it shows; `account` where it is about the account as such.
    public let capability: ContractCapability
    /// Other capabilities that its steps need.
    public let alsoNeeds: [ContractCapability]
    /// Where it may be run.
    public let scope: Scope
    /// Whether it is a walk over all faults, which takes longer.
    public let isUnderFaults: Bool
    let steps: @Sendable (ContractRun) async throws -> Void

    init(
        _ name: String, _ capability: ContractCapability, alsoNeeds: [ContractCapability] = [], _ scope: Scope,
        isUnderFaults: Bool = false, _ expectation: String,
        steps: @escaping @Sendable (ContractRun) async throws -> Void
    ) {
        self.name = name
        self.expectation = expectation
        self.capability = capability
        self.alsoNeeds = alsoNeeds
        self.scope = scope
        self.isUnderFaults = isUnderFaults
        self.steps = steps
    }

    /// The name.
    public var description: String { name }

    /// Where a case may be run.
    public enum Scope: String, Sendable, Hashable, CaseIterable {
        /// Anywhere: it makes tokens of test cards, reads, or sends nothing.
        case anywhere
        /// On a provider's own system only when asked for: it changes what is stored, moves test money, or sends wrong
        /// credentials.
        case onRequest
        /// Only on an imitation: it needs faults, the ledger or a clock that can be moved.
        case imitation
    }
}

/// Something that a gateway may offer, by the name of its property: `tokens`, `vault`, `payments.charging`.
public struct ContractCapability: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The name.
    public let description: String

    init(_ name: String) {
        description = name
    }

    /// The account as such: credentials, address, time limits, cancellation.
    public static let account = ContractCapability("account")
    /// ``GatewayKitCore/Gateway/tokens``.
    public static let tokens = ContractCapability("tokens")
    /// ``GatewayKitCore/Gateway/vault``.
    public static let vault = ContractCapability("vault")
    /// ``GatewayKitCore/Gateway/sessions``.
    public static let sessions = ContractCapability("sessions")
    /// ``GatewayKitCore/PaymentCapabilities/charging``.
    public static let charging = ContractCapability("payments.charging")
    /// ``GatewayKitCore/PaymentCapabilities/capturing``.
    public static let capturing = ContractCapability("payments.capturing")
    /// ``GatewayKitCore/PaymentCapabilities/voiding``.
    public static let voiding = ContractCapability("payments.voiding")
    /// ``GatewayKitCore/PaymentCapabilities/refunding``.
    public static let refunding = ContractCapability("payments.refunding")
    /// ``GatewayKitCore/PaymentCapabilities/crediting``.
    public static let crediting = ContractCapability("payments.crediting")
    /// ``GatewayKitCore/PaymentCapabilities/lookup``.
    public static let lookup = ContractCapability("payments.lookup")

    /// By name.
    public static func < (left: ContractCapability, right: ContractCapability) -> Bool {
        left.description < right.description
    }

    /// Everything that a gateway offers. It looks at the gateway itself, so that a capability which the suite has never
    /// heard of is seen too, and reported as owed.
    public static func offered(by gateway: Gateway) -> Set<ContractCapability> {
        var found = capabilities(of: gateway, prefix: "")
        found.formUnion(capabilities(of: gateway.payments, prefix: "payments."))
        found.insert(.account)
        return found
    }

    private static func capabilities(of value: Any, prefix: String) -> Set<ContractCapability> {
        let offered = Mirror(reflecting: value).children.compactMap { child -> ContractCapability? in
            let mirror = Mirror(reflecting: child.value)
            guard let label = child.label, mirror.displayStyle == .optional, !mirror.children.isEmpty else {
                return nil
            }
            return ContractCapability(prefix + label)
        }
        return Set(offered)
    }
}
