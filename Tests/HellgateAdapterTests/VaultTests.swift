import GatewayKitCore
import GatewaySandbox
import Testing

/// Tokens that are there already.
@Suite struct HellgateVaultTests {
    private static func vault(_ peer: ScriptedHellgate) throws -> any Vault {
        try Shop.gateway(Shop.settings(), Shop.runtime(peer)).requireVault()
    }

    @Test("What Hellgate cannot do is named, refused, and sends nothing")
    func notSupported() async throws {
        let peer = ScriptedHellgate([:])
        let vault = try Self.vault(peer)
        #expect(vault.operations == [.show, .list, .redact])
        let page: (VaultQuery, String?) async throws -> Void = {
            _ = try await vault.page($0, after: $1, CallContext())
        }
        let calls: [() async throws -> Void] = [
            { _ = try await vault.update("t-1", VaultUpdate(shopper: Shopper(name: "Ada"))) },
            { _ = try await vault.retain("t-1") }, { _ = try await vault.deleteMetadata(["a"], of: "t-1") },
            { try await page(VaultQuery(metadata: [.init(key: "a", value: .flag(true))]), nil) },
            { try await page(VaultQuery(), Shop.tokenID) }, { try await page(VaultQuery(), "0") },
            { try await page(VaultQuery(), "-1") }, { try await page(VaultQuery(), "99999999999999999999") },
        ]
        for call in calls {
            let error = await thrown(by: call)
            #expect(error?.code == .notSupported)
            #expect(error?.advice.description.contains("Nothing was sent") == true)
        }
        #expect(peer.sent.isEmpty)
    }

    @Test(
        "Every token is listed once, oldest or newest first, over the pages' borders",
        arguments: [1, 2, 3, 7, 500, 501])
    func list(pageSize: Int) async throws {
        let box = try HellgateBox()
        let gateway = try box.gateway()
        var ids: [String] = []
        for _ in 0..<7 {
            ids.append(try #require(await End(gateway, try Shop.request()).token).id)
            box.advance(seconds: 1)
        }
        for order in VaultQuery.Order.allCases {
            var seen: [String] = []
            for try await stored in try gateway.requireVault().list(VaultQuery(order: order, pageSize: pageSize)) {
                seen.append(stored.id)
                #expect(stored.card?.description == "visa ending 1111, expires 09/2031")
                #expect(stored.createdAt != nil)
                #expect(stored.providerState == "active")
            }
            #expect(seen == (order == .oldestFirst ? ids : ids.reversed()))
        }
        var inactive = 0
        for try await _ in try gateway.requireVault().list(VaultQuery(providerState: "inactive")) { inactive += 1 }
        #expect(inactive == 0)
    }

    @Test("What a list asks for")
    func query() async throws {
        let empty = ScriptedHellgate.Reply.answer(200, #"{"data":[],"pagination":{"total_pages":0}}"#)
        let peer = ScriptedHellgate(["list": [empty]])
        let vault = try Self.vault(peer)
        _ = try await vault.page(VaultQuery(), after: nil, CallContext())
        _ = try await vault.page(
            VaultQuery(order: .newestFirst, pageSize: 9999, providerState: "active"), after: "3", CallContext())
        let list = "GET http://127.0.0.1:9/hellgate/tokens?limit="
        #expect(
            peer.lines == [
                list + "50&page=1&sort=created_at%20asc",
                list + "500&page=3&sort=created_at%20desc&network_token_status=active",
            ])
        #expect(peer.sent.allSatisfy { $0.fields.contains("x-api-key: \(Shop.apiKey)") })
    }

    @Test("K1: an unknown token is its own result, told apart from a wrong address")
    func unknown() async throws {
        let box = try HellgateBox()
        let vault = try box.gateway().requireVault()
        #expect(try await vault.show(Shop.tokenID) == .notFound(id: Shop.tokenID))
        #expect(try await vault.redact(Shop.tokenID) == .notFound(id: Shop.tokenID))
        let elsewhere = try Self.vault(ScriptedHellgate(["show": [.answer(404, "<html>")]]))
        await #expect { try await elsewhere.show(Shop.tokenID) } throws: { ($0 as? GatewayError)?.code == .notFound }
    }

    @Test(
        "A deleted token is gone, and that is proven by asking for it",
        arguments: [nil, FaultKind.answerLost, .status(204)])
    func redact(_ fault: FaultKind?) async throws {
        let box = try HellgateBox()
        let gateway = try box.gateway()
        let vault = try gateway.requireVault()
        let id = try #require(await End(gateway, try Shop.request()).token).id
        if let fault { box.sandbox.faults.add(fault, provider: "hellgate", operation: "redact", processing: true) }
        guard case .done(let stored) = try await vault.redact(id) else {
            Issue.record("not deleted")
            return
        }
        #expect(stored.id == id)
        #expect(stored.state == .redacted)
        #expect(try await vault.show(id) == .notFound(id: id))
        #expect(box.operations.count { $0 == "redact" } == 1)
    }

    @Test("An answer that says deleted while the token is still there is no proof")
    func notDeleted() async throws {
        let box = try HellgateBox()
        let gateway = try box.gateway()
        let vault = try gateway.requireVault()
        let id = try #require(await End(gateway, try Shop.request()).token).id
        for fault in [FaultKind.status(204), .html(status: 200), .resetBeforeAnswer, .status(503)] {
            box.sandbox.faults.add(fault, provider: "hellgate", operation: "redact", processing: false)
            guard case .unknown(let cause) = try await vault.redact(id) else {
                Issue.record("told as known under \(fault)")
                continue
            }
            #expect(cause.advice.description.contains("may have"))
        }
        guard case .done = try await vault.show(id) else {
            Issue.record("the token is gone")
            return
        }
    }

    @Test("The card and the state are read from the documented members; the mask is not parsed")
    func token() async throws {
        let body = """
            {"id":"\(Shop.tokenID)","created_at":"2030-01-02T03:04:05.678Z","expiry_month":9,"expiry_year":2031,\
            "issuer_identification_number":"41111111","masked_account_number":"XXXXXX","scheme":"American Express",\
            "account_number_last_four":"1111","cardholder_name":"Ada Okoro","network_token_status":"pending",\
            "type":"credit","new_member":{"deep":[1]}}
            """
        guard
            case .done(let stored) = try await Self.vault(ScriptedHellgate(["show": [.answer(200, body)]])).show(
                Shop.tokenID)
        else {
            Issue.record("not shown")
            return
        }
        #expect(stored.card?.brand == .americanExpress)
        #expect(stored.card?.firstSix == "411111")
        #expect(stored.card?.lastFour == "1111")
        #expect(stored.card?.expiry == CardExpiry(month: 9, year: 2031))
        #expect(stored.providerState == "pending")
        #expect(stored.providerKind == "credit")
        #expect(stored.state == .retained)
        #expect(stored.createdAt?.rfc3339 == "2030-01-02T03:04:05Z")
    }

    @Test(
        "An answer about another token, or none, is no instrument",
        arguments: [
            #"{"id":"other"}"#, "{}", "[]", "", #"{"id":null}"#, #"{"token":"\#(Shop.tokenID)"}"#, "<html>",
        ])
    func unreadable(_ body: String) async throws {
        let vault = try Self.vault(ScriptedHellgate(["show": [.answer(200, body)]]))
        await #expect { try await vault.show(Shop.tokenID) } throws: {
            ($0 as? GatewayError)?.code == .unreadableAnswer
        }
    }

    @Test(
        "A list that would lose a token, or its end, is an error",
        arguments: [
            "", "{}", #"{"data":{}}"#, #"{"data":[]}"#, #"{"data":[{}],"pagination":{"total_pages":1}}"#,
            #"{"data":[{"id":"t-1"},{"id":""}],"pagination":{"total_pages":1}}"#,
            #"{"data":[{"id":"t-1"}],"pagination":{"total_pages":"many"}}"#,
        ])
    func badList(_ body: String) async throws {
        let vault = try Self.vault(ScriptedHellgate(["list": [.answer(200, body)]]))
        await #expect { try await vault.page(VaultQuery(), after: nil, CallContext()) } throws: {
            ($0 as? GatewayError)?.code == .unreadableAnswer
        }
    }
}
