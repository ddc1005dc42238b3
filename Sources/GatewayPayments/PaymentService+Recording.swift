import GatewayKitCore

extension PaymentService {
    /// Writes an answer into the journal. The answer is returned whether that succeeds or not.
    func record(_ result: PaymentResult, _ claimed: PaymentAttempt) async -> PaymentOutcome {
        var (change, answer) = AnswerRules.read(result, claimed)
        if claimed.state == .resuming, change.state == .nothingMoved {
            change = AttemptChange(to: .pending, by: "service", note: change.note)
        }
        if case .pending(let action?, _) = answer { change.sealedAction = seal(.action(action), claimed) }
        let (attempt, isRecorded) = await write(change, claimed)
        return PaymentOutcome(result: answer, attempt: attempt, isRecorded: isRecorded, isJoined: false)
    }

    /// Takes the step that an answer proves. The reconciler may have been there first: then the answer is laid on top of
    /// what it found, where the table allows that, and otherwise noted as a contradiction.
    func write(_ change: AttemptChange, _ claimed: PaymentAttempt) async -> (PaymentAttempt, isRecorded: Bool) {
        var current = claimed
        for _ in 0..<3 {
            let verdict: AdvanceVerdict
            do {
                verdict = try await store.advance(current.id, from: current.version, change, holding: nil)
            } catch {
                continue
            }
            switch verdict {
            case .done(let attempt): return (attempt, true)
            case .missing: return (current, false)
            case .notTaken(let now):
                if now.state == change.state { return (now, true) }
                guard now.state.successors.contains(change.state) else {
                    // What is known is more than "unknown", and no contradiction.
                    if change.state == .unknown { return (now, true) }
                    _ = try? await store.remark(
                        now.id, by: "service",
                        "a late answer says \(change.state.rawValue) where the journal has \(now.state.rawValue)")
                    return (now, false)
                }
                current = now
            }
        }
        return (current, false)
    }

    /// What looking at once can make of the answer to a capture, void or refund.
    ///
    /// A refusal that may mean "done already" leaves an adapter with an unknown outcome; the provider's own record of the
    /// operation tells which it is. And a capture or void that was refused because somebody else has done it is not a
    /// failure: the payment is read, and what it shows counts.
    func readUp(_ result: PaymentResult, _ claimed: PaymentAttempt) async -> PaymentResult {
        guard claimed.kind.isChild, let lookup = gateway.payments.lookup else { return result }
        let call = CallContext(timeout: timeout)
        var result = result
        if case .unknown(_, let cause) = result, cause.reach == .answered,
            case .settled(let change)? = try? await look(claimed, margin: .seconds(300), by: "service", call)
        {
            result = change.result ?? result
        }
        guard case .declined = result, claimed.kind != .refund, let target = try? await target(of: claimed),
            case .found(let payment)? = try? await lookup.find(target.reference, since: target.createdAt, call),
            let done = try? await ownChild(of: payment, claimed, allowsOthers: true)
        else { return result }
        return .approved(done)
    }

    /// The attempt on whose transaction a capture, void or refund acts.
    func target(of attempt: PaymentAttempt) async throws(PaymentStoreError) -> PaymentAttempt? {
        guard let id = attempt.targetID else { return nil }
        return try await store.attempt(id)
    }

    /// The one child of a payment's record that an operation of ours can have made: it carries the operation's reference,
    /// or none, is over the same amount, and is not another operation of ours. `nil` when there is none or several.
    ///
    /// - Parameter allowsOthers: Whether a child that somebody else made, with success, counts too.
    func ownChild(
        of payment: PaymentRecord, _ attempt: PaymentAttempt, allowsOthers: Bool = false
    ) async throws(PaymentStoreError) -> PaymentRecord? {
        var candidates: [PaymentRecord] = []
        for child in payment.children where child.kind == attempt.kind.recordKind {
            if allowsOthers, child.state != .succeeded { continue }
            if child.ownReference == attempt.id.description { return child }
            guard child.ownReference == nil || allowsOthers else { continue }
            guard attempt.kind == .void || child.amount == nil || child.amount == attempt.amount else { continue }
            let known = try await store.attempt(providerID: child.id, account: attempt.account)
            if known == nil || known?.id == attempt.id { candidates.append(child) }
        }
        guard candidates.count == 1, var found = candidates.first else { return nil }
        if allowsOthers { found.ownReference = nil }
        return found
    }

    /// The journal's answer for an attempt that is not to be sent.
    func journalResult(_ attempt: PaymentAttempt) throws(NothingMoved) -> PaymentResult {
        switch attempt.state {
        case .approved: return .approved(journalRecord(attempt, .succeeded))
        case .pending: return .pending(unseal(attempt)?.nextAction, journalRecord(attempt, .pending))
        case .declined:
            let decline =
                attempt.decline
                ?? Decline(.unlisted, providerCode: nil, message: "Declined; the journal keeps no reason any more.")
            return .declined(decline, attempt.record)
        case .nothingMoved, .abandoned:
            throw refuse(
                .cancelled, "The attempt \(attempt.id) moved nothing: \(attempt.note ?? "").",
                "Start the intent again.")
        case .prepared:
            throw refuse(
                .timedOut, "Another attempt of the same intent is about to be sent.", "Call again: it will be joined.")
        case .unknown: return .unknown(attempt.reference, cause: cause(attempt, attempt.note ?? "No answer came."))
        case .sending, .resuming:
            return .unknown(
                attempt.reference, cause: cause(attempt, "It is being sent by another process, or its sender has died.")
            )
        }
    }

    private func cause(_ attempt: PaymentAttempt, _ message: SafeText) -> GatewayError {
        GatewayError(
            .connectionLost, message: message,
            advice: "Look it up, or let the reconciler settle it; it is not sent again.", reach: .sent,
            account: attempt.account)
    }

    func journalRecord(_ attempt: PaymentAttempt, _ state: PaymentRecord.State) -> PaymentRecord {
        if let record = attempt.record { return record }
        var record = PaymentRecord(
            id: attempt.providerID ?? "", account: attempt.account, kind: attempt.kind.recordKind, state: state)
        record.amount = attempt.approvedAmount
        record.ownReference = attempt.id.description
        return record
    }
}

extension AttemptChange {
    /// What a step that a record proves means for the caller; `nil` for other steps.
    fileprivate var result: PaymentResult? {
        guard let record else { return nil }
        return switch state {
        case .approved: .approved(record)
        case .pending: .pending(nil, record)
        case .declined: decline.map { .declined($0, record) }
        default: nil
        }
    }
}
