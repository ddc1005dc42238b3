import GatewayKitCore
import GatewayPayments
import Testing

/// Captures, voids and refunds through the service.
@Suite struct Children {
    private func refund(
        _ bench: ServiceBench, _ payment: PaymentOutcome, _ key: String, _ cents: Int64? = nil
    ) async throws -> PaymentOutcome {
        try await bench.service.refund(
            payment.attempt.id,
            ChildInstruction(
                key: key, amount: cents.map { StoreBench.usd($0) }, requestedBy: "Olga", reason: "returned"),
            CallContext(timeout: .seconds(300)))
    }

    @Test(
        "M4, M5, M7: a refund of a currency without minor digits sends what was asked for, not a hundredth or a hundredfold"
    )
    func yen() async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay(amount: Money(minorUnits: 9_899, currency: .jpy))
        let part = try await bench.service.refund(
            payment.attempt.id, ChildInstruction(key: "r1", amount: Money(minorUnits: 5_800, currency: .jpy)))
        #expect(part.result.approvedID != nil)
        _ = try await bench.service.refund(payment.attempt.id, ChildInstruction(key: "r2"))
        #expect(bench.provider.sent.map { $0.amount?.minorUnits } == [9_899, 5_800, 4_099])
    }

    @Test("two equal partial refunds are two; the same key is one; the amount is always sent")
    func equalRefunds() async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay()
        let first = try await refund(bench, payment, "r1", 300)
        let second = try await refund(bench, payment, "r2", 300)
        let again = try await refund(bench, payment, "r1", 300)
        #expect(first.attempt.id != second.attempt.id)
        #expect(again.isJoined && again.attempt.id == first.attempt.id)
        let rest = try await refund(bench, payment, "r3")
        #expect(rest.attempt.amount == StoreBench.usd(400))
        #expect(bench.provider.sent.map { $0.amount?.minorUnits } == [1_000, 300, 300, 400])
        #expect(bench.provider.sent.dropFirst().allSatisfy { $0.parent == "T1" })
        #expect(first.attempt.requestedBy == "Olga" && first.attempt.reason == "returned")
    }

    @Test("refunds above the captured rest are refused here")
    func tooMuch() async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay()
        _ = try await refund(bench, payment, "r1", 900)
        #expect(await nothingMoved { _ = try await refund(bench, payment, "r2", 101) }?.error.code == .invalidInput)
        #expect(await nothingMoved { _ = try await refund(bench, payment, "r1", 100) }?.error.code == .invalidInput)
        #expect(bench.provider.sent.count == 2)
    }

    @Test("an unknown refund keeps the next one out until the provider's record settles it", arguments: [true, false])
    func unknownRefund(_ isDone: Bool) async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay()
        bench.provider.plan(isDone ? .lostAfter : .lostBefore)
        let lost = try await refund(bench, payment, "r1", 600)
        #expect(lost.result.isUnknown)
        #expect(try await refund(bench, payment, "r1", 600).result.isUnknown)
        #expect(await nothingMoved { _ = try await refund(bench, payment, "r2", 100) } != nil)
        #expect(bench.provider.sent.count == 2)
        bench.wall.move(3_600)
        let report = try await bench.reconciler.run()
        #expect(report.entries.map(\.attempt.state) == [isDone ? .approved : .nothingMoved])
        let next = await nothingMoved { _ = try await refund(bench, payment, "r3", 600) }
        #expect((next == nil) == !isDone)
    }

    @Test("a refund without a reference at the provider is found among the payment's own")
    func withoutReference() async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay()
        bench.provider.forgetReferences()
        _ = try await refund(bench, payment, "r1", 300)
        bench.provider.plan(.lostAfter)
        let lost = try await refund(bench, payment, "r2", 300)
        let found = try await bench.service.lookUp(lost.attempt.id)
        #expect(found.result.approvedID == "T3", "not T2, which is the first refund")
    }

    @Test("authorize, capture in part, capture the rest, refund by capture")
    func captures() async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay("k1", .authorize)
        let id = payment.attempt.id
        let part = ChildInstruction(key: "c1", amount: StoreBench.usd(400))
        _ = try await bench.service.capture(id, part)
        let rest = try await bench.service.capture(id, ChildInstruction(key: "c2"))
        #expect(rest.attempt.amount == StoreBench.usd(600))
        let again = try await bench.service.capture(id, ChildInstruction(key: "c3"))
        #expect(again.isJoined && again.attempt.id == rest.attempt.id, "captured already: read up")
        _ = try await bench.service.refund(id, ChildInstruction(key: "r1", amount: StoreBench.usd(600)))
        #expect(bench.provider.sent.last?.parent == "T3")
        #expect(await nothingMoved { _ = try await bench.service.void(id, ChildInstruction(key: "v")) } != nil)
    }

    @Test("captured or voided already, by somebody else: it is read up, not a failure", arguments: [true, false])
    func already(_ isVoid: Bool) async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay("k1", .authorize)
        var done = PaymentRecord(
            id: "D1", account: StoreBench.account, kind: isVoid ? .void : .capture, state: .succeeded)
        done.amount = isVoid ? nil : StoreBench.usd(1_000)
        done.parentID = "T1"
        done.ownReference = "by-the-dashboard"
        bench.provider.add(done)
        bench.provider.plan(.decline)
        let outcome =
            isVoid
            ? try await bench.service.void(payment.attempt.id, ChildInstruction(key: "x"))
            : try await bench.service.capture(payment.attempt.id, ChildInstruction(key: "x"))
        #expect(outcome.result.approvedID == "D1")
        #expect(outcome.attempt.state == .approved)
    }

    @Test("F3: a refusal of a capture that was not done stays a refusal")
    func refused() async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay("k1", .authorize)
        bench.provider.plan(.decline)
        let outcome = try await bench.service.capture(payment.attempt.id, ChildInstruction(key: "c1"))
        #expect(outcome.result.outcomeName == "declined")
        #expect(
            try await bench.service.capture(payment.attempt.id, ChildInstruction(key: "c2")).result.approvedID != nil)
    }

    @Test("a refusal that may mean done already is looked up at once", arguments: [true, false])
    func unclearRefusal(_ isDone: Bool) async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay()
        bench.provider.plan(.unclearRefusal(done: isDone))
        let outcome = try await refund(bench, payment, "r1", 300)
        #expect(outcome.result.outcomeName == (isDone ? "approved" : "declined"))
        #expect(outcome.attempt.state == (isDone ? .approved : .declined))
    }

    @Test("a voided payment stays voided")
    func voided() async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay()
        let first = try await bench.service.void(payment.attempt.id, ChildInstruction(key: "v1"))
        let second = try await bench.service.void(payment.attempt.id, ChildInstruction(key: "v2"))
        #expect(second.isJoined && second.attempt.id == first.attempt.id)
        #expect(await nothingMoved { _ = try await refund(bench, payment, "r1", 100) }?.error.code == .invalidInput)
        #expect(bench.provider.sent.count == 2)
    }

    @Test("of many captures at once one is sent")
    func race() async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay("k1", .authorize)
        let other = bench.another()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    _ = try? await (number.isMultiple(of: 2) ? other : bench.service).capture(
                        payment.attempt.id, ChildInstruction(key: "c\(number)"), CallContext(timeout: .seconds(300)))
                }
            }
        }
        #expect(bench.provider.sent.count == 2)
    }
}
