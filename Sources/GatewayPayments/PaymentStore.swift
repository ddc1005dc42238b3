public import GatewayKitCore

/// Where attempts are written down: the journal. Each call is one transaction, durable when it returns, and safe from
/// any number of tasks and, where the store is shared, processes.
///
/// A store writes only what ``AttemptRules`` and ``AttemptState/successors`` allow; it does not decide for itself.
/// `InMemoryPaymentStore` is for tests and trial, `GatewayStoreSQLite` for real money.
public protocol PaymentStore: Sendable {
    /// The store's clock. All of its times come from it, and it does not go back.
    func now() async throws(PaymentStoreError) -> WallTime

    /// Begins an attempt to pay an intent, as ``AttemptRules/open(_:_:stored:at:)`` decides.
    func open(_ intent: PaymentIntent, _ new: NewAttempt) async throws(PaymentStoreError) -> OpenVerdict

    /// Begins a capture, void or refund, as ``AttemptRules/openChild(of:_:stored:at:)`` decides.
    func openChild(of payment: AttemptID, _ new: NewAttempt) async throws(PaymentStoreError) -> OpenVerdict

    /// Takes a step, by compare-and-set: only when the attempt still has `version`, the table allows the step, and, with
    /// a lease, the lease is still the newest.
    func advance(
        _ id: AttemptID, from version: Int64, _ change: AttemptChange, holding lease: AttemptLease?
    ) async throws(PaymentStoreError) -> AdvanceVerdict

    /// The attempt.
    func attempt(_ id: AttemptID) async throws(PaymentStoreError) -> PaymentAttempt?

    /// The attempt whose transaction has this id at the provider.
    func attempt(
        providerID: String, account: AccountName
    ) async throws(PaymentStoreError) -> PaymentAttempt?

    /// The intent with all that was attempted.
    func intent(_ id: String) async throws(PaymentStoreError) -> StoredIntent?

    /// Attempts, the newest first.
    func attempts(_ filter: AttemptFilter) async throws(PaymentStoreError) -> [PaymentAttempt]

    /// What happened to an attempt, in order.
    func history(of id: AttemptID) async throws(PaymentStoreError) -> [AttemptEvent]

    /// Adds a line to the history of an attempt without a step.
    func remark(_ id: AttemptID, by: String, _ text: SafeText) async throws(PaymentStoreError)

    /// The caller gives the order up: nothing new is begun for it, and an approval found later is a late one.
    func giveUp(_ intentID: String, by: String) async throws(PaymentStoreError) -> StoredIntent?

    /// Claims an attempt for one worker to look up, if it is due and no lease of it is running.
    ///
    /// - Returns: The lease with its fencing token; `nil` when somebody else has it, or it is not due.
    func lease(
        _ id: AttemptID, worker: String, for duration: Duration
    ) async throws(PaymentStoreError) -> AttemptLease?

    /// Gives a lease back after a look, with the time of the next one for what is still open.
    func giveBack(_ lease: AttemptLease, lookAgainAfter wait: Duration) async throws(PaymentStoreError)

    /// Removes personal data (order references, operators, reasons, records, histories' words) of intents that are
    /// settled and were changed last before `time`. Ids, keys, states, amounts and the providers' ids stay, so that no
    /// key can be used again.
    ///
    /// - Returns: How many intents were purged.
    func purge(settledBefore time: WallTime) async throws(PaymentStoreError) -> Int
}

/// What came of a step.
public enum AdvanceVerdict: Sendable, Hashable {
    /// It is written.
    case done(PaymentAttempt)
    /// Somebody else was faster, or the table does not allow the step: the attempt as it is now.
    case notTaken(PaymentAttempt)
    /// There is no such attempt.
    case missing
}

/// A worker's claim on the look-ups of an attempt.
public struct AttemptLease: Sendable, Hashable {
    /// The attempt.
    public let attempt: AttemptID
    /// Counts the leases of the attempt. A worker whose token is not the newest writes nothing.
    public let fencingToken: Int64

    /// Made by stores.
    public init(attempt: AttemptID, fencingToken: Int64) {
        self.attempt = attempt
        self.fencingToken = fencingToken
    }
}

/// Which attempts to list.
public struct AttemptFilter: Sendable, Hashable {
    /// Only these states.
    public var states: Set<AttemptState>?
    /// Only this account.
    public var account: AccountName?
    /// Only this order.
    public var orderReference: String?
    /// Only those that are to be looked up now: see ``PaymentAttempt/dueAt``.
    public var isDue = false
    /// At most so many.
    public var limit = 100

    /// All, at most 100.
    public init() {}
}

/// A line of the history of an attempt.
public struct AttemptEvent: Sendable, Hashable {
    /// When, on the store's clock.
    public let at: WallTime
    /// The state afterwards.
    public let state: AttemptState
    /// Who did it.
    public let by: String
    /// What happened, in words.
    public let text: SafeText

    /// Made by stores.
    public init(at: WallTime, state: AttemptState, by: String, text: SafeText) {
        self.at = at
        self.state = state
        self.by = by
        self.text = text
    }
}

/// The store did not do it: whether it was written is not known unless the code says so.
public struct PaymentStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure.
    public let code: Code
    /// What happened.
    public let message: SafeText

    /// Describes a failure.
    public init(_ code: Code, _ message: SafeText) {
        self.code = code
        self.message = message
    }

    /// A kind of failure. More may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String { case unavailable, busy, damaged, newerSchema, notPermitted }
        private let name: Name
        /// It cannot be reached, or could not write.
        public static let unavailable = Code(name: .unavailable)
        /// Others kept it for too long.
        public static let busy = Code(name: .busy)
        /// What it holds cannot be read.
        public static let damaged = Code(name: .damaged)
        /// It was written by a newer GatewayKit.
        public static let newerSchema = Code(name: .newerSchema)
        /// Others may read it, or this process may not.
        public static let notPermitted = Code(name: .notPermitted)
        /// The stable spelling.
        public var description: String { name.rawValue }
    }

    /// Code and message.
    public var description: String { "\(code): \(message)" }
}

extension PaymentAttempt {
    /// How long a prepared attempt may wait for its claim before it counts as left behind by a crash.
    static let preparedLimitSeconds: Int64 = 600

    /// From when on somebody should look at it: it is unknown or pending, its sender must have died, or it was never
    /// sent. `nil` when it is settled.
    public var dueAt: WallTime? {
        switch state {
        case .unknown, .pending: nextLookAt ?? changedAt
        case .sending, .resuming: max(answerDueAt ?? changedAt, nextLookAt ?? changedAt)
        case .prepared: createdAt.adding(seconds: Self.preparedLimitSeconds)
        case .approved, .declined, .nothingMoved, .abandoned: nil
        }
    }

    /// Whether it is due.
    public func isDue(at now: WallTime) -> Bool { dueAt.map { $0 <= now } ?? false }

    /// The attempt after a look; one that is settled stays as it is.
    public func lookedAt(_ now: WallTime, lookAgainAfter wait: Duration) -> PaymentAttempt {
        guard state.isOpen else { return self }
        var copy = self
        copy.looks += 1
        copy.nextLookAt = now.adding(seconds: max(1, wait.components.seconds))
        return copy
    }

    /// Without personal data: what must stay so that the key cannot be used again.
    public var tombstone: PaymentAttempt {
        var copy = self
        copy.requestedBy = nil
        copy.reason = nil
        copy.record = nil
        copy.decline = nil
        copy.note = nil
        copy.tokenFingerprint = nil
        copy.sealedAction = nil
        return copy
    }
}
