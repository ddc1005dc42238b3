import GatewayCrypto
import GatewayKitCore
import GatewayPayments
import GatewaySandbox
import Testing

/// The shopper's next action after a restart, through the sandbox's 3-D Secure and a journal in a file.
@Suite struct NextActions {
    private func pay(
        _ service: PaymentService, _ bench: SandboxBench, _ token: String, key: String = "k1"
    ) async throws -> PaymentOutcome {
        var instruction = PaymentInstruction(.purchase, token: token, key: key)
        instruction.options = [
            "attempt3DSecure": .flag(true), "threeDSVersion": .text("2"), "browserInfo": .text("e30="),
        ]
        instruction.returnURL = "https://shop.example/back"
        return try await service.start(try bench.intent("order-1", 3_004), instruction)
    }

    private func action(_ result: PaymentResult) -> NextAction? {
        if case .pending(let action, _) = result { action } else { nil }
    }

    @Test(
        "after a restart the journal tells the next action without asking, and forgets it when the payment is over")
    func restart() async throws {
        let bench = try SandboxBench()
        defer { bench.sandbox.stop() }
        let token = try await bench.token("visa-3ds")
        let first = try await pay(try bench.service(), bench, token)
        let told = try #require(action(first.result))
        let id = first.attempt.id
        let asked = bench.sandbox.ledger.count
        #expect(action(try await bench.service().recorded(id).result) == told)
        #expect(action(try await pay(try bench.service(), bench, token, key: "k2").result) == told)
        #expect(try await bench.service().store.attempt(id)?.nextAction(SandboxBench.sealer()) == told)
        #expect(bench.sandbox.ledger.count == asked, "nothing was asked")

        let second = try await bench.service().resume(id)
        let next = try #require(action(second.result))
        #expect(next != told)
        #expect(action(try await bench.service().recorded(id).result) == next)
        #expect(try await bench.service().resume(id).result.approvedID != nil)
        #expect(try await bench.service().store.attempt(id)?.sealedAction == nil)
        #expect(bench.movements == ["purchase"])
    }

    @Test("a next action is sealed in the file; another key, or none, tells nothing and stops nothing")
    func sealed() async throws {
        let bench = try SandboxBench()
        defer { bench.sandbox.stop() }
        let token = try await bench.token("visa-3ds")
        let first = try await pay(try bench.service(), bench, token)
        #expect(bench.folder.bytes().firstRange(of: Array("checkout.example".utf8)) == nil)
        let stranger = try bench.service(key: SecretBytes(Array(repeating: 9, count: 32)))
        let none = try bench.service(seals: false)
        for service in [stranger, none] {
            let outcome = try await service.recorded(first.attempt.id)
            #expect(outcome.result.outcomeName == "pending" && action(outcome.result) == nil)
        }
        #expect(action(try await none.resume(first.attempt.id).result) != nil, "the provider tells it again")
        #expect(try await none.store.attempt(first.attempt.id)?.sealedAction == nil, "the old one leads nowhere")
    }

    @Test("a sealed action that is moved to another attempt does not open there")
    func moved() async throws {
        let bench = ServiceBench()
        let sealer = try SandboxBench.sealer()
        let service = PaymentService(
            gateway: bench.provider.gateway, store: bench.store, authenticator: TestAuthenticator(), sealer: sealer)
        bench.provider.plan(.pending)
        let first = try await bench.pay(by: service)
        #expect(first.attempt.nextAction(sealer) != nil)
        let other = try await bench.store.open(try StoreBench.intent("order-2"), StoreBench.new("k0")).attempt
        let sent = try await bench.store.advance(other.id, from: 1, StoreBench.change(.sending), holding: nil).attempt
        var step = StoreBench.change(.pending)
        step.sealedAction = first.attempt.sealedAction
        let pending = try await bench.store.advance(sent.id, from: sent.version, step, holding: nil).attempt
        #expect(pending.sealedAction != nil && pending.nextAction(sealer) == nil)
    }

    @Test("a resume that was not sent leaves the next action where it is")
    func notSent() async throws {
        let bench = ServiceBench()
        let service = PaymentService(
            gateway: bench.provider.gateway, store: bench.store, authenticator: TestAuthenticator(),
            sealer: try SandboxBench.sealer())
        bench.provider.plan(.pending, .notSent)
        let first = try await bench.pay(by: service)
        #expect(await nothingMoved { _ = try await service.resume(first.attempt.id) } != nil)
        #expect(action(try await service.recorded(first.attempt.id).result) == action(first.result))
    }

    @Test("R1: the same key with another token is another request, and the refusal says so")
    func anotherToken() async throws {
        let bench = ServiceBench()
        try await bench.pay()
        let refused = await nothingMoved { try await bench.pay(token: "token-2") }
        #expect(refused?.error.message.description.contains("another token") == true)
        let other = await nothingMoved { try await bench.pay("k1", .authorize) }
        #expect(other?.error.message.description.contains("another token") == false)
        #expect(bench.provider.sent.count == 1)
    }
}
