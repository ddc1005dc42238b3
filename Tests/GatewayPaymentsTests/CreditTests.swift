import GatewayKitCore
import GatewayPayments
import GatewaySandbox
import Testing

/// Credits without a payment, through the sandbox and a journal in a file.
@Suite struct Credits {
    private func credit(
        _ service: PaymentService, _ bench: SandboxBench, _ token: String, _ key: String = "k1", _ id: String = "owed-1"
    ) async throws -> PaymentOutcome {
        try await service.credit(
            try bench.intent(id, 500),
            CreditInstruction(token: token, key: key, requestedBy: "Olga", reason: "late delivery"))
    }

    @Test("R1: asked for again, under any key and after a restart, a credit is given once, with who and why")
    func once() async throws {
        let bench = try SandboxBench()
        defer { bench.sandbox.stop() }
        let token = try await bench.token()
        let first = try await credit(try bench.service(), bench, token)
        #expect(first.result.approvedID != nil && !first.isJoined && first.attempt.kind == .credit)
        #expect(first.attempt.requestedBy == "Olga" && first.attempt.reason == "late delivery")
        for key in ["k1", "k2"] {
            let again = try await credit(try bench.service(), bench, token, key)
            #expect(again.isJoined && again.attempt.id == first.attempt.id)
        }
        #expect(bench.movements == ["credit"])
        let entry = try #require(bench.sandbox.ledger.entries.first { $0.movement != nil })
        #expect(entry.ownReference == first.attempt.id.description && entry.movement?.amount == 500)
    }

    @Test("R5: a credit whose answer is lost is unknown, is not given again, and is settled from the record")
    func lost() async throws {
        let bench = try SandboxBench()
        defer { bench.sandbox.stop() }
        let token = try await bench.token()
        bench.sandbox.faults.add(try FaultRule("spreedly.general-credit=answer-lost"))
        let lost = try await credit(try bench.service(), bench, token)
        #expect(lost.result.isUnknown)
        #expect(try await credit(try bench.service(), bench, token, "k2").result.isUnknown)
        let report = try await Reconciler(try bench.service(), worker: "w").run(CallContext(timeout: .seconds(300)))
        #expect(report.entries.map(\.result) == [.settled])
        #expect(try await credit(try bench.service(), bench, token, "k3").result.approvedID != nil)
        #expect(bench.movements == ["credit"])
    }

    @Test("a credit that proves to be absent may be given under another key; a declined one too")
    func absent() async throws {
        let bench = try SandboxBench()
        defer { bench.sandbox.stop() }
        let token = try await bench.token()
        let service = try bench.service()
        bench.sandbox.faults.add(try FaultRule("spreedly.general-credit=answer-lost+unprocessed"))
        #expect(try await credit(service, bench, token).result.isUnknown)
        bench.wall.move(60)
        #expect(try await credit(service, bench, token, "k1", "owed-2").result.approvedID != nil)
        bench.wall.move(3_600)
        let report = try await Reconciler(service, worker: "w").run(CallContext(timeout: .seconds(300)))
        #expect(report.entries.map(\.attempt.state) == [.nothingMoved])
        #expect(try await credit(service, bench, token, "k2").result.approvedID != nil)
        let declined = try await credit(service, bench, try await bench.token("visa-declined"), "k1", "owed-3")
        #expect(declined.result.outcomeName == "declined")
        #expect(try await credit(service, bench, token, "k2", "owed-3").result.approvedID != nil)
        #expect(bench.movements == ["credit", "credit", "credit"])
    }

    @Test("what the shop owes is another intent than what it is owed, and a credit is not changed afterwards")
    func direction() async throws {
        let bench = try SandboxBench()
        defer { bench.sandbox.stop() }
        let token = try await bench.token()
        let service = try bench.service()
        _ = try await service.start(
            try bench.intent("paid", 500), PaymentInstruction(.purchase, token: token, key: "p"))
        #expect(
            await nothingMoved { _ = try await credit(service, bench, token, "k", "paid") }?.error.code == .invalidInput
        )
        let given = try await credit(service, bench, token)
        let reversed = await nothingMoved {
            _ = try await service.start(try bench.intent("owed-1", 500), PaymentInstruction(.purchase, token: token))
        }
        #expect(reversed?.error.code == .invalidInput)
        let id = given.attempt.id
        #expect(await nothingMoved { _ = try await service.void(id, ChildInstruction(key: "v")) } != nil)
        #expect(await nothingMoved { _ = try await service.refund(id, ChildInstruction(key: "r")) } != nil)
        #expect(await nothingMoved { _ = try await service.capture(id, ChildInstruction(key: "c")) } != nil)
        #expect(await nothingMoved { _ = try await service.resume(id) } != nil)
        #expect(bench.movements == ["purchase", "credit"])
    }

    @Test("an account that gives no credits, an amount of nothing, an operator that looks like a card: refused")
    func refused() async throws {
        let bench = ServiceBench()
        let intent = try StoreBench.intent()
        let none = PaymentService(
            gateway: Gateway(account: StoreBench.account, provider: "test"), store: bench.store,
            authenticator: TestAuthenticator())
        #expect(
            await nothingMoved { _ = try await none.credit(intent, CreditInstruction(token: "t")) }?.error.code
                == .notSupported)
        let card = CreditInstruction(token: "t", requestedBy: "4111 1111 1111 1111")
        #expect(await nothingMoved { _ = try await bench.service.credit(intent, card) }?.error.code == .invalidInput)
        let nothing = try StoreBench.intent("zero", StoreBench.usd(0))
        #expect(
            await nothingMoved { _ = try await bench.service.credit(nothing, CreditInstruction(token: "t")) }?.error
                .code
                == .invalidInput)
        #expect(bench.provider.sent.isEmpty)
    }
}
