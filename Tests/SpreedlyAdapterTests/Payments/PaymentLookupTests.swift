import GatewayKitCore
import GatewaySandbox
import SpreedlyAdapter
import Testing

/// Payments found again: by id, by the attempt's own reference, page by page.
@Suite struct PaymentLookupTests {
    private func withTill(_ body: (Till, Sandbox) async throws -> Void) async throws {
        let sandbox = try Shop.sandbox()
        defer { sandbox.stop() }
        try await body(try Till(try Shop.settings(in: sandbox)), sandbox)
    }

    private func thrown(_ body: () async throws -> Void) async -> GatewayError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? GatewayError
        }
    }

    @Test("What is not there is absent, with the payments that the same reading showed as witnesses")
    func absent() async throws {
        try await withTill { till, _ in
            #expect(try await till.find(reference: "nobody") == .absent(witnesses: []))
            let token = try await till.token()
            let first = try #require(await MoneyVerb.purchase.make(till, token: token).approved)
            let second = try #require(await MoneyVerb.purchase.make(till, token: token, reference: "a2").approved)
            #expect(try await till.find(reference: "nobody") == .absent(witnesses: [second.id, first.id]))
        }
    }

    @Test("A request that was delivered twice has charged twice: neither is given for the other")
    func twice() async throws {
        try await withTill { till, sandbox in
            let token = try await till.token()
            sandbox.faults.add(FaultRule(.duplicateDelivery, provider: "spreedly", operation: "purchase"))
            #expect(await MoneyVerb.purchase.make(till, token: token).approved != nil)
            #expect(sandbox.ledger.entries.compactMap(\.movement).count == 2)
            let error = await thrown { _ = try await till.find() }
            #expect(error?.message.description.contains("charged twice") == true)
        }
    }

    @Test("A capture, void or refund that was delivered twice is unknown, and found as done")
    func childTwice() async throws {
        try await withTill { till, sandbox in
            let token = try await till.token()
            for (verb, parent) in [(MoneyVerb.capture, MoneyVerb.authorize), (.void, .authorize), (.refund, .purchase)]
            {
                let paid = try #require(
                    await parent.make(till, token: token, reference: "for-" + verb.rawValue).approved)
                let operation = verb == .refund ? "credit" : verb.rawValue
                sandbox.faults.add(FaultRule(.duplicateDelivery, provider: "spreedly", operation: operation))
                let reference = "twice-" + verb.rawValue
                #expect(await verb.make(till, of: paid.id, reference: reference).unknown != nil)
                guard case .found(let record) = try await till.find(reference: reference) else {
                    Issue.record("\(verb) is not found")
                    continue
                }
                #expect(record.state == .succeeded && record.parentID == paid.id)
            }
        }
    }

    @Test("The list is read to its end, over pages, and is given page by page")
    func pages() async throws {
        try await withTill { till, _ in
            let token = try await till.token()
            for number in 0..<105 {
                #expect(await MoneyVerb.purchase.make(till, token: token, reference: "a\(number)").approved != nil)
            }
            guard case .found(let oldest) = try await till.find(reference: "a0") else {
                throw Till.NoToken()
            }
            #expect(oldest.ownReference == "a0")
            var seen: [String?] = []
            var cursor: String?
            repeat {
                let page = try #require(try await till.payments.lookup?.page(after: cursor, CallContext()))
                seen += page.records.map(\.ownReference)
                cursor = page.next
            } while cursor != nil
            #expect(seen == (0..<105).reversed().map { "a\($0)" })
        }
    }

    private func list(_ transactions: [[String: String?]]) -> String {
        let texts = transactions.map { TransactionText.of(.purchase, $0) }
        return #"{"transactions":[\#(texts.joined(separator: ","))]}"#
    }

    @Test("Reading stops at what is older than the attempt, with a margin for clocks")
    func bound() async throws {
        let old = "\"2030-06-15T11:54:59Z\""
        let text = list([
            ["token": "\"A1\"", "order_id": "\"a1\""], ["token": "\"A2\"", "order_id": "\"a2\"", "created_at": old],
        ])
        let till = try Till.scripted(200, text)
        #expect(try await till.find(reference: "nobody") == .absent(witnesses: ["A1"]))
        #expect(try await till.find(reference: "a2") == .absent(witnesses: ["A1"]))
        guard case .found = try await till.find(reference: "a2", since: Shop.now.adding(seconds: -3600)) else {
            throw Till.NoToken()
        }
    }

    @Test("A transaction of that time without a reference may be the one: then nothing is absent")
    func obscured() async throws {
        for order in [nil, "null", "\"A1\""] as [String?] {
            let till = try Till.scripted(200, list([["token": "\"A1\"", "order_id": order]]))
            #expect(await thrown { _ = try await till.find(reference: "nobody") } != nil)
            // Made long after the attempt it cannot be the one.
            #expect(
                try await till.find(reference: "nobody", since: Shop.now.adding(seconds: -86_400))
                    == .absent(witnesses: ["A1"]))
        }
        let vault = #"{"transactions":[{"token":"A1","transaction_type":"AddPaymentMethod","succeeded":true}]}"#
        #expect(try await Till.scripted(200, vault).find(reference: "nobody") == .absent(witnesses: []))
    }

    @Test("References of digits that look like a card number are found all the same")
    func digits() async throws {
        let digits = "4111111111111111"
        let till = try Till.scripted(200, list([["token": "\"A1\"", "order_id": "\"\(digits)\""]]))
        guard case .found(let record) = try await till.find(reference: digits) else { throw Till.NoToken() }
        #expect(record.ownReference == digits)
    }

    static let unusable: [(status: Int, body: String, code: GatewayError.Code)] = [
        (200, "", .unreadableAnswer), (200, "{}", .unreadableAnswer),
        (200, #"{"transactions":"x"}"#, .unreadableAnswer),
        (200, #"{"transactions":[{"succeeded":true}]}"#, .unreadableAnswer), (200, StatusTests.html, .unreadableAnswer),
        (401, MoneyProofTests.errors, .credentialsRefused), (403, "", .notPermitted), (404, "", .notFound),
        (404, StatusTests.html, .notFound), (408, "", .providerUnavailable), (409, "", .unreadableAnswer),
        (422, MoneyProofTests.errors, .requestRefused), (500, "", .providerUnavailable),
        (503, MoneyProofTests.errors, .providerUnavailable), (302, "", .unreadableAnswer),
    ]

    @Test("B2, B3: a look-up without a usable answer throws, and never says that nothing is there", arguments: unusable)
    func failures(status: Int, body: String, code: GatewayError.Code) async throws {
        let settings = try Shop.settings("http://127.0.0.1:9/v1")
        let transport = ScriptedTransport(status: status, body: Array(body.utf8))
        let once = RetryPolicy(maximumTries: 1)
        let till = try Till(settings, Shop.runtime(retry: once, transport: transport))
        for id in [nil, Till.paymentID] as [String?] {
            #expect(await thrown { _ = try await till.find(id) }?.code == code, "\(status) \(body)")
        }
        #expect(await thrown { _ = try await till.payments.lookup?.page(after: nil, CallContext()) }?.code == code)
    }

    @Test("By id: 404 with Spreedly's word for it is absent without witnesses; another transaction is refused")
    func byID() async throws {
        let none = #"{"errors":[{"key":"errors.transaction_not_found","message":"x"}]}"#
        #expect(try await Till.scripted(404, none).find(Till.paymentID) == .absent(witnesses: []))
        let other = try Till.scripted(
            200, TransactionText.answer(.purchase, ["token": "\"B1\"", "state": "\"failed\"", "succeeded": "false"]))
        #expect(await thrown { _ = try await other.find(Till.paymentID) } != nil)
        for (state, succeeded, meaning) in PaymentAnswerTests.words {
            let text = TransactionText.answer(
                .void, ["token": "\"\(Till.paymentID)\"", "state": state, "succeeded": succeeded, "response": nil])
            guard case .found(let record) = try await Till.scripted(200, text).find(Till.paymentID) else {
                throw Till.NoToken()
            }
            let expected = ["approved": "succeeded", "declined": "failed"][meaning] ?? meaning
            #expect(record.state.description == expected)
        }
    }

    @Test("30 lists a minute: the look-up waits for its turn, or says that there is none")
    func pace() async throws {
        let settings = try Shop.settings("http://127.0.0.1:9/v1")
        let clock = ManualClock()
        let transport = ScriptedTransport(status: 200, body: Array(#"{"transactions":[]}"#.utf8))
        let runtime = GatewayRuntime(transport: transport, clock: clock, wallClock: .fixed(Shop.now))
        let till = try Till(settings, runtime)
        for _ in 0..<25 { _ = try await till.find(reference: "a1", CallContext(timeout: .seconds(30))) }
        let error = await thrown { _ = try await till.find(reference: "a1", CallContext(timeout: .seconds(30))) }
        #expect(error?.code == .rateLimited && error?.reach == .notSent)
        clock.advance(by: .seconds(60))
        #expect(try await till.find(reference: "a1", CallContext(timeout: .seconds(30))) == .absent(witnesses: []))
    }
}
