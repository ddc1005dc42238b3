import GatewayKitCore
import GatewaySandbox
import SpreedlyAdapter
import Testing

/// Where a transaction stands (dossier 2.3, 2.4).
@Suite struct SessionStatusTests {
    private static let id = "01KZZ5N4S0V8X2Z1B6D9F3H7JK"

    private static func sessions(_ settings: AccountSettings, _ runtime: GatewayRuntime = Shop.runtime()) throws
        -> any SessionStatusSource
    {
        try SpreedlyProvider().makeGateway(settings, runtime).requireSessions()
    }

    private static func reference(_ id: String = id, account: String = "shop") throws -> SessionReference {
        SessionReference(account: try #require(AccountName(account)), id: id)
    }

    private func ask(
        _ status: Int, _ body: String, secret: String? = Shop.accessSecret, fields: [String] = []
    ) async throws -> (Result<SessionStatus, GatewayError>, AnswerPeer.Received) {
        let peer = try AnswerPeer(status: status, body, fields: fields)
        let recorder = Recorder()
        let settings = try Shop.settings(peer.baseURL, authentication: nil, secret: secret)
        let sessions = try Self.sessions(settings, Shop.runtime(recorder))
        let reference = try Self.reference()
        let result: Result<SessionStatus, GatewayError>
        do throws(GatewayError) {
            result = .success(try await sessions.status(of: reference))
        } catch {
            result = .failure(error)
        }
        #expect(Instruments.search.leaks(in: everything(of: result) + recorder.shown).isEmpty)
        #expect(recorder.events.last?.kind == .callFinished)
        return (result, try #require(peer.received.first))
    }

    private func status(_ members: String, status: Int = 200) async throws -> SessionStatus {
        try await ask(status, "{\"transaction\":{\"token\":\"\(Self.id)\",\(members)}}").0.get()
    }

    @Test("With the access secret the whole transaction is asked for, without it the public status")
    func requests() async throws {
        let body = #"{"transaction":{"succeeded":true,"state":"succeeded"}}"#
        let (_, whole) = try await ask(200, body)
        #expect(whole.requestLine == "GET /v1/transactions/\(Self.id).json HTTP/1.1")
        #expect(whole.values(of: "authorization").count == 1 && whole.body.isEmpty)
        let (_, reduced) = try await ask(200, body, secret: nil)
        #expect(reduced.requestLine == "GET /v1/transactions/\(Self.id)/status.json HTTP/1.1")
        #expect(reduced.values(of: "authorization") == [] && reduced.body.isEmpty)
    }

    @Test(
        "F1, F7: each state together with succeeded: only what is certain is told",
        arguments: [
            ("true", "succeeded", "succeeded"), ("true", nil, "succeeded"), ("true", "complete", "unknown"),
            ("false", "processing", "processing"), ("false", "pending", "processing"), (nil, "pending", "processing"),
            ("false", "failed", "failed"), ("false", "gateway_processing_failed", "failed"),
            ("false", "gateway_setup_failed", "failed"), (nil, "failed", "failed"),
            ("false", "gateway_processing_result_unknown", "unknown"), ("false", "scrubbed", "unknown"),
            ("true", "scrubbed", "unknown"), ("false", "gateway_unreachable", "unknown"),
            ("false", "complete", "unknown"), ("false", "succeeded", "unknown"), (nil, "succeeded", "unknown"),
            ("true", "failed", "unknown"), ("true", "pending", "unknown"), ("true", "processing", "unknown"),
            ("false", nil, "unknown"), (nil, nil, "unknown"), ("true", "word_of_2031", "unknown"),
            ("\"yes\"", "succeeded", "unknown"),
        ] as [(String?, String?, String)])
    func states(succeeded: String?, state: String?, phase: String) async throws {
        let members = [
            succeeded.map { "\"succeeded\":\($0)" }, state.map { "\"state\":\"\($0)\"" },
            #""transaction_type":"Purchase","amount":1000,"currency_code":"EUR""#,
        ].compactMap { $0 }.joined(separator: ",")
        let status = try await status(members)
        #expect(status.phase.description == phase)
        #expect(status.providerWord == state)
        let words = ["processing": "pending"]
        #expect(status.payment?.state.description == words[phase] ?? phase)
        #expect((status.decline != nil) == (phase == "failed"))
    }

    @Test(
        "Each kind of transaction",
        arguments: [
            ("Purchase", "purchase"), ("OffsitePurchase", "purchase"), ("Authorization", "authorization"),
            ("OffsiteAuthorization", "authorization"), ("Verification", "verification"), ("Capture", "capture"),
            ("Void", "void"), ("Credit", "refund"), ("GeneralCredit", "credit"), ("AddPaymentMethod", nil),
            ("RedactGateway", nil), ("WordOf2031", nil),
        ] as [(String, String?)])
    func kinds(type: String, kind: String?) async throws {
        let status = try await status(#""succeeded":true,"state":"succeeded","transaction_type":"\#(type)""#)
        #expect(status.payment?.kind.description == kind)
        if kind != nil { #expect(status.payment?.providerKind == type && status.payment?.amount == nil) }
    }

    @Test("Everything that the answer tells of a payment")
    func record() async throws {
        let status = try await status(
            """
            "transaction_type":"Capture","succeeded":true,"state":"succeeded","amount":2500,"currency_code":"EUR",
            "on_test_gateway":true,"gateway_type":"test","gateway_transaction_id":"71","order_id":"order-9",
            "created_at":"2030-06-15T11:02:44Z","updated_at":"2030-06-15T11:02:45Z","reference_token":"01PARENT",
            "message_key":"messages.transaction_succeeded","message":"Succeeded!","api_urls":[{"a":[]}],
            "response":{"success":true,"avs_code":"Y","cvv_code":"M","network_transaction_id":"net-7","error_code":"",
            "fraud_review":true},
            "payment_method":{"token":"\(Instruments.storedToken)","storage_state":"retained","last_four_digits":"1111",
            "card_type":"visa","payment_method_type":"credit_card","test":true}
            """)
        let payment = try #require(status.payment)
        #expect(payment.id == Self.id && payment.kind == .capture && payment.state == .succeeded)
        #expect(payment.amount == Money(minorUnits: 2500, currency: .eur))
        #expect(payment.ownReference == "order-9" && payment.parentID == "01PARENT")
        #expect(payment.gatewayTransactionID == "71" && payment.networkTransactionID == "net-7")
        #expect(payment.avsCode == "Y" && payment.cvvCode == "M" && payment.needsReview && payment.isTest == true)
        #expect(payment.createdAt == WallTime(rfc3339: "2030-06-15T11:02:44Z"))
        #expect(payment.updatedAt == WallTime(rfc3339: "2030-06-15T11:02:45Z"))
        #expect(payment.token?.id == Instruments.storedToken && payment.token?.card?.lastFour == "1111")
        #expect(status.token?.usage == .reusable)
    }

    @Test("Amounts are minor units, exactly, or none")
    func amounts() async throws {
        for (members, expected) in [
            (#""amount":92000,"currency_code":"KWD""#, "92.000 KWD"),
            (#""amount":100,"currency_code":"JPY""#, "100 JPY"),
            (#""amount":"2500","currency_code":"EUR""#, "25.00 EUR"), (#""amount":10.5,"currency_code":"EUR""#, nil),
            (#""amount":1e3,"currency_code":"EUR""#, nil), (#""amount":-5,"currency_code":"EUR""#, nil),
            (#""amount":5"#, nil), (#""amount":5,"currency_code":"XXQ""#, nil), (#""amount":null"#, nil),
        ] as [(String, String?)] {
            let status = try await status(#""succeeded":true,"transaction_type":"Purchase",\#(members)"#)
            #expect(status.payment?.amount?.description == expected, "\(members)")
        }
    }

    @Test("A decline keeps Spreedly's words, and the gateway's card data does not show")
    func declined() async throws {
        let status = try await status(
            """
            "transaction_type":"Purchase","succeeded":false,"state":"gateway_processing_failed","amount":5,
            "currency_code":"EUR","message":"Unable to process \(Shop.number).","response":null,
            "payment_method":{"token":"\(Instruments.storedToken)","third_party_token":"test_vault:\(Shop.number)"}
            """, status: 422)
        #expect(status.phase == .failed && status.token == nil)
        #expect(status.decline?.providerCode == "gateway_processing_failed")
        #expect(status.decline?.message.description == "Unable to process 411111******1111.")
        #expect(status.payment?.decline == status.decline)
    }

    @Test("The reduced view, bare or wrapped, says nothing of money that it does not know")
    func reduced() async throws {
        for body in [
            #"{"transaction":{"token":"\#(Self.id)","state":"pending","succeeded":false,"required_action":"challenge"}}"#,
            #"{"token":"\#(Self.id)","state":"pending","succeeded":false,"required_action":"challenge"}"#,
        ] {
            let status = try await ask(200, body, secret: nil).0.get()
            #expect(status.phase == .processing && status.payment == nil && status.token == nil)
        }
    }

    @Test(
        "What is no answer about this transaction is thrown",
        arguments: [
            (404, #"{"errors":[{"key":"errors.transaction_not_found","message":"x"}]}"#, "notFound"),
            (404, "", "notFound"), (401, #"{"errors":[{"key":"errors.access_denied"}]}"#, "credentialsRefused"),
            (403, "{}", "notPermitted"), (400, "{}", "requestRefused"), (500, "", "providerUnavailable"),
            (503, #"{"errors":[{"key":"errors.circuit_breaker_open"}]}"#, "providerUnavailable"),
            (200, "", "unreadableAnswer"), (200, "<html>", "unreadableAnswer"), (200, "{}", "unreadableAnswer"),
            (200, #"{"errors":[]}"#, "unreadableAnswer"), (200, #"{"transaction":[]}"#, "unreadableAnswer"),
            (200, #"{"transaction":{"token":"other","state":"succeeded","succeeded":true}}"#, "unreadableAnswer"),
            (422, #"{"errors":[{"key":"errors.invalid","attribute":"token"}]}"#, "unreadableAnswer"),
            (302, "", "unreadableAnswer"),
        ])
    func thrown(status: Int, body: String, code: String) async throws {
        let (result, _) = try await ask(status, body)
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.code.description == code)
        #expect(error.advice.description.contains("Nothing was changed"), "\(error.advice)")
    }

    @Test("A rate limit that lasts is told; one that passes is waited out")
    func rateLimit() async throws {
        let (result, _) = try await ask(429, "", fields: ["Retry-After: 1000000"])
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.code == .rateLimited)
    }

    @Test("The environment is always open and is not asked; foreign and malformed references are refused")
    func references() async throws {
        let sessions = try Self.sessions(Shop.settings("http://127.0.0.1:9/v1"))
        #expect(try await sessions.status(of: Self.reference("environment")).phase == .open)
        for reference in [try Self.reference(account: "other"), try Self.reference(""), try Self.reference("a b")] {
            do throws(GatewayError) {
                _ = try await sessions.status(of: reference)
                Issue.record("asked")
            } catch {
                #expect(error.code == .invalidInput && error.reach == .notSent)
            }
        }
    }

    @Test("In the sandbox: a stored card's transaction, with and without the secret", arguments: ["secret", "none"])
    func sandbox(way: String) async throws {
        let sandbox = try Shop.sandbox()
        let whole = try Shop.settings(in: sandbox)
        let token = try #require(await End(of: try Shop.tokens(whole), try Shop.request()).token)
        let settings =
            way == "secret"
            ? whole
            : try Shop.settings(
                try #require(sandbox.baseURL(for: "spreedly")), authentication: nil,
                key: try #require(sandbox.credentials(for: "spreedly")?["environmentKey"]), secret: nil)
        let id = try #require(token.transactionID)
        let status = try await Self.sessions(settings).status(of: Self.reference(id))
        #expect(status.phase == .succeeded && status.payment == nil && status.providerWord == "succeeded")
        #expect(status.token?.id == (way == "secret" ? token.id : nil))
        sandbox.stop()
    }
}
