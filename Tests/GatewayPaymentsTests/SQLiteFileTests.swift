import CSQLite
import GatewayKitCore
import GatewayPayments
import GatewayStoreSQLite
import Glibc
import Testing

/// The file behind the SQLite store.
@Suite struct SQLiteFiles {
    private func sql(_ folder: TestFolder, _ text: String) -> Int32 {
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        guard sqlite3_open(folder.journal, &database) == SQLITE_OK else { return -1 }
        return sqlite3_exec(database, text, nil, nil, nil)
    }

    private func failure(_ path: String) -> PaymentStoreError.Code? {
        do throws(PaymentStoreError) {
            _ = try SQLitePaymentStore(path: path)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("what was written is there when the file is opened again")
    func reopened() async throws {
        let folder = TestFolder()
        let attempt: PaymentAttempt
        do {
            let store = try SQLitePaymentStore(path: folder.journal)
            attempt = try await store.open(try StoreBench.intent(), StoreBench.new("k1")).attempt
        }
        let store = try SQLitePaymentStore(path: folder.journal)
        #expect(try await store.attempt(attempt.id) == attempt)
    }

    @Test("two connections to one file see each other, and one of both wins")
    func twoConnections() async throws {
        let folder = TestFolder()
        let one = try SQLitePaymentStore(path: folder.journal)
        let two = try SQLitePaymentStore(path: folder.journal)
        for round in 0..<20 {
            let intent = try StoreBench.intent("order-\(round)")
            async let first = one.open(intent, StoreBench.new("a\(round)"))
            async let second = two.open(intent, StoreBench.new("b\(round)"))
            let verdicts = try await [first, second]
            #expect(verdicts.compactMap { try? $0.attempt }.count == 1)
            #expect(verdicts.compactMap(\.existing).count == 1)
        }
    }

    @Test("nobody else may read the journal")
    func mode() async throws {
        let folder = TestFolder()
        let store = try SQLitePaymentStore(path: folder.journal)
        _ = try await store.open(try StoreBench.intent(), StoreBench.new("k1"))
        for name in [folder.journal, folder.journal + "-journal"] {
            var status = stat()
            #expect(stat(name, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
        chmod(folder.journal, 0o640)
        #expect(failure(folder.journal) == .notPermitted)
    }

    @Test("files that are no journal are refused and left alone")
    func foreign() throws {
        let folder = TestFolder()
        #expect(failure(folder.path) == .notPermitted)
        #expect(failure(folder.path + "/missing/journal.sqlite") == .notPermitted)
        symlink("/dev/null", folder.path + "/other")
        #expect(failure(folder.path + "/other") == .notPermitted)
        #expect(sql(folder, "CREATE TABLE mine (id INTEGER)") == SQLITE_OK)
        chmod(folder.journal, 0o600)
        #expect(failure(folder.journal) == .damaged)
        unlink(folder.journal)
        guard let file = fopen(folder.journal, "w") else { return }
        fputs(String(repeating: "no database ", count: 500), file)
        fclose(file)
        chmod(folder.journal, 0o600)
        #expect(failure(folder.journal) == .damaged)
    }

    @Test("a journal of a newer version is refused")
    func newer() throws {
        let folder = TestFolder()
        _ = try SQLitePaymentStore(path: folder.journal)
        #expect(sql(folder, "PRAGMA user_version = 99") == SQLITE_OK)
        #expect(failure(folder.journal) == .newerSchema)
    }

    @Test("the tables themselves keep a second live payment and a second open operation out")
    func indexes() async throws {
        let folder = TestFolder()
        let store = try SQLitePaymentStore(path: folder.journal)
        let payment = try await store.open(try StoreBench.intent(), StoreBench.new("k1")).attempt
        func insert(_ id: String, parent: String, state: String, key: String) -> Int32 {
            sql(
                folder,
                """
                INSERT INTO attempts (id, intent_id, parent_id, key, account, kind, state, version, changed_at, body)
                VALUES ('\(id)', 'order-1', \(parent), '\(key)', 'test', 'purchase', '\(state)', 1, 0, '{}')
                """)
        }
        for state in AttemptState.allCases where state.holdsIntent {
            #expect(insert("x", parent: "NULL", state: state.rawValue, key: "k2") == SQLITE_CONSTRAINT, "\(state)")
        }
        #expect(insert("c1", parent: "'\(payment.id)'", state: "unknown", key: "c1") == SQLITE_OK)
        for state in AttemptState.allCases where state.isOpen {
            let code = insert("x", parent: "'\(payment.id)'", state: state.rawValue, key: "c2")
            #expect(code == SQLITE_CONSTRAINT, "\(state)")
        }
        #expect(insert("x", parent: "'\(payment.id)'", state: "approved", key: "c1") == SQLITE_CONSTRAINT)
        #expect(insert("x", parent: "NULL", state: "declined", key: "k3") == SQLITE_OK)
    }

    @Test("a row that cannot be read is damage, not absence")
    func damaged() async throws {
        let folder = TestFolder()
        let store = try SQLitePaymentStore(path: folder.journal)
        let payment = try await store.open(try StoreBench.intent(), StoreBench.new("k1")).attempt
        #expect(sql(folder, "UPDATE attempts SET body = '{}'") == SQLITE_OK)
        await #expect(throws: PaymentStoreError.self) { try await store.attempt(payment.id) }
        await #expect(throws: PaymentStoreError.self) {
            try await store.open(try StoreBench.intent(), StoreBench.new("k2"))
        }
    }

    @Test("a store that others keep for too long says busy and has written nothing")
    func busy() async throws {
        let folder = TestFolder()
        let store = try SQLitePaymentStore(path: folder.journal, busyTimeout: .zero)
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        #expect(sqlite3_open(folder.journal, &database) == SQLITE_OK)
        #expect(sqlite3_exec(database, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
        let intent = try StoreBench.intent()
        do throws(PaymentStoreError) {
            _ = try await store.open(intent, StoreBench.new("k1"))
            Issue.record("it did not fail")
        } catch {
            #expect(error.code == .busy)
        }
        #expect(sqlite3_exec(database, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        #expect(try await store.intent("order-1") == nil)
    }
}
