import GatewayKitCore
import GatewayPayments
import GatewaySandbox
import Testing

/// PayPal's page through BlueSnap's adapter, over real HTTP: the page takes the money itself.
@Suite struct PayPalPages {
    @Test(
        "paid on PayPal's page, it is settled by the provider's word; asked for again, there is one page and one payment"
    )
    func paid() async throws {
        let bench = try SandboxBench("bluesnap")
        defer { bench.sandbox.stop() }
        let intent = try PaymentIntent(
            id: "order-1", amount: Money(minorUnits: 2_500, currency: .usd), account: StoreBench.account)
        let asked = CheckoutInstruction(page: CheckoutPageRequest(surface: .mobile))
        let opened = try await bench.service().openCheckout(intent, asked)
        let page = try #require(opened.page)
        #expect(try await bench.service().openCheckout(intent, asked).page == page)
        let call = CallContext(timeout: .seconds(300))
        let id = opened.payment.attempt.id
        #expect(try await bench.service().resume(id, call).result.outcomeName == "pending")
        #expect(bench.movements.isEmpty)

        let answer = try await bench.transport.send(
            WireRequest("test.page", .post, try WireURL(base: page.url), repeatability: .once),
            deadline: ContinuousClock.now.advanced(by: .seconds(300)))
        #expect(answer.status == 302)
        let address = try #require(answer.fields["location"])
        #expect(try await bench.service().verdict(on: address, of: id).kind == .successCandidate)
        let settled = try await bench.service().resume(id, call)
        guard case .approved(let record) = settled.result else {
            Issue.record("\(settled.result)")
            return
        }
        #expect(record.amount == intent.amount)
        #expect(bench.movements.count == 1)
    }
}
