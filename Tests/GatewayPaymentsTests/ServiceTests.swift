import GatewayKitCore
import GatewayPayments
import Testing

/// Starting and resuming payments.
@Suite struct Services {
    @Test("R1: pressed again, under the same key or another, it is one payment", arguments: [nil, "k1", "k2"])
    func pressedAgain(_ second: String?) async throws {
        let bench = ServiceBench()
        let first = try await bench.pay()
        let again = try await bench.pay(second)
        #expect(first.result.approvedID == "T1" && !first.isJoined && first.isRecorded)
        #expect(again.result.approvedID == "T1" && again.isJoined)
        #expect(again.attempt.id == first.attempt.id)
        #expect(bench.provider.sent.count == 1)
    }

    @Test("R1, R2: pressed many times at once, by two processes, it is sent once")
    func atOnce() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.wait)
        let other = bench.another()
        let outcomes = try await withThrowingTaskGroup(of: PaymentOutcome.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await bench.pay("k\(number % 5)", by: number.isMultiple(of: 2) ? other : nil)
                }
            }
            while bench.provider.sent.isEmpty { await Task.yield() }
            bench.provider.release()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bench.provider.sent.count == 1)
        #expect(outcomes.allSatisfy { $0.result.approvedID == "T1" })
        #expect(outcomes.count { !$0.isJoined } == 1)
    }

    @Test("R5, R6: while it is unknown, another start gets the unknown one back; found, it is approved")
    func unknown() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.lostAfter)
        let first = try await bench.pay()
        #expect(first.result.isUnknown)
        let second = try await bench.pay("k2")
        #expect(second.result.isUnknown && second.isJoined && second.attempt.id == first.attempt.id)
        #expect(bench.provider.sent.count == 1)
        let found = try await bench.service.lookUp(first.attempt.id)
        #expect(found.result.approvedID == "T1")
        #expect(try await bench.pay("k3").result.approvedID == "T1")
        #expect(bench.provider.sent.count == 1)
    }

    @Test(
        "a declined attempt may be followed by another with a new token, and the first key still tells of the decline")
    func declined() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.decline)
        let first = try await bench.pay()
        guard case .declined(let decline, _) = first.result else { throw Unexpected(what: "\(first.result)") }
        #expect(decline.reason == .insufficientFunds && decline.providerCode == "51")
        let same = try await bench.pay()
        #expect(same.isJoined && same.result.outcomeName == "declined")
        #expect(bench.provider.sent.count == 1)
        let second = try await bench.pay("k2", token: "token-2")
        #expect(second.result.approvedID == "T2")
        #expect(bench.provider.sent.map(\.reference).count == Set(bench.provider.sent.map(\.reference)).count)
        #expect(try await bench.pay("k3").attempt.id == second.attempt.id)
    }

    @Test("when nothing moved, the same key tries again")
    func nothing() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.notSent, .invalid)
        #expect(await nothingMoved { try await bench.pay() }?.error.code == .unreachable)
        let invalid = try await bench.pay()
        #expect(invalid.result.outcomeName == "invalid" && invalid.attempt.state == .nothingMoved)
        #expect(try await bench.pay(token: "token-2").result.approvedID == "T3")
        #expect(try await bench.state() == [.nothingMoved, .nothingMoved, .approved])
    }

    @Test("a key stands for one request, an intent for one debt")
    func reused() async throws {
        let bench = ServiceBench()
        try await bench.pay()
        #expect(await nothingMoved { try await bench.pay(token: "token-2") }?.error.code == .invalidInput)
        #expect(await nothingMoved { try await bench.pay(amount: StoreBench.usd(1)) }?.error.code == .invalidInput)
        #expect(bench.provider.sent.count == 1)
    }

    @Test("each attempt sends a reference of its own, and the order's number beside it")
    func references() async throws {
        let bench = ServiceBench()
        let one = try await bench.pay(order: "order-1")
        let two = try await bench.pay(order: "order-2")
        #expect(bench.provider.sent.map(\.reference) == [one.attempt.id.description, two.attempt.id.description])
        for sent in bench.provider.sent {
            #expect(sent.reference.utf8.count == 28)
            #expect(Redactor.standard.redact(sent.reference) == sent.reference)
        }
    }

    @Test("a store that cannot be reached before sending: nothing is sent", arguments: ["open", "advance sending"])
    func storeGone(_ call: String) async throws {
        let bench = ServiceBench()
        bench.store.fail([call])
        #expect(await nothingMoved { try await bench.pay() }?.error.code == .unreachable)
        #expect(bench.provider.sent.isEmpty)
        bench.store.fail([])
        #expect(try await bench.pay().result.approvedID == "T1")
    }

    @Test("a store that fails after the answer: the answer is returned, marked, and found again")
    func unrecorded() async throws {
        let bench = ServiceBench()
        bench.store.fail(["advance approved"])
        let outcome = try await bench.pay()
        #expect(outcome.result.approvedID == "T1" && !outcome.isRecorded)
        #expect(try await bench.state() == [.sending])
        bench.store.fail([])
        #expect(try await bench.pay("k2", limit: .milliseconds(10)).result.isUnknown)
        bench.wall.move(400)
        let report = try await bench.reconciler.run()
        #expect(report.entries.map(\.result) == [.settled])
        #expect(try await bench.pay("k3").result.approvedID == "T1")
        #expect(bench.provider.sent.count == 1)
    }

    @Test("a store that fails after a refusal: nothing moved is still the truth")
    func unrecordedRefusal() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.notSent)
        bench.store.fail(["advance nothingMoved"])
        #expect(await nothingMoved { try await bench.pay() }?.error.code == .unreachable)
        #expect(try await bench.state() == [.sending])
    }

    @Test("F2, F6: a caller that gives up in the middle gets unknown at once, and the late answer reaches the journal")
    func cancelled() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.wait)
        let caller = Task { try await bench.pay() }
        while bench.provider.sent.isEmpty { await Task.yield() }
        caller.cancel()
        let outcome = try await caller.value
        guard case .unknown(_, let cause) = outcome.result else { throw Unexpected(what: "\(outcome.result)") }
        #expect(cause.code == .cancelled && cause.reach == .sent)
        #expect(try await bench.state() == [.sending])
        bench.provider.release()
        await bench.service.finish()
        #expect(try await bench.state() == [.approved])
        #expect(try await bench.pay("k2").result.approvedID == "T1")
    }

    @Test("a caller that is cancelled before anything is sent: nothing moved, and the intent is free")
    func cancelledBefore() async throws {
        let bench = ServiceBench()
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await nothingMoved { try await bench.pay() }
        }
        #expect(await caller.value?.error.code == .cancelled)
        #expect(bench.provider.sent.isEmpty)
        #expect(try await bench.state() == [.abandoned])
        #expect(try await bench.pay().result.approvedID == "T1")
    }

    @Test("a process that was stopped between claim and sending sends nothing when it goes on")
    func stopped() async throws {
        let bench = ServiceBench()
        let clock = ManualClock()
        let service = PaymentService(
            gateway: bench.provider.gateway, store: bench.store, authenticator: TestAuthenticator(), clock: clock)
        bench.store.after { if $0 == .sending { clock.advance(by: .seconds(3_600)) } }
        #expect(await nothingMoved { try await bench.pay(by: service) }?.error.code == .timedOut)
        #expect(bench.provider.sent.isEmpty)
        #expect(try await bench.state() == [.nothingMoved])
    }

    @Test("what is sending elsewhere is waited for no longer than the caller's limit, and is unknown then")
    func elsewhere() async throws {
        let bench = ServiceBench()
        let attempt = try await bench.store.open(try StoreBench.intent(), StoreBench.new("k0")).attempt
        _ = try await bench.store.advance(attempt.id, from: 1, StoreBench.change(.sending), holding: nil)
        let outcome = try await bench.pay(limit: .milliseconds(200))
        #expect(outcome.result.isUnknown && outcome.attempt.id == attempt.id)
        bench.wall.move(60)
        #expect(try await bench.pay(limit: .seconds(600)).result.isUnknown, "its sender is dead: no wait")
        #expect(bench.provider.sent.isEmpty)
    }

    @Test("an attempt left behind before it was sent is given up by the next one")
    func leftBehind() async throws {
        let bench = ServiceBench()
        let attempt = try await bench.store.open(try StoreBench.intent(), StoreBench.new("k0")).attempt
        bench.wall.move(10)
        #expect(try await bench.pay().result.approvedID == "T1")
        #expect(try await bench.store.attempt(attempt.id)?.state == .abandoned)
    }

    @Test("F7: pending is not approved; it is resumed, once at a time")
    func pending() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.pending, .notSent, .pending, .approve)
        let first = try await bench.pay()
        guard case .pending(.redirect?, _) = first.result else { throw Unexpected(what: "\(first.result)") }
        #expect(try await bench.pay("k2").result.outcomeName == "pending")
        #expect(await nothingMoved { _ = try await bench.service.resume(first.attempt.id) } != nil)
        #expect(try await bench.state() == [.pending])
        let still = try await bench.service.resume(first.attempt.id)
        guard case .pending(.redirect?, _) = still.result else { throw Unexpected(what: "\(still.result)") }
        #expect(try await bench.service.resume(first.attempt.id).result.approvedID == "T1")
        #expect(try await bench.service.resume(first.attempt.id).isJoined)
        #expect(bench.provider.sent.count == 1)
    }

    @Test("a resume whose answer is lost is unknown, and is looked up")
    func resumeLost() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.pending, .lostAfter)
        let first = try await bench.pay()
        #expect(try await bench.service.resume(first.attempt.id).result.isUnknown)
        #expect(try await bench.service.resume(first.attempt.id).result.isUnknown)
        #expect(try await bench.service.lookUp(first.attempt.id).result.approvedID == "T1")
    }

    @Test("a partial approval and a review are told")
    func partial() async throws {
        let bench = ServiceBench()
        bench.provider.plan(.approvePart(600))
        let outcome = try await bench.pay()
        #expect(outcome.isPartial && !outcome.needsReview)
        #expect(outcome.attempt.approvedAmount == StoreBench.usd(600))
    }

    @Test(
        "an approval that does not fit the request is unknown, not success", arguments: [0, 1_001, 100_000] as [Int64])
    func contradiction(_ units: Int64) async throws {
        let bench = ServiceBench()
        bench.provider.plan(.approveOther(units))
        let outcome = try await bench.pay()
        #expect(outcome.result.isUnknown)
        #expect(try await bench.state() == [.unknown])
        #expect(try await bench.service.lookUp(outcome.attempt.id).result.isUnknown)
    }

    @Test("an intent is paid through its own account, and its payment changed through no other")
    func otherAccount() async throws {
        let bench = ServiceBench()
        let payment = try await bench.pay()
        let other = ScriptedProvider(bench.wall, account: AccountName("eu" as ProviderID))
        let wrong = PaymentService(gateway: other.gateway, store: bench.store, authenticator: TestAuthenticator())
        #expect(
            await nothingMoved { try await bench.pay("k2", order: "order-2", by: wrong) }?.error.code == .configuration)
        #expect(
            await nothingMoved { _ = try await wrong.refund(payment.attempt.id, ChildInstruction(key: "r")) }?.error
                .code
                == .configuration)
        #expect(other.sent.isEmpty)
    }

    @Test("what an account cannot do is refused before anything is written")
    func unsupported() async throws {
        let bench = ServiceBench()
        let gateway = Gateway(account: StoreBench.account, provider: "test")
        let service = PaymentService(gateway: gateway, store: bench.store, authenticator: TestAuthenticator())
        #expect(await nothingMoved { try await bench.pay(by: service) }?.error.code == .notSupported)
        #expect(try await bench.state().isEmpty)
    }

    @Test("ids that look like card data are not written")
    func cardInIDs() async throws {
        #expect(throws: PaymentInputProblem.self) { try StoreBench.intent("4111111111111111") }
        #expect(throws: PaymentInputProblem.self) { try StoreBench.intent("no spaces") }
        let bench = ServiceBench()
        #expect(await nothingMoved { try await bench.pay("4111-1111-1111-1111") }?.error.code == .invalidInput)
        #expect(bench.provider.sent.isEmpty)
    }

    @Test("a verification moves no money and has no amount")
    func verify() async throws {
        let bench = ServiceBench()
        let outcome = try await bench.pay("k1", .verify, amount: StoreBench.usd(0))
        #expect(outcome.attempt.kind == .verify && outcome.result.approvedID == "T1")
        #expect(
            await nothingMoved { _ = try await bench.service.void(outcome.attempt.id, ChildInstruction(key: "v")) }
                != nil)
    }
}
