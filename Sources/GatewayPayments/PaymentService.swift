public import GatewayKitCore

/// The only door for application code to money: it writes down what it is about to do before it does it, sends each
/// thing at most once, and never tells an unknown outcome as a decline or a success.
///
/// ```swift
/// let service = PaymentService(gateway: gateway, store: store, authenticator: authenticator)
/// let intent = try PaymentIntent(id: "order-1001", amount: amount, orderReference: "1001", account: gateway.account)
/// let outcome = try await service.start(intent, PaymentInstruction(.purchase, token: token.id, key: checkoutKey))
/// ```
///
/// What is thrown from it is ``NothingMoved``: no money moved by this call. Everything else is in
/// ``PaymentOutcome/result``. Make one service per account and process: calls for the same intent in one process wait for
/// the same exchange.
///
/// **Cancellation.** A caller that is cancelled before the attempt is claimed gets ``NothingMoved``, and the attempt is
/// abandoned. After that the exchange goes on in a task of its own; the caller gets
/// ``PaymentResult/unknown(_:cause:)`` at once, and the late answer is written into the journal. ``finish()`` waits for
/// such exchanges before a program ends.
public struct PaymentService: Sendable {
    /// The account.
    public let gateway: Gateway
    /// The journal.
    public let store: any PaymentStore
    let authenticator: any MessageAuthenticator
    let sealer: (any Sealer)?
    let clock: any GatewayClock
    let random: RandomSource
    let timeout: Duration
    let exchanges = Exchanges()

    /// Opens the door.
    ///
    /// - Parameters:
    ///   - authenticator: Makes the keyed MACs by which the journal tells requests apart. Every process on the same
    ///     journal must have the same key.
    ///   - sealer: Seals the shopper's next actions and the pages that take money, so that they can be told again after a
    ///     restart. Every process on the journal must open what another sealed. Without one a next action is told once, and no
    ///     page can be opened.
    ///   - timeout: How long a call may take that brings no limit of its own.
    public init(
        gateway: Gateway, store: any PaymentStore, authenticator: any MessageAuthenticator,
        sealer: (any Sealer)? = nil, clock: any GatewayClock = ContinuousClock(), random: RandomSource = .system,
        timeout: Duration = .seconds(60)
    ) {
        self.gateway = gateway
        self.store = store
        self.authenticator = authenticator
        self.sealer = sealer
        self.clock = clock
        self.random = random
        self.timeout = timeout
    }

    /// Pays an intent, or gives back what came of paying it before.
    ///
    /// May be repeated, by any thread or process, under the same key or another: there is one payment. Only after a
    /// decline, or when nothing moved, does another key begin another attempt.
    /// - Throws: ``NothingMoved``.
    public func start(
        _ intent: PaymentIntent, _ instruction: PaymentInstruction, _ call: CallContext = CallContext()
    ) async throws(NothingMoved) -> PaymentOutcome {
        guard let charging = gateway.payments.charging else { throw unsupported("start payments") }
        let key = try key(instruction.key)
        let (fingerprint, ofToken) = try authenticated { () throws(GatewayError) in
            (
                try instruction.fingerprint(intent, authenticator),
                try authenticator.tokenFingerprint(instruction.token, key: key)
            )
        }
        var new = NewAttempt(
            id: .make(random), kind: PaymentAttempt.Kind(instruction.kind), key: key, fingerprint: fingerprint)
        new.tokenFingerprint = ofToken
        return try await begin(intent, new, call) { (attempt, call) async throws(NothingMoved) in
            let result = try await charging.charge(instruction.request(attempt, intent), call)
            return await record(result, attempt)
        }
    }

    /// Goes on with a payment whose next action has been done; of a page it reads what became of it.
    ///
    /// May be repeated: where the payment is over already, it answers with what came of it. A pending payment that is
    /// resumed before the shopper has done anything gives its next action again.
    /// - Throws: ``NothingMoved``: no money moved by this call; the payment is still pending.
    public func resume(
        _ id: AttemptID, _ call: CallContext = CallContext()
    ) async throws(NothingMoved) -> PaymentOutcome {
        let limit = call.timeout ?? timeout
        let deadline = clock.now.advanced(by: limit)
        let context = CallContext(timeout: limit, correlationID: call.correlationID)
        while true {
            let attempt = try await pinned(id)
            guard !attempt.kind.isChild, attempt.kind != .credit else {
                throw refuse(
                    .invalidInput, "\(id) is a \(attempt.kind.rawValue).",
                    "Only payments are resumed; the reconciler settles the others.")
            }
            guard attempt.state == .pending else { return try await join(attempt, until: deadline) }
            guard !attempt.usesPage else { return try await afterPage(attempt, call) }
            guard let charging = gateway.payments.charging else { throw unsupported("resume payments") }
            let outcome = try await send(attempt, as: .resuming, limit) { (claimed) async throws(NothingMoved) in
                await record(try await charging.resume(claimed.reference, context), claimed)
            }
            if let outcome { return outcome }
        }
    }

    /// Waits for the exchanges of this process that go on without a caller.
    ///
    /// It waits too when its own task is cancelled: then above all.
    public func finish() async {
        let running = exchanges.all
        await Task.detached { for exchange in running { _ = await exchange.ending() } }.value
    }

    /// What the journal has of an attempt, the shopper's next action included where the service has a sealer. Asks no
    /// provider.
    /// - Throws: ``NothingMoved`` when the attempt moved nothing, there is none, or the journal cannot be used.
    public func recorded(_ id: AttemptID) async throws(NothingMoved) -> PaymentOutcome {
        let attempt = try await pinned(id)
        return PaymentOutcome(
            result: try journalResult(attempt), attempt: attempt, isRecorded: true, isJoined: true)
    }
}

extension PaymentService {
    /// The caller's key, checked, or a new one.
    func key(_ given: String?) throws(NothingMoved) -> String {
        try checked { () throws(PaymentInputProblem) in
            try PaymentInputProblem.checkID(given ?? AttemptID.make(random).description, "the key")
        }
    }

    /// Begins an attempt of an intent and sends it, or joins the one that there is.
    ///
    /// - Parameters:
    ///   - asked: What is to be begun; each round that begins one anew gives it an id of its own.
    ///   - exchange: Sends the attempt that was claimed and records what came of it.
    func begin(
        _ intent: PaymentIntent, _ asked: NewAttempt, _ call: CallContext,
        _ exchange: @escaping @Sendable (PaymentAttempt, CallContext) async throws(NothingMoved) -> PaymentOutcome
    ) async throws(NothingMoved) -> PaymentOutcome {
        guard intent.account == gateway.account else {
            throw refuse(.configuration, "The intent is for another account.", "Use the service of its account.")
        }
        let limit = call.timeout ?? timeout
        let deadline = clock.now.advanced(by: limit)
        let context = CallContext(timeout: limit, correlationID: call.correlationID)
        while true {
            let new = asked.withID(.make(random))
            let verdict = try await entering { () async throws(PaymentStoreError) in try await store.open(intent, new) }
            let attempt: PaymentAttempt
            switch verdict {
            case .opened(let opened): attempt = opened
            case .existing(let existing):
                guard existing.state == .prepared else { return try await join(existing, until: deadline) }
                guard existing.fingerprint == new.fingerprint, existing.kind == new.kind else {
                    try await outwait(existing, until: deadline)
                    continue
                }
                attempt = existing
            case .refused(let reason): throw refuse(reason, account: intent.account)
            }
            let outcome = try await send(attempt, as: .sending, limit) { (claimed) async throws(NothingMoved) in
                try await exchange(claimed, context)
            }
            if let outcome { return outcome }
        }
    }

    /// Claims an attempt and sends it in a task of its own; `nil` when somebody else has claimed it.
    func send(
        _ attempt: PaymentAttempt, as state: AttemptState, _ limit: Duration,
        _ exchange: @escaping @Sendable (PaymentAttempt) async throws(NothingMoved) -> PaymentOutcome
    ) async throws(NothingMoved) -> PaymentOutcome? {
        if Task.isCancelled {
            if attempt.state == .prepared {
                let change = AttemptChange(to: .abandoned, by: "service", note: "the caller was cancelled")
                _ = try? await store.advance(attempt.id, from: attempt.version, change, holding: nil)
            }
            throw refuse(.cancelled, "The call was cancelled before anything was sent.", "Call again when wanted.")
        }
        var claim = AttemptChange(to: state, by: "service", note: "claimed")
        claim.answerWithin = limit + .seconds(5)
        let latestStart = clock.now.advanced(by: limit)
        let verdict = try await entering { () async throws(PaymentStoreError) in
            try await store.advance(attempt.id, from: attempt.version, claim, holding: nil)
        }
        guard case .done(let claimed) = verdict else { return nil }
        let running = exchanges.begin(claimed.id) {
            do throws(NothingMoved) {
                // A process that was stopped since its claim may find the attempt settled by others: it is too late.
                guard clock.now < latestStart else {
                    throw refuse(.timedOut, "The time to send it passed before it was sent.", "Call again.")
                }
                return .success(try await exchange(claimed))
            } catch {
                let back = claimed.state == .resuming ? AttemptState.pending : .nothingMoved
                _ = await write(AttemptChange(to: back, by: "service", note: error.error.message), claimed)
                return .failure(error)
            }
        }
        return try await outcome(of: running, claimed, isJoined: false)
    }

    /// What comes of an exchange for one who waits for it.
    private func outcome(
        of running: Exchange, _ attempt: PaymentAttempt, isJoined: Bool
    ) async throws(NothingMoved) -> PaymentOutcome {
        switch await running.ending() {
        case .success(let outcome):
            return PaymentOutcome(
                result: outcome.result, attempt: outcome.attempt, isRecorded: outcome.isRecorded, isJoined: isJoined)
        case .failure(let nothing): throw nothing
        case nil:
            let cause = GatewayError(
                .cancelled, message: "The caller was cancelled while the request was under way.",
                advice: "The answer will be in the journal: show or reconcile the attempt.", reach: .sent,
                account: attempt.account)
            return PaymentOutcome(
                result: .unknown(attempt.reference, cause: cause), attempt: attempt, isRecorded: true,
                isJoined: isJoined)
        }
    }

    /// What became of an attempt that somebody else has begun. One that is under way is waited for.
    func join(
        _ attempt: PaymentAttempt, until deadline: ContinuousClock.Instant
    ) async throws(NothingMoved) -> PaymentOutcome {
        var attempt = attempt
        var wait = Duration.milliseconds(50)
        while attempt.state.isUnderWay || attempt.state == .prepared {
            if let running = exchanges[attempt.id] { return try await outcome(of: running, attempt, isJoined: true) }
            let now = try await entering { () async throws(PaymentStoreError) in try await store.now() }
            if let due = attempt.answerDueAt, due <= now { break }
            guard clock.now.advanced(by: wait) < deadline, await sleep(wait) else { break }
            wait = min(wait * 2, .seconds(1))
            attempt = try await pinned(attempt.id)
        }
        return PaymentOutcome(
            result: try journalResult(attempt), attempt: attempt, isRecorded: true, isJoined: true)
    }

    /// Waits for a prepared attempt of somebody else to be sent, and gives up one that must have been left behind.
    private func outwait(
        _ attempt: PaymentAttempt, until deadline: ContinuousClock.Instant
    ) async throws(NothingMoved) {
        let now = try await entering { () async throws(PaymentStoreError) in try await store.now() }
        if attempt.createdAt.adding(seconds: 5) <= now {
            let change = AttemptChange(to: .abandoned, by: "service", note: "left behind before it was sent")
            _ = try await entering { () async throws(PaymentStoreError) in
                try await store.advance(attempt.id, from: attempt.version, change, holding: nil)
            }
            return
        }
        guard clock.now.advanced(by: .milliseconds(100)) < deadline, await sleep(.milliseconds(100)) else {
            throw refuse(
                .timedOut, "Another attempt of the same intent is about to be sent.", "Call again: it will be joined.")
        }
    }

    private func sleep(_ duration: Duration) async -> Bool {
        do {
            try await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil)
            return true
        } catch {
            return false
        }
    }

    /// The attempt, if it is one of this service's account: nothing is ever done to a payment through another one.
    func pinned(_ id: AttemptID) async throws(NothingMoved) -> PaymentAttempt {
        let found = try await entering { () async throws(PaymentStoreError) in try await store.attempt(id) }
        guard let found else {
            throw refuse(
                .notFound, "The journal has no attempt \(id).", "'gatewayctl attempts list' shows what it has.")
        }
        guard found.account == gateway.account else {
            throw refuse(
                .configuration, "The attempt \(id) belongs to the account \(found.account).",
                "Use the service of that account.")
        }
        return found
    }
}
