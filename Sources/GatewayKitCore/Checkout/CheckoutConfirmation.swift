/// The decisions of confirming one checkout, without any I/O: it joins what addresses say with what the provider proves,
/// and gives one outcome.
///
/// - Success comes from the proof alone, whatever the addresses said.
/// - A hint only decides when the proof is read: at once, and again as the policy says until it is final.
/// - After a failure or the shopper's giving up the proof is read once more, because it may be paid all the same. Only a
///   read that began after the hint counts, and only "still open" ends the waiting: what is being processed is waited
///   for.
/// - The first hint that tells an end is kept. A contradicting one is noted, and then only the proof decides.
/// - Without a hint the proof is read now and then, for a shopper who closed the page or paid on another device.
///
/// ``CheckoutConfirmer`` is the shell around it. A backend that keeps its own schedule can drive it itself.
public struct CheckoutConfirmation: Sendable {
    /// What happened.
    public indirect enum Event: Sendable {
        /// A wait is over, or it is the very beginning.
        case woke
        /// An address was judged.
        case verdict(CheckoutVerdict)
        /// The proof was read.
        case proof(SessionStatus)
        /// The proof could not be read.
        case proofFailed(GatewayError)
        /// The caller has lost interest.
        case stopped
    }

    /// What to do next.
    public indirect enum Step: Sendable, Equatable {
        /// Read ``HostedCheckout/proof(of:_:)`` with this time limit, then tell what came of it.
        case read(timeout: Duration)
        /// Wait for a verdict until then, then tell ``Event/woke``.
        case wait(until: ContinuousClock.Instant)
        /// A read is under way: wait for its end.
        case awaitProof
        /// Stop. Every later event gives this outcome again.
        case end(CheckoutOutcome)
    }

    /// When the proof is read again, and for how long.
    public let policy: PollingPolicy
    /// How long to wait for a hint before the proof is read without one; `nil` means not to.
    public let quietWait: Duration?
    /// When the waiting ends.
    public let deadline: ContinuousClock.Instant
    /// What was taken note of without any effect: untrusted addresses, contradictions, what came after the end. The first
    /// ``maximumNotes``.
    public private(set) var notes: [SafeText] = []

    /// So many notes are kept.
    public static let maximumNotes = 32

    private var hint: CheckoutVerdict?
    private var isContradicted = false
    private var isUrged: Bool
    private var hasFailedAuthentication = false
    private var known: SessionStatus?
    /// What the last read itself said: laid upon those before it, a word that nobody knows changes nothing.
    private var latest: SessionStatus.Phase?
    private var failure: GatewayError?
    private var failures = 0
    private var reads = 0
    private var isReading = false
    /// Whether a hint came while a read was under way: that read cannot know of it.
    private var isReadStale = false
    /// Whether a read that began after the hint was answered.
    private var isHintAnswered = false
    private var wait: Duration
    private var nextRead: ContinuousClock.Instant?
    private var end: Step?

    /// Begins at `now`.
    ///
    /// - Parameters:
    ///   - quietWait: How long to wait for a hint before reading without one, and between two such reads; `.zero` reads at
    ///     once and then as the policy says, `nil` never.
    public init(
        _ policy: PollingPolicy = PollingPolicy(), quietWait: Duration? = .seconds(15), now: ContinuousClock.Instant
    ) {
        self.policy = policy
        self.quietWait = quietWait.map { min(max($0, .zero), PollingPolicy.oneDay) }
        deadline = now.advanced(by: policy.deadline)
        isUrged = self.quietWait == .zero
        wait = policy.firstWait
        nextRead = self.quietWait.map { now.advanced(by: $0) }
    }

    /// The outcome, once there is one.
    public var outcome: CheckoutOutcome? {
        if case .end(let outcome) = end { outcome } else { nil }
    }

    /// Takes an event and gives the next step.
    ///
    /// - Parameter random: A random number over the whole range, for jitter.
    public mutating func take(_ event: Event, now: ContinuousClock.Instant, random: UInt64) -> Step {
        if let end {
            if case .verdict(let verdict) = event { noteLate(verdict) }
            return end
        }
        switch event {
        case .woke: break
        case .stopped: return stop(.undecided, .stopped)
        case .verdict(let verdict): take(verdict, now)
        case .proof(let status):
            latest = status.phase
            known = known.map { $0.followed(by: status) } ?? status
            failure = nil
            failures = 0
            readEnded(isAnswer: true, now, atLeast: .zero, random)
        case .proofFailed(let error):
            failure = error
            failures += 1
            readEnded(isAnswer: false, now, atLeast: error.answer?.retryAfter ?? .zero, random)
            let isTooMany = policy.maximumFailures.map { failures >= $0 } ?? false
            if error.isPermanent || isTooMany { return stop(.undecided, .proofUnreadable) }
        }
        return decide(now)
    }

    private mutating func decide(_ now: ContinuousClock.Instant) -> Step {
        if let known, known.phase.isTerminal, known.phase != .succeeded, let payment = known.payment,
            payment.state == .succeeded, !payment.children.contains(where: { $0.kind == .void })
        {
            return stop(.undecided, .moneyMoved)
        }
        if let known, known.phase.isTerminal { return stop(known.phase == .succeeded ? .succeeded : .failed) }
        if isHintAnswered, !isContradicted, known?.phase == .open, latest == .open {
            if hint?.kind == .failureHint { return stop(.unconfirmedFailure) }
            if hint?.kind == .cancelled { return stop(.abandoned) }
        }
        if now >= deadline { return stop(.undecided, .deadline) }
        if isReading { return .awaitProof }
        guard let nextRead, now >= nextRead else { return .wait(until: min(nextRead ?? deadline, deadline)) }
        isReading = true
        isReadStale = false
        return .read(timeout: min(policy.pollTimeout, now.duration(to: deadline)))
    }

    /// Only what is new has the proof read at once: many addresses that say the same do not make many reads.
    private mutating func take(_ verdict: CheckoutVerdict, _ now: ContinuousClock.Instant) {
        switch verdict.kind {
        case .ignore, .authenticationDone: return
        case .untrusted: return note("An untrusted address came: \(verdict.reason)")
        case .authenticationFailed:
            if !isUrged, !hasFailedAuthentication { nextRead = now }
            hasFailedAuthentication = true
            return
        case .pending:
            if isUrged { return }
        case .successCandidate, .failureHint, .cancelled:
            guard let hint else {
                hint = verdict
                break
            }
            guard hint.kind != verdict.kind else { return }
            note("After \(hint.kind.rawValue), an address says \(verdict.kind.rawValue): only the proof decides.")
            if isContradicted { return }
            isContradicted = true
        }
        isUrged = true
        isReadStale = isReading
        wait = policy.firstWait
        nextRead = now
    }

    private mutating func readEnded(
        isAnswer: Bool, _ now: ContinuousClock.Instant, atLeast least: Duration, _ random: UInt64
    ) {
        reads += 1
        let wasStale = isReadStale
        isReading = false
        isReadStale = false
        if isAnswer, hint != nil, !wasStale { isHintAnswered = true }
        let least = min(max(least, .zero), PollingPolicy.oneDay)
        if wasStale {
            nextRead = now.advanced(by: least)
        } else if isUrged || !isAnswer {
            nextRead = now.advanced(by: max(policy.drawn(wait, random: random), least))
            wait = policy.longer(than: wait)
        } else {
            nextRead = quietWait.map { now.advanced(by: max($0, policy.firstWait)) }
        }
    }

    private mutating func noteLate(_ verdict: CheckoutVerdict) {
        guard verdict.kind != .ignore, let outcome else { return }
        note("After the end (\(outcome.kind.rawValue)), an address says \(verdict.kind.rawValue): nothing changes.")
    }

    private mutating func note(_ text: SafeText) {
        if notes.count < Self.maximumNotes { notes.append(text) }
    }

    private mutating func stop(_ kind: CheckoutOutcome.Kind, _ cause: CheckoutOutcome.Cause? = nil) -> Step {
        let step = Step.end(
            CheckoutOutcome(
                kind, status: known, hint: hint, isContradicted: isContradicted, cause: cause, failure: failure,
                reads: reads))
        end = step
        return step
    }
}
