import GatewayKitCore

/// What an answer or a finding means for an attempt. Pure.
///
/// Success needs explicit proof, and so does "it did not happen". Evidence that contradicts itself, or does not fit the
/// attempt, proves nothing.
enum AnswerRules {
    /// What is wrong with a record as evidence for an attempt; `nil` when it fits.
    static func contradiction(
        _ record: PaymentRecord, _ attempt: PaymentAttempt, targetProviderID: String? = nil
    ) -> SafeText? {
        if record.account != attempt.account { return "it belongs to another account" }
        if record.kind != attempt.kind.recordKind, record.kind != .other {
            return "it is a \(record.kind), not a \(attempt.kind.recordKind)"
        }
        if let reference = record.ownReference, reference != attempt.id.description {
            return "it carries another reference"
        }
        if let known = attempt.providerID, known != record.id { return "it has another id than the first answer told" }
        if let parent = record.parentID, let targetProviderID, parent != targetProviderID {
            return "it belongs to another payment"
        }
        guard let amount = record.amount, attempt.kind != .verify, attempt.kind != .void else { return nil }
        if amount.currency != attempt.amount.currency { return "it is in another currency" }
        if amount.minorUnits > attempt.amount.minorUnits || amount.minorUnits <= 0 {
            return "it is over \(amount) where \(attempt.amount) was asked for"
        }
        return nil
    }

    /// The step that a record proves; `nil` when it proves nothing.
    static func change(_ record: PaymentRecord, by: String, note: SafeText) -> AttemptChange? {
        let state: AttemptState
        switch record.state {
        case .succeeded: state = .approved
        case .pending: state = .pending
        case .failed: state = .declined
        default: return nil
        }
        var change = AttemptChange(to: state, by: by, note: note)
        change.record = record
        if state == .declined {
            change.decline =
                record.decline
                ?? Decline(.unlisted, providerCode: record.providerState, message: "The provider gives no reason.")
        }
        return change
    }

    /// What an adapter's answer to the attempt's own exchange comes to: the step, and the result for the caller.
    static func read(_ result: PaymentResult, _ attempt: PaymentAttempt) -> (AttemptChange, PaymentResult) {
        switch result {
        case .approved(let record), .pending(_, let record):
            if let problem = contradiction(record, attempt) {
                return doubt(attempt, record, "The answer does not fit the request: \(problem).")
            }
            var isPending = false
            if case .pending = result { isPending = true }
            guard record.state == (isPending ? .pending : .succeeded) else {
                return doubt(attempt, record, "The answer contradicts itself: its state is \(record.state).")
            }
            var change = AttemptChange(
                to: isPending ? .pending : .approved, by: "service", note: isPending ? "it goes on" : "approved")
            change.record = record
            return (change, result)
        case .declined(let decline, let record):
            var change = AttemptChange(to: .declined, by: "service", note: "declined: \(decline.reason)")
            change.decline = decline
            change.record = record
            return (change, result)
        case .invalid(let issues):
            let fields = issues.map { "\($0.field)" }.joined(separator: ", ")
            return (AttemptChange(to: .nothingMoved, by: "service", note: "refused for its fields: \(fields)"), result)
        case .unknown(let reference, let cause):
            var change = AttemptChange(to: .unknown, by: "service", note: cause.message)
            change.providerID = reference.providerID
            return (change, result)
        }
    }

    private static func doubt(
        _ attempt: PaymentAttempt, _ record: PaymentRecord, _ message: SafeText
    ) -> (AttemptChange, PaymentResult) {
        let cause = GatewayError(
            .unreadableAnswer, message: message, advice: "Look the payment up before anything else is done.",
            reach: .answered, account: attempt.account)
        var change = AttemptChange(to: .unknown, by: "service", note: message)
        change.providerID = record.id
        var reference = attempt.reference
        reference.providerID = record.id
        return (change, .unknown(reference, cause: cause))
    }
}

/// What looking an attempt up comes to. Pure.
enum SettlementRules {
    /// What was found, and what is needed to weigh it.
    struct Evidence {
        var finding: PaymentFinding
        /// The provider's id of the payment or capture that the attempt acts on.
        var targetProviderID: String?
        /// How long a payment can still turn up, with the margin.
        var absenceCountsAfter: Duration
        /// Whether a look-up that must succeed did so: of a payment that is known to be there. `true` where none is known.
        var knownPaymentIsVisible: Bool
        var now: WallTime
    }

    enum Verdict: Equatable {
        case settled(AttemptChange)
        /// Why not.
        case unsettled(SafeText)
    }

    static func judge(_ attempt: PaymentAttempt, _ evidence: Evidence, by: String) -> Verdict {
        switch evidence.finding {
        case .found(let record):
            if let problem = AnswerRules.contradiction(
                record, attempt, targetProviderID: evidence.targetProviderID)
            {
                return .unsettled("What the provider shows does not fit: \(problem).")
            }
            guard let change = AnswerRules.change(record, by: by, note: "found at the provider") else {
                return .unsettled("The provider does not know either.")
            }
            guard attempt.state.successors.contains(change.state) else {
                return .unsettled("It is still \(attempt.state.rawValue) at the provider.")
            }
            return .settled(change)
        case .absent(let witnesses):
            return judgeAbsence(attempt, witnesses, evidence, by: by)
        }
    }

    private static func judgeAbsence(
        _ attempt: PaymentAttempt, _ witnesses: [String], _ evidence: Evidence, by: String
    ) -> Verdict {
        guard attempt.state == .sending || attempt.state == .unknown else {
            return .unsettled("The provider had it, and does not show it now.")
        }
        // A transaction with an id has been there; its absence is a fault of the list.
        guard attempt.providerID == nil else {
            return .unsettled("The provider told its id, and does not show it now.")
        }
        let last = attempt.answerDueAt ?? attempt.sentAt ?? attempt.createdAt
        let proofAt = last.adding(seconds: evidence.absenceCountsAfter.components.seconds)
        guard evidence.now > proofAt else {
            return .unsettled("The provider does not show it; that proves nothing before \(proofAt).")
        }
        guard !witnesses.isEmpty else {
            return .unsettled("The provider does not show it, but shows nothing else either.")
        }
        guard evidence.knownPaymentIsVisible else {
            return .unsettled("The provider does not show it, nor a payment that is certainly there.")
        }
        return .settled(
            AttemptChange(
                to: .nothingMoved, by: by,
                note: "not at the provider after its longest processing time, with \(count: witnesses.count) witnesses")
        )
    }
}
