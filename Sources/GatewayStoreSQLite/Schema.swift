import GatewayKitCore
import GatewayPayments

/// The tables, as a list of steps: a file of an older step is brought up to date when it is opened, in one transaction; a
/// file of a newer one is refused.
///
/// The unique indexes say once more what `AttemptRules` says: should a rule ever be wrong, the write fails.
enum Schema {
    /// Marks the file as a GatewayKit journal: the letters GWKJ.
    static let applicationID: Int64 = 0x4757_4B4A

    static let steps: [String] = [
        """
        CREATE TABLE intents (
            id TEXT PRIMARY KEY, amount INTEGER NOT NULL, currency TEXT NOT NULL, account TEXT NOT NULL,
            order_reference TEXT, created_at INTEGER NOT NULL, given_up_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX intents_by_order ON intents (order_reference) WHERE order_reference IS NOT NULL;
        CREATE TABLE attempts (
            seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, intent_id TEXT NOT NULL REFERENCES intents (id),
            parent_id TEXT REFERENCES attempts (id), key TEXT NOT NULL, account TEXT NOT NULL, kind TEXT NOT NULL,
            state TEXT NOT NULL, version INTEGER NOT NULL, changed_at INTEGER NOT NULL, due_at INTEGER,
            provider_id TEXT, body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX attempts_by_intent ON attempts (intent_id);
        CREATE INDEX attempts_by_provider ON attempts (provider_id, account) WHERE provider_id IS NOT NULL;
        CREATE INDEX attempts_due ON attempts (due_at) WHERE due_at IS NOT NULL;
        CREATE UNIQUE INDEX one_payment_per_intent ON attempts (intent_id)
            WHERE parent_id IS NULL AND state NOT IN ('declined', 'nothingMoved', 'abandoned');
        CREATE UNIQUE INDEX one_open_operation_per_payment ON attempts (parent_id)
            WHERE parent_id IS NOT NULL AND state IN ('prepared', 'sending', 'pending', 'resuming', 'unknown');
        CREATE UNIQUE INDEX one_use_per_key ON attempts (intent_id, coalesce(parent_id, ''), key)
            WHERE state NOT IN ('nothingMoved', 'abandoned');
        CREATE TABLE events (
            seq INTEGER PRIMARY KEY, attempt_id TEXT NOT NULL REFERENCES attempts (id), at INTEGER NOT NULL,
            state TEXT NOT NULL, by TEXT NOT NULL, text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX events_by_attempt ON events (attempt_id);
        CREATE TABLE leases (
            attempt_id TEXT PRIMARY KEY REFERENCES attempts (id), token INTEGER NOT NULL, worker TEXT NOT NULL,
            until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE clock (only INTEGER PRIMARY KEY CHECK (only = 0), latest INTEGER NOT NULL) STRICT;
        INSERT INTO clock VALUES (0, 0);
        """,
        // The tables are the same; a row may hold credits, pages and sealed actions, which an older release would not
        // read, or would lose.
        "",
    ]

    /// Brings the file up to date.
    static func prepare(_ connection: SQLiteConnection, synchronous: String) throws(PaymentStoreError) {
        let mode = try connection.run("PRAGMA journal_mode = TRUNCATE").first?.first?.text
        guard mode == "truncate" else {
            throw PaymentStoreError(.unavailable, "The journal's file system does not allow a durable journal.")
        }
        try connection.execute(
            """
            PRAGMA synchronous = \(synchronous); PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF
            """)
        guard try pragma(connection, "user_version") != Int64(steps.count) else { return try checkOwner(connection) }
        try connection.write { () throws(PaymentStoreError) in
            // Asked again under the lock: another process may have done it meanwhile.
            let version = try pragma(connection, "user_version")
            guard version <= Int64(steps.count) else {
                throw PaymentStoreError(
                    .newerSchema, "The journal was written by a newer GatewayKit (schema \(count: Int(version))).")
            }
            if version == 0 {
                let isEmpty = try connection.run("SELECT count(*) FROM sqlite_schema").first?.first?.integer == 0
                guard isEmpty else { throw notOurs }
                try connection.execute("PRAGMA application_id = \(applicationID)")
            } else {
                try checkOwner(connection)
            }
            for step in steps.dropFirst(Int(version)) { try connection.execute(step) }
            try connection.execute("PRAGMA user_version = \(steps.count)")
        }
    }

    private static func checkOwner(_ connection: SQLiteConnection) throws(PaymentStoreError) {
        guard try pragma(connection, "application_id") == applicationID else { throw notOurs }
    }

    private static var notOurs: PaymentStoreError {
        PaymentStoreError(.damaged, "The file is a database of something else, not a GatewayKit journal.")
    }

    private static func pragma(_ connection: SQLiteConnection, _ name: String) throws(PaymentStoreError) -> Int64 {
        try connection.run("PRAGMA \(name)").first?.first?.integer ?? 0
    }
}
