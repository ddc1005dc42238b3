import GatewayKitCore
import Testing

/// What each answer of a completion means.
@Suite struct HellgateAnswerTests {
    /// A completion that is answered so, and a session that is open whenever it is asked.
    private static func end(_ status: Int, _ body: String) async throws -> End {
        try await Shop.tokenize(ScriptedHellgate(["status": [.encrypted], "tokenize": [.answer(status, body)]]))
    }

    @Test("A token needs the word success and an id")
    func success() async throws {
        let end = try await Self.end(200, #"{"status":"success","data":{"token_id":"\#(Shop.tokenID)","x":1},"y":[]}"#)
        let token = try #require(end.token)
        #expect(token.id == Shop.tokenID)
        #expect(token.account.description == "shop")
        #expect(token.card?.description == "visa ending 1111, expires 09/2031")
        #expect(token.usage == .unknown)
    }

    @Test(
        "A success that is not proven is unknown while the session does not confirm it",
        arguments: [
            #"{"status":"success"}"#, #"{"status":"success","data":{}}"#,
            #"{"status":"success","data":{"token_id":""}}"#,
            #"{"status":"success","data":{"token_id":"with space"}}"#, #"{"data":{"token_id":"t-1"}}"#,
            #"{"status":"complete","data":{"token_id":"t-1"}}"#, #"{"status":null,"data":{"token_id":"t-1"}}"#,
            #"{"status":"SUCCESS","data":{"token_id":"t-1"}}"#, #"{"status":"failure","data":{"token_id":"t-1"}}"#,
            #"{"next_action":"wait","data":{"token_id":"t-1"}}"#, #"{"next_action":"tokenize_card"}"#,
            #"{"next_action":"provide_3ds","status":"success","data":{"token_id":"t-1"}}"#,
            #"{"status":"approved","data":{"reason":"r","reason_code":"c"}}"#, #"{"data":{"reason":"r"}}"#,
            "", "{}", "[]", "null", "<html></html>", #"{"status":"success","status":"failure"}"#,
        ])
    func unproven(_ body: String) async throws {
        let end = try await Self.end(200, body)
        let cause = try #require(end.unknown, "\(end.name)")
        #expect(cause.code == .unreadableAnswer)
        #expect(cause.reach == .answered)
        #expect(cause.advice.description.contains("may have"))
    }

    @Test("The card number where the token belongs is no token")
    func echoedNumber() async throws {
        let end = try await Self.end(200, #"{"status":"success","data":{"token_id":"tok-\#(Shop.number)"}}"#)
        #expect(end.unknown != nil)
    }

    @Test(
        "B2: a refusal inside HTTP 200 is a decline, with the neutral reason and the original words",
        arguments: [
            ("failure", "Invalid test card", "invalid_test_card", Decline.Reason.accountNotActive),
            ("failed", "The card was declined", "card_declined", .cardDeclined),
            ("failure", "Something new", "brand_new_code", .unlisted),
        ])
    func declined(word: String, reason: String, code: String, expected: Decline.Reason) async throws {
        let body = #"{"status":"\#(word)","data":{"reason":"\#(reason)","reason_code":"\#(code)"}}"#
        let decline = try #require(try await Self.end(200, body).decline)
        #expect(decline.reason == expected)
        #expect(decline.providerCode == code)
        #expect(decline.message.description == reason)
    }

    @Test(
        "A failure without words is a decline all the same; reason and code need no status",
        arguments: [
            (#"{"status":"failure"}"#, nil, "Hellgate gave no reason."),
            (#"{"status":"failure","data":{"reason":"Only words"}}"#, nil, "Only words"),
            (#"{"data":{"reason":"Words","reason_code":"code"}}"#, "code", "Words"),
        ] as [(String, String?, String)])
    func barely(body: String, code: String?, message: String) async throws {
        let decline = try #require(try await Self.end(200, body).decline)
        #expect(decline.reason == .unlisted)
        #expect(decline.providerCode == code)
        #expect(decline.message.description == message)
    }

    @Test("L3: a reason that echoes the card is scrubbed")
    func echo() async throws {
        let body = #"{"status":"failure","data":{"reason":"No \#(Shop.number) (cvc 737)","reason_code":"x737x"}}"#
        let decline = try #require(try await Self.end(200, body).decline)
        #expect(!decline.message.description.contains("737"))
    }

    @Test(
        "A refusing status throws, whatever its body is: nothing was stored",
        arguments: [
            (400, GatewayError.Code.requestRefused), (401, .credentialsRefused), (403, .notPermitted),
            (404, .notFound), (405, .requestRefused), (415, .requestRefused), (422, .requestRefused),
            (429, .rateLimited), (451, .notPermitted),
        ], ["", "<html>", #"{"code":400,"message":"Not so","classifier":"BAD"}"#])
    func refused(_ row: (Int, GatewayError.Code), _ body: String) async throws {
        let error = try #require(try await Self.end(row.0, body).thrown)
        #expect(error.code == row.1)
        #expect(error.reach == .answered)
        #expect(error.answer?.status == row.0)
        #expect(error.answer?.providerCode == (body.hasPrefix("{") ? "BAD" : nil))
        #expect(error.answer?.providerMessage?.description == (body.hasPrefix("{") ? "Not so" : nil))
        #expect(error.advice.description.contains("Nothing was stored"))
    }

    @Test(
        "Any other status leaves the outcome to the session",
        arguments: [204, 301, 302, 307, 402, 408, 499, 500, 502, 503, 504])
    func otherStatus(_ status: Int) async throws {
        #expect(try await Self.end(status, "").unknown != nil)
        let peer = ScriptedHellgate(["status": [.encrypted, .success], "tokenize": [.answer(status, "")]])
        #expect(try await Shop.tokenize(peer).token?.id == Shop.tokenID)
    }

    @Test("K5: a session that expired before the completion arrived asks for a new one")
    func expiredMeanwhile() async throws {
        for status in [ScriptedHellgate.Reply.encrypted, .vault()] {
            let peer = ScriptedHellgate(["status": [status], "store-card": [.stored], "tokenize": [.notFound]])
            let unusable = try #require(try await Shop.tokenize(peer).unusable)
            #expect(unusable.phase == .expired)
            #expect(unusable.providerWord == "NOT_FOUND")
        }
    }

    // MARK: - The vault's answers

    @Test(
        "The vault stored the card, or may have: then nothing is told as refused, and the session is not completed",
        arguments: [
            .lost, .answer(200, "{}"), .answer(200, #"{"id":""}"#), .answer(200, "<html>"), .answer(500, ""),
            .answer(302, ""), .answer(408, ""), .answer(200, #"{"id":"a b"}"#),
        ] as [ScriptedHellgate.Reply])
    func vaultUnclear(_ reply: ScriptedHellgate.Reply) async throws {
        let peer = ScriptedHellgate(["status": [.vault()], "store-card": [reply], "tokenize": [.success]])
        let cause = try #require(try await Shop.tokenize(peer).unknown)
        #expect(cause.reach != .notSent)
        #expect(cause.advice.description.contains("may have been stored in the vault"))
        #expect(peer.count("tokenize") == 0)
        #expect(peer.count("status") == 1)
    }

    @Test("A vault's token that is the card number is not passed on")
    func vaultEcho() async throws {
        let peer = ScriptedHellgate([
            "status": [.vault()], "store-card": [.answer(200, #"{"id":"\#(Shop.number)"}"#)], "tokenize": [.success],
        ])
        #expect(try await Shop.tokenize(peer).unknown != nil)
        #expect(peer.count("tokenize") == 0)
    }

    @Test(
        "A vault that refuses stored nothing",
        arguments: [
            (400, GatewayError.Code.requestRefused), (401, .credentialsRefused), (403, .notPermitted),
            (404, .notFound), (422, .requestRefused), (429, .rateLimited),
        ])
    func vaultRefused(_ row: (Int, GatewayError.Code)) async throws {
        let peer = ScriptedHellgate(["status": [.vault()], "store-card": [.answer(row.0, "")], "tokenize": [.success]])
        #expect(try await Shop.tokenize(peer).thrown?.code == row.1)
        #expect(peer.count("tokenize") == 0)
    }

    @Test(
        "When the vault has the card, a refused completion is no proof that nothing was stored",
        arguments: [.answer(429, ""), .answer(401, ""), .notSent] as [ScriptedHellgate.Reply])
    func refusedAfterVault(_ reply: ScriptedHellgate.Reply) async throws {
        let peer = ScriptedHellgate(["status": [.vault()], "store-card": [.stored], "tokenize": [reply]])
        let cause = try #require(try await Shop.tokenize(peer).unknown)
        #expect(cause.reach != .notSent)
        #expect(cause.advice.description.contains("may have been stored in the vault"))
    }
}
