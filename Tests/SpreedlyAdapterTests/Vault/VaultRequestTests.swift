import GatewayKitCore
import GatewaySandbox
import SpreedlyAdapter
import Testing

/// What the vault's calls send (dossier 1.7 and 2.6).
@Suite struct VaultRequestTests {
    private static let token = Instruments.storedToken
    private static let methods = "/v1/payment_methods"

    private func sent(
        authentication: String = "secret", _ run: (any Vault) async throws -> Void
    ) async throws -> (line: String, body: String, AnswerPeer.Received) {
        let peer = try AnswerPeer(status: 404, #"{"errors":[{"key":"errors.payment_method_not_found"}]}"#)
        let vault = try Shop.vault(Shop.settings(peer.baseURL, authentication: authentication))
        try? await run(vault)
        let received = try #require(peer.received.first)
        return (received.requestLine, String(decoding: received.body, as: UTF8.self), received)
    }

    @Test("Each call: method, path, body, and Basic whatever the way to tokenize")
    func calls() async throws {
        let rows: [(VaultCall, String, String)] = [
            (.show, "GET \(Self.methods)/\(Self.token).json", ""),
            (
                .update, "PUT \(Self.methods)/\(Self.token).json",
                #"{"payment_method":{"email":"new@example.com"}}"#
            ),
            (.retain, "PUT \(Self.methods)/\(Self.token)/retain.json", ""),
            (.redact, "PUT \(Self.methods)/\(Self.token)/redact.json", ""),
            (.deleteMetadata, "DELETE \(Self.methods)/\(Self.token)/metadata.json", #"{"keys":["cart"]}"#),
        ]
        for authentication in ["secret", "restricted", "query"] {
            for (call, line, body) in rows {
                let sent = try await sent(authentication: authentication) { _ = try await call.run($0, Self.token) }
                #expect(sent.line == line + " HTTP/1.1")
                #expect(sent.body == body)
                let basic = Base64Reading.encode("\(Shop.environmentKey):\(Shop.accessSecret)")
                #expect(sent.2.values(of: "authorization") == ["Basic " + basic])
            }
        }
    }

    @Test("Redacting more: Spreedly's names, only what is asked for, and nothing without a wish")
    func redaction() async throws {
        let rows: [(VaultRedaction, String)] = [
            (VaultRedaction(), ""),
            (VaultRedaction(gateway: "GwTok001"), #"{"transaction":{"remove_from_gateway":"GwTok001"}}"#),
            (VaultRedaction(removesPersonalData: true), #"{"transaction":{"remove_personal_data":true}}"#),
            (
                VaultRedaction(gateway: "GwTok001", removesPersonalData: true),
                #"{"transaction":{"remove_from_gateway":"GwTok001","remove_personal_data":true}}"#
            ),
        ]
        for (redaction, body) in rows {
            let sent = try await sent { _ = try await $0.redact(Self.token, redaction, CallContext()) }
            #expect(sent.line == "PUT \(Self.methods)/\(Self.token)/redact.json HTTP/1.1")
            #expect(sent.body == body)
        }
    }

    @Test("Redacting more, in the sandbox: personal data is gone, and a gateway's token must be one")
    func redactedInSandbox() async throws {
        let sandbox = try Shop.sandbox()
        let vault = try Shop.vault(Shop.settings(in: sandbox))
        let request = try Shop.request(shopper: Shopper(email: "ada@shop.example"))
        let id = try #require(await End(of: try Shop.tokens(Shop.settings(in: sandbox)), request).token?.id)
        guard
            case .done(let stored) = try await vault.redact(
                id, VaultRedaction(gateway: "GwTok001", removesPersonalData: true), CallContext())
        else {
            Issue.record("not redacted")
            return
        }
        #expect(stored.state == .redacted && stored.shopper.email == nil && stored.shopper.name == nil)
        do throws(GatewayError) {
            _ = try await vault.redact(id, VaultRedaction(gateway: "a b"), CallContext())
            Issue.record("sent")
        } catch {
            #expect(error.code == .invalidInput && error.reach == .notSent)
        }
        sandbox.stop()
    }

    @Test("A vault that has no more to remove says so before anything is sent")
    func noMoreToRedact() async throws {
        struct Plain: Vault {
            func show(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult { .notFound(id: id) }
            func page(
                _ query: VaultQuery, after cursor: String?, _ call: CallContext
            ) async throws(GatewayError) -> VaultPage { VaultPage(instruments: [], next: nil) }
            func update(
                _ id: String, _ change: VaultUpdate, _ call: CallContext
            ) async throws(GatewayError) -> VaultResult { .notFound(id: id) }
            func retain(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult {
                .notFound(id: id)
            }
            func redact(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult {
                .notFound(id: id)
            }
            func deleteMetadata(
                _ keys: [String], of id: String, _ call: CallContext
            ) async throws(GatewayError) -> VaultResult { .notFound(id: id) }
        }
        #expect(try await Plain().redact("t", VaultRedaction(), CallContext()) == .notFound(id: "t"))
        do throws(GatewayError) {
            _ = try await Plain().redact("t", VaultRedaction(removesPersonalData: true), CallContext())
            Issue.record("redacted")
        } catch {
            #expect(error.code == .notSupported && error.reach == .notSent)
        }
    }

    @Test("An update is flat, whatever the kind of instrument")
    func update() async throws {
        let change = VaultUpdate(
            shopper: Shopper(
                name: "Ada Okoro", email: "ada@example.com", phone: "441130000000", company: "Kite Ltd",
                billingAddress: Address(
                    line1: "9 Mill Row", line2: "Unit 2", city: "Leeds", region: "LDS", postalCode: "LS1 4AB",
                    country: "GB"),
                shippingAddress: Address(city: "Leeds"), shippingPhone: "441130000001"),
            expiry: CardExpiry(month: 3, year: 2032),
            metadata: [.init(key: "cart", value: .text("c-1")), .init(key: "vip", value: .flag(true))])
        let (_, body, _) = try await sent { _ = try await $0.update(Self.token, change) }
        #expect(
            body == """
                {"payment_method":{"full_name":"Ada Okoro","month":3,"year":2032,"company":"Kite Ltd",\
                "address1":"9 Mill Row","address2":"Unit 2","city":"Leeds","state":"LDS","zip":"LS1 4AB",\
                "country":"GB","phone_number":"441130000000","shipping_city":"Leeds",\
                "shipping_phone_number":"441130000001","email":"ada@example.com",\
                "metadata":{"cart":"c-1","vip":true}}}
                """)
    }

    @Test("A list: order and count always, the rest when asked; the page size within Spreedly's limits")
    func list() async throws {
        let rows: [(VaultQuery, String)] = [
            (VaultQuery(), "order=asc&count=20"),
            (VaultQuery(order: .newestFirst, pageSize: 0), "order=desc&count=1"),
            (VaultQuery(pageSize: 1000, after: "t1"), "since_token=t1&order=asc&count=100"),
            (
                VaultQuery(
                    pageSize: 5, providerState: "retained", metadata: [.init(key: "cart", value: .text("c 1"))]),
                "order=asc&count=5&state=retained&metadata%5Bcart%5D=c%201"
            ),
        ]
        for (query, text) in rows {
            let (line, _, _) = try await sent { vault in
                for try await _ in vault.list(query) {}
            }
            #expect(line == "GET \(Self.methods).json?\(text) HTTP/1.1")
        }
    }

    @Test("Without the access secret no call is made")
    func noSecret() async throws {
        let peer = try AnswerPeer(status: 200)
        let vault = try Shop.vault(Shop.settings(peer.baseURL, authentication: "restricted", secret: nil))
        for call in VaultCall.allCases {
            let end = await VaultEnd(of: vault, call)
            #expect(end.thrown?.code == .configuration && end.thrown?.reach == .notSent)
            #expect(end.thrown?.message.description.contains("accessSecret") == true)
        }
        #expect(peer.received.isEmpty)
    }

    @Test("What is no token, and what changes nothing, is refused before anything is sent")
    func refused() async throws {
        let peer = try AnswerPeer(status: 200)
        let vault = try Shop.vault(Shop.settings(peer.baseURL))
        for call in VaultCall.allCases {
            for id in ["", " ", "a b", "a\u{0}", "é"] {
                let end = await VaultEnd(of: vault, call, id)
                #expect(end.thrown?.code == .invalidInput)
            }
        }
        await #expect(throws: GatewayError.self) { try await vault.update(Self.token, VaultUpdate()) }
        await #expect(throws: GatewayError.self) { try await vault.deleteMetadata([], of: Self.token) }
        await #expect(throws: GatewayError.self) { try await vault.deleteMetadata([""], of: Self.token) }
        let bad = VaultUpdate(
            shopper: Shopper(billingAddress: Address(country: "XX")), expiry: CardExpiry(month: 1, year: 2029),
            metadata: [.init(key: String(repeating: "k", count: 51), value: .flag(true))])
        guard case .invalid(let issues) = try await vault.update(Self.token, bad) else {
            Issue.record("not refused")
            return
        }
        #expect(issues.map(\.field) == [.country, .expiryYear, .metadata])
        #expect(peer.received.isEmpty)
    }
}
