import GatewayKitCore
import GatewayPayments
import Testing

/// Settling what is unknown.
@Suite struct Reconciling {
    @Test("absence counts only after the longest processing time and the margin, with witnesses")
    func absence() async throws {
        let bench = ServiceBench()
        try await bench.pay("k0", order: "order-0")
        bench.provider.plan(.lostBefore)
        let lost = try await bench.pay()
        for wait in [0, 300, 300, 200] as [Int64] {
            bench.wall.move(wait)
            #expect(try await bench.service.lookUp(lost.attempt.id).result.isUnknown)
        }
        bench.wall.move(3_600)
        let report = try await bench.reconciler.run()
        #expect(report.entries.map(\.result) == [.settled])
        #expect(try await bench.state() == [.nothingMoved])
        #expect(try await bench.pay().result.approvedID == "T3", "the key is free again")
    }

    @Test("an empty list proves nothing, however late")
    func emptyList() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.lostBefore)
        try await bench.pay()
        bench.wall.move(1_000_000)
        let report = try await bench.reconciler.run()
        #expect(report.entries.map(\.result) == [.unsettled])
        #expect(try await bench.state() == [.unknown])
    }

    @Test("a list that misses a payment that is certainly there proves nothing")
    func blindList() async throws {
        let bench = ServiceBench()
        try await bench.pay("k0", order: "order-0")
        bench.provider.plan(.lostBefore)
        try await bench.pay()
        bench.provider.add(PaymentRecord(id: "X", account: StoreBench.account, kind: .purchase, state: .succeeded))
        bench.provider.hide("T1")
        bench.wall.move(1_000_000)
        #expect(try await bench.reconciler.run().entries.map(\.result) == [.unsettled])
    }

    static let contradictions: [(String, @Sendable (inout PaymentRecord) -> Void)] = [
        ("more money", { $0.amount = StoreBench.usd(1_001) }),
        ("another currency", { $0.amount = Money(minorUnits: 1_000, currency: .eur) }),
        ("no money", { $0.amount = StoreBench.usd(0) }),
        ("another kind", { $0 = with($0, kind: .authorization) }),
        ("a state of its own", { $0.state = .unknown }),
    ]

    private static func with(_ record: PaymentRecord, kind: PaymentRecord.Kind) -> PaymentRecord {
        var other = record
        other.kind = kind
        return other
    }

    @Test("evidence that does not fit leaves it unknown", arguments: contradictions.indices)
    func contradiction(_ index: Int) async throws {
        let bench = ServiceBench()
        bench.provider.plan(.lostAfter)
        let lost = try await bench.pay()
        bench.provider.change("T1", Self.contradictions[index].1)
        bench.wall.move(1_000_000)
        #expect(
            try await bench.reconciler.run().entries.map(\.result) == [.unsettled], "\(Self.contradictions[index].0)")
        #expect(try await bench.service.lookUp(lost.attempt.id).result.isUnknown)
    }

    @Test("F6: an attempt whose sender died is looked up, never sent again", arguments: [true, false])
    func died(_ isCharged: Bool) async throws {
        let bench = ServiceBench()
        try await bench.pay("k0", order: "order-0")
        let attempt = try await bench.store.open(try StoreBench.intent(), StoreBench.new("k1")).attempt
        _ = try await bench.store.advance(attempt.id, from: 1, StoreBench.change(.sending), holding: nil)
        if isCharged {
            var record = PaymentRecord(id: "T9", account: StoreBench.account, kind: .purchase, state: .succeeded)
            record.amount = StoreBench.usd(1_000)
            record.ownReference = attempt.id.description
            bench.provider.add(record)
        }
        #expect(try await bench.reconciler.run().entries.isEmpty, "its sender may still be at work")
        bench.wall.move(60)
        let first = try await bench.reconciler.run()
        #expect(first.entries.map(\.attempt.state) == [isCharged ? .approved : .unknown])
        bench.wall.move(100_000)
        _ = try await bench.reconciler.run()
        #expect(try await bench.state() == [isCharged ? .approved : .nothingMoved])
        #expect(bench.provider.sent.count == 1)
    }

    @Test("back-off doubles, and a rate limit ends the pass for as long as the provider says")
    func backOff() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.lostBefore, .lostBefore)
        let one = try await bench.pay()
        try await bench.pay("k2", order: "order-2")
        _ = try await bench.reconciler.run()
        #expect(try await bench.reconciler.run().entries.isEmpty)
        bench.wall.move(5)
        #expect(try await bench.reconciler.run().entries.count == 2)
        bench.wall.move(9)
        #expect(try await bench.reconciler.run().entries.isEmpty)
        bench.wall.move(1)
        bench.provider.fail(
            GatewayError(
                .rateLimited, message: "Too many.", advice: "Wait.", reach: .answered,
                answer: GatewayError.Answer(status: 429, retryAfter: .seconds(77))))
        let limited = try await bench.reconciler.run()
        #expect(limited.entries.map(\.result) == [.lookFailed])
        #expect(limited.stoppedBy?.code == .rateLimited)
        #expect(try await bench.store.attempt(one.attempt.id)?.nextLookAt == bench.wall.now.adding(seconds: 77))
        bench.provider.fail(nil)
        #expect(try await bench.reconciler.run().entries.map(\.attempt.intentID) == ["order-2"])
    }

    @Test("many workers look at each attempt once")
    func workers() async throws {
        let bench = ServiceBench()
        for number in 0..<8 {
            bench.provider.plan(.lostAfter)
            try await bench.pay("k\(number)", order: "order-\(number)")
        }
        let before = bench.provider.looks
        let entries = try await withThrowingTaskGroup(of: [ReconcileReport.Entry].self) { group in
            for number in 0..<4 {
                let service = bench.another()
                group.addTask { try await Reconciler(service, worker: "w\(number)").run().entries }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(entries.count == 8 && Set(entries.map(\.attempt.id)).count == 8)
        #expect(entries.allSatisfy { $0.result == .settled })
        #expect(bench.provider.looks - before == 8)
    }

    @Test(
        "F2: an approval found after the order was given up is reported, and voided only when that is configured",
        arguments: [false, true])
    func lateApproval(_ voids: Bool) async throws {
        let bench = ServiceBench()
        bench.provider.plan(.lostAfter)
        let lost = try await bench.pay()
        _ = try await bench.service.giveUp("order-1", by: "shop")
        var policy = ReconcilePolicy()
        policy.voidsLateApprovals = voids
        let report = try await Reconciler(bench.service, policy: policy, worker: "w").run()
        #expect(report.entries.map(\.result) == [voids ? .lateApprovalVoided : .lateApproval])
        #expect(try await bench.store.attempt(lost.attempt.id)?.isLateApproval == true)
        #expect(bench.provider.sent.map(\.kind) == (voids ? [.purchase, .void] : [.purchase]))
    }

    @Test("a late answer is laid on top of what the reconciler made of the attempt")
    func lateAnswer() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.wait)
        let caller = Task { try await bench.pay() }
        while bench.provider.sent.isEmpty { await Task.yield() }
        bench.wall.move(1_000)
        #expect(try await bench.reconciler.run().entries.map(\.attempt.state) == [.unknown])
        bench.provider.release()
        #expect(try await caller.value.isRecorded)
        #expect(try await bench.state() == [.approved])
    }

    @Test("a person settles what no look-up can, with name and evidence", arguments: [true, false])
    func resolved(_ happened: Bool) async throws {
        let bench = ServiceBench()
        bench.provider.plan(.lostBefore)
        let lost = try await bench.pay()
        let attempt = try await bench.service.resolve(
            lost.attempt.id, happened: happened, by: "Olga", evidence: "statement of May, line 7",
            providerID: happened ? "T77" : nil)
        #expect(attempt.state == (happened ? .approved : .nothingMoved))
        let last = try #require(try await bench.store.history(of: attempt.id).last)
        #expect(last.by == "Olga" && last.text.description.contains("statement of May, line 7"))
        if happened {
            _ = try await bench.service.refund(attempt.id, ChildInstruction(key: "r"))
            #expect(bench.provider.sent.last?.parent == "T77")
        }
        await #expect(throws: GatewayError.self) {
            try await bench.service.resolve(attempt.id, happened: !happened, by: "Olga", evidence: "none")
        }
    }

    @Test("what is under way, approved or declined is not for a person to resolve")
    func notResolvable() async throws {
        for state in [AttemptState.prepared, .sending, .approved, .declined, .nothingMoved, .abandoned] {
            let bench = ServiceBench()
            var attempt = try await bench.store.open(try StoreBench.intent(), StoreBench.new("k1")).attempt
            for next in state.way {
                attempt = try await bench.store.advance(
                    attempt.id, from: attempt.version, StoreBench.change(next), holding: nil
                ).attempt
            }
            let id = attempt.id
            await #expect(throws: GatewayError.self) {
                try await bench.service.resolve(id, happened: true, by: "Olga", evidence: "none")
            }
        }
    }

    @Test("the period's list tells of payments that the journal does not know, and of contradictions")
    func comparison() async throws {
        let bench = ServiceBench()
        let start = bench.wall.now
        var early = PaymentRecord(id: "early", account: StoreBench.account, kind: .purchase, state: .succeeded)
        early.createdAt = start.adding(seconds: -1)
        bench.provider.add(early)
        for number in 0..<3 { try await bench.pay("k\(number)", order: "order-\(number)") }
        var stranger = PaymentRecord(id: "stranger", account: StoreBench.account, kind: .purchase, state: .succeeded)
        stranger.createdAt = start
        bench.provider.add(stranger)
        var failed = stranger
        failed.id = "failed"
        failed.state = .failed
        bench.provider.add(failed)
        bench.provider.plan(.decline)
        let declined = try await bench.pay("k9", order: "order-9")
        bench.provider.change("T4") { $0.state = .succeeded }
        bench.provider.failNextPage(
            GatewayError(
                .rateLimited, message: "Too many.", advice: "Wait.", reach: .answered,
                answer: GatewayError.Answer(status: 429, retryAfter: .milliseconds(1))))
        let comparison = try await bench.service.compare(from: start, to: start.adding(seconds: 60))
        #expect(comparison.strangers.map(\.id) == ["stranger"])
        #expect(comparison.contradictions.map(\.attempt.id) == [declined.attempt.id])
        #expect(comparison.isComplete && comparison.compared == 6)
        let cut = try await bench.service.compare(from: start, to: start.adding(seconds: 60), pages: 1)
        #expect(!cut.isComplete)
    }
}
