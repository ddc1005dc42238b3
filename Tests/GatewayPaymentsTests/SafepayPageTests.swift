import GatewayKitCore
import GatewayPayments
import GatewaySandbox
import Testing

/// Pages through a real adapter, over real HTTP, against the sandbox's own books.
@Suite struct SafepayPages {
    private static let pkr = Money(minorUnits: 150_000, currency: .pkr)

    private func intent(_ id: String = "order-1") throws -> PaymentIntent {
        try PaymentIntent(id: id, amount: Self.pkr, orderReference: "R-1", account: StoreBench.account)
    }

    private func open(_ bench: SandboxBench, _ key: String = "k1") async throws -> OpenedCheckout {
        let instruction = CheckoutInstruction(
            key: key, session: SessionRequest(.payment, entry: .cardData),
            page: CheckoutPageRequest(surface: .embedded))
        return try await bench.service().openCheckout(try intent(), instruction)
    }

    /// What the page does for the shopper: card, enrolment, payment.
    private func shopperPays(_ page: CheckoutPage, _ bench: SandboxBench) async throws {
        let tracker = try #require(page.session.id.split(separator: ":").last)
        let secret = try #require(bench.sandbox.credentials(for: "safepay")?["secretKey"])
        let base = try #require(bench.sandbox.baseURL(for: "safepay"))
        let card =
            #"{"payload":{"payment_method":{"card":{"card_number":"4111111111111111","expiration_month":"09","#
            + #""expiration_year":"2031","cvv":"737"}}}}"#
        let enrolment =
            #"{"payload":{"billing":{"street_1":"1 Example Street","city":"Karachi","country":"PK"},"#
            + #""authorization":{"do_capture":false,"do_card_on_file":false},"#
            + #""authentication_setup":{"success_url":"https://shop.example/3ds/ok","#
            + #""failure_url":"https://shop.example/3ds/no","device_fingerprint_session_id":"fp-1"}}}"#
        for body in [card, enrolment, #"{"payload":{"authorization":{"do_capture":true}}}"#] {
            var request = WireRequest(
                "test.page", .post, try WireURL(base: base + "/order/payments/v3/\(tracker)"), repeatability: .once)
            request.fields.append("X-SFPY-MERCHANT-SECRET", .plain(secret))
            request.body = WireBody(
                contentType: "application/json", bytes: Sensitive(Array(body.utf8)), secrets: [])
            let answer = try await bench.transport.send(
                request, deadline: ContinuousClock.now.advanced(by: .seconds(300)))
            try #require(answer.status < 300, "\(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    @Test("opened once, over restarts; nothing is believed before the provider's record; paid, it is settled by it")
    func paid() async throws {
        let bench = try SandboxBench("safepay")
        defer { bench.sandbox.stop() }
        let opened = try await open(bench)
        let page = try #require(opened.page)
        #expect(page.amount == Self.pkr && opened.payment.result.outcomeName == "pending")
        let sessions = bench.sandbox.ledger.count
        #expect(try await open(bench, "k2").page == page)
        #expect(bench.sandbox.ledger.count == sessions, "nothing was opened")
        let id = opened.payment.attempt.id
        let call = CallContext(timeout: .seconds(300))
        #expect(try await Reconciler(bench.service(), worker: "w").run(call).entries.map(\.result) == [.unsettled])
        #expect(try await bench.service().resume(id, call).result.outcomeName == "pending")
        #expect(bench.movements.isEmpty)

        try await shopperPays(page, bench)
        bench.wall.move(60)
        let entries = try await Reconciler(bench.service(), worker: "w").run(call).entries
        #expect(entries.map(\.result) == [.settled], "\(entries.map(\.reason))")
        let settled = try await bench.service().recorded(id)
        guard case .approved(let record) = settled.result else { throw Unexpected(what: "\(settled.result)") }
        #expect(record.amount == Self.pkr && settled.attempt.providerID == record.id)
        #expect(settled.attempt.sealedAction == nil)
        let again = try await open(bench, "k3")
        #expect(again.page == nil && again.payment.attempt.id == id)
    }

    @Test("F2: a page that is paid after its order was given up is a late approval")
    func late() async throws {
        let bench = try SandboxBench("safepay")
        defer { bench.sandbox.stop() }
        let page = try #require(try await open(bench).page)
        _ = try await bench.service().giveUp("order-1", by: "shop")
        try await shopperPays(page, bench)
        let entries = try await Reconciler(bench.service(), worker: "w").run(CallContext(timeout: .seconds(300)))
            .entries
        #expect(entries.map(\.result) == [.lateApproval], "\(entries.map(\.reason))")
    }

    @Test("a session that is not opened, or whose answer is lost, leaves nothing that could be paid")
    func lost() async throws {
        let bench = try SandboxBench("safepay")
        defer { bench.sandbox.stop() }
        bench.sandbox.faults.add(try FaultRule("safepay.create-tracker=answer-lost*always"))
        let service = try bench.service()
        let nothing = await nothingMoved {
            let instruction = CheckoutInstruction(
                key: "k1", session: SessionRequest(.payment, entry: .cardData),
                page: CheckoutPageRequest(surface: .embedded))
            _ = try await service.openCheckout(try intent(), instruction, CallContext(timeout: .seconds(3)))
        }
        #expect(nothing != nil)
        #expect(try await service.store.intent("order-1")?.attempts.map(\.state) == [.nothingMoved])
        bench.sandbox.faults.removeAll()
        #expect(try await open(bench).page != nil)
    }
}
