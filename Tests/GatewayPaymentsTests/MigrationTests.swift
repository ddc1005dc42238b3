import CSQLite
import GatewayKitCore
import GatewayPayments
import GatewayStoreSQLite
import Glibc
import Testing

/// Journals that older releases wrote.
@Suite struct Migrations {
    /// A journal of schema 1, as it lay on a disk.
    private func oldJournal(_ folder: TestFolder) -> Bool {
        var database: OpaquePointer?
        defer {
            sqlite3_close_v2(database)
            chmod(folder.journal, 0o600)
        }
        guard sqlite3_open(folder.journal, &database) == SQLITE_OK else { return false }
        return sqlite3_exec(database, OldJournal.sql, nil, nil, nil) == SQLITE_OK
    }

    private func version(_ folder: TestFolder) -> Int32 {
        var database: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(database)
        }
        guard sqlite3_open(folder.journal, &database) == SQLITE_OK,
            sqlite3_prepare_v2(database, "PRAGMA user_version", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return -1 }
        return sqlite3_column_int(statement, 0)
    }

    @Test("a journal of schema 1 is brought up to date when it is opened, and everything in it is still so")
    func readable() async throws {
        let folder = TestFolder()
        #expect(oldJournal(folder) && version(folder) == 1)
        let wall = TestWall()
        let store = try SQLitePaymentStore(path: folder.journal, clock: wall.clock)
        #expect(version(folder) == 2)
        let paid = try #require(try await store.intent("order-paid"))
        let payment = try #require(paid.payment)
        let balance = PaymentBalance(payment, paid.attempts.filter { $0.parentID == payment.id })
        #expect(balance.captured == StoreBench.usd(1_000) && balance.refundable == StoreBench.usd(700))
        #expect(payment.record?.networkTransactionID == "NTI8RVF6SJ7" && !payment.usesPage)
        #expect(try await store.intent("order-declined")?.attempts.first?.decline?.reason == .cardDeclined)
        #expect(try await store.intent("order-pending")?.holder?.state == .pending)
        #expect(try await store.intent("order-pending")?.holder?.sealedAction == nil)
        #expect(try await store.intent("order-lost")?.holder?.state == .unknown)
        #expect(try await store.history(of: payment.id).map(\.state) == [.prepared, .sending, .approved])
        let reopened = try SQLitePaymentStore(path: folder.journal, clock: wall.clock)
        #expect(try await reopened.intent("order-paid") == paid)
    }

    @Test("an old journal goes on: keys are still taken, what is open is settled, what is new is written beside it")
    func goesOn() async throws {
        let folder = TestFolder()
        #expect(oldJournal(folder))
        let wall = TestWall()
        let store = try SQLitePaymentStore(path: folder.journal, clock: wall.clock)
        let account = try #require(AccountName("spreedly"))
        let intent = try PaymentIntent(
            id: "order-paid", amount: StoreBench.usd(1_000), orderReference: "1", account: account)
        let again = try await store.open(intent, StoreBench.new("press-2"))
        #expect(again.existing?.state == .approved)
        #expect(try await store.open(intent, StoreBench.new("press-1")).refusal == .keyUsedForAnother)

        let pending = try #require(try await store.intent("order-pending")?.holder)
        var resuming = StoreBench.change(.resuming)
        resuming.answerWithin = .seconds(30)
        let resumed = try await store.advance(pending.id, from: pending.version, resuming, holding: nil).attempt
        var step = StoreBench.change(.pending)
        step.sealedAction = Sealed(text: "s1.test.AAAA")
        let waiting = try await store.advance(resumed.id, from: resumed.version, step, holding: nil).attempt
        #expect(try await store.attempt(waiting.id)?.sealedAction == Sealed(text: "s1.test.AAAA"))

        let lost = try #require(try await store.intent("order-lost")?.holder)
        let lease = try #require(try await store.lease(lost.id, worker: "w", for: .seconds(30)))
        let found = try await store.advance(
            lost.id, from: lost.version, StoreBench.change(.approved, lost.amount, id: "T"), holding: lease)
        #expect(found.isDone)

        let owed = try PaymentIntent(id: "owed", amount: StoreBench.usd(500), account: account)
        _ = try await store.open(owed, StoreBench.new("c", .credit)).attempt
        #expect(try await store.intent("owed")?.holder?.kind == .credit)
        #expect(try await store.purge(settledBefore: wall.now.adding(seconds: 1)) == 3)
    }
}
