import GatewayKitCore

/// Makes one call under every fault, at every request that it consists of, and judges each end by the one rule for all.
struct FaultWalk: Sendable {
    let run: ContractRun
    let call: ContractCall
    let controls: ContractControls

    /// A request of the call, as the undisturbed call showed it.
    struct Step: Sendable, Hashable {
        let operation: String
        let isRead: Bool
    }

    /// What one call left behind.
    struct Trace: Sendable {
        let end: ContractEnd
        let wire: [WireLog.Entry]
        let records: [ContractRecord]
        /// Whether every call that was begun was told as finished.
        let isToldToTheEnd: Bool
    }

    func walk() async throws {
        let plain = try await trace(CallContext(timeout: .seconds(60)), "without a fault") { _ in }
        run.observe(plain.end.name)
        guard case .done = plain.end.meaning else {
            run.note("without a fault it ends as \(plain.end.name): \(plain.end.error.map { "\($0)" } ?? "")")
            return
        }
        let steps = Self.steps(plain, call, run.subject.provider.id)
        let goal = Self.goal(plain)
        run.expect(!steps.isEmpty, "the call left nothing in the ledger: no fault can strike it")
        for step in steps {
            for fault in controls.faults {
                try Task.checkCancellation()
                let context = "\(step.operation) under \(fault)"
                let trace = try await trace(of: fault, at: step, context)
                run.observe(trace.end.name)
                let judgement = Judgement(call: call, step: step, fault: fault, plain: plain.end, goal: goal)
                for finding in judgement.findings(trace) { run.note("\(context): \(finding)") }
            }
        }
    }

    /// An endless fault takes all the time that the call has: little, or more on a machine so busy that the request did
    /// not arrive in it.
    private func trace(of fault: ContractFault, at step: Step, _ context: String) async throws -> Trace {
        let limits: [Duration] =
            fault.isEndless ? [.milliseconds(150), .seconds(1), .seconds(8), .seconds(40)] : [.seconds(60)]
        var last: Trace?
        for limit in limits {
            let trace = try await trace(CallContext(timeout: limit), context) { $0.strike(fault, step.operation) }
            if !fault.isEndless || trace.records.contains(where: { $0.operation == step.operation }) { return trace }
            last = trace
        }
        return try last ?? run.stop(.failed)
    }

    /// Makes the call once, on a stage of its own: what a fault leaves behind, such as a kept connection that is dead,
    /// must not strike the next call.
    private func trace(
        _ context: CallContext, _ place: String, strike: (ContractControls) -> Void
    ) async throws -> Trace {
        let stage = try run.subject.open()
        defer { stage.close() }
        let part = ContractRun(run.subject, stage, partOf: run)
        defer { for finding in part.findings { run.note("\(place): \(finding)") } }
        guard let controls = stage.controls else { throw ContractRun.Stop.failed }
        let prepared = try await call.prepare(part)
        let before = controls.history().count
        part.wire.forget()
        part.events.forget()
        strike(controls)
        let end = part.see(try await call.make(part, prepared, context))
        part.searchForLeaks()
        return Trace(
            end: end, wire: part.wire.entries, records: Array(controls.history().dropFirst(before)),
            isToldToTheEnd: part.events.count(.callStarted) == part.events.count(.callFinished))
    }

    private static func goal(_ plain: Trace) -> String? {
        guard case .done(let id?) = plain.end.meaning else { return nil }
        return plain.records.last { $0.outcome != .nothing && $0.id == id }?.operation
    }

    /// What was seen at the provider, each operation once, and whether it is a read by what the adapter said of it.
    private static func steps(_ plain: Trace, _ call: ContractCall, _ provider: ProviderID) -> [Step] {
        var steps: [Step] = []
        for record in plain.records where !steps.contains(where: { $0.operation == record.operation }) {
            let sent = plain.wire.first { $0.operation.description == "\(provider).\(record.operation)" }
            steps.append(Step(operation: record.operation, isRead: sent?.isRead ?? call.isRead))
        }
        return steps
    }
}
