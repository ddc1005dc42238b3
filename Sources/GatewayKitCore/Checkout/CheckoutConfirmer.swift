/// Confirms one checkout: it is told the addresses that the shopper's browser reaches, reads the proof when that is
/// worth it, and gives one outcome.
///
/// ```swift
/// let confirmer = CheckoutConfirmer(checkout, page)
/// webView.onAddress = { confirmer.report($0) }
/// let outcome = await confirmer.outcome()
/// ```
///
/// It only reads: it may be dropped, and begun anew in another process. Safe to use from several tasks at once.
public final class CheckoutConfirmer: Sendable {
    private struct State {
        var machine: CheckoutConfirmation
        var timer: (until: ContinuousClock.Instant, task: Task<Void, Never>)?
        var reading: Task<Void, Never>?
        var waiting: [CheckedContinuation<CheckoutOutcome, Never>] = []
    }

    /// The page.
    public let page: CheckoutPage
    private let checkout: any HostedCheckout
    private let clock: any GatewayClock
    private let random: RandomSource
    private let correlationID: String?
    private let state: Locked<State>

    /// Reads nothing before the first report or the first call of ``outcome()``; its time runs from now.
    ///
    /// - Parameters:
    ///   - policy: When the proof is read again, and how long to wait in all.
    ///   - quietWait: How long to wait for a hint before the proof is read without one; `nil` means not to.
    ///   - correlationID: The caller's own id, copied into the events of every read. Must not be card data.
    public init(
        _ checkout: any HostedCheckout, _ page: CheckoutPage, policy: PollingPolicy = PollingPolicy(),
        quietWait: Duration? = .seconds(15), clock: any GatewayClock = ContinuousClock(),
        random: RandomSource = .system, correlationID: String? = nil
    ) {
        self.checkout = checkout
        self.page = page
        self.clock = clock
        self.random = random
        self.correlationID = correlationID
        state = Locked(State(machine: CheckoutConfirmation(policy, quietWait: quietWait, now: clock.now)))
    }

    deinit {
        state.withLock { state in
            state.timer?.task.cancel()
            state.reading?.cancel()
        }
    }

    /// Judges an address that the browser has reached, and acts upon it. May be called as often as one likes, also after
    /// the end: then nothing changes.
    @discardableResult
    public func report(_ url: String) -> CheckoutVerdict {
        let verdict = checkout.verdict(on: url, of: page)
        report(verdict)
        return verdict
    }

    /// Acts upon a verdict.
    public func report(_ verdict: CheckoutVerdict) {
        take(.verdict(verdict))
    }

    /// The outcome: waits for it. Every caller gets the same one. Cancelling a task that waits here ends the confirmation
    /// for all with ``CheckoutOutcome/Cause/stopped``.
    public func outcome() async -> CheckoutOutcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting.append(continuation) }
                take(.woke)
            }
        } onCancel: {
            take(.stopped)
        }
    }

    /// Stops: whoever waits for the outcome gets ``CheckoutOutcome/Kind/undecided``, unless there was one already.
    public func stop() {
        take(.stopped)
    }

    /// What was taken note of without any effect, such as verdicts that contradict each other or came after the end.
    public var notes: [SafeText] { state.withLock { $0.machine.notes } }

    private func take(_ event: CheckoutConfirmation.Event) {
        let number = random.next()
        let now = clock.now
        let (step, waiting) = state.withLock { state in
            let step = state.machine.take(event, now: now, random: number)
            guard case .end = step else { return (step, [CheckedContinuation<CheckoutOutcome, Never>]()) }
            state.timer?.task.cancel()
            state.reading?.cancel()
            let waiting = state.waiting
            state.waiting = []
            return (step, waiting)
        }
        switch step {
        case .read(let timeout): read(timeout)
        case .wait(let until): wake(at: until)
        case .awaitProof: break
        case .end(let outcome): for continuation in waiting { continuation.resume(returning: outcome) }
        }
    }

    /// Keeps the earlier of two alarms: one that rings too early does no harm, because the decision looks at the clock.
    private func wake(at instant: ContinuousClock.Instant) {
        state.withLock { state in
            if let timer = state.timer, timer.until <= instant { return }
            state.timer?.task.cancel()
            let task = Task { [weak self, clock] in
                guard await clock.waits(until: instant) else { return }
                self?.rang(at: instant)
            }
            state.timer = (instant, task)
        }
    }

    private func rang(at instant: ContinuousClock.Instant) {
        state.withLock { state in
            if state.timer?.until == instant { state.timer = nil }
        }
        take(.woke)
    }

    private func read(_ timeout: Duration) {
        let call = CallContext(timeout: timeout, correlationID: correlationID)
        let task = Task { [weak self, checkout, page] in
            let event: CheckoutConfirmation.Event
            do throws(GatewayError) {
                event = .proof(try await checkout.proof(of: page, call))
            } catch {
                event = .proofFailed(error)
            }
            self?.take(event)
        }
        state.withLock { $0.reading = task }
    }
}

extension HostedCheckout {
    /// Confirms a checkout whose shopper is back: judges the address, reads the proof at once, and again as the policy
    /// says until it is final.
    ///
    /// For the handler of the shop's return address. Give the policy a deadline that the shopper will wait for; an
    /// outcome that is not final then is looked up later.
    ///
    /// - Parameter url: The whole address that was called, with its query; `nil` where none is known.
    public func confirm(
        _ page: CheckoutPage, reported url: String? = nil,
        policy: PollingPolicy = PollingPolicy(deadline: .seconds(20)),
        clock: any GatewayClock = ContinuousClock(), random: RandomSource = .system, correlationID: String? = nil
    ) async -> CheckoutOutcome {
        let confirmer = CheckoutConfirmer(
            self, page, policy: policy, quietWait: .zero, clock: clock, random: random, correlationID: correlationID)
        if let url { confirmer.report(url) }
        return await confirmer.outcome()
    }
}
