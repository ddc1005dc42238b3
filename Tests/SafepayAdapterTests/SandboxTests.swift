import GatewayKitCore
import GatewaySandbox
import GatewayTransport
import Testing

@testable import SafepayAdapter

/// The adapter over real HTTP, against the sandbox.
@Suite struct SafepaySandboxTests {
    private let sandbox: Sandbox
    private let recorder = Recorder()

    init() throws {
        var configuration = SandboxConfiguration()
        configuration.now = { Shop.now }
        sandbox = Sandbox(configuration)
        try sandbox.start()
    }

    private func gateway() throws -> Gateway {
        let credentials = try #require(sandbox.credentials(for: "safepay"))
        let settings = try Shop.settings(
            sandbox.baseURL(for: "safepay"), key: credentials["secretKey"],
            values: ["apiKey": try #require(credentials["apiKey"])])
        return try Shop.gateway(Shop.transport, settings, recorder)
    }

    @Test("Both generations open with the same amount, and wait for a card")
    func open() async throws {
        defer { sandbox.stop() }
        let gateway = try gateway()
        for entry in [SessionRequest.Entry.hostedPage, .embeddedPage, .cardData] {
            let request = SessionRequest(.payment, entry: entry, amount: Shop.amount, orderReference: "A-1")
            let session = try await gateway.requireTokens().openSession(request)
            let status = try await gateway.requireSessions().status(of: session.reference)
            #expect(status.phase == .open && status.providerWord == "TRACKER_STARTED")
        }
        #expect(
            sandbox.ledger.entries.map(\.operation).filter { $0.hasPrefix("show") } == [
                "show-order", "show-payment", "show-payment",
            ])
    }

    @Test("A card is set up once: afterwards the session is at work, and takes no other")
    func tokenize() async throws {
        defer { sandbox.stop() }
        let gateway = try gateway()
        let tokens = try gateway.requireTokens()
        let session = try await tokens.openSession(SessionRequest(.token, amount: Shop.amount))
        var request = try Shop.request()
        request.metadata = [.init(key: "order_id", value: .text("A-2"))]
        guard case .token(let token) = try await tokens.tokenize(request, in: session) else {
            return #expect(Bool(false))
        }
        #expect(token.id.hasPrefix("pm_") && token.card?.lastFour == "1111")
        #expect(try await gateway.requireSessions().status(of: session.reference).phase == .processing)
        guard case .sessionUnusable = try await tokens.tokenize(Shop.request(), in: session) else {
            return #expect(Bool(false))
        }
        #expect(!recorder.shown.contains(Shop.number))
    }

    @Test("A customer is stored, a card is saved for it, and the saved card proves it; it is listed, shown and deleted")
    func saveCard() async throws {
        defer { sandbox.stop() }
        let gateway = try gateway()
        let shopper = Shopper(
            name: "Ada Okoro", email: "ada@shop.example", phone: "+922100000000",
            billingAddress: Address(country: "PK"))
        guard case .created(let customer) = try await gateway.requireCustomers().create(shopper) else {
            return #expect(Bool(false))
        }
        let tokens = try gateway.requireTokens()
        let session = try await tokens.openSession(
            SessionRequest(.storeInstrument, entry: .cardData, shopperID: customer))
        var request = try Shop.request()
        request.retain = true
        guard case .token(let token) = try await tokens.tokenize(request, in: session) else {
            return #expect(Bool(false))
        }
        #expect(token.usage == .unknown)
        // The rest of the way is 3-D Secure's.
        try await act(
            session,
            """
            {"payload":{"billing":{"street_1":"1 Example Street","city":"Karachi","country":"PK"},"authorization":\
            {"do_capture":false,"do_card_on_file":true},"authentication_setup":{"success_url":\
            "https://shop.example/ok","failure_url":"https://shop.example/no","device_fingerprint_session_id":"f1"}}}
            """)
        let sessions = try gateway.requireSessions()
        #expect(try await sessions.status(of: session.reference).phase == .processing)
        try await act(session, #"{"payload":{"authorization":{"do_capture":false,"do_card_on_file":true}}}"#)
        let saved = try await sessions.status(of: session.reference)
        #expect(saved.phase == .succeeded && saved.token?.card?.lastFour == "1111")
        let id = try #require(saved.token?.id)
        #expect(id.hasPrefix(customer + "/pm_"))

        let vault = try gateway.requireVault()
        let page = try await vault.page(VaultQuery(shopperID: customer), after: nil, CallContext())
        #expect(page.instruments.map(\.id) == [id])
        guard case .done(let shown) = try await vault.show(id) else { return #expect(Bool(false)) }
        #expect(shown.card?.lastFour == "1111" && shown.card?.expiry == CardExpiry(month: 9, year: 2031))
        let again = try await tokens.openSession(
            SessionRequest(.payment, entry: .storedInstrument, amount: Shop.amount, shopperID: customer))
        let reference = ForeignToken(vault: "wallet", reference: Sensitive(id))
        guard
            case .token(let reused) = try await tokens.tokenize(
                TokenizationRequest(.foreignToken(reference)), in: again)
        else { return #expect(Bool(false)) }
        #expect(reused.usage == .reusable)
        #expect(try await vault.redact(id).outcomeName == "done")
        #expect(try await vault.show(id) == .notFound(id: id))
        #expect(try await sessions.status(of: session.reference).phase == .unknown)
    }

    /// A call that another part of the program makes.
    private func act(_ session: PaymentSession, _ body: String) async throws {
        let tracker = try #require(SafepaySession(id: session.reference.id)?.tracker)
        let base = try #require(sandbox.baseURL(for: "safepay"))
        var request = WireRequest(
            "test.act", .post, try WireURL(base: base + "/order/payments/v3/" + tracker), repeatability: .once)
        request.fields.set(
            "x-sfpy-merchant-secret", .plain(try #require(sandbox.credentials(for: "safepay")?["secretKey"])))
        request.body = WireBody(contentType: "application/json", bytes: Sensitive(Array(body.utf8)), secrets: [])
        let answer = try await Shop.transport.send(request, deadline: .now.advanced(by: .seconds(600)))
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    @Test("A wrong key, a wrong merchant and a tracker that nobody knows")
    func refused() async throws {
        defer { sandbox.stop() }
        let gateway = try gateway()
        let error = await thrown {
            _ = try await gateway.requireSessions().status(of: Shop.reference(Shop.session()))
        }
        #expect(error?.code == .notFound)
        let wrong = try Shop.gateway(Shop.transport, Shop.settings(sandbox.baseURL(for: "safepay")))
        #expect(await thrown { _ = try await wrong.requireTokens().openSession() }?.code == .credentialsRefused)
        let hosted = SessionRequest(.payment, amount: Shop.amount)
        #expect(await thrown { _ = try await wrong.requireTokens().openSession(hosted) }?.code == .notFound)
    }
}
