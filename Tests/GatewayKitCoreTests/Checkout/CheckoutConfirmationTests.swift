import Testing

@testable import GatewayKitCore

@Suite("Confirmation of a checkout")
struct CheckoutConfirmationTests {
    private static let start = ContinuousClock.now
    private static let policy = PollingPolicy(jitter: 0, deadline: .seconds(60), maximumFailures: 3)

    /// A confirmation at a time that goes on as its steps say.
    private struct Walk {
        var machine = CheckoutConfirmation(policy, quietWait: .seconds(15), now: start)
        var now = start
        var step = CheckoutConfirmation.Step.awaitProof

        @discardableResult
        mutating func take(_ event: CheckoutConfirmation.Event, after seconds: Double = 0) -> CheckoutConfirmation.Step
        {
            now = now.advanced(by: .milliseconds(Int(seconds * 1_000)))
            step = machine.take(event, now: now, random: 0)
            return step
        }

        /// Lets the wait pass that the last step asked for.
        mutating func wake() {
            if case .wait(let until) = step { now = until }
            take(.woke)
        }

        var isRead: Bool { if case .read = step { true } else { false } }
        var kind: CheckoutOutcome.Kind? { machine.outcome?.kind }
    }

    private static func verdict(_ kind: CheckoutVerdict.Kind) -> CheckoutConfirmation.Event {
        .verdict(CheckoutVerdict(kind, reason: "Scripted."))
    }

    private static func proof(_ phase: SessionStatus.Phase) -> CheckoutConfirmation.Event {
        .proof(SessionStatus(reference: ScriptedSessions.reference, phase: phase))
    }

    @Test("a success candidate has the proof read at once, and only the proof makes it success")
    func success() {
        var walk = Walk()
        walk.take(.woke)
        #expect(!walk.isRead)
        walk.take(Self.verdict(.successCandidate), after: 1)
        #expect(walk.isRead && walk.kind == nil)
        walk.take(Self.proof(.open))
        #expect(walk.kind == nil)
        walk.wake()
        #expect(walk.isRead)
        walk.take(Self.proof(.succeeded))
        #expect(walk.kind == .succeeded)
        #expect(walk.machine.outcome?.status?.phase == .succeeded)
    }

    @Test("after a failure hint the proof is read once: paid all the same is success")
    func lateSuccess() {
        var walk = Walk()
        walk.take(Self.verdict(.failureHint))
        #expect(walk.isRead)
        walk.take(Self.proof(.succeeded))
        #expect(walk.kind == .succeeded)
    }

    @Test(
        "after a failure or a giving up, a session that is still open ends the waiting, and is no final failure",
        arguments: [
            (CheckoutVerdict.Kind.failureHint, CheckoutOutcome.Kind.unconfirmedFailure), (.cancelled, .abandoned),
        ])
    func stillOpen(_ hint: CheckoutVerdict.Kind, _ outcome: CheckoutOutcome.Kind) {
        var walk = Walk()
        walk.take(Self.verdict(hint))
        walk.take(Self.proof(.open))
        #expect(walk.kind == outcome)
        #expect(!outcome.isFinal)
    }

    @Test("what is being processed, or not known, after a failure hint is waited for", arguments: [true, false])
    func processing(_ isKnown: Bool) {
        var walk = Walk()
        walk.take(Self.verdict(.failureHint))
        while walk.kind == nil {
            if walk.isRead { walk.take(Self.proof(isKnown ? .processing : .unknown)) } else { walk.wake() }
        }
        #expect(walk.kind == .undecided && walk.machine.outcome?.cause == .deadline)
        #expect(walk.now >= Self.start.advanced(by: .seconds(60)))
    }

    @Test("a read that began before the failure hint does not answer it")
    func staleRead() {
        var walk = Walk()
        walk.take(Self.verdict(.pending))
        #expect(walk.isRead)
        walk.take(Self.verdict(.failureHint), after: 0.1)
        #expect(walk.step == .awaitProof)
        walk.take(Self.proof(.open), after: 0.1)
        #expect(walk.kind == nil && walk.isRead, "it is read again at once")
        walk.take(Self.proof(.open))
        #expect(walk.kind == .unconfirmedFailure)
    }

    @Test("hints that contradict each other leave it to the proof", arguments: [true, false])
    func contradiction(_ failureFirst: Bool) {
        var walk = Walk()
        walk.take(Self.verdict(failureFirst ? .failureHint : .successCandidate))
        walk.take(Self.verdict(failureFirst ? .successCandidate : .failureHint))
        walk.take(Self.proof(.open))
        #expect(walk.kind == nil && walk.machine.notes.count == 1)
        while walk.kind == nil {
            if walk.isRead { walk.take(Self.proof(.open)) } else { walk.wake() }
        }
        #expect(walk.kind == .undecided && walk.machine.outcome?.isContradicted == true)
        #expect(walk.machine.outcome?.hint?.kind == (failureFirst ? .failureHint : .successCandidate))
    }

    @Test("after the end a contradicting verdict is noted and changes nothing")
    func afterTheEnd() {
        var walk = Walk()
        walk.take(Self.verdict(.successCandidate))
        let end = walk.take(Self.proof(.succeeded))
        #expect(walk.take(Self.verdict(.failureHint)) == end)
        #expect(walk.take(Self.proof(.failed)) == end)
        #expect(walk.take(.stopped) == end)
        #expect(walk.machine.notes.count == 1)
    }

    @Test("what is ignored or untrusted has nothing read; untrusted is noted")
    func untrusted() {
        var walk = Walk()
        for kind in [CheckoutVerdict.Kind.ignore, .authenticationDone, .untrusted] {
            walk.take(Self.verdict(kind), after: 0.1)
            #expect(!walk.isRead)
        }
        #expect(walk.machine.notes.count == 1)
    }

    @Test("a failed authentication has the proof read once and ends nothing")
    func authenticationFailed() {
        var walk = Walk()
        walk.take(Self.verdict(.authenticationFailed))
        #expect(walk.isRead)
        walk.take(Self.proof(.open))
        #expect(walk.kind == nil)
        guard case .wait(let until) = walk.step else {
            Issue.record("it reads again at once")
            return
        }
        #expect(walk.now.duration(to: until) == .seconds(15))
    }

    @Test("without a hint the proof is read now and then, so that nobody waits for an address that never comes")
    func quiet() {
        var walk = Walk()
        walk.take(.woke)
        walk.wake()
        #expect(walk.isRead && walk.now == Self.start.advanced(by: .seconds(15)))
        walk.take(Self.proof(.succeeded))
        #expect(walk.kind == .succeeded)
        var silent = CheckoutConfirmation(Self.policy, quietWait: nil, now: Self.start)
        let end = Self.start.advanced(by: .seconds(60))
        #expect(silent.take(.woke, now: Self.start, random: 0) == .wait(until: end))
        _ = silent.take(.woke, now: end, random: 0)
        #expect(silent.outcome?.kind == .undecided && silent.outcome?.reads == 0)
    }

    @Test("a proof that cannot be read decides nothing: some failures are survived, permanent ones and too many end it")
    func unreadable() {
        var walk = Walk()
        walk.take(Self.verdict(.successCandidate))
        walk.take(.proofFailed(.scripted(.connectionLost)))
        #expect(walk.kind == nil)
        walk.wake()
        walk.take(Self.proof(.open))
        walk.wake()
        walk.take(.proofFailed(.scripted(.credentialsRefused)))
        #expect(walk.kind == .undecided && walk.machine.outcome?.cause == .proofUnreadable)
        var unlucky = Walk()
        unlucky.take(Self.verdict(.failureHint))
        while unlucky.kind == nil {
            if unlucky.isRead { unlucky.take(.proofFailed(.scripted(.timedOut))) } else { unlucky.wake() }
        }
        #expect(unlucky.machine.outcome?.reads == 3 && unlucky.kind == .undecided)
    }

    @Test("a provider's final no is failed, whatever an address said", arguments: [true, false])
    func failed(_ expired: Bool) {
        var walk = Walk()
        walk.take(Self.verdict(.successCandidate))
        walk.take(Self.proof(expired ? .expired : .failed))
        #expect(walk.kind == .failed)
    }

    @Test("what was paid and has gone back since is no provider's no, and no success either")
    func moneyMoved() {
        var status = SessionStatus(reference: ScriptedSessions.reference, phase: .failed)
        guard let account = AccountName("shop") else { return }
        status.payment = PaymentRecord(id: "p", account: account, kind: .purchase, state: .succeeded)
        var walk = Walk()
        walk.take(.woke)
        walk.take(Self.verdict(.successCandidate))
        walk.take(.proof(status))
        #expect(walk.kind == .undecided && walk.machine.outcome?.cause == .moneyMoved)
    }

    @Test("still open is what the read after the hint says itself, not what was known before")
    func openIsFresh() {
        var walk = Walk()
        walk.take(.woke)
        walk.take(Self.verdict(.pending))
        walk.take(Self.proof(.open))
        walk.take(Self.verdict(.failureHint))
        walk.wake()
        walk.take(Self.proof(.unknown))
        #expect(walk.kind == nil)
    }

    @Test("many addresses that say the same do not make many reads", arguments: CheckoutVerdict.Kind.allCases)
    func flood(_ kind: CheckoutVerdict.Kind) {
        var walk = Walk()
        var reads = 0
        for _ in 0..<1_000 {
            walk.take(Self.verdict(kind), after: 0.001)
            if walk.isRead {
                reads += 1
                walk.take(Self.verdict(kind), after: 0.001)
                walk.take(Self.proof(.processing), after: 0.001)
            }
        }
        #expect(reads <= 3, "\(reads) reads within three seconds")
    }

    @Test("reading at once goes on with the policy's growing waits")
    func atOnce() {
        var walk = Walk()
        walk.machine = CheckoutConfirmation(Self.policy, quietWait: .zero, now: Self.start)
        walk.take(.woke)
        var waits: [Duration] = []
        while walk.kind == nil {
            let now = walk.now
            if walk.isRead { walk.take(Self.proof(.open)) } else { walk.wake() }
            if now < walk.now { waits.append(now.duration(to: walk.now)) }
        }
        #expect(waits.first == .seconds(1) && waits.dropLast().last.map { $0 > .seconds(10) } == true, "\(waits)")
    }

    @Test("stopping decides nothing")
    func stopped() {
        var walk = Walk()
        walk.take(Self.verdict(.successCandidate))
        walk.take(.stopped)
        #expect(walk.kind == .undecided && walk.machine.outcome?.cause == .stopped)
    }

    @Test("events in any order: one outcome, never success without proof, an end by the deadline", arguments: 0..<600)
    func anyOrder(_ seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let phases: [SessionStatus.Phase] = [.open, .open, .processing, .unknown, .succeeded, .failed, .expired]
        let codes: [GatewayError.Code] = [.connectionLost, .timedOut, .notFound, .rateLimited]
        let policy = PollingPolicy(
            firstWait: .milliseconds(.random(in: 100...3_000, using: &numbers)),
            deadline: .seconds(.random(in: 1...90, using: &numbers)),
            maximumFailures: Bool.random(using: &numbers) ? 2 : nil)
        var now = Self.start
        var machine = CheckoutConfirmation(
            policy, quietWait: Bool.random(using: &numbers) ? .seconds(.random(in: 0...20, using: &numbers)) : nil,
            now: now)
        var proven: Set<SessionStatus.Phase> = []
        var hints: Set<CheckoutVerdict.Kind> = []
        var end: CheckoutConfirmation.Step?
        var isReading = false
        var readings = 0
        for count in 0..<500 {
            let event: CheckoutConfirmation.Event
            switch Int.random(in: 0..<10, using: &numbers) {
            case 0..<4 where isReading:
                isReading = false
                if Int.random(in: 0..<4, using: &numbers) == 0, let code = codes.randomElement(using: &numbers) {
                    event = .proofFailed(.scripted(code))
                } else {
                    let phase = try #require(phases.randomElement(using: &numbers))
                    if end == nil { proven.insert(phase) }
                    event = Self.proof(phase)
                }
            case 4..<7:
                let kind = try #require(CheckoutVerdict.Kind.allCases.randomElement(using: &numbers))
                if end == nil { hints.insert(kind) }
                event = Self.verdict(kind)
            case 7 where count > 300: event = .stopped
            default:
                now = now.advanced(by: .milliseconds(.random(in: 0...4_000, using: &numbers)))
                event = .woke
            }
            let step = machine.take(event, now: now, random: numbers.next())
            if let end { #expect(step == end, "a second outcome") }
            switch step {
            case .read(let timeout):
                #expect(!isReading && timeout > .zero && now < machine.deadline)
                isReading = true
                readings += 1
            case .awaitProof: #expect(isReading)
            case .wait(let until): #expect(until > now && until <= machine.deadline && !isReading)
            case .end: end = step
            }
        }
        let outcome = try #require(machine.outcome)
        switch outcome.kind {
        case .succeeded: #expect(proven.contains(.succeeded))
        case .failed: #expect(proven.contains(.failed) || proven.contains(.expired))
        case .unconfirmedFailure: #expect(hints.contains(.failureHint) && proven.contains(.open))
        case .abandoned: #expect(hints.contains(.cancelled) && proven.contains(.open))
        case .undecided: #expect(outcome.cause != nil)
        }
        #expect(outcome.reads <= readings && machine.notes.count <= CheckoutConfirmation.maximumNotes)
    }
}
