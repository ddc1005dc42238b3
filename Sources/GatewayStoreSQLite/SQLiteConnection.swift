import CSQLite
import GatewayKitCore
import GatewayPayments

/// A value in a row.
enum SQLiteValue: Equatable {
    case integer(Int64)
    case text(String)
    case null

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }

    static func integer(orNull value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
    static func text(orNull value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
}

/// One connection to a SQLite file. Used by one thread at a time.
final class SQLiteConnection {
    private var database: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    /// Opens a file that must be there.
    ///
    /// - Parameter disk: The name of the VFS; `nil` is the operating system's.
    init(path: String, busyTimeout: Duration, disk: String? = nil) throws(PaymentStoreError) {
        // NOFOLLOW: the file that was checked is the one that is opened.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(path, &database, flags | (disk == nil ? 0 : SQLITE_OPEN_CREATE), disk)
        guard code == SQLITE_OK, let database else {
            let error = failure(code)
            sqlite3_close_v2(database)
            self.database = nil
            throw error
        }
        sqlite3_extended_result_codes(database, 1)
        let milliseconds = busyTimeout.components.seconds * 1_000
        sqlite3_busy_timeout(database, Int32(clamping: milliseconds))
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(database)) }

    /// Runs statements without values or rows: pragmas, schemas, transactions.
    func execute(_ sql: String) throws(PaymentStoreError) {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Runs one statement and gives its rows.
    @discardableResult
    func run(_ sql: String, _ values: SQLiteValue...) throws(PaymentStoreError) -> [[SQLiteValue]] {
        try run(sql, values: values)
    }

    /// Runs one statement and gives its rows.
    @discardableResult
    func run(_ sql: String, values: [SQLiteValue]) throws(PaymentStoreError) -> [[SQLiteValue]] {
        let statement = try statement(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let place = Int32(clamping: index + 1)
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(statement, place, number)
                case .text(let text): gk_sqlite_bind_text(statement, place, text, Int32(clamping: text.utf8.count))
                case .null: sqlite3_bind_null(statement, place)
                }
            guard code == SQLITE_OK else { throw failure(code) }
        }
        var rows: [[SQLiteValue]] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw failure(code) }
            rows.append((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
        }
    }

    private func value(_ statement: OpaquePointer, _ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_NULL: .null
        default:
            if let bytes = sqlite3_column_text(statement, column) {
                .text(
                    String(
                        decoding: UnsafeBufferPointer(
                            start: bytes, count: Int(sqlite3_column_bytes(statement, column))), as: UTF8.self))
            } else {
                .null
            }
        }
    }

    private func statement(_ sql: String) throws(PaymentStoreError) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(database, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        statements[sql] = statement
        return statement
    }

    /// All of `body` or nothing of it, with the file locked for writing from the start: two writers wait for each other
    /// instead of failing half-way.
    func write<Value>(_ body: () throws(PaymentStoreError) -> Value) throws(PaymentStoreError) -> Value {
        try transaction("BEGIN IMMEDIATE", body)
    }

    /// Several reads of one state.
    func read<Value>(_ body: () throws(PaymentStoreError) -> Value) throws(PaymentStoreError) -> Value {
        try transaction("BEGIN DEFERRED", body)
    }

    private func transaction<Value>(
        _ begin: String, _ body: () throws(PaymentStoreError) -> Value
    ) throws(PaymentStoreError) -> Value {
        try execute(begin)
        do throws(PaymentStoreError) {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // Some errors have rolled back already; then this one fails, which says nothing new.
            try? execute("ROLLBACK")
            throw error
        }
    }

    private func failure(_ code: Int32) -> PaymentStoreError {
        let words = sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown"
        let text: SafeText = "SQLite says \"\(words)\" (\(count: Int(code)))."
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: return PaymentStoreError(.busy, "The journal is busy. " + text)
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT, SQLITE_MISMATCH:
            return PaymentStoreError(.damaged, "The journal is damaged. " + text)
        case SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY, SQLITE_CANTOPEN:
            return PaymentStoreError(.notPermitted, "The journal cannot be opened for writing. " + text)
        default: return PaymentStoreError(.unavailable, "The journal cannot be used. " + text)
        }
    }
}
