import GatewayKitCore
import GatewaySandbox
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
