import GatewayKitCore

/// The rule for every call under every fault: it ends in one of the documented ways, `unknown` exactly if the request
/// may have been processed and nothing proves what became of it, and what really happened agrees.
struct Judgement {
    let call: ContractCall
    let step: FaultWalk.Step
    let fault: ContractFault
    /// How the call ends without the fault.
    let plain: ContractEnd
    /// The operation that does what the call is for; others may lead up to it.
    let goal: String?

    func findings(_ trace: FaultWalk.Trace) -> [String] {
        [
            ending(trace), ledger(trace), sending(trace), words(trace.end),
            trace.isToldToTheEnd ? [] : ["a call was begun that observers never saw finished"],
        ].flatMap { $0 }
    }

    // MARK: - How it may end

    /// Ways to end, as sets.
    private enum Way { case plain, refused, unknown, thrown }

    private func ending(_ trace: FaultWalk.Trace) -> [String] {
        let way: Way =
            switch trace.end.meaning {
            case .done: .plain
            case .refused: trace.end.name == plain.name ? .plain : .refused
            case .unknown: .unknown
            case .thrown: .thrown
            }
        var found: [String] = []
        if !allowed(trace).contains(way) { found.append("it ends as \(trace.end.name)") }
        if case .thrown(let error) = trace.end.meaning, let code = demandedCode, error.code != code {
            found.append("it throws \(error.code) instead of \(code)")
        }
        if fault.effect == .harmless, way == .plain, trace.end.name != plain.name {
            found.append("it ends as \(trace.end.name) instead of \(plain.name)")
        }
        return found
    }

    private func allowed(_ trace: FaultWalk.Trace) -> Set<Way> {
        let settled = isSettled(trace.wire)
        // An adapter may ask, or send again under a key, and so learn what became of it.
        let lost: Set<Way> =
            if step.isRead {
                // Inside a call that writes, a read may be the one that was to settle what an earlier request did.
                call.isRead ? [.plain, .thrown] : [.plain, .thrown, .unknown]
            } else {
                settled ? [.unknown, .plain, .refused] : [.unknown]
            }
        switch fault.effect {
        case .harmless: return [.plain]
        case .lost: return lost
        case .mayBeLost: return lost.union([.plain])
        case .unknownWords: return step.isRead && !call.isRead ? lost.union([.refused]) : lost.union([.plain])
        case .repeated: return isTwiceHarmless ? lost.union([.plain, .refused]) : lost.union([.plain])
        case .refusesConnection: return call.isRead ? [.plain, .thrown] : [.plain, .thrown, .unknown]
        case .status(let status):
            guard (400..<500).contains(status), status != 408, status != 409 else { return lost }
            // What an earlier request of the same call did is not undone by a later one's refusal.
            if wroteBefore(trace.wire) { return lost.union([.thrown, .refused]) }
            if call.movesMoney { return lost.union([.thrown, .refused, .unknown]) }
            if demandedCode != nil { return step.isRead ? lost : [.thrown] }
            return step.isRead ? lost.union([.refused]) : [.thrown, .refused]
        }
    }

    /// The second delivery of what was done may be answered with "there is none" or "that is over", and nobody sees the
    /// first answer. Where no money moves, the caller loses nothing by being told so.
    private var isTwiceHarmless: Bool { fault.effect == .repeated && !call.movesMoney }

    /// Codes on which callers of any provider rely.
    private var demandedCode: GatewayError.Code? {
        switch fault.effect {
        case .status(401): .credentialsRefused
        case .status(429): .rateLimited
        default: nil
        }
    }

    /// Whether a request before the one that the fault struck may have done something.
    private func wroteBefore(_ wire: [WireLog.Entry]) -> Bool {
        let struck = wire.firstIndex { $0.operation.description.hasSuffix("." + step.operation) } ?? 0
        return wire[..<struck].contains { $0.mayHaveDoneSomething }
    }

    /// Whether something was answered after the request that the fault struck.
    private func isSettled(_ wire: [WireLog.Entry]) -> Bool {
        guard let struck = wire.firstIndex(where: { $0.operation.description.hasSuffix("." + step.operation) }) else {
            return false
        }
        return wire[(struck + 1)...].contains { $0.isAnsweredInFull && $0.repeatability != .once }
    }

    // MARK: - What really happened

    private func ledger(_ trace: FaultWalk.Trace) -> [String] {
        guard !call.isRead else { return [] }
        var found: [String] = []
        let made = trace.records.filter { $0.outcome != .nothing }
        let created = trace.records.filter { $0.outcome == .created }
        for operation in Set(created.map(\.operation)) {
            let count = created.count { $0.operation == operation }
            if count > (fault.effect == .repeated ? 2 : 1) { found.append("\(operation) made \(count) of them") }
        }
        let isDone = made.contains { $0.operation == goal }
        switch trace.end.meaning {
        case .done(let id?):
            if !made.contains(where: { $0.id == id }) { found.append("what the caller was given does not exist") }
        case .done(nil), .unknown: break
        case .refused:
            if isDone, !isTwiceHarmless { found.append("it is told as refused, and it was done") }
        case .thrown(let error):
            if isDone { found.append("it is thrown (\(error.code)), and it was done") }
        }
        return found
    }

    // MARK: - What was sent

    private func sending(_ trace: FaultWalk.Trace) -> [String] {
        var found: [String] = []
        let once = trace.wire.filter { $0.repeatability == .once && $0.reach != .notSent }
        for operation in Set(once.map(\.operation.description)).sorted() {
            let count = once.count { $0.operation.description == operation }
            if count > 1 { found.append("\(operation) was sent \(count) times") }
        }
        let mayHaveArrived = trace.wire.contains { $0.mayHaveDoneSomething }
        switch trace.end.meaning {
        case .unknown(let cause):
            if call.isRead { found.append("a read ends as unknown") }
            if !mayHaveArrived { found.append("it is unknown although nothing can have arrived") }
            if cause.reach == .notSent { found.append("it is unknown, and its cause says that nothing was sent") }
        case .thrown(let error):
            if !call.isRead, error.reach == .sent,
                trace.wire.contains(where: { $0.mayHaveDoneSomething && $0.reach == .sent })
            {
                found.append("it throws although the request may have arrived")
            }
        case .done, .refused: break
        }
        return found
    }

    // MARK: - What is said

    private func words(_ end: ContractEnd) -> [String] {
        guard let error = end.error else { return [] }
        var found: [String] = []
        if !error.message.description.hasSuffix(".") { found.append("the message is no sentence: \(error.message)") }
        if error.advice.isEmpty { found.append("there is no advice") }
        let words = "\(error.message) \(error.advice)"
        if end.isUnknown, !words.contains("may have"), !words.contains("may not have") {
            found.append("it does not say that it may have happened: \(words)")
        }
        return found
    }
}
