import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// Captures, voids, refunds, look-ups and idempotency keys, by hand over real HTTP (dossier 4.1, 4.6).
@Suite("BlueSnap: captures, voids, refunds and look-ups in the sandbox") struct BlueSnapChangeTests {
    private static func change(_ type: String, _ id: String, _ more: String = "") -> String {
        #"{"cardTransactionType":"\#(type)","transactionId":"\#(id)"\#(more)}"#
    }

    @Test("an authorization is captured once, in full or in part, under its own id")
    func capture() async throws {
        try await withBlueSnap { desk, _ in
            let id = try desk.paid(type: "AUTH_ONLY", reference: "o1")
            let captured = desk.server("PUT", "/transactions", Self.change("CAPTURE", id))
            #expect(captured.status == 200)
            #expect(try captured.root["transactionId"].string() == id)
            #expect(try captured.root["cardTransactionType"].string() == "CAPTURE")
            #expect(
                desk.server("PUT", "/transactions", Self.change("CAPTURE", id)).refusal
                    == "400 TRANSACTION_ALREADY_CAPTURED 20010")
            let part = try desk.paid(type: "AUTH_ONLY")
            let amount = desk.server("PUT", "/transactions", Self.change("CAPTURE", part, #","amount":10.25"#))
            #expect(try amount.root["amount"].decimalText() == "10.25")
            #expect(
                desk.movements == ["authorization 2550", "capture 2550", "authorization 2550", "capture 1025"])
            let entry = try #require(desk.sandbox.ledger.entries.first { $0.movement?.kind == "capture" })
            #expect(entry.movement?.parent == id && entry.ownReference == "o1" && entry.outcome == .changed)
        }
    }

    @Test("what captures and voids are refused for")
    func refusals() async throws {
        try await withBlueSnap { desk, time in
            let sale = try desk.paid()
            let open = try desk.paid(type: "AUTH_ONLY")
            let voided = try desk.paid(type: "AUTH_ONLY")
            #expect(desk.server("PUT", "/transactions", Self.change("AUTH_REVERSAL", voided)).status == 200)
            let before = desk.movements
            let rows = [
                (Self.change("CAPTURE", sale), "400 TRANSACTION_ALREADY_CAPTURED 20010"),
                (Self.change("AUTH_REVERSAL", sale), "400 TRANSACTION_ALREADY_CAPTURED 20010"),
                (Self.change("CAPTURE", voided), "400 AUTHORIZATION_AMOUNT_ALREADY_REVERSED 14002"),
                (Self.change("AUTH_REVERSAL", voided), "400 AUTHORIZATION_AMOUNT_ALREADY_REVERSED 14002"),
                (Self.change("CAPTURE", open, #","amount":25.51"#), "400 AUTHORIZATION_AMOUNT_NOT_VALID 14002"),
                (
                    Self.change("CAPTURE", open, #","amount":25.5100"#),
                    "400 AMOUNT_EXCEEDED_MAXIMUM_ALLOWED_FRACTION_DIGITS 14021"
                ),
                (Self.change("AUTH_REVERSAL", open, #","amount":1"#), "400 VALIDATION_GENERAL_FAILURE 10001"),
                (Self.change("AUTH_CAPTURE", open), "400 INVALID_HTTP_METHOD 85"),
                (Self.change("AUTH_ONLY", open), "400 INVALID_HTTP_METHOD 85"),
                (#"{"cardTransactionType":"CAPTURE"}"#, "400 TRANSACTION_ID_REQUIRED 20008"),
            ]
            for (body, expected) in rows {
                #expect(desk.server("PUT", "/transactions", body).refusal == expected, "\(body)")
            }
            #expect(desk.server("PUT", "/transactions", Self.change("CAPTURE", "1000000001")).status == 403)
            time.withLock { $0 = $0.adding(seconds: 8 * 86_400) }
            #expect(
                desk.server("PUT", "/transactions", Self.change("AUTH_REVERSAL", open)).refusal
                    == "400 AUTHORIZATION_EXPIRED 14002")
            #expect(desk.movements == before)
        }
    }

    @Test("a void names the payment by either id, and has no amount in the ledger")
    func void() async throws {
        try await withBlueSnap { desk, _ in
            let first = try desk.paid(type: "AUTH_ONLY")
            #expect(desk.server("PUT", "/transactions", Self.change("AUTH_REVERSAL", first)).status == 200)
            let second = try desk.paid(type: "AUTH_ONLY", reference: "o2")
            let body = #"{"cardTransactionType":"AUTH_REVERSAL","merchantTransactionId":"o2"}"#
            #expect(desk.server("PUT", "/transactions", body).status == 200)
            let movement = desk.sandbox.ledger.entries.last?.movement
            #expect(movement == LedgerMovement(kind: "void", parent: second))
            let shown = try desk.server("GET", "/transactions/" + second).root
            #expect(try shown["cardTransactionType"].string() == "AUTH_REVERSAL")
        }
    }

    @Test("the body tells apart what one address stands for, so that a fault can strike one of them")
    func operations() async throws {
        try await withBlueSnap { desk, _ in
            let token = try desk.open()
            _ = desk.submit(token, "{}")
            _ = desk.submit(token)
            let first = try desk.paid(type: "AUTH_ONLY")
            _ = desk.server("PUT", "/transactions", Self.change("CAPTURE", first))
            let second = try desk.paid(type: "AUTH_ONLY")
            desk.sandbox.faults.add(try FaultRule("bluesnap.void=status:503"))
            #expect(desk.server("PUT", "/transactions", Self.change("AUTH_REVERSAL", second)).status == 503)
            #expect(desk.server("PUT", "/transactions", Self.change("AUTH_REVERSAL", second)).status == 200)
            _ = try desk.paid()
            _ = desk.server("POST", "/transactions", "x")
            #expect(
                desk.sandbox.ledger.entries.map(\.operation) == [
                    "open-session", "status", "tokenize", "authorize", "capture", "authorize", "void", "purchase",
                    "purchase",
                ])
        }
    }

    @Test("refunds: in full, in parts until nothing is left, and shown with the payment")
    func refund() async throws {
        try await withBlueSnap { desk, _ in
            let id = try desk.paid(reference: "o1")
            let part = try desk.server("POST", "/transactions/refund/" + id, #"{"amount":10,"reason":"broken"}"#).root
            #expect(part["refundTransactionId"].kind == .number)
            #expect(try part["amount"].decimalText() == "10.00")
            #expect(try part["refundStatus"].string() == "SUCCESS")
            #expect(try part["reason"].string() == "broken")
            #expect(
                desk.server("POST", "/transactions/refund/" + id, #"{"amount":15.51}"#).refusal
                    == "400 REFUND_MAX_AMOUNT_FAILURE -")
            let rest = try desk.server("POST", "/transactions/refund/merchant/o1").root
            #expect(try rest["amount"].decimalText() == "15.50")
            #expect(try rest["reason"].string() == "Per your instructions")
            #expect(
                desk.server("POST", "/transactions/refund/" + id, "{}").refusal
                    == "400 INVOICE_ALREADY_FULLY_REFUNDED 14022")
            #expect(desk.movements == ["purchase 2550", "refund 1000", "refund 1550"])
            let shown = try desk.server("GET", "/transactions/" + id).root["refunds"]
            #expect(try shown["balanceAmount"].decimalText() == "0.00")
            #expect(try shown["refund"].elements().count == 2)
        }
    }

    @Test("a refund of what was not captured is a void; the older call answers 204")
    func otherRefunds() async throws {
        try await withBlueSnap { desk, time in
            let open = try desk.paid(type: "AUTH_ONLY")
            #expect(desk.server("POST", "/transactions/refund/" + open, #"{"amount":1}"#).status == 400)
            #expect(desk.server("POST", "/transactions/refund/" + open).status == 200)
            let sale = try desk.paid()
            let old = desk.server("PUT", "/transactions/\(sale)/refund?amount=5.50&reason=x&cancelsubscriptions=false")
            #expect(old.status == 204 && old.body.isEmpty)
            #expect(desk.movements == ["authorization 2550", "void", "purchase 2550", "refund 550"])
            let rows = [
                #"{"amount":0}"#, #"{"amount":1.001}"#, #"{"reason":1}"#, #"{"cancelSubscriptions":"no"}"#,
                #"{"id":1}"#,
            ]
            for body in rows {
                #expect(desk.server("POST", "/transactions/refund/" + sale, body).status == 400, "\(body)")
            }
            #expect(desk.server("POST", "/transactions/refund/1000000001", "{}").status == 403)
            time.withLock { $0 = $0.adding(seconds: 2 * 365 * 86_400) }
            #expect(
                desk.server("POST", "/transactions/refund/" + sale, "{}").refusal == "400 REFUND_PERIOD_EXPIRED -")
        }
    }

    @Test(
        "captures and refunds whose answer is not what happened",
        arguments: [("99.01", 400, true), ("99.02", 400, false), ("99.03", 500, true)])
    func unknown(amount: String, status: Int, moved: Bool) async throws {
        try await withBlueSnap { desk, _ in
            let id = try desk.paid("200.00", type: "AUTH_ONLY")
            let capture = Self.change("CAPTURE", id, #","amount":\#(amount)"#)
            #expect(desk.server("PUT", "/transactions", capture).status == status)
            let shown = try desk.server("GET", "/transactions/" + id).root
            #expect(try shown["cardTransactionType"].string() == (moved ? "CAPTURE" : "AUTH_ONLY"))
            let sale = try desk.paid("200.00")
            let refund = desk.server("POST", "/transactions/refund/" + sale, #"{"amount":\#(amount)}"#)
            #expect(refund.status == status)
            let refunded = try desk.server("GET", "/transactions/" + sale).root
            #expect((refunded["refunds"].kind == .object) == moved)
            #expect(desk.movements.count == (moved ? 4 : 2))
        }
    }

    // MARK: - Look-ups

    @Test("a look-up by either id; what is not known is 403 in plain words, what is known twice 20002")
    func lookup() async throws {
        try await withBlueSnap { desk, _ in
            let id = try desk.paid(reference: "o1")
            let byID = desk.server("GET", "/transactions/" + id)
            let byOwn = desk.server("GET", "/transactions/o1,\(desk.merchant)")
            #expect(byID.status == 200 && byID.text == byOwn.text)
            for name in ["1000000001", "o2,\(desk.merchant)", "o1,1", "o1"] {
                let unknown = desk.server("GET", "/transactions/" + name)
                #expect(unknown.status == 403, "\(name)")
                #expect(unknown.text.hasPrefix("User \(desk.user) is not authorized to view transaction "))
                #expect(unknown.header["content-type"]?.hasPrefix("text/plain") == true)
            }
            _ = try desk.paid(reference: "o1")
            #expect(
                desk.server("GET", "/transactions/o1,\(desk.merchant)").refusal
                    == "400 MULTIPLE_TRANSACTIONS_FOUND 20002")
            #expect(
                desk.server("POST", "/transactions/refund/merchant/o1", "{}").refusal
                    == "400 MULTIPLE_TRANSACTIONS_FOUND 20002")
            #expect(desk.server("GET", "/transactions/" + id).status == 200)
            desk.sandbox.choose("foreign", for: "bluesnap.lookup")
            #expect(desk.server("GET", "/transactions/" + id).status == 403)
        }
    }

    // MARK: - Idempotency keys

    @Test("a key: the first answer again, whatever it was, for 24 hours; and the money moves once")
    func replay() async throws {
        try await withBlueSnap { desk, time in
            let body = BlueSnapDesk.charge(BlueSnapDesk.plainCard())
            let header = "Idempotency-Key: key-1\r\n"
            let first = desk.server("POST", "/transactions", body, header: header)
            #expect(first.status == 200 && first.header["idempotency-key"] == "key-1")
            let second = desk.server("POST", "/transactions", body, header: header)
            #expect(second.text == first.text && second.header["idempotency-key"] == "key-1")
            #expect(desk.sandbox.ledger.entries.last?.outcome == .read)
            let other = desk.server(
                "POST", "/transactions", BlueSnapDesk.charge(BlueSnapDesk.plainCard(), "1.00"), header: header)
            #expect(other.status == 422)
            let declined = BlueSnapDesk.charge(BlueSnapDesk.plainCard(), "81.13")
            for _ in 0..<2 {
                let answer = desk.server("POST", "/transactions", declined, header: "Idempotency-Key: key-2\r\n")
                #expect(answer.refusal == "400 DO_NOT_HONOR 14002")
            }
            #expect(desk.movements == ["purchase 2550"])
            time.withLock { $0 = $0.adding(seconds: 86_400) }
            let late = desk.server("POST", "/transactions", body, header: header)
            #expect(late.text != first.text)
            #expect(desk.movements == ["purchase 2550", "purchase 2550"])
            #expect(desk.server("POST", "/transactions", body, header: header).text == late.text)
        }
    }

    @Test("a key is for POST, of at most 64 characters, and 409 while the first request is at work")
    func keys() async throws {
        try await withBlueSnap { desk, _ in
            let body = BlueSnapDesk.charge(BlueSnapDesk.plainCard())
            let long = "Idempotency-Key: \(String(repeating: "k", count: 65))\r\n"
            #expect(
                desk.server("POST", "/transactions", body, header: long).refusal
                    == "400 VALIDATION_GENERAL_FAILURE 10001")
            let id = try desk.paid(type: "AUTH_ONLY")
            let header = "Idempotency-Key: key-1\r\n"
            #expect(desk.server("PUT", "/transactions", Self.change("CAPTURE", id), header: header).status == 200)
            #expect(
                desk.server("PUT", "/transactions", Self.change("CAPTURE", id), header: header).refusal
                    == "400 TRANSACTION_ALREADY_CAPTURED 20010", "PUT is not held back")
            desk.sandbox.choose("in-flight", for: "bluesnap.idempotency")
            #expect(desk.server("POST", "/transactions", body, header: header).status == 200)
            let again = desk.server("POST", "/transactions", body, header: header)
            #expect(again.status == 409)
            #expect(desk.movements == ["authorization 2550", "capture 2550", "purchase 2550"])
        }
    }

    @Test("after a reset nothing is known, and the numbers are new ones")
    func reset() async throws {
        try await withBlueSnap { desk, _ in
            let id = try desk.paid(reference: "o1")
            let token = try desk.open()
            desk.sandbox.reset()
            #expect(desk.server("GET", "/transactions/" + id).status == 403)
            #expect(desk.server("GET", "/transactions/o1,\(desk.merchant)").status == 403)
            #expect(desk.submit(token).refusal == "400 TOKEN_NOT_FOUND 14041")
            #expect(try desk.paid(reference: "o1") != id)
            #expect(desk.server("GET", "/vaulted-shoppers/31009922").status == 200)
        }
    }
}
