public import GatewayKitCore

/// How the reconciler goes about its work.
public struct ReconcilePolicy: Sendable, Hashable {
    /// The wait before the second look; it doubles with each look.
    public var firstWait = Duration.seconds(5)
    /// The longest wait between two looks.
    public var longestWait = Duration.seconds(3600)
    /// How long beyond the provider's longest processing time absence proves nothing yet.
    public var margin = Duration.seconds(300)
    /// How long one worker has an attempt to itself. Longer than a look takes.
    public var leaseTime = Duration.seconds(300)
    /// Whether a late approval (found after the order was given up) is voided. Otherwise it is reported only.
    public var voidsLateApprovals = false

    /// Careful, and voiding nothing.
    public init() {}

    /// The wait after so many looks.
    func wait(afterLooks looks: Int) -> Duration {
        min(firstWait * (1 << min(max(looks, 0), 20)), longestWait)
    }
}

/// What one pass of the reconciler did.
public struct ReconcileReport: Sendable, Equatable {
    /// One attempt and what came of looking.
    public struct Entry: Sendable, Equatable {
        /// The attempt as it is now.
        public let attempt: PaymentAttempt
        /// What came of it.
        public let result: Result
        /// Why, in words.
        public let reason: SafeText

        /// What came of looking.
        public enum Result: String, Sendable, Hashable {
            /// It is known now.
            case settled
            /// It is approved, and its order was given up before: somebody must decide.
            case lateApproval
            /// A late approval that was voided, as configured.
            case lateApprovalVoided
            /// Still unknown or pending.
            case unsettled
            /// The provider could not be asked.
            case lookFailed
        }
    }

    /// What was looked at.
    public internal(set) var entries: [Entry] = []
    /// Why the pass ended before everything that was due was looked at, where it did.
    public internal(set) var stoppedBy: GatewayError?
}

/// Settles what is unknown, by looking it up and never by sending it again.
///
/// Any number of workers, in any number of processes, may run on one journal: a lease with a fencing token gives each
/// attempt to one of them at a time. A pass that dies is taken up by the next one.
public struct Reconciler: Sendable {
    private let service: PaymentService
    private let policy: ReconcilePolicy
    private let worker: String

    /// A worker for the account of a service.
    ///
    /// - Parameter worker: Its name in the journal.
    public init(_ service: PaymentService, policy: ReconcilePolicy = ReconcilePolicy(), worker: String) {
        self.service = service
        self.policy = policy
        self.worker = worker
    }

    /// Looks at everything that is due, the longest waiting first, at most `limit` of them.
    ///
    /// Reads only, unless late approvals are to be voided. May be repeated. A rate limit ends the pass; what it kept from
    /// being looked at is due after the provider's own wait.
    /// - Throws: ``PaymentStoreError`` when the journal cannot be used.
    public func run(
        limit: Int = 1_000, _ call: CallContext = CallContext()
    ) async throws(PaymentStoreError) -> ReconcileReport {
        var report = ReconcileReport()
        var filter = AttemptFilter()
        filter.account = service.gateway.account
        filter.isDue = true
        filter.limit = limit
        for attempt in try await service.store.attempts(filter).reversed() {
            if Task.isCancelled { break }
            guard let lease = try await service.store.lease(attempt.id, worker: worker, for: policy.leaseTime),
                let current = try await service.store.attempt(attempt.id)
            else { continue }
            do {
                report.entries.append(try await settle(current, lease, call))
            } catch let error as GatewayError {
                let wait = error.answer?.retryAfter ?? policy.wait(afterLooks: current.looks)
                try await service.store.giveBack(lease, lookAgainAfter: wait)
                report.entries.append(
                    ReconcileReport.Entry(attempt: current, result: .lookFailed, reason: error.message))
                if stops(error) {
                    report.stoppedBy = error
                    break
                }
            } catch let error as PaymentStoreError {
                throw error
            } catch {
                continue
            }
        }
        return report
    }

    private func stops(_ error: GatewayError) -> Bool {
        [.rateLimited, .credentialsRefused, .notPermitted, .configuration, .cancelled].contains(error.code)
    }

    private func settle(
        _ attempt: PaymentAttempt, _ lease: AttemptLease, _ call: CallContext
    ) async throws -> ReconcileReport.Entry {
        let wait = policy.wait(afterLooks: attempt.looks)
        if attempt.state == .prepared {
            return try await step(
                attempt, AttemptChange(to: .abandoned, by: worker, note: "left behind before it was sent"), lease, wait)
        }
        switch try await service.look(attempt, margin: policy.margin, by: worker, call) {
        case .settled(let change): return try await step(attempt, change, lease, wait)
        case .unsettled(let reason):
            guard attempt.state.isUnderWay else {
                try await service.store.giveBack(lease, lookAgainAfter: wait)
                return ReconcileReport.Entry(attempt: attempt, result: .unsettled, reason: reason)
            }
            return try await step(attempt, AttemptChange(to: .unknown, by: worker, note: reason), lease, wait)
        }
    }

    private func step(
        _ attempt: PaymentAttempt, _ change: AttemptChange, _ lease: AttemptLease, _ wait: Duration
    ) async throws -> ReconcileReport.Entry {
        let verdict = try await service.store.advance(attempt.id, from: attempt.version, change, holding: lease)
        try await service.store.giveBack(lease, lookAgainAfter: wait)
        switch verdict {
        case .done(let settled):
            guard settled.isLateApproval else {
                let isOpen = settled.state.isOpen
                return ReconcileReport.Entry(
                    attempt: settled, result: isOpen ? .unsettled : .settled, reason: change.note)
            }
            return await late(settled)
        case .notTaken(let current):
            return ReconcileReport.Entry(
                attempt: current, result: current.state.isOpen ? .unsettled : .settled,
                reason: "somebody else was faster")
        case .missing:
            return ReconcileReport.Entry(attempt: attempt, result: .unsettled, reason: "it is gone from the journal")
        }
    }

    private func late(_ attempt: PaymentAttempt) async -> ReconcileReport.Entry {
        let reported = ReconcileReport.Entry(
            attempt: attempt, result: .lateApproval, reason: "approved, but the order was given up before")
        guard policy.voidsLateApprovals, !attempt.kind.isChild else { return reported }
        let instruction = ChildInstruction(
            key: "late-\(attempt.id)", requestedBy: worker, reason: "the order was given up")
        guard let outcome = try? await service.void(attempt.id, instruction), case .approved = outcome.result else {
            return reported
        }
        return ReconcileReport.Entry(
            attempt: attempt, result: .lateApprovalVoided, reason: "approved after the order was given up, and voided")
    }
}
