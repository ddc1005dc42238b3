public import GatewayKitCore

/// Pages of the provider's that take money.
extension PaymentService {
    /// How long a payment on a page can take to turn up, where the provider's look-up does not say.
    static let pageProcessingTime = Duration.seconds(600)

    /// Opens a page on which the shopper pays an intent, or gives back the one that is open.
    ///
    /// The page is handed out only after the journal durably holds it, as a pending attempt with the page as its next
    /// action. At most one page of an intent is open, and none while the intent is being paid another way. May be
    /// repeated, by any thread, process or restart, under any key: there is one page. Only after it has ended without a
    /// payment does another key open another.
    ///
    /// What becomes of it is read from the provider, by ``lookUp(_:margin:_:)``, ``resume(_:_:)`` or the reconciler. What
    /// the address says that the shopper's browser came back to is a hint: see ``verdict(on:of:)``.
    /// - Throws: ``NothingMoved``: no page was handed out, so that nobody can pay.
    public func openCheckout(
        _ intent: PaymentIntent, _ instruction: CheckoutInstruction, _ call: CallContext = CallContext()
    ) async throws(NothingMoved) -> OpenedCheckout {
        guard let checkout = gateway.checkout, let tokens = gateway.tokens else { throw unsupported("open pages") }
        guard sealer != nil else {
            throw refuse(
                .configuration, "Pages that take money need a sealer: the journal must keep them.",
                "Give the service a sealer.")
        }
        let fingerprint = try authenticated { () throws(GatewayError) in
            try instruction.fingerprint(intent, authenticator)
        }
        var new = NewAttempt(
            id: .make(random), kind: .purchase, key: try key(instruction.key),
            fingerprint: fingerprint)
        new.usesPage = true
        // Found wrong before anything is written.
        _ = try checked { () throws(PaymentInputProblem) in try instruction.completed(intent, new.id) }
        let outcome = try await begin(intent, new, call) { (attempt, call) async throws(NothingMoved) in
            let asked = try checked { () throws(PaymentInputProblem) in
                try instruction.completed(intent, attempt.id)
            }
            return try await open(asked, attempt, tokens, checkout, call)
        }
        guard outcome.attempt.state == .pending, let page = unseal(outcome.attempt)?.page else {
            return OpenedCheckout(payment: outcome, page: nil)
        }
        let stored = try await entering { () async throws(PaymentStoreError) in try await store.intent(intent.id) }
        guard stored?.givenUpAt == nil else {
            // Its address is not told in the result either.
            return OpenedCheckout(
                payment: PaymentOutcome(
                    result: .pending(nil, journalRecord(outcome.attempt, .pending)), attempt: outcome.attempt,
                    isRecorded: outcome.isRecorded, isJoined: outcome.isJoined), page: nil)
        }
        return OpenedCheckout(payment: outcome, page: page)
    }

    private func open(
        _ asked: CheckoutInstruction, _ attempt: PaymentAttempt, _ tokens: any TokenProvider,
        _ checkout: any HostedCheckout, _ call: CallContext
    ) async throws(NothingMoved) -> PaymentOutcome {
        let page: CheckoutPage
        let end = clock.now.advanced(by: call.timeout ?? timeout)
        do throws(GatewayError) {
            let session = try await tokens.openSession(asked.session, call)
            let left = clock.now.duration(to: end)
            guard left > .zero else {
                throw GatewayError(.timedOut, message: "The time for it passed.", advice: "Call again.")
            }
            let rest = CallContext(timeout: left, correlationID: call.correlationID)
            page = try await checkout.page(asked.page, for: session, rest)
        } catch {
            // Nobody but the provider has the page, if there is one.
            throw refuse(error.code, "No page was opened: \(error.message)", error.advice)
        }
        guard page.amount == nil || page.amount == attempt.amount,
            page.session.accountName == gateway.account.description
        else {
            throw refuse(
                .unreadableAnswer, "The provider's page is for another amount or account.", "Nobody was sent there.")
        }
        guard let sealed = seal(.page(page), attempt) else {
            throw refuse(
                .configuration, "The page cannot be sealed for the journal.", "Nobody was sent there. Check the key.")
        }
        var change = AttemptChange(to: .pending, by: "service", note: "the page is open")
        change.sealedAction = sealed
        let (current, isRecorded) = await write(change, attempt)
        guard isRecorded, current.state == .pending, current.sealedAction == sealed else {
            throw refuse(
                .unreachable, "The journal does not hold the page, so it is not handed out.",
                "Nobody was sent there. Mend the journal, then call again.")
        }
        return PaymentOutcome(
            result: .pending(StoredAction.page(page).nextAction, journalRecord(current, .pending)), attempt: current,
            isRecorded: true, isJoined: false)
    }

    /// What an address that the shopper's browser has reached says about an attempt's page. A hint for what to show next:
    /// it changes nothing in the journal, and no word of it proves anything. Asks no provider.
    /// - Throws: ``NothingMoved`` when there is no such page, it is over, or the journal cannot be used.
    public func verdict(on url: String, of id: AttemptID) async throws(NothingMoved) -> CheckoutVerdict {
        guard let checkout = gateway.checkout else { throw unsupported("judge pages") }
        let attempt = try await pinned(id)
        guard let page = unseal(attempt)?.page else {
            throw refuse(
                .invalidInput, "The attempt \(id) has no page that is open.",
                "What became of it is in the journal: show it.")
        }
        return checkout.verdict(on: url, of: page)
    }

    /// Going on after a page is reading what became of it.
    func afterPage(_ attempt: PaymentAttempt, _ call: CallContext) async throws(NothingMoved) -> PaymentOutcome {
        do throws(GatewayError) {
            return try await lookUp(attempt.id, call)
        } catch {
            throw refuse(error.code, error.message, error.advice)
        }
    }

    /// One look at what became of a page.
    func lookAtPage(
        _ attempt: PaymentAttempt, margin: Duration, by: String, _ call: CallContext
    ) async throws(GatewayError) -> SettlementRules.Verdict {
        let now: WallTime
        do throws(PaymentStoreError) {
            now = try await store.now()
        } catch {
            throw refuse(.unreachable, "The journal cannot be used: \(error.message)", "Mend it, then look again.")
                .error
        }
        if attempt.state.isUnderWay {
            guard attempt.isDue(at: now) else { return .unsettled("Its page is being opened.") }
            // A page is handed out after the journal holds it, which after this step it never will.
            return .settled(AttemptChange(to: .nothingMoved, by: by, note: "its page was never handed out"))
        }
        guard let checkout = gateway.checkout else {
            return .unsettled("Account \(gateway.account) has no pages: a person must resolve it.")
        }
        guard let page = unseal(attempt)?.page else {
            return .unsettled("The journal's key does not open the page: a person must resolve it.")
        }
        let status: SessionStatus
        do throws(GatewayError) {
            status = try await checkout.proof(of: page, call)
        } catch  where error.code == .sessionUnusable {
            // A session that is over takes no payment any more, and nothing will be told of it: a person must say.
            guard attempt.state == .pending else { throw error }
            return .settled(
                AttemptChange(to: .unknown, by: by, note: "the provider tells nothing of the page's session any more"))
        }
        let longest = gateway.payments.lookup?.longestProcessingTime ?? Self.pageProcessingTime
        let evidence = CheckoutRules.Evidence(
            page: page, status: status, absenceCountsAfter: longest + margin, now: now)
        return CheckoutRules.judge(attempt, evidence, by: by)
    }
}
