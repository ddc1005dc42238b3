import GatewayKitCore

/// What became of one case.
public struct ContractOutcome: Sendable, CustomStringConvertible {
    /// The case's name.
    public let name: String
    /// What must hold, in one sentence.
    public let expectation: String
    /// The capability that the case shows.
    public let capability: ContractCapability
    /// Whether it is a walk over all faults.
    public let isUnderFaults: Bool
    /// How it ended.
    public internal(set) var verdict: Verdict
    /// How the calls ended that it was about, such as `token, reusable`; each once, in order.
    public internal(set) var observed: [String] = []
    /// How long it took.
    public internal(set) var duration = Duration.zero

    /// How a case ended.
    public enum Verdict: Sendable, Hashable {
        /// Everything was as it must be.
        case passed
        /// What was not as it must be.
        case failed([String])
        /// It does not apply, and why.
        case skipped(String)
        /// Something that it needs has not been supplied by the provider's parts.
        case owed(String)

        /// `passed`, `failed`, `skipped` or `owed`.
        public var word: String {
            switch self {
            case .passed: "passed"
            case .failed: "failed"
            case .skipped: "skipped"
            case .owed: "owed"
            }
        }
    }

    /// Whether something was found. A case that was skipped, or is owed something, has found nothing.
    public var isFailure: Bool { if case .failed = verdict { true } else { false } }

    /// Why, a line each.
    public var reasons: [String] {
        switch verdict {
        case .passed: []
        case .failed(let findings): findings
        case .skipped(let reason), .owed(let reason): [reason]
        }
    }

    /// One line, and one more for each thing found.
    public var description: String {
        let word = isFailure ? "FAILED" : verdict.word
        let line = word + String(repeating: " ", count: 9 - word.utf8.count) + name
        switch verdict {
        case .passed: return line
        case .failed(let findings): return line + findings.map { "\n         \($0)" }.joined()
        case .skipped(let reason), .owed(let reason): return line + ": " + reason
        }
    }
}

/// What came of a run.
public struct ContractReport: Sendable, CustomStringConvertible {
    /// The subject's name.
    public let subject: String
    /// The provider.
    public let provider: ProviderID
    /// What stands behind the observations.
    public let evidence: ContractSubject.Evidence
    /// What became of each case, in the order of the run.
    public let outcomes: [ContractOutcome]
    /// What the gateway offers; empty for a run of one case, which says nothing about the rest.
    public let offered: [ContractCapability]

    /// Gathers the outcomes of cases that were run one by one. Opens a stage to see what the gateway offers.
    ///
    /// - Parameter isWhole: Whether the cases were to show everything that the gateway offers.
    public init(_ subject: ContractSubject, _ outcomes: [ContractOutcome], isWhole: Bool = true) {
        self.subject = subject.name
        provider = subject.provider.id
        evidence = subject.evidence
        self.outcomes = outcomes
        offered = isWhole ? Self.offered(by: subject) : []
    }

    private static func offered(by subject: ContractSubject) -> [ContractCapability] {
        guard let stage = try? subject.open() else { return [] }
        defer { stage.close() }
        let registry = ProviderRegistry([subject.provider])
        guard let gateway = try? registry.gateway(stage.account, stage.runtime) else { return [] }
        return ContractCapability.offered(by: gateway).sorted()
    }

    /// Whether no case failed. What is owed does not fail a run; see ``owed``.
    public var isPassed: Bool { !outcomes.contains(where: \.isFailure) }

    /// What is still owed for this provider: capabilities that the gateway offers and no case of the run has shown,
    /// and test data that the provider's parts do not supply.
    public var owed: [String] {
        let shown = Set(outcomes.filter { $0.verdict == .passed }.map(\.capability))
        let capabilities = offered.filter { !shown.contains($0) }.map { capability in
            "\(capability): the gateway offers it, and no case has shown it"
        }
        var facts: [String] = []
        for outcome in outcomes {
            if case .owed(let what) = outcome.verdict, !facts.contains(what) { facts.append(what) }
        }
        return capabilities + facts
    }

    /// How many cases ended with this word.
    public func count(_ word: String) -> Int { outcomes.count { $0.verdict.word == word } }

    /// The outcomes, what is owed, and a closing line.
    public var description: String {
        var lines = ["\(subject) (\(evidence == .sandbox ? "sandbox" : "a provider's own system"))"]
        lines += outcomes.map(\.description)
        lines += owed.map { "OWED     \($0)" }
        lines.append(closing)
        return lines.joined(separator: "\n")
    }

    /// How many cases passed, failed and so on, in one line.
    public var closing: String {
        let counts = ["passed", "failed", "skipped", "owed"].map { "\(count($0)) \($0)" }
        return counts.joined(separator: ", ") + " of \(outcomes.count) cases"
    }
}
