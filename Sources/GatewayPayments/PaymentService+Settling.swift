public import GatewayKitCore

extension PaymentService {
    /// Looks an attempt up at the provider and settles it if that proves something. A read; may be repeated.
    ///
    /// - Parameter margin: How long beyond the provider's longest processing time absence proves nothing yet.
    /// - Throws: ``GatewayError`` when there is no usable answer, or the journal cannot be used.
    public func lookUp(
        _ id: AttemptID, margin: Duration = .seconds(300), _ call: CallContext = CallContext()
    ) async throws(GatewayError) -> PaymentOutcome {
        let attempt: PaymentAttempt
        do throws(NothingMoved) { attempt = try await pinned(id) } catch { throw error.error }
        var current = attempt
        var isRecorded = true
        if attempt.state.isOpen, attempt.state != .prepared {
            if case .settled(let change) = try await look(attempt, margin: margin, by: "look-up", call) {
                (current, isRecorded) = await write(change, attempt)
            }
        }
        do throws(NothingMoved) {
            return PaymentOutcome(
                result: try journalResult(current), attempt: current, isRecorded: isRecorded, isJoined: true)
        } catch {
            throw error.error
        }
    }

    /// A person settles what no look-up can.
    ///
    /// Only for attempts that are unknown or pending, or whose sender has died. It is recorded with name and evidence.
    ///
    /// - Parameters:
    ///   - happened: Whether the money moved.
    ///   - person: Who says so.
    ///   - evidence: What it rests on, such as a line of the provider's statement.
    ///   - providerID: The provider's id of the transaction, where the journal has none.
    /// - Throws: ``GatewayError/Code/invalidInput`` when there is nothing to resolve; another when the journal cannot be
    ///   used.
    public func resolve(
        _ id: AttemptID, happened: Bool, by person: String, evidence: String, providerID: String? = nil
    ) async throws(GatewayError) -> PaymentAttempt {
        do throws(NothingMoved) {
            let attempt = try await pinned(id)
            let (name, proof) = try checked { () throws(PaymentInputProblem) in
                if let providerID { _ = try PaymentInputProblem.checkID(providerID, "the provider's id") }
                return (
                    try PaymentInputProblem.checkText(person, "the person"),
                    try PaymentInputProblem.checkText(evidence, "the evidence")
                )
            }
            let now = try await entering { () async throws(PaymentStoreError) in try await store.now() }
            let isLeft = attempt.state.isUnderWay && attempt.isDue(at: now) && exchanges[id] == nil
            guard attempt.state == .unknown || attempt.state == .pending || isLeft else {
                throw refuse(
                    .invalidInput, "The attempt is \(attempt.state.rawValue): there is nothing to resolve.",
                    "Only what is unknown or pending, or was left behind, is resolved by a person.")
            }
            if attempt.usesPage, attempt.state == .pending, !happened, unseal(attempt)?.page != nil {
                throw refuse(
                    .invalidInput, "The page is open: the shopper may still pay on it.",
                    "Let the reconciler see it end, or give the order up: a payment is then told as a late approval.")
            }
            let state: AttemptState =
                happened ? .approved : attempt.state.successors.contains(.nothingMoved) ? .nothingMoved : .declined
            var change = AttemptChange(
                to: state, by: name, note: "resolved by a person: \(happened ? "happened" : "did not happen"); \(proof)"
            )
            change.providerID = providerID
            let step = change
            let verdict = try await entering { () async throws(PaymentStoreError) in
                try await store.advance(id, from: attempt.version, step, holding: nil)
            }
            guard case .done(let resolved) = verdict else {
                throw refuse(.invalidInput, "The attempt changed meanwhile.", "Show it again.")
            }
            return resolved
        } catch {
            throw error.error
        }
    }

    /// The caller gives the order up. What is under way is not touched; an approval found later is a late one. May be
    /// repeated: the first time counts.
    ///
    /// - Parameter by: Who gives it up, for the journal: 1 to 128 characters without control characters.
    /// - Throws: ``GatewayError/Code/notFound``, ``GatewayError/Code/configuration`` for an intent of another account, or
    ///   another when the name or the journal cannot be used.
    public func giveUp(_ intentID: String, by: String) async throws(GatewayError) -> StoredIntent {
        do throws(NothingMoved) {
            let name = try checked { () throws(PaymentInputProblem) in try PaymentInputProblem.checkText(by, "the name")
            }
            let known = try await entering { () async throws(PaymentStoreError) in try await store.intent(intentID) }
            guard let known else { throw noSuchIntent }
            guard known.intent.account == gateway.account else {
                throw refuse(
                    .configuration, "The intent belongs to the account \(known.intent.account).",
                    "Use the service of that account.")
            }
            let stored = try await entering { () async throws(PaymentStoreError) in
                try await store.giveUp(intentID, by: name)
            }
            guard let stored else { throw noSuchIntent }
            return stored
        } catch {
            throw error.error
        }
    }

    private var noSuchIntent: NothingMoved {
        refuse(.notFound, "The journal has no such intent.", "'gatewayctl pay list' shows what it has.")
    }

    /// One look at the provider, weighed.
    func look(
        _ attempt: PaymentAttempt, margin: Duration, by: String, _ call: CallContext
    ) async throws(GatewayError) -> SettlementRules.Verdict {
        guard !attempt.usesPage else { return try await lookAtPage(attempt, margin: margin, by: by, call) }
        guard let lookup = gateway.payments.lookup else {
            return .unsettled("Account \(gateway.account) has no look-up: a person must resolve it.")
        }
        let since = attempt.createdAt.adding(seconds: -60)
        do {
            let target = try await target(of: attempt)
            var evidence = SettlementRules.Evidence(
                finding: try await lookup.find(attempt.reference, since: since, call),
                targetProviderID: target?.providerID, absenceCountsAfter: lookup.longestProcessingTime + margin,
                knownPaymentIsVisible: true, now: try await store.now())
            if case .absent(let witnesses) = evidence.finding {
                if let target, target.providerID != nil,
                    case .found(let payment) = try await lookup.find(target.reference, since: target.createdAt, call)
                {
                    if let child = try await ownChild(of: payment, attempt) {
                        evidence.finding = .found(child)
                    } else {
                        evidence.finding = .absent(witnesses: witnesses + [payment.id])
                    }
                }
                let verdict = SettlementRules.judge(attempt, evidence, by: by)
                guard case .settled(let change) = verdict, change.state == .nothingMoved else { return verdict }
                // Asked last, because it costs a provider's list one more call.
                evidence.knownPaymentIsVisible = try await knownPaymentIsVisible(lookup, call)
            }
            return SettlementRules.judge(attempt, evidence, by: by)
        } catch let error as GatewayError {
            throw error
        } catch {
            throw refuse(
                .unreachable, "The journal cannot be used: \((error as? PaymentStoreError)?.message ?? "")",
                "Mend it, then look again."
            ).error
        }
    }

    /// The look-up that must succeed: the newest payment that the journal knows to be at the provider.
    private func knownPaymentIsVisible(_ lookup: any PaymentLookup, _ call: CallContext) async throws -> Bool {
        var filter = AttemptFilter()
        filter.states = [.approved]
        filter.account = gateway.account
        filter.limit = 20
        let known = try await store.attempts(filter).first { !$0.kind.isChild && $0.providerID != nil }
        guard let known else { return true }
        guard case .found(let record) = try await lookup.find(known.reference, since: known.createdAt, call) else {
            return false
        }
        return record.id == known.providerID
    }
}
