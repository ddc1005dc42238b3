import GatewayKitCore

/// The contract that every adapter has to keep: cases that are the same for all of them.
///
/// It needs no testing library: an outcome is a value.
///
/// ```swift
/// let subject = try SandboxSubject.make(SpreedlyProvider())
/// print(await ContractSuite.run(subject))
/// ```
public enum ContractSuite {
    /// All cases, in the order in which they are run and reported.
    public static let cases: [ContractCase] =
        AccountCases.all + TokenCases.all + SessionCases.all + CheckoutCases.all + CustomerCases.all
        + VaultCases.all + PaymentCases.all
        + FaultCases.all

    /// Which cases to run, and how long each may take.
    public struct Selection: Sendable {
        /// Only the case of this name; it is run wherever it can be.
        public var name: String?
        /// Whether cases of ``ContractCase/Scope/onRequest`` are run on a provider's own system. On an imitation they
        /// always are.
        public var includesOnRequest = false
        /// Whether the walks over all faults are run.
        public var includesFaults = false
        /// How long a case may take, a walk ten times as long. A case that takes longer has failed, and the run goes on.
        public var timeLimit = Duration.seconds(120)

        /// The plain cases.
        public init(name: String? = nil, includesOnRequest: Bool = false, includesFaults: Bool = false) {
            self.name = name
            self.includesOnRequest = includesOnRequest
            self.includesFaults = includesFaults
        }

        /// Whether this selection means a case.
        public func includes(_ test: ContractCase) -> Bool {
            if let name { return test.name == name }
            return includesFaults || !test.isUnderFaults
        }
    }

    /// Runs the selected cases, one after the other and in their order; a case that fails does not end the run.
    ///
    /// - Parameter progress: Is told each outcome as it comes.
    public static func run(
        _ subject: ContractSubject, _ selection: Selection = Selection(),
        progress: @Sendable (ContractOutcome) -> Void = { _ in }
    ) async -> ContractReport {
        var outcomes: [ContractOutcome] = []
        for test in cases where selection.includes(test) {
            guard !Task.isCancelled else { break }
            let outcome = await test.run(subject, selection)
            progress(outcome)
            outcomes.append(outcome)
        }
        return ContractReport(subject, outcomes, isWhole: selection.name == nil)
    }
}

extension ContractCase {
    /// Runs the case on a stage of its own.
    public func run(
        _ subject: ContractSubject, _ selection: ContractSuite.Selection = ContractSuite.Selection()
    ) async -> ContractOutcome {
        let stage: ContractStage
        do {
            stage = try subject.open()
        } catch {
            return outcome(.failed(["the stage cannot be opened: \(error)"]))
        }
        defer { stage.close() }
        if stage.controls == nil, let reason = reservation(selection) { return outcome(.skipped(reason)) }
        let run = ContractRun(subject, stage)
        if let missing = missing(in: run) { return outcome(missing) }
        run.wire.forget()

        let clock = ContinuousClock()
        let started = clock.now
        let limit = selection.timeLimit * (isUnderFaults ? 10 : 1)
        let verdict = await Bounded.run(within: limit) { await self.verdict(run) }
        var result = outcome(verdict ?? .failed(run.findings + ["it did not end within \(limit)"]))
        result.observed = run.observed
        result.duration = started.duration(to: clock.now)
        return result
    }

    /// Why the case is not run where the suite has no hands on the other side.
    private func reservation(_ selection: ContractSuite.Selection) -> String? {
        switch scope {
        case .anywhere: nil
        case .imitation: "only an imitation shows it"
        case .onRequest:
            selection.includesOnRequest || selection.name != nil ? nil : "only on request on a provider's own system"
        }
    }

    private func missing(in run: ContractRun) -> ContractOutcome.Verdict? {
        do {
            let offered = ContractCapability.offered(by: try run.gateway())
            let missing = ([capability] + alsoNeeds).filter { !offered.contains($0) }
            guard missing.isEmpty else {
                return .skipped("the gateway does not offer " + missing.map(\.description).joined(separator: ", "))
            }
            return nil
        } catch {
            return .failed(["the gateway cannot be built: \(error)"])
        }
    }

    private func verdict(_ run: ContractRun) async -> ContractOutcome.Verdict {
        var stopped: ContractRun.Stop?
        do {
            try await steps(run)
        } catch let stop as ContractRun.Stop {
            stopped = stop
        } catch {
            run.note("it throws: \(error)")
        }
        run.searchForLeaks()
        guard run.findings.isEmpty else { return .failed(run.findings) }
        switch stopped {
        case .skipped(let reason): return .skipped(reason)
        case .owed(let what): return .owed(what)
        case .failed: return .failed(["it could not be carried out"])
        case nil: return .passed
        }
    }

    private func outcome(_ verdict: ContractOutcome.Verdict) -> ContractOutcome {
        ContractOutcome(
            name: name, expectation: expectation, capability: capability, isUnderFaults: isUnderFaults,
            verdict: verdict)
    }
}
