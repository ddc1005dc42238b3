import GatewayKitCore
import Testing

@testable import SafepayAdapter

/// Customers' saved cards.
@Suite struct SafepayVaultTests {
    private static let id = Shop.customer + "/" + Shop.card
    private static let path = "\(Shop.base)/user/customers/v1/\(Shop.customer)/wallet/"
    private static let entry = """
        {"token":"\(Shop.card)","last_4":"1111","expiry_month":"09","expiry_year":"2031","instrument_type":"CARD",\
        "deduplication_key":"d1","cybersource":{"scheme":"001","bin":"411111"}}
        """
    private static let gone = ScriptedSafepay.Reply.refusal("payment method not found", status: 404)

    @Test("It shows, lists by customer and deletes, and says so")
    func operations() throws {
        let vault = try Shop.gateway(ScriptedSafepay([:])).requireVault()
        #expect(vault.operations == [.show, .list, .redact])
    }

    @Test("A card is shown under customer and card")
    func show() async throws {
        let peer = ScriptedSafepay(["show": [.data(Self.entry), Self.gone]])
        let vault = try Shop.gateway(peer).requireVault()
        guard case .done(let stored) = try await vault.show(Self.id) else { return #expect(Bool(false)) }
        #expect(stored.id == Self.id && stored.card?.lastFour == "1111" && stored.card?.brand == .visa)
        #expect(stored.card?.firstSix == "411111" && stored.fingerprint == "d1" && stored.state == .retained)
        #expect(peer.lines == ["GET " + Self.path + Shop.card])
        #expect(peer.sent.first?.fields.last == "x-sfpy-merchant-secret: \(Shop.secretKey)")
        #expect(try await vault.show(Self.id) == .notFound(id: Self.id))
    }

    @Test("The list is a customer's, in both orders; an entry without a name, or a list that is not whole, is an error")
    func list() async throws {
        let other = #"{"payment_method_token":"pm_2","last_four":"4444"}"#
        let whole = ScriptedSafepay.Reply.data(#"{"count":2,"wallet":[\#(Self.entry),\#(other)]}"#)
        let peer = ScriptedSafepay(["wallet": [whole]])
        let vault = try Shop.gateway(peer).requireVault()
        var ids: [String] = []
        for try await stored in vault.list(VaultQuery(shopperID: Shop.customer)) { ids.append(stored.id) }
        #expect(ids == [Self.id, Shop.customer + "/pm_2"])
        let reversed = try await vault.page(
            VaultQuery(order: .newestFirst, shopperID: Shop.customer), after: nil, CallContext())
        #expect(reversed.instruments.map(\.id) == ids.reversed() && reversed.next == nil)
        #expect(peer.lines.first == "GET " + Self.path)
        for wallet in [
            #"{"count":3,"wallet":[\#(Self.entry)]}"#, #"{"count":1,"wallet":[{"last_4":"1111"}]}"#, #"{"x":1}"#,
            "null",
        ] {
            let vault = try Shop.gateway(ScriptedSafepay(["wallet": [.data(wallet)]])).requireVault()
            let error = await thrown {
                _ = try await vault.page(VaultQuery(shopperID: Shop.customer), after: nil, CallContext())
            }
            #expect(error?.code == .unreadableAnswer)
        }
        for query in [VaultQuery(), VaultQuery(shopperID: "a/b"), VaultQuery(providerState: "x", shopperID: "cus_1")] {
            #expect(await thrown { _ = try await vault.page(query, after: nil, CallContext()) } != nil)
        }
    }

    @Test("A deletion is proven by the card being gone, also when its answer was lost")
    func redact() async throws {
        let rows: [(ScriptedSafepay.Reply, ScriptedSafepay.Reply, String)] = [
            (.data("{}"), Self.gone, "done"), (.lost, Self.gone, "done"), (.lost, .data(Self.entry), "unknown"),
            (.data("{}"), .data(Self.entry), "unknown"), (.answer(status: 500, body: ""), Self.gone, "done"),
            (.data("{}"), .lost, "unknown"), (Self.gone, Self.gone, "notFound"),
        ]
        for (answer, look, name) in rows {
            let peer = ScriptedSafepay(["redact": [answer], "show": [look]])
            let result = try await Shop.gateway(peer).requireVault().redact(Self.id)
            #expect(result.outcomeName == name)
            #expect(peer.count("redact", reached: true) == 1)
            #expect(peer.lines.first == "DELETE " + Self.path + Shop.card)
        }
        let refused = ScriptedSafepay(["redact": [.access()]])
        let error = await thrown { _ = try await Shop.gateway(refused).requireVault().redact(Self.id) }
        #expect(error?.code == .credentialsRefused)
    }

    @Test("What is no customer and card leads nowhere, and what Safepay cannot do says so")
    func refused() async throws {
        let peer = ScriptedSafepay([:])
        let vault = try Shop.gateway(peer).requireVault()
        for id in ["", Shop.card, "a/b/c", "/", "cus_1/", "/pm_1", "../x", "cus_1/..", "cus 1/pm_1", "cus_1/pm_1?x"] {
            #expect(await thrown { _ = try await vault.show(id) }?.code == .invalidInput, "\(id)")
        }
        #expect(await thrown { _ = try await vault.retain(Self.id) }?.code == .notSupported)
        #expect(await thrown { _ = try await vault.update(Self.id, VaultUpdate()) }?.code == .notSupported)
        #expect(await thrown { _ = try await vault.deleteMetadata(["a"], of: Self.id) }?.code == .notSupported)
        #expect(peer.sent.isEmpty)
    }
}
