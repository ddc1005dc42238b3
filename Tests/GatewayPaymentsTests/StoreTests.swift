import GatewayKitCore
import GatewayPayments
import Testing

/// What every store must do, on both.
@Suite struct Stores {
    typealias Bench = StoreBench

    @Test("a second start under another key returns the attempt that holds the intent", arguments: StoreKind.allCases)
    func holder(_ kind: StoreKind) async throws {
        for state in AttemptState.allCases {
            let bench = try Bench(kind)
            let first = try await bench.walk("k1", state.way)
            let second = try await bench.store.open(try Bench.intent(), Bench.new("k2"))
            if state.holdsIntent {
                #expect(second.existing == first, "\(state): \(second)")
            } else {
                #expect(try second.attempt.state == .prepared, "\(state)")
            }
        }
    }

    @Test("the same key is the same attempt, unless nothing happened under it", arguments: StoreKind.allCases)
    func sameKey(_ kind: StoreKind) async throws {
        for state in AttemptState.allCases {
            let bench = try Bench(kind)
            let first = try await bench.walk("k1", state.way)
            var new = NewAttempt(
                id: AttemptID(reading: "other"), kind: .purchase, key: "k1", fingerprint: first.fingerprint)
            let again = try await bench.store.open(try Bench.intent(), new)
            if state.freesKey {
                #expect(try again.attempt.id == new.id, "\(state)")
            } else {
                #expect(again.existing == first, "\(state): \(again)")
                new = NewAttempt(id: new.id, kind: .purchase, key: "k1", fingerprint: [9])
                #expect(try await bench.store.open(try Bench.intent(), new).refusal == .keyUsedForAnother)
                new = NewAttempt(id: new.id, kind: .authorize, key: "k1", fingerprint: first.fingerprint)
                #expect(try await bench.store.open(try Bench.intent(), new).refusal == .keyUsedForAnother)
            }
        }
    }

    @Test("an intent's id stands for one amount, order and account", arguments: StoreKind.allCases)
    func intentDiffers(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        _ = try await bench.walk("k1", [])
        let others = [
            try PaymentIntent(
                id: "order-1", amount: Bench.usd(999), orderReference: "R-order-1", account: Bench.account),
            try PaymentIntent(
                id: "order-1", amount: Money(minorUnits: 1_000, currency: .eur), orderReference: "R-order-1",
                account: Bench.account),
            try PaymentIntent(id: "order-1", amount: Bench.usd(1_000), orderReference: "R-2", account: Bench.account),
            try PaymentIntent(id: "order-1", amount: Bench.usd(1_000), account: Bench.account),
            try PaymentIntent(
                id: "order-1", amount: Bench.usd(1_000), orderReference: "R-order-1",
                account: AccountName("eu" as ProviderID)),
        ]
        for other in others {
            #expect(try await bench.store.open(other, Bench.new("k2")).refusal == .intentDiffers)
        }
    }

    @Test("zero is for verification, and only for it", arguments: StoreKind.allCases)
    func zero(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let zero = try Bench.intent("zero", Bench.usd(0))
        #expect(try await bench.store.open(zero, Bench.new("k1")).refusal == .unusableAmount)
        #expect(try await bench.store.open(zero, Bench.new("k1", .verify)).attempt.kind == .verify)
        #expect(try await bench.store.open(try Bench.intent(), Bench.new("k2", .verify)).refusal == .unusableAmount)
        #expect(try await bench.store.open(try Bench.intent(), Bench.new("k2", .refund)).refusal == .unusableAmount)
    }

    @Test(
        "only the steps of the table are taken, and only from the version that was seen", arguments: StoreKind.allCases)
    func steps(_ kind: StoreKind) async throws {
        for state in AttemptState.allCases {
            for next in AttemptState.allCases {
                let bench = try Bench(kind)
                let attempt = try await bench.walk("k1", state.way)
                let store = bench.store
                let stale = try await store.advance(
                    attempt.id, from: attempt.version + 1, Bench.change(next), holding: nil)
                #expect(stale == .notTaken(attempt))
                let verdict = try await store.advance(
                    attempt.id, from: attempt.version, Bench.change(next), holding: nil)
                #expect(verdict.isDone == state.successors.contains(next), "\(state) to \(next)")
                let now = try #require(try await store.attempt(attempt.id))
                #expect(now.state == (verdict.isDone ? next : state))
                #expect(now.version == attempt.version + (verdict.isDone ? 1 : 0))
                let states = try await store.history(of: attempt.id).map(\.state)
                #expect(states == [.prepared] + state.way + (verdict.isDone ? [next] : []))
            }
        }
        let bench = try Bench(kind)
        let missing = AttemptID(reading: "nobody")
        #expect(try await bench.store.advance(missing, from: 1, Bench.change(.sending), holding: nil) == .missing)
        #expect(try await bench.store.attempt(missing) == nil)
        #expect(try await bench.store.intent("nothing") == nil)
    }

    @Test("of many tasks one begins and one claims", arguments: StoreKind.allCases)
    func race(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let store = bench.store
        let intent = try Bench.intent()
        let verdicts = try await withThrowingTaskGroup(of: OpenVerdict.self) { group in
            for number in 0..<32 { group.addTask { try await store.open(intent, Bench.new("key-\(number)")) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let opened = verdicts.compactMap { try? $0.attempt }
        let attempt = try #require(opened.first)
        #expect(opened.count == 1)
        #expect(verdicts.compactMap(\.existing).allSatisfy { $0.id == attempt.id })
        let claims = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    try await store.advance(attempt.id, from: 1, Bench.change(.sending), holding: nil).isDone
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(claims == 1)
    }

    @Test("one operation of a payment is open at a time", arguments: StoreKind.allCases)
    func oneChild(_ kind: StoreKind) async throws {
        for state in AttemptState.allCases {
            let bench = try Bench(kind)
            let payment = try await bench.walk("k1", AttemptState.approved.way)
            let first = try await bench.child(payment, "r1", .refund, Bench.usd(100), state.way)
            var again = NewAttempt(id: AttemptID(reading: "again"), kind: .refund, key: "r1", fingerprint: [1, 2, 3])
            again.amount = Bench.usd(100)
            let same = try await bench.store.openChild(of: payment.id, again)
            let other = try await bench.store.openChild(
                of: payment.id, Bench.new("r2", .refund, amount: Bench.usd(100)))
            if state.isOpen {
                #expect(same.existing == first)
                #expect(other.refusal == .otherOperationOpen(first.id))
            } else {
                #expect(state.freesKey ? (try? same.attempt) != nil : same.existing == first)
                #expect(state.freesKey ? other.refusal == .otherOperationOpen(again.id) : (try? other.attempt) != nil)
            }
        }
    }

    @Test(
        "two equal partial refunds are two when their keys differ; the rest is never exceeded",
        arguments: StoreKind.allCases)
    func refunds(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let payment = try await bench.walk("k1", AttemptState.approved.way)
        let first = try await bench.child(payment, "r1", .refund, Bench.usd(400))
        let second = try await bench.child(payment, "r2", .refund, Bench.usd(400))
        #expect(first.id != second.id)
        let third = try await bench.store.openChild(of: payment.id, Bench.new("r3", .refund, amount: Bench.usd(400)))
        #expect(third.refusal == .exceedsRest(Bench.usd(200)))
        let rest = try await bench.child(payment, "r4", .refund)
        #expect(rest.amount == Bench.usd(200))
        #expect(
            try await bench.store.openChild(of: payment.id, Bench.new("r5", .refund)).refusal
                == .exceedsRest(Bench.usd(0)))
        #expect(try await bench.store.openChild(of: payment.id, Bench.new("v", .void)).refusal == .notPossible(.void))
        for amount in [Bench.usd(0), Bench.usd(-1), Money(minorUnits: 1, currency: .eur)] {
            let verdict = try await bench.store.openChild(of: payment.id, Bench.new("r6", .refund, amount: amount))
            #expect(verdict.refusal == .unusableAmount)
        }
    }

    @Test("captures in parts, refunds by capture, voids", arguments: StoreKind.allCases)
    func captures(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let store = bench.store
        let payment = try await bench.walk("k1", AttemptState.approved.way, kind: .authorize)
        #expect(
            try await store.openChild(of: payment.id, Bench.new("r", .refund)).refusal == .exceedsRest(Bench.usd(0)))
        let first = try await bench.child(payment, "c1", .capture, Bench.usd(300))
        #expect(first.targetID == payment.id)
        let second = try await bench.child(payment, "c2", .capture)
        #expect(second.amount == Bench.usd(700))
        #expect(try await store.openChild(of: payment.id, Bench.new("c3", .capture)).existing == second)
        #expect(
            try await store.openChild(of: payment.id, Bench.new("c4", .capture, amount: Bench.usd(1))).refusal
                == .exceedsRest(Bench.usd(0)))
        #expect(try await store.openChild(of: payment.id, Bench.new("v", .void)).refusal == .spreadOverCaptures)
        #expect(
            try await store.openChild(of: payment.id, Bench.new("r", .refund)).refusal == .spreadOverCaptures)
        #expect(try await bench.child(payment, "r1", .refund, Bench.usd(700)).targetID == second.id)
        #expect(try await bench.child(payment, "r2", .refund, Bench.usd(300)).targetID == first.id)

        let other = try Bench.intent("order-2")
        let voided = try await bench.walk("k2", AttemptState.approved.way, intent: other, kind: .authorize)
        let void = try await bench.child(voided, "v1", .void)
        #expect(try await store.openChild(of: voided.id, Bench.new("v2", .void)).existing == void)
        #expect(try await store.openChild(of: voided.id, Bench.new("c", .capture)).refusal == .voided)
        #expect(try await store.openChild(of: void.id, Bench.new("c", .capture)).refusal == .noSuchPayment)
        #expect(
            try await store.openChild(of: AttemptID(reading: "x"), Bench.new("c", .capture)).refusal == .noSuchPayment)
    }

    @Test("nothing is done to a payment that is not approved", arguments: StoreKind.allCases)
    func notApproved(_ kind: StoreKind) async throws {
        for state in AttemptState.allCases where state != .approved {
            let bench = try Bench(kind)
            let payment = try await bench.walk("k1", state.way)
            for child in [PaymentAttempt.Kind.capture, .void, .refund] {
                let verdict = try await bench.store.openChild(of: payment.id, Bench.new("c", child))
                #expect(verdict.refusal == .notApproved(state))
            }
        }
    }

    @Test("a partial approval bounds what can be captured and refunded", arguments: StoreKind.allCases)
    func partial(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let sent = try await bench.walk("k1", [.sending], kind: .authorize)
        let approved = try await bench.store.advance(
            sent.id, from: sent.version, Bench.change(.approved, Bench.usd(600), id: "p"), holding: nil
        ).attempt
        #expect(approved.approvedAmount == Bench.usd(600))
        let capture = try await bench.child(approved, "c", .capture)
        #expect(capture.amount == Bench.usd(600))
    }

    @Test("a look-up belongs to one worker; one whose lease is over writes nothing", arguments: StoreKind.allCases)
    func leases(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let store = bench.store
        let attempt = try await bench.walk("k1", AttemptState.unknown.way)
        let first = try #require(try await store.lease(attempt.id, worker: "one", for: .seconds(60)))
        #expect(try await store.lease(attempt.id, worker: "two", for: .seconds(60)) == nil)
        bench.wall.move(60)
        let second = try #require(try await store.lease(attempt.id, worker: "two", for: .seconds(60)))
        #expect(second.fencingToken > first.fencingToken)
        let late = try await store.advance(attempt.id, from: attempt.version, Bench.change(.declined), holding: first)
        #expect(late == .notTaken(attempt))
        try await store.giveBack(first, lookAgainAfter: .seconds(1))
        #expect(try await store.lease(attempt.id, worker: "three", for: .seconds(60)) == nil)
        try await store.giveBack(second, lookAgainAfter: .seconds(100))
        #expect(try await store.lease(attempt.id, worker: "three", for: .seconds(60)) == nil, "it is not due")
        #expect(try await store.attempt(attempt.id)?.looks == 1)
        bench.wall.move(100)
        let third = try #require(try await store.lease(attempt.id, worker: "three", for: .seconds(60)))
        let settled = try await store.advance(
            attempt.id, from: attempt.version, Bench.change(.declined), holding: third)
        #expect(settled.isDone)
        try await store.giveBack(third, lookAgainAfter: .seconds(1))
        bench.wall.move(1_000)
        #expect(try await store.lease(attempt.id, worker: "four", for: .seconds(60)) == nil, "it is settled")
    }

    @Test("what is due: unknown, pending, senders that died, and what was never sent", arguments: StoreKind.allCases)
    func due(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        var filter = AttemptFilter()
        filter.isDue = true
        for state in AttemptState.allCases {
            _ = try await bench.walk("k-\(state)", state.way, intent: try Bench.intent("order-\(state)"))
        }
        func dueNow() async throws -> Set<AttemptState> {
            Set(try await bench.store.attempts(filter).map(\.state))
        }
        #expect(try await dueNow() == [.unknown, .pending])
        bench.wall.move(31)
        #expect(try await dueNow() == [.unknown, .pending, .sending, .resuming])
        bench.wall.move(600)
        #expect(try await dueNow() == [.unknown, .pending, .sending, .resuming, .prepared])
        filter.limit = 2
        #expect(try await bench.store.attempts(filter).count == 2)
    }

    @Test("lists go by state, account and order, the newest first", arguments: StoreKind.allCases)
    func lists(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        for number in 1...4 {
            _ = try await bench.walk(
                "k\(number)", (number.isMultiple(of: 2) ? AttemptState.approved : .declined).way,
                intent: try Bench.intent("order-\(number)"))
        }
        #expect(try await bench.store.attempts(AttemptFilter()).map(\.key) == ["k4", "k3", "k2", "k1"])
        var filter = AttemptFilter()
        filter.states = [.approved]
        #expect(try await bench.store.attempts(filter).map(\.key) == ["k4", "k2"])
        filter.orderReference = "R-order-2"
        #expect(try await bench.store.attempts(filter).map(\.key) == ["k2"])
        filter.account = AccountName("eu" as ProviderID)
        #expect(try await bench.store.attempts(filter).isEmpty)
        let found = try await bench.store.attempt(providerID: "p-a-k2", account: Bench.account)
        #expect(found?.key == "k2")
        #expect(try await bench.store.attempt(providerID: "p-a-k1", account: Bench.account) == nil)
    }

    @Test("an order that was given up begins nothing, and its approval is a late one", arguments: StoreKind.allCases)
    func givenUp(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let attempt = try await bench.walk("k1", AttemptState.unknown.way)
        let stored = try #require(try await bench.store.giveUp("order-1", by: "shop"))
        #expect(stored.givenUpAt == bench.wall.now)
        #expect(try await bench.store.history(of: attempt.id).last?.by == "shop")
        bench.wall.move(5)
        #expect(try await bench.store.giveUp("order-1", by: "shop")?.givenUpAt == stored.givenUpAt)
        let late = try await bench.walk(attempt, [.approved])
        #expect(late.isLateApproval)
        #expect(try await bench.store.giveUp("nothing", by: "shop") == nil)

        _ = try await bench.walk("k2", AttemptState.declined.way, intent: try Bench.intent("order-2"))
        _ = try await bench.store.giveUp("order-2", by: "shop")
        #expect(try await bench.store.open(try Bench.intent("order-2"), Bench.new("k3")).refusal == .givenUp)
    }

    @Test("a purge takes personal data and leaves the keys", arguments: StoreKind.allCases)
    func purge(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let store = bench.store
        let open = try await bench.walk("k0", AttemptState.unknown.way, intent: try Bench.intent("order-open"))
        let payment = try await bench.walk("k1", AttemptState.approved.way)
        var new = Bench.new("r1", .refund, amount: Bench.usd(100))
        new.requestedBy = "Olga Operator"
        new.reason = "Ada was not content"
        let refund = try await bench.walk(
            try await store.openChild(of: payment.id, new).attempt, [.sending, .approved])
        try await store.remark(payment.id, by: "Olga Operator", "called Ada")
        bench.wall.move(1_000)
        #expect(try await store.purge(settledBefore: bench.wall.now.adding(seconds: -1_000)) == 0)
        #expect(try await store.purge(settledBefore: bench.wall.now) == 1)
        #expect(try await store.purge(settledBefore: bench.wall.now) == 0)

        let stored = try #require(try await store.intent("order-1"))
        #expect(stored.intent.orderReference == nil && stored.attempts.map(\.id) == [payment.id, refund.id])
        let tomb = try #require(try await store.attempt(refund.id))
        #expect(tomb.reason == nil && tomb.requestedBy == nil && tomb.record == nil)
        #expect(tomb.providerID == refund.providerID && tomb.amount == refund.amount && tomb.key == "r1")
        #expect(try await store.history(of: payment.id).allSatisfy { $0.by == "purged" && $0.text == "purged" })
        #expect(try await store.open(try Bench.intent(), Bench.new("k9")).existing?.id == payment.id)
        #expect(
            try await store.openChild(of: payment.id, Bench.new("r1", .refund, amount: Bench.usd(100))).existing?.id
                == refund.id)
        #expect(
            try await store.openChild(of: payment.id, Bench.new("r2", .refund, amount: Bench.usd(901))).refusal
                == .exceedsRest(Bench.usd(900)))
        #expect(try await store.attempt(open.id) == open)
        #expect(try await store.intent("order-open")?.intent.orderReference == "R-order-open")
        if kind == .sqlite {
            let file = bench.folder.bytes()
            for word in ["Olga", "not content", "called Ada", "R-order-1"] {
                #expect(file.firstRange(of: Array(word.utf8)) == nil, "\(word) is still in the file")
            }
            #expect(file.firstRange(of: Array("R-order-open".utf8)) != nil)
        }
    }

    @Test("all that is known of a payment comes back", arguments: StoreKind.allCases)
    func roundTrip(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let sent = try await bench.walk("k1", [.sending])
        var record = PaymentRecord(id: "p-1", account: Bench.account, kind: .purchase, state: .failed)
        record.providerState = "gateway_processing_failed"
        record.providerKind = "Purchase"
        record.amount = Bench.usd(1_000)
        record.ownReference = sent.id.description
        record.parentID = "p-0"
        record.networkTransactionID = "ntid"
        record.gatewayTransactionID = "gtid"
        record.avsCode = "D"
        record.cvvCode = "M"
        record.needsReview = true
        record.isTest = true
        record.createdAt = WallTime(secondsSince1970: 1)
        record.updatedAt = WallTime(secondsSince1970: 2)
        record.requestID = "request"
        record.decline = Decline(.cardDeclined, providerCode: "05", message: "no", requestID: "request")
        record.children = [PaymentRecord(id: "c", account: Bench.account, kind: .void, state: .pending)]
        var change = Bench.change(.declined)
        change.record = record
        change.decline = record.decline
        record.token = PaymentToken(id: "token-of-the-card", account: Bench.account, usage: .reusable)
        let written = try await bench.store.advance(sent.id, from: sent.version, change, holding: nil).attempt
        let read = try #require(try await bench.store.attempt(sent.id))
        #expect(read == written)
        record.token = nil
        #expect(read.record == record)
        #expect(read.decline == record.decline)
        #expect(read.sentAt == bench.wall.now && read.answerDueAt == bench.wall.now.adding(seconds: 31))
    }

    @Test("the store's clock never goes back", arguments: StoreKind.allCases)
    func clock(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        _ = try await bench.walk("k1", [])
        let before = try await bench.store.now()
        bench.wall.move(-500)
        let second = try await bench.walk("k2", [], intent: try Bench.intent("order-2"))
        #expect(second.createdAt == before)
        #expect(try await bench.store.now() == before)
    }
}
