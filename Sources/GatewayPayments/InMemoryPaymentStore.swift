public import GatewayKitCore

/// A journal that ends with the process: for tests and trial, not for real money.
public final class InMemoryPaymentStore: PaymentStore {
    private struct Journal {
        var intents: [String: StoredIntent] = [:]
        var places: [AttemptID: String] = [:]
        var order: [AttemptID] = []
        var events: [AttemptID: [AttemptEvent]] = [:]
        var leases: [AttemptID: (token: Int64, until: WallTime)] = [:]
        var latest = WallTime(secondsSince1970: .min)

        /// The clock's time, or the latest time seen where the clock went back.
        mutating func tell(_ clock: WallClock) -> WallTime {
            latest = max(latest, WallTime(secondsSince1970: clock.now().secondsSince1970))
            return latest
        }

        func attempt(_ id: AttemptID) -> PaymentAttempt? {
            places[id].flatMap { intents[$0] }?.attempts.first { $0.id == id }
        }

        mutating func add(_ attempt: PaymentAttempt) {
            intents[attempt.intentID]?.attempts.append(attempt)
            places[attempt.id] = attempt.intentID
            order.append(attempt.id)
            add(AttemptEvent(at: attempt.createdAt, state: .prepared, by: "service", text: "begun"), to: attempt.id)
        }

        mutating func replace(_ attempt: PaymentAttempt) {
            guard let index = intents[attempt.intentID]?.attempts.firstIndex(where: { $0.id == attempt.id }) else {
                return
            }
            intents[attempt.intentID]?.attempts[index] = attempt
        }

        mutating func add(_ event: AttemptEvent, to id: AttemptID) {
            events[id, default: []].append(event)
        }
    }

    private let journal = Locked(Journal())
    private let clock: WallClock

    /// An empty journal on a clock.
    public init(clock: WallClock = .system) {
        self.clock = clock
    }

    /// See ``PaymentStore``.
    public func now() async throws(PaymentStoreError) -> WallTime {
        journal.withLock { $0.tell(clock) }
    }

    /// See ``PaymentStore``.
    public func open(_ intent: PaymentIntent, _ new: NewAttempt) async throws(PaymentStoreError) -> OpenVerdict {
        journal.withLock { journal in
            let now = journal.tell(clock)
            let verdict = AttemptRules.open(intent, new, stored: journal.intents[intent.id], at: now)
            if case .opened(let attempt) = verdict {
                if journal.intents[intent.id] == nil {
                    journal.intents[intent.id] = StoredIntent(intent, createdAt: now)
                }
                journal.add(attempt)
            }
            return verdict
        }
    }

    /// See ``PaymentStore``.
    public func openChild(
        of payment: AttemptID, _ new: NewAttempt
    ) async throws(PaymentStoreError) -> OpenVerdict {
        journal.withLock { journal in
            let stored = journal.places[payment].flatMap { journal.intents[$0] }
            let verdict = AttemptRules.openChild(of: payment, new, stored: stored, at: journal.tell(clock))
            if case .opened(let attempt) = verdict { journal.add(attempt) }
            return verdict
        }
    }

    /// See ``PaymentStore``.
    public func advance(
        _ id: AttemptID, from version: Int64, _ change: AttemptChange, holding lease: AttemptLease?
    ) async throws(PaymentStoreError) -> AdvanceVerdict {
        journal.withLock { journal in
            guard let attempt = journal.attempt(id) else { return .missing }
            let now = journal.tell(clock)
            if let lease {
                guard let running = journal.leases[id], running.token == lease.fencingToken else {
                    return .notTaken(attempt)
                }
            }
            let isGivenUp = journal.intents[attempt.intentID]?.givenUpAt != nil
            guard attempt.version == version, let next = attempt.applying(change, at: now, isGivenUp: isGivenUp) else {
                return .notTaken(attempt)
            }
            journal.replace(next)
            journal.add(AttemptEvent(at: now, state: next.state, by: change.by, text: change.note), to: id)
            return .done(next)
        }
    }

    /// See ``PaymentStore``.
    public func attempt(_ id: AttemptID) async throws(PaymentStoreError) -> PaymentAttempt? {
        journal.withLock { $0.attempt(id) }
    }

    /// See ``PaymentStore``.
    public func attempt(
        providerID: String, account: AccountName
    ) async throws(PaymentStoreError) -> PaymentAttempt? {
        journal.withLock { journal in
            for stored in journal.intents.values {
                for attempt in stored.attempts where attempt.providerID == providerID && attempt.account == account {
                    return attempt
                }
            }
            return nil
        }
    }

    /// See ``PaymentStore``.
    public func intent(_ id: String) async throws(PaymentStoreError) -> StoredIntent? {
        journal.withLock { $0.intents[id] }
    }

    /// See ``PaymentStore``.
    public func attempts(_ filter: AttemptFilter) async throws(PaymentStoreError) -> [PaymentAttempt] {
        journal.withLock { journal in
            let now = journal.tell(clock)
            var found: [PaymentAttempt] = []
            for id in journal.order.reversed() where found.count < filter.limit {
                guard let attempt = journal.attempt(id), filter.states?.contains(attempt.state) ?? true,
                    filter.account.map({ $0 == attempt.account }) ?? true,
                    !filter.isDue || attempt.isDue(at: now)
                else { continue }
                let order = journal.intents[attempt.intentID]?.intent.orderReference
                if filter.orderReference == nil || filter.orderReference == order { found.append(attempt) }
            }
            return found
        }
    }

    /// See ``PaymentStore``.
    public func history(of id: AttemptID) async throws(PaymentStoreError) -> [AttemptEvent] {
        journal.withLock { $0.events[id] ?? [] }
    }

    /// See ``PaymentStore``.
    public func remark(_ id: AttemptID, by: String, _ text: SafeText) async throws(PaymentStoreError) {
        journal.withLock { journal in
            guard let attempt = journal.attempt(id) else { return }
            journal.add(AttemptEvent(at: journal.tell(clock), state: attempt.state, by: by, text: text), to: id)
        }
    }

    /// See ``PaymentStore``.
    public func giveUp(_ intentID: String, by: String) async throws(PaymentStoreError) -> StoredIntent? {
        journal.withLock { journal in
            guard let stored = journal.intents[intentID] else { return nil }
            let now = journal.tell(clock)
            if stored.givenUpAt == nil { journal.intents[intentID]?.givenUpAt = now }
            for attempt in stored.attempts where attempt.state.isOpen {
                journal.add(
                    AttemptEvent(at: now, state: attempt.state, by: by, text: "the order was given up"), to: attempt.id)
            }
            return journal.intents[intentID]
        }
    }

    /// See ``PaymentStore``.
    public func lease(
        _ id: AttemptID, worker: String, for duration: Duration
    ) async throws(PaymentStoreError) -> AttemptLease? {
        journal.withLock { journal in
            let now = journal.tell(clock)
            guard let attempt = journal.attempt(id), attempt.isDue(at: now) else { return nil }
            let earlier = journal.leases[id]
            guard earlier.map({ $0.until <= now }) ?? true else { return nil }
            let token = (earlier?.token ?? 0) + 1
            journal.leases[id] = (token, now.adding(seconds: max(1, duration.components.seconds)))
            return AttemptLease(attempt: id, fencingToken: token)
        }
    }

    /// See ``PaymentStore``.
    public func giveBack(
        _ lease: AttemptLease, lookAgainAfter wait: Duration
    ) async throws(PaymentStoreError) {
        journal.withLock { journal in
            let now = journal.tell(clock)
            guard let attempt = journal.attempt(lease.attempt),
                journal.leases[lease.attempt]?.token == lease.fencingToken
            else { return }
            journal.leases[lease.attempt]?.until = now
            journal.replace(attempt.lookedAt(now, lookAgainAfter: wait))
        }
    }

    /// See ``PaymentStore``.
    public func purge(settledBefore time: WallTime) async throws(PaymentStoreError) -> Int {
        journal.withLock { journal in
            var count = 0
            for (id, stored) in journal.intents where stored.isPurgeable(before: time) {
                journal.intents[id] = stored.tombstone
                for attempt in stored.attempts {
                    journal.events[attempt.id] = journal.events[attempt.id]?.map(\.tombstone)
                }
                count += 1
            }
            return count
        }
    }
}
