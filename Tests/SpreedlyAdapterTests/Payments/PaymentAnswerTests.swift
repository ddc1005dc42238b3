import GatewayKitCore
import SpreedlyAdapter
import Testing

/// What answers about payments mean: every state under every status and in every shape (dossier 2.3 to 2.5).
@Suite struct PaymentAnswerTests {
    private func end(_ verb: MoneyVerb, _ status: Int, _ body: String) async throws -> MoneyEnd {
        let recorder = Recorder()
        let end = await verb.make(try Till.scripted(status, body, recorder))
        #expect(recorder.count(.requestStarted) == 1, "sent once")
        #expect(recorder.events.last?.kind == .callFinished)
        return end
    }

    static let good = [200, 201, 202, 299]
    static let bad = [
        100, 301, 302, 400, 401, 403, 404, 405, 408, 409, 410, 429, 460, 499, 500, 502, 503, 504, 599,
    ]

    @Test("Success is a 2xx with a transaction that says so, of every call", arguments: MoneyVerb.allCases)
    func success(verb: MoneyVerb) async throws {
        for status in Self.good {
            for state in ["\"succeeded\"", nil] as [String?] {
                let end = try await end(verb, status, TransactionText.answer(verb, ["state": state]))
                let record = try #require(end.approved, "\(verb) \(status) \(end.shown)")
                #expect(record.state == .succeeded && record.ownReference == Till.reference)
                #expect(record.amount?.minorUnits == (verb.hasAmount ? 1000 : nil))
                #expect(record.parentID == (verb.isChild ? Till.paymentID : nil))
                #expect(record.token?.id == (verb.isChild ? nil : Till.token))
                #expect(record.providerKind == verb.wireKind)
            }
        }
    }

    @Test(
        "B7, F4: a transaction that succeeded under any other status, or without a body, is unknown",
        arguments: MoneyVerb.allCases)
    func otherStatus(verb: MoneyVerb) async throws {
        for status in Self.bad + [402, 422] {
            for text in [TransactionText.answer(verb), TransactionText.declined(verb)] {
                let end = try await end(verb, status, text)
                if [402, 422].contains(status), text == TransactionText.declined(verb) {
                    #expect(end.name == (verb.isChild ? "unknown" : "declined"))
                } else {
                    #expect(end.unknown != nil, "\(verb) \(status) \(end.shown)")
                }
            }
        }
        for status in Self.good + [204, 205] { #expect(try await end(verb, status, "").unknown != nil) }
    }

    @Test(
        "B5: a 2xx that cannot be understood is unknown, with the advice to look it up", arguments: MoneyVerb.allCases)
    func unreadable(verb: MoneyVerb) async throws {
        let bodies = [
            "", "{}", "[]", "null", "true", "plain words", StatusTests.html, #"{"transaction":null}"#,
            #"{"transaction":[]}"#, #"{"transaction":"x"}"#, #"{"transaction":{}}"#,
            #"{"transaction":{"succeeded":true}}"#, #"{"transaction":{"succeeded":true,"state":"succeeded"}}"#,
            #"{"errors":[]}"#, #"{"errors":[{"key":"errors.blank","message":"x"}]}"#,
            String(TransactionText.answer(verb).dropLast(2)),
        ]
        for body in bodies {
            let unknown = try #require(try await end(verb, 200, body).unknown, "\(body)")
            #expect(unknown.cause.advice.description.contains("look the payment up"))
            #expect(unknown.reference.ownReference == Till.reference)
        }
    }

    static let words: [(state: String, succeeded: String?, meaning: String)] = [
        ("\"succeeded\"", "true", "approved"), ("\"succeeded\"", "false", "unknown"), ("\"succeeded\"", nil, "unknown"),
        ("\"succeeded\"", "null", "unknown"), ("\"succeeded\"", "\"true\"", "approved"),
        ("\"succeeded\"", "1", "unknown"),
        ("\"pending\"", "false", "pending"), ("\"pending\"", nil, "pending"), ("\"pending\"", "true", "unknown"),
        ("\"processing\"", "false", "pending"), ("\"processing\"", "true", "unknown"),
        ("\"failed\"", "false", "declined"), ("\"failed\"", nil, "declined"), ("\"failed\"", "true", "unknown"),
        ("\"gateway_processing_failed\"", "false", "declined"), ("\"gateway_processing_failed\"", "true", "unknown"),
        ("\"gateway_setup_failed\"", "false", "declined"), ("\"gateway_setup_failed\"", "true", "unknown"),
        ("\"gateway_processing_result_unknown\"", "false", "unknown"),
        ("\"gateway_processing_result_unknown\"", "true", "unknown"),
        ("\"scrubbed\"", "true", "unknown"), ("\"complete\"", "true", "unknown"),
        ("\"gateway_unreachable\"", "false", "unknown"), ("\"paid_out\"", "true", "unknown"),
        ("\"Succeeded\"", "true", "unknown"), ("\"\"", "true", "unknown"), ("7", "true", "unknown"),
        ("{}", "true", "unknown"),
    ]

    @Test("F7: each state with each word of success means one thing, under 2xx and under 422", arguments: words)
    func states(state: String, succeeded: String?, meaning: String) async throws {
        for verb in MoneyVerb.allCases {
            let text = TransactionText.answer(verb, ["state": state, "succeeded": succeeded, "response": nil])
            for status in Self.good {
                let end = try await end(verb, status, text)
                let isRefusedChild = verb.isChild && meaning == "declined"
                #expect(end.name == (isRefusedChild ? "unknown" : meaning), "\(verb) \(status) \(state)")
            }
            for status in [402, 422] {
                let end = try await end(verb, status, text)
                #expect(
                    end.name == (meaning == "declined" && !verb.isChild ? "declined" : "unknown"),
                    "\(verb) \(status) \(state)")
            }
        }
    }

    @Test("Two pieces of evidence that contradict each other leave it unknown", arguments: MoneyVerb.allCases)
    func contradictions(verb: MoneyVerb) async throws {
        for response in [
            #"{"success":false}"#, #"{"success":true,"pending":true}"#, #"{"success":true,"result_unknown":true}"#,
            #"{"success":true,"cancelled":true}"#,
        ] {
            #expect(try await end(verb, 200, TransactionText.answer(verb, ["response": response])).name == "unknown")
        }
        for response in [#"{"success":true}"#, #"{"success":false,"result_unknown":true}"#] {
            let text = TransactionText.declined(verb, ["response": response])
            for status in [200, 422] { #expect(try await end(verb, status, text).name == "unknown") }
        }
        for response in ["null", "[]", "\"x\"", "{}", #"{"success":null,"result_unknown":null,"fraud_review":null}"#] {
            #expect(try await end(verb, 200, TransactionText.answer(verb, ["response": response])).name == "approved")
        }
    }

    @Test("An answer that is about something else than what was asked is unknown", arguments: MoneyVerb.allCases)
    func disagreement(verb: MoneyVerb) async throws {
        var changes: [[String: String?]] = [
            ["order_id": "\"attempt-0002\""], ["transaction_type": "\"AddPaymentMethod\""],
            ["transaction_type": "\"\(verb == .purchase ? "Authorization" : "Purchase")\""],
            ["transaction_type": "\"Transmogrification\""], ["token": nil], ["token": "\"\""], ["token": "\"a b\""],
            ["token": "7"], ["amount": "\"ten\""], ["currency_code": "\"XXZ\""],
        ]
        if verb.hasAmount {
            changes += [
                ["amount": nil], ["amount": "null"], ["amount": "1001"], ["amount": "100000"], ["amount": "-1000"],
                ["amount": "0"], ["amount": "10.00001"], ["currency_code": "\"EUR\""], ["currency_code": nil],
                ["currency_code": "\"JPY\""],
            ]
        }
        if verb == .verify { changes.append(["amount": "100", "currency_code": "\"USD\""]) }
        if verb.isChild {
            changes.append(["reference_token": "\"01KZZ5M3R9T7W1Y0A5C8E2G6JX\""])
        } else {
            changes.append(["payment_method": #"{"token":"01KZZ4M2Q8S6T1V0X9Y3B5D7FX"}"#])
        }
        for change in changes {
            let end = try await end(verb, 200, TransactionText.answer(verb, change))
            #expect(end.name == "unknown", "\(verb) \(change)")
            #expect(
                end.unknown?.reference.providerID == nil || change["amount"] != nil || change["currency_code"] != nil)
        }
        for change in [["order_id": "\"attempt-0002\""], ["transaction_type": "\"Store\""]] as [[String: String?]] {
            #expect(try await end(verb, 422, TransactionText.declined(verb, change)).name == "unknown")
        }
    }

    @Test("What nobody needs may be missing", arguments: MoneyVerb.allCases)
    func missing(verb: MoneyVerb) async throws {
        for name in [
            "order_id", "transaction_type", "message", "response", "gateway_token", "created_at", "payment_method",
            "reference_token", "on_test_gateway",
        ] {
            for value in [nil, "null"] as [String?] {
                let end = try await end(verb, 200, TransactionText.answer(verb, [name: value]))
                #expect(end.approved != nil, "\(verb) without \(name): \(end.shown)")
            }
        }
        // Spreedly's default: the transaction's own token.
        let id = verb.isChild ? "01KZZ5N4S0V8X2Z1B6D9F3H7JK" : Till.paymentID
        let record = try await end(verb, 200, TransactionText.answer(verb, ["order_id": "\"\(id)\""])).approved
        #expect(record != nil && record?.ownReference == nil)
    }

    @Test("A partial approval is approved, and tells the amount", arguments: MoneyVerb.allCases)
    func partial(verb: MoneyVerb) async throws {
        guard verb.hasAmount else { return }
        let record = try await end(verb, 200, TransactionText.answer(verb, ["amount": "999"])).approved
        #expect(record?.amount == Money(minorUnits: 999, currency: .usd))
    }

    @Test("A result that the gateway does not know is unknown, and can be found by its id")
    func resultUnknown() async throws {
        for status in [200, 402, 422] {
            let text = TransactionText.answer(
                .purchase, ["state": "\"gateway_processing_result_unknown\"", "succeeded": "false"])
            let unknown = try #require(try await end(.purchase, status, text).unknown)
            #expect(unknown.reference.providerID == Till.paymentID)
            #expect(unknown.cause.answer?.providerCode == "gateway_processing_result_unknown")
        }
    }

    @Test("A refused capture, void or refund may have been done by the same request, delivered twice")
    func refusedChild() async throws {
        for verb in MoneyVerb.allCases where verb.isChild {
            for code in ["", "10009", "already_captured"] {
                let response = #"{"success":false,"message":"No.","error_code":"\#(code)"}"#
                let unknown = try #require(
                    try await end(verb, 422, TransactionText.declined(verb, ["response": response])).unknown)
                #expect(unknown.reference.providerID == nil, "what is found under it says that it failed")
            }
            let response = #"{"success":false,"message":"No.","error_code":"insufficient_funds"}"#
            let listed = try await end(verb, 422, TransactionText.declined(verb, ["response": response]))
            #expect(listed.declined?.decline.reason == .insufficientFunds)
        }
    }

    @Test("A single-use token that is used up may have been used by this very payment")
    func usedUp() async throws {
        let method = #"{"token":"\#(Till.token)","storage_state":"used"}"#
        let text = TransactionText.declined(.purchase, ["state": "\"failed\"", "payment_method": method])
        #expect(try await end(.purchase, 422, text).name == "unknown")
    }

    static let actions: [(members: [String: String?], action: NextAction?)] = [
        ([:], nil),
        (
            ["checkout_url": "\"https://pay.example/1\""],
            .redirect(method: .get, url: "https://pay.example/1", fields: [])
        ),
        (
            ["required_action": "\"redirect\"", "checkout_url": "\"https://pay.example/1\""],
            .redirect(method: .get, url: "https://pay.example/1", fields: [])
        ),
        (["checkout_url": "\"javascript:alert(1)\""], nil), (["checkout_url": "\"\""], nil),
        (["checkout_url": "null"], nil),
        (["checkout_form": "\"<form></form>\"", "checkout_url": "\"https://pay.example/1\""], .html("<form></form>")),
        (["checkout_form": #"{"cdata":"<form></form>"}"#], .html("<form></form>")),
        (
            ["required_action": "\"device_fingerprint\"", "device_fingerprint_form": #"{"cdata":"<b></b>"}"#],
            .html("<b></b>")
        ),
        (
            [
                "required_action": "\"device_fingerprint\"",
                "device_fingerprint_form_embed_url": "\"https://pay.example/f\"",
            ],
            .redirect(method: .get, url: "https://pay.example/f", fields: [])
        ),
        (["required_action": "\"challenge\"", "challenge_form": "\"<i></i>\""], .html("<i></i>")),
        (
            ["required_action": "\"challenge\"", "challenge_url": "\"https://pay.example/c\""],
            .redirect(method: .get, url: "https://pay.example/c", fields: [])
        ),
        (["required_action": "\"challenge\"", "checkout_url": "\"https://pay.example/1\""], nil),
        (
            ["required_action": "\"dance\"", "checkout_url": "\"https://pay.example/1\""],
            .redirect(method: .get, url: "https://pay.example/1", fields: [])
        ),
    ]

    @Test("What the shopper has to do next: a form, an address, or nothing that a browser could do", arguments: actions)
    func nextAction(members: [String: String?], action: NextAction?) async throws {
        var all = members
        all["state"] = "\"pending\""
        all["succeeded"] = "false"
        all["response"] = .some(nil)
        let pending = try #require(try await end(.purchase, 200, TransactionText.answer(.purchase, all)).pending)
        #expect(pending.action == action)
        #expect(pending.record.state == .pending && pending.record.id == Till.paymentID)
    }

    @Test("The results of checks, ids of the networks and a review are in the record")
    func facts() async throws {
        let response =
            #"{"success":true,"avs_code":"Y","cvv_code":"M","fraud_review":true,"network_transaction_id":"483297487231504"}"#
        let text = TransactionText.answer(.purchase, ["response": response, "gateway_transaction_id": "\"71\""])
        let record = try #require(try await end(.purchase, 200, text).approved)
        #expect(record.avsCode == "Y" && record.cvvCode == "M" && record.needsReview)
        #expect(record.networkTransactionID == "483297487231504" && record.gatewayTransactionID == "71")
        #expect(record.isTest == true && record.createdAt == Shop.now && record.token?.card?.lastFour == "1111")
    }
}
