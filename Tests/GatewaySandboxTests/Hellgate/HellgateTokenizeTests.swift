import GatewayCrypto
import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Hellgate's tokenization in the sandbox")
struct HellgateSandboxTokenizeTests {
    @Test(
        "Test cards succeed, one is declined, and every other number is refused inside HTTP 200",
        arguments: [
            ("4242424242424242", nil), ("4111111111111111", nil), ("5555555555554444", nil), ("378282246310005", nil),
            ("36227206271667", nil), ("3566002020360505", nil), ("6200000000000005", nil),
            ("4000000000000002", "card_declined"), ("6011111111111117", "invalid_test_card"),
            ("4242424242424241", "invalid_test_card"), ("123456789012", "invalid_test_card"),
        ] as [(String, String?)])
    func cards(number: String, code: String?) async throws {
        try await withHellgate { desk, _ in
            let session = try desk.open()
            let reply = try desk.complete(session, HellgateDesk.claims(number))
            #expect(reply.status == 200)
            #expect(try reply.root["status"].string() == (code == nil ? "success" : "failure"))
            #expect(try reply.root["data"]["reason_code"].present?.string() == code)
            #expect((try reply.root["data"]["token_id"].present != nil) == (code == nil))
            #expect(desk.call("GET", "/sessions/\(session)").text == reply.text)
            let entry = try #require(desk.sandbox.ledger.entries.last { $0.operation == "tokenize" })
            #expect(entry.outcome == (code == nil ? .created : .refused))
            #expect(!reply.text.contains(number))
        }
    }

    @Test("A card whose month is over fails, one of this month does not")
    func expiry() async throws {
        try await withHellgate { desk, _ in
            // The clock stands in July 2026.
            let late = try desk.complete(desk.open(), HellgateDesk.claims(month: "6", year: "2026")).root
            #expect(try late["data"]["reason_code"].string() == "expired_card")
            let good = try desk.complete(desk.open(), HellgateDesk.claims(month: "7", year: "2026")).root
            #expect(try good["status"].string() == "success")
        }
    }

    @Test("All eight additional fields are taken, and no ninth; nothing may be empty or of another kind")
    func fields() async throws {
        try await withHellgate { desk, _ in
            let all = HellgateCard.additionalFields.sorted().map { ",\"\($0)\":\"x\"" }.joined()
            #expect(try desk.complete(desk.open(), HellgateDesk.claims(more: all)).status == 200)
            let session = try desk.open()
            for claims in [
                HellgateDesk.claims(more: #","billing_address_state":"x""#), HellgateDesk.claims(more: #","email":"""#),
                HellgateDesk.claims(more: #","email":null"#),
                HellgateDesk.claims(more: #","issuer_identification_number":"737""#),
                HellgateDesk.claims("4242 4242 4242 4242"), HellgateDesk.claims("42"), HellgateDesk.claims(month: "13"),
                HellgateDesk.claims(month: "\"9\""), HellgateDesk.claims(year: "31"), HellgateDesk.claims(code: "737"),
                HellgateDesk.claims(code: "\"73\""), HellgateDesk.claims(code: "\"73737\""), "{}", "[]", "x", "",
                HellgateDesk.claims(more: #","expiry_month":9"#),
            ] {
                let reply = try desk.complete(session, claims)
                #expect(reply.status == 400, "\(claims)")
                #expect(!reply.text.contains("4242"))
            }
            #expect(try desk.complete(session).status == 200)
        }
    }

    @Test("A payload that is no JWE for this key, or changed, is refused")
    func payload() async throws {
        try await withHellgate { desk, _ in
            let session = try desk.open()
            let body = try desk.encrypted(session, HellgateDesk.claims())
            let other = try RSAPrivateKey.generate(bits: 2048).publicKey
            let foreign = try CompactJWE.encrypt(SecretBytes(Array(HellgateDesk.claims().utf8)), for: other)
            for bad in [
                "", "a.b.c.d.e", foreign, "eyJhbGciOiJub25lIn0.e30.",
                String(try JSONValue(parsing: Array(body.utf8))["result"]["enc_payload"].string().dropLast(2)) + "AA",
            ] {
                let request = #"{"action":"tokenize_card","result":{"enc_payload":"\#(bad)"}}"#
                #expect(desk.call("POST", "/sessions/\(session)/complete-action", request).status == 400)
            }
            for request in [
                #"{"action":"other","result":{}}"#, #"{"action":"tokenize_card"}"#, "[]", "",
                #"{"action":"tokenize_card","result":{"token_id":"x"}}"#, body.dropLast() + #","more":1}"#,
            ] {
                #expect(desk.call("POST", "/sessions/\(session)/complete-action", String(request)).status == 400)
            }
            #expect(desk.call("POST", "/sessions/\(session)/complete-action", body, type: "text/plain").status == 415)
            #expect(desk.call("POST", "/sessions/\(session)/complete-action", body).status == 200)
        }
    }

    @Test(
        "A vault's token is good for its own session, with its own key",
        arguments: [HellgateSession.Kind.guardian, .basisTheory])
    func vault(kind: HellgateSession.Kind) async throws {
        try await withHellgate { desk, _ in
            let (session, other) = (try desk.open(kind), try desk.open(kind))
            let stored = try desk.store(session)
            #expect(stored.status == 200)
            let id = try stored.root["id"].string()
            let complete = { (session: String, body: String) in
                desk.call("POST", "/sessions/\(session)/complete-action", body)
            }
            #expect(complete(other, HellgateDesk.result(id)).status == 400)
            #expect(complete(session, HellgateDesk.result("unknown")).status == 400)
            #expect(complete(session, HellgateDesk.result(id, #","additional_data":{"state":"x"}"#)).status == 400)
            #expect(complete(session, HellgateDesk.result(id, #","additional_data":[]"#)).status == 400)
            let done = complete(session, HellgateDesk.result(id, #","additional_data":{"cardholder_name":"Ada"}"#))
            let token = try done.root["data"]["token_id"].string()
            #expect(token != id)
            #expect(try desk.keyed("GET", "/tokens/\(token)").root["cardholder_name"].string() == "Ada")
            let path = kind == .guardian ? "/guardian/tokenize" : "/basis-theory/tokenize"
            let field = kind == .guardian ? "x-api-key" : "bt-api-key"
            #expect(desk.call("POST", path, "{}", header: "\(field): wrong\r\n").status == 401)
            #expect(desk.call("POST", path, "{}", header: "\(field): \(desk.key)\r\n").status == 401)
        }
    }

    @Test("What the older SDK does wrong is refused: the code as issuer's number, the number as its own mask")
    func oldMistakes() async throws {
        try await withHellgate { desk, _ in
            let guardian = try desk.open(.guardian)
            let wrong =
                #"{"account_number":"4242424242424242","expiry_month":9,"expiry_year":2031,"issuer_identification_number":"737"}"#
            #expect(try desk.store(guardian, wrong).status == 400)
            let basisTheory = try desk.open(.basisTheory)
            let mask = #","mask":{"number":"4242424242424242","expiration_month":"9","expiration_year":"2031"}"#
            #expect(try desk.store(basisTheory, HellgateDesk.basisTheory(more: mask)).status == 400)
            #expect(
                try desk.store(basisTheory, HellgateDesk.basisTheory(more: #","mask":{"number":"4242"}"#)).status == 200
            )
        }
    }

    @Test("Tokens are shown, listed in pages, filtered and deleted")
    func tokens() async throws {
        try await withHellgate { desk, time in
            var ids: [String] = []
            for _ in 0..<5 {
                ids.append(try desk.complete(desk.open()).root["data"]["token_id"].string())
                time.withLock { $0 = $0.adding(seconds: 60) }
            }
            func list(_ query: String) throws -> [String] {
                try desk.keyed("GET", "/tokens" + query).root["data"].elements().map { try $0["id"].string() }
            }
            #expect(try list("") == ids)
            #expect(try list("?limit=2&page=3") == [ids[4]])
            #expect(try list("?limit=2&page=4") == [])
            #expect(try list("?sort=created_at%20desc") == ids.reversed())
            #expect(try list("?network_token_status=active").count == 5)
            #expect(try list("?network_token_status=failed").isEmpty)
            #expect(try list("?from=2026-07-25T17:22:00Z").count < 5)
            let page = try desk.keyed("GET", "/tokens?limit=2").root["pagination"]
            #expect(try page["total_pages"].integer() == 3)
            #expect(try page["total_items"].integer() == 5)
            for query in [
                "?limit=0", "?limit=501", "?page=0", "?page=x", "?sort=id", "?limit=1&limit=1", "?a=b", "?from=x",
            ] {
                #expect(desk.keyed("GET", "/tokens" + query).status == 400, "\(query)")
            }
            let shown = try desk.keyed("GET", "/tokens/\(ids[0])").root
            #expect(try shown["masked_account_number"].string() == "424242******4242")
            #expect(try shown["scheme"].string() == "VISA")
            #expect(desk.keyed("DELETE", "/tokens/\(ids[0])").status == 204)
            #expect(desk.keyed("DELETE", "/tokens/\(ids[0])").status == 404)
            #expect(desk.keyed("GET", "/tokens/\(ids[0])").status == 404)
            #expect(try list("") == Array(ids.dropFirst()))
        }
    }

    @Test("No answer and no ledger shows a number, also of cards that were refused")
    func leaks() async throws {
        try await withHellgate { desk, _ in
            var texts: [String] = []
            for number in [HellgateDesk.visa, "4000000000000002", "6011111111111117"] {
                for kind in HellgateSession.Kind.allCases {
                    let session = try desk.open(kind)
                    if kind == .encrypted {
                        texts.append(try desk.complete(session, HellgateDesk.claims(number)).text)
                    } else {
                        let body = kind == .guardian ? HellgateDesk.claims(number) : HellgateDesk.basisTheory(number)
                        let stored = try desk.store(session, body)
                        texts.append(stored.text)
                        let result = HellgateDesk.result(try stored.root["id"].string())
                        texts.append(desk.call("POST", "/sessions/\(session)/complete-action", result).text)
                    }
                    texts.append(desk.call("GET", "/sessions/\(session)").text)
                }
            }
            texts += [desk.keyed("GET", "/tokens").text, desk.sandbox.get("/_sandbox/ledger")?.text ?? ""]
            for text in texts {
                #expect(!text.isEmpty)
                for number in [HellgateDesk.visa, "4000000000000002", "6011111111111117"] {
                    #expect(!text.contains(number))
                }
            }
        }
    }
}
