import GatewayKitCore
import GatewayPayments
import GatewaySandbox

/// Compares what the journal says, and what callers were told, with what really happened.
struct Verdict {
    let service: PaymentService
    let ledger: [LedgerEntry]
    let told: [(AttemptID, String)]
    let intents: Int
    let unsettled: [PaymentAttempt]

    func problems() async throws -> [String] {
        var problems: [String] = []
        var filter = AttemptFilter()
        filter.limit = 1_000_000
        let attempts = try await service.store.attempts(filter)
        let byReference = Dictionary(uniqueKeysWithValues: attempts.map { ($0.id.description, $0) })
        var moved: [String: [LedgerEntry]] = [:]
        for entry in ledger where entry.movement != nil { moved[entry.ownReference ?? "", default: []].append(entry) }
        // One request that the way to the provider doubled is the provider's own double charge: it must not be hidden.
        let doubled = Set(moved.filter { $0.value.contains { $0.fault == "duplicate-delivery" } }.keys)

        for (reference, entries) in moved {
            guard let attempt = byReference[reference] else {
                problems.append("the ledger has \(entries.map(\.operation)) under '\(reference)', the journal nothing")
                continue
            }
            if entries.count > 1, !doubled.contains(reference) {
                problems.append("\(attempt.id) was sent more than once")
            }
            if attempt.state != .approved, !doubled.contains(reference) {
                problems.append("\(attempt.id) moved money and is \(attempt.state.rawValue)")
            }
            if [.declined, .nothingMoved, .abandoned, .prepared].contains(attempt.state) {
                problems.append("\(attempt.id) moved money and is called \(attempt.state.rawValue)")
            }
            if attempt.kind != .void, let amount = entries.first?.movement?.amount, attempt.state == .approved,
                amount != attempt.approvedAmount.minorUnits
            {
                problems.append("\(attempt.id) is over \(amount), the journal has \(attempt.approvedAmount)")
            }
        }
        for attempt in attempts where attempt.state == .approved {
            if moved[attempt.id.description] == nil { problems.append("\(attempt.id) is approved, and nothing moved") }
        }
        for attempt in unsettled where !doubled.contains(attempt.id.description) {
            problems.append("\(attempt.id) is still \(attempt.state.rawValue): \(attempt.note ?? "")")
        }
        for (id, result) in told {
            let hasMoved = moved[id.description] != nil
            if result == "declined" && hasMoved { problems.append("\(id) was called declined and had moved money") }
            if result == "approved" && !hasMoved { problems.append("\(id) was called approved and had moved nothing") }
        }
        problems += try await intentProblems(moved)
        problems += try await duplicateProblems(moved, doubled)
        return problems
    }

    private func intentProblems(_ moved: [String: [LedgerEntry]]) async throws -> [String] {
        var problems: [String] = []
        for number in 0..<intents {
            guard let stored = try await service.store.intent("order-\(number)") else { continue }
            let charges = stored.attempts.filter { !$0.kind.isChild && moved[$0.id.description] != nil }
            if charges.count > 1 { problems.append("order-\(number) was charged by \(charges.count) attempts") }
            for payment in charges {
                let children = stored.attempts.filter { $0.parentID == payment.id && moved[$0.id.description] != nil }
                let refunded = children.filter { $0.kind == .refund }.map(\.approvedAmount.minorUnits).reduce(0, +)
                let captured = children.filter { $0.kind == .capture }.map(\.approvedAmount.minorUnits).reduce(0, +)
                if refunded > payment.amount.minorUnits || captured > payment.amount.minorUnits {
                    problems.append("order-\(number): more was captured or refunded than was paid")
                }
            }
        }
        return problems
    }

    /// What was done twice on the way must be shown by the comparison, or stay unknown.
    /// The journal must know all that the provider has, too.
    private func duplicateProblems(
        _ moved: [String: [LedgerEntry]], _ doubled: Set<String>
    ) async throws -> [String] {
        guard let first = ledger.first?.time else { return [] }
        let end = try await service.store.now().adding(seconds: 1)
        let comparison = try await service.compare(
            from: first.adding(seconds: -10), to: end, CallContext(timeout: .seconds(120)))
        let shown = Set(comparison.duplicates.map(\.attempt.id.description))
        let open = Set(unsettled.map(\.id.description))
        return doubled.filter { (moved[$0]?.count ?? 0) > 1 && !shown.contains($0) && !open.contains($0) }
            .map { "\($0) was charged twice by a doubled request, and nobody tells" }
            + comparison.strangers.map { "\($0.id) is a stranger to the journal" }
    }

    var summary: String {
        let movements = ledger.filter { $0.movement != nil }
        let lost = movements.count { $0.delivery == .lost }
        return "\(movements.count) movements of money in the ledger, \(lost) of them with a lost answer; "
            + "\(told.count) results told; \(unsettled.count) left for a person (requests that were doubled on the way)"
    }
}
