public import GatewayKitCore
public import GatewayPayments

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The journal in a SQLite file: the embedded default.
///
/// Durable when a call returns, safe from any number of tasks and of processes of one machine (not over a network file
/// system). It uses SQLite's rollback journal, not the write-ahead log: the latter is faster, but SQLite up to 3.51.2,
/// which both systems that GatewayKit supports ship, can damage it when several processes write (the "WAL-reset" fault).
///
/// The file has mode 0600 and is refused when others may read it. Deleted data is overwritten (`secure_delete`).
public actor SQLitePaymentStore: PaymentStore {
    private let thread: DatabaseThread
    private let clock: WallClock
    private let connection: SQLiteConnection
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    /// The thread on which the database is used.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Opens a journal, makes it if there is none, and brings it up to date.
    ///
    /// - Parameters:
    ///   - path: The file, in a folder that exists.
    ///   - clock: What the store's clock goes by. Processes on one file need the same; it never goes back.
    ///   - busyTimeout: How long to wait for other processes.
    /// - Throws: ``PaymentStoreError``.
    public init(
        path: String, clock: WallClock = .system, busyTimeout: Duration = .seconds(10)
    ) throws(PaymentStoreError) {
        try JournalFile.prepare(path)
        try self.init(SQLiteConnection(path: path, busyTimeout: busyTimeout), clock: clock)
    }

    /// Opens a journal on another disk than the operating system's, for tests of durability.
    ///
    /// - Parameter synchronous: SQLite's setting, to show that a weaker one is found out.
    package init(disk: String, path: String, synchronous: String, clock: WallClock) throws(PaymentStoreError) {
        let connection = try SQLiteConnection(path: path, busyTimeout: .zero, disk: disk)
        try self.init(connection, clock: clock, synchronous: synchronous)
    }

    private init(
        _ connection: SQLiteConnection, clock: WallClock, synchronous: String = "EXTRA"
    ) throws(PaymentStoreError) {
        try Schema.prepare(connection, synchronous: synchronous)
        guard let thread = DatabaseThread() else {
            throw PaymentStoreError(.unavailable, "There is no thread for the journal.")
        }
        self.connection = connection
        self.thread = thread
        self.clock = clock
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    deinit { thread.end() }

    /// See `PaymentStore`.
    public func now() throws(PaymentStoreError) -> WallTime {
        let latest = try connection.run("SELECT latest FROM clock").first?.first?.integer ?? 0
        return WallTime(secondsSince1970: max(latest, clock.now().secondsSince1970))
    }

    /// The clock inside of a transaction that writes: it remembers the latest time, so that it never goes back.
    private func tell() throws(PaymentStoreError) -> WallTime {
        let now = try now()
        try connection.run("UPDATE clock SET latest = ?1 WHERE latest < ?1", .integer(now.secondsSince1970))
        return now
    }

    /// See `PaymentStore`.
    public func open(_ intent: PaymentIntent, _ new: NewAttempt) throws(PaymentStoreError) -> OpenVerdict {
        try connection.write { () throws(PaymentStoreError) in
            let now = try tell()
            let stored = try stored(intent.id)
            let verdict = AttemptRules.open(intent, new, stored: stored, at: now)
            if case .opened(let attempt) = verdict {
                if stored == nil { try insert(intent, at: now) }
                try insert(attempt)
            }
            return verdict
        }
    }

    /// See `PaymentStore`.
    public func openChild(
        of payment: AttemptID, _ new: NewAttempt
    ) throws(PaymentStoreError) -> OpenVerdict {
        try connection.write { () throws(PaymentStoreError) in
            let now = try tell()
            var family: StoredIntent?
            if let parent = try one("id = ?", .text(payment.description)) { family = try stored(parent.intentID) }
            let verdict = AttemptRules.openChild(of: payment, new, stored: family, at: now)
            if case .opened(let attempt) = verdict { try insert(attempt) }
            return verdict
        }
    }

    /// See `PaymentStore`.
    public func advance(
        _ id: AttemptID, from version: Int64, _ change: AttemptChange, holding lease: AttemptLease?
    ) throws(PaymentStoreError) -> AdvanceVerdict {
        try connection.write { () throws(PaymentStoreError) in
            guard let attempt = try one("id = ?", .text(id.description)) else { return .missing }
            if let lease {
                let token = try connection.run("SELECT token FROM leases WHERE attempt_id = ?", .text(id.description))
                guard token.first?.first?.integer == lease.fencingToken else { return .notTaken(attempt) }
            }
            let now = try tell()
            let givenUp = try connection.run("SELECT given_up_at FROM intents WHERE id = ?", .text(attempt.intentID))
            let isGivenUp = givenUp.first?.first?.integer != nil
            guard attempt.version == version, let next = attempt.applying(change, at: now, isGivenUp: isGivenUp) else {
                return .notTaken(attempt)
            }
            try update(next, from: version)
            try add(AttemptEvent(at: now, state: next.state, by: change.by, text: change.note), to: id)
            return .done(next)
        }
    }

    /// See `PaymentStore`.
    public func attempt(_ id: AttemptID) throws(PaymentStoreError) -> PaymentAttempt? {
        try one("id = ?", .text(id.description))
    }

    /// See `PaymentStore`.
    public func attempt(
        providerID: String, account: AccountName
    ) throws(PaymentStoreError) -> PaymentAttempt? {
        try one("provider_id = ? AND account = ?", .text(providerID), .text(account.description))
    }

    /// See `PaymentStore`.
    public func intent(_ id: String) throws(PaymentStoreError) -> StoredIntent? {
        try connection.read { () throws(PaymentStoreError) in try stored(id) }
    }

    /// See `PaymentStore`.
    public func attempts(_ filter: AttemptFilter) throws(PaymentStoreError) -> [PaymentAttempt] {
        var conditions: [String] = []
        var values: [SQLiteValue] = []
        if let states = filter.states {
            conditions.append("state IN (" + states.map { _ in "?" }.joined(separator: ", ") + ")")
            values += states.map { .text($0.rawValue) }
        }
        if let account = filter.account {
            conditions.append("account = ?")
            values.append(.text(account.description))
        }
        if let order = filter.orderReference {
            conditions.append("intent_id IN (SELECT id FROM intents WHERE order_reference = ?)")
            values.append(.text(order))
        }
        if filter.isDue {
            conditions.append("due_at <= ?")
            values.append(.integer(try now().secondsSince1970))
        }
        values.append(.integer(Int64(max(0, filter.limit))))
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let rows = try connection.run(
            "SELECT body FROM attempts" + condition + " ORDER BY seq DESC LIMIT ?", values: values)
        return try rows.map { row throws(PaymentStoreError) in try decode(row) }
    }

    /// See `PaymentStore`.
    public func history(of id: AttemptID) throws(PaymentStoreError) -> [AttemptEvent] {
        let rows = try connection.run(
            "SELECT at, state, by, text FROM events WHERE attempt_id = ? ORDER BY seq", .text(id.description))
        return rows.compactMap { row in
            guard row.count == 4, let at = row[0].integer,
                let state = row[1].text.flatMap(AttemptState.init(rawValue:)),
                let by = row[2].text, let text = row[3].text
            else { return nil }
            return AttemptEvent(
                at: WallTime(secondsSince1970: at), state: state, by: by, text: Redactor.standard.scrub(text))
        }
    }

    /// See `PaymentStore`.
    public func remark(_ id: AttemptID, by: String, _ text: SafeText) throws(PaymentStoreError) {
        try connection.write { () throws(PaymentStoreError) in
            guard let attempt = try one("id = ?", .text(id.description)) else { return }
            try add(AttemptEvent(at: try tell(), state: attempt.state, by: by, text: text), to: id)
        }
    }

    /// See `PaymentStore`.
    public func giveUp(_ intentID: String, by: String) throws(PaymentStoreError) -> StoredIntent? {
        try connection.write { () throws(PaymentStoreError) in
            guard let before = try stored(intentID) else { return nil }
            let now = try tell()
            try connection.run(
                "UPDATE intents SET given_up_at = ? WHERE id = ? AND given_up_at IS NULL",
                .integer(now.secondsSince1970), .text(intentID))
            for attempt in before.attempts where attempt.state.isOpen {
                try add(
                    AttemptEvent(at: now, state: attempt.state, by: by, text: "the order was given up"), to: attempt.id)
            }
            return try stored(intentID)
        }
    }

    /// See `PaymentStore`.
    public func lease(
        _ id: AttemptID, worker: String, for duration: Duration
    ) throws(PaymentStoreError) -> AttemptLease? {
        try connection.write { () throws(PaymentStoreError) in
            let now = try tell()
            guard let attempt = try one("id = ?", .text(id.description)), attempt.isDue(at: now) else { return nil }
            let until = now.adding(seconds: max(1, duration.components.seconds)).secondsSince1970
            let rows = try connection.run(
                """
                INSERT INTO leases VALUES (?1, 1, ?2, ?3)
                ON CONFLICT (attempt_id) DO UPDATE SET token = token + 1, worker = ?2, until = ?3 WHERE until <= ?4
                RETURNING token
                """, .text(id.description), .text(worker), .integer(until), .integer(now.secondsSince1970))
            guard let token = rows.first?.first?.integer else { return nil }
            return AttemptLease(attempt: id, fencingToken: token)
        }
    }

    /// See `PaymentStore`.
    public func giveBack(
        _ lease: AttemptLease, lookAgainAfter wait: Duration
    ) throws(PaymentStoreError) {
        try connection.write { () throws(PaymentStoreError) in
            let now = try tell()
            try connection.run(
                "UPDATE leases SET until = ? WHERE attempt_id = ? AND token = ?", .integer(now.secondsSince1970),
                .text(lease.attempt.description), .integer(lease.fencingToken))
            guard connection.changes == 1, let attempt = try one("id = ?", .text(lease.attempt.description)) else {
                return
            }
            try update(attempt.lookedAt(now, lookAgainAfter: wait), from: attempt.version)
        }
    }

    /// See `PaymentStore`.
    public func purge(settledBefore time: WallTime) throws(PaymentStoreError) -> Int {
        let old = try connection.run(
            "SELECT id FROM intents WHERE created_at < ?", .integer(time.secondsSince1970))
        var count = 0
        for id in old.compactMap({ $0.first?.text }) {
            // One transaction each, so that payments need not wait for a long purge.
            try connection.write { () throws(PaymentStoreError) in
                guard let stored = try stored(id), stored.isPurgeable(before: time) else { return }
                try connection.run("UPDATE intents SET order_reference = NULL WHERE id = ?", .text(id))
                for attempt in stored.attempts {
                    try update(attempt.tombstone, from: attempt.version)
                    try connection.run(
                        "UPDATE events SET by = 'purged', text = 'purged' WHERE attempt_id = ?",
                        .text(attempt.id.description))
                    try connection.run(
                        "UPDATE leases SET worker = 'purged' WHERE attempt_id = ?", .text(attempt.id.description))
                }
                count += 1
            }
        }
        return count
    }
}

extension SQLitePaymentStore {
    private func one(_ condition: String, _ values: SQLiteValue...) throws(PaymentStoreError) -> PaymentAttempt? {
        let rows = try connection.run("SELECT body FROM attempts WHERE " + condition + " LIMIT 1", values: values)
        return try rows.first.map { row throws(PaymentStoreError) in try decode(row) }
    }

    private func stored(_ id: String) throws(PaymentStoreError) -> StoredIntent? {
        let rows = try connection.run(
            "SELECT amount, currency, account, order_reference, created_at, given_up_at FROM intents WHERE id = ?",
            .text(id))
        guard let row = rows.first else { return nil }
        guard row.count == 6, let amount = row[0].integer, let code = row[1].text, let currency = try? Currency(code),
            let account = row[2].text.flatMap(AccountName.init), let created = row[4].integer
        else { throw damaged }
        let intent = PaymentIntent(
            stored: id, amount: Money(minorUnits: amount, currency: currency), orderReference: row[3].text,
            account: account)
        let bodies = try connection.run("SELECT body FROM attempts WHERE intent_id = ? ORDER BY seq", .text(id))
        return StoredIntent(
            intent, createdAt: WallTime(secondsSince1970: created),
            givenUpAt: row[5].integer.map { WallTime(secondsSince1970: $0) },
            attempts: try bodies.map { row throws(PaymentStoreError) in try decode(row) })
    }

    private func insert(_ intent: PaymentIntent, at now: WallTime) throws(PaymentStoreError) {
        try connection.run(
            "INSERT INTO intents VALUES (?, ?, ?, ?, ?, ?, NULL)", .text(intent.id),
            .integer(intent.amount.minorUnits), .text(intent.amount.currency.code), .text(intent.account.description),
            .text(orNull: intent.orderReference), .integer(now.secondsSince1970))
    }

    private func insert(_ attempt: PaymentAttempt) throws(PaymentStoreError) {
        try connection.run(
            """
            INSERT INTO attempts (id, intent_id, parent_id, key, account, kind, state, version, changed_at, due_at,
                provider_id, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(attempt.id.description), .text(attempt.intentID),
            .text(orNull: attempt.parentID?.description), .text(attempt.key), .text(attempt.account.description),
            .text(attempt.kind.rawValue), .text(attempt.state.rawValue), .integer(attempt.version),
            .integer(attempt.changedAt.secondsSince1970), .integer(orNull: attempt.dueAt?.secondsSince1970),
            .text(orNull: attempt.providerID), .text(try encode(attempt)))
        try add(AttemptEvent(at: attempt.createdAt, state: .prepared, by: "service", text: "begun"), to: attempt.id)
    }

    private func update(_ attempt: PaymentAttempt, from version: Int64) throws(PaymentStoreError) {
        try connection.run(
            """
            UPDATE attempts SET state = ?, version = ?, changed_at = ?, due_at = ?, provider_id = ?, body = ?
            WHERE id = ? AND version = ?
            """, .text(attempt.state.rawValue), .integer(attempt.version),
            .integer(attempt.changedAt.secondsSince1970), .integer(orNull: attempt.dueAt?.secondsSince1970),
            .text(orNull: attempt.providerID), .text(try encode(attempt)), .text(attempt.id.description),
            .integer(version))
        guard connection.changes == 1 else { throw damaged }
    }

    private func add(_ event: AttemptEvent, to id: AttemptID) throws(PaymentStoreError) {
        try connection.run(
            "INSERT INTO events (attempt_id, at, state, by, text) VALUES (?, ?, ?, ?, ?)", .text(id.description),
            .integer(event.at.secondsSince1970), .text(event.state.rawValue), .text(event.by),
            .text(event.text.description))
    }

    private func encode(_ attempt: PaymentAttempt) throws(PaymentStoreError) -> String {
        do {
            return String(decoding: try encoder.encode(attempt), as: UTF8.self)
        } catch {
            throw PaymentStoreError(.unavailable, "The attempt cannot be written.")
        }
    }

    private func decode(_ row: [SQLiteValue]) throws(PaymentStoreError) -> PaymentAttempt {
        guard let body = row.first?.text, let attempt = try? decoder.decode(PaymentAttempt.self, from: Data(body.utf8))
        else { throw damaged }
        return attempt
    }

    private var damaged: PaymentStoreError {
        PaymentStoreError(.damaged, "The journal holds something that cannot be read.")
    }
}
