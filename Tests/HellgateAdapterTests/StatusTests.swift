import GatewayKitCore
import Testing

/// What a session says of itself.
@Suite struct HellgateStatusTests {
    struct Row: Sendable {
        let body: String
        let phase: SessionStatus.Phase
        let word: String?
        init(_ body: String, _ phase: SessionStatus.Phase, _ word: String?) {
            (self.body, self.phase, self.word) = (body, phase, word)
        }
    }

    private static func status(_ reply: ScriptedHellgate.Reply, _ observer: Recorder? = nil) async throws
        -> SessionStatus
    {
        let gateway = try Shop.gateway(
            Shop.settings(key: nil), Shop.runtime(ScriptedHellgate(["status": [reply]]), observer))
        return try await gateway.requireSessions().status(of: Shop.reference())
    }

    @Test(
        "Every word of both protocols has its phase, and a word that nobody knows is unknown",
        arguments: [
            Row(
                #"{"next_action":"tokenize_card","data":{"jwk":{"kty":"RSA","n":"AQ","e":"AQAB"}}}"#, .open,
                "tokenize_card"),
            Row(
                #"{"next_action":"tokenize_card","data":{"provider":"guardian","base_url":"u","api_key":"k"}}"#, .open,
                "tokenize_card"),
            Row(#"{"next_action":"tokenize_card"}"#, .open, "tokenize_card"),
            Row(#"{"next_action":"wait"}"#, .processing, "wait"),
            Row(#"{"next_action":"provide_3ds"}"#, .unknown, "provide_3ds"),
            Row(#"{"next_action":"Tokenize_Card"}"#, .unknown, "Tokenize_Card"),
            Row(#"{"next_action":"wait","status":"success"}"#, .processing, "wait"),
            Row(#"{"next_action":{},"status":"success"}"#, .unknown, nil),
            Row(#"{"next_action":null,"status":"success","data":{"token_id":"t-1"}}"#, .succeeded, "success"),
            Row(#"{"status":"success","data":{"token_id":"t-1","additional_data":{"a":1}}}"#, .succeeded, "success"),
            Row(#"{"status":"failure","data":{"reason":"r","reason_code":"c"}}"#, .failed, "failure"),
            Row(#"{"status":"failed"}"#, .failed, "failed"), Row(#"{"status":"expired"}"#, .expired, "expired"),
            Row(#"{"status":"complete"}"#, .unknown, "complete"), Row(#"{"status":"SUCCESS"}"#, .unknown, "SUCCESS"),
            Row(#"{"status":true}"#, .unknown, "true"), Row(#"{"data":{}}"#, .unknown, nil),
        ])
    func words(_ row: Row) async throws {
        let status = try await Self.status(.answer(200, row.body))
        #expect(status.phase == row.phase)
        #expect(status.providerWord == row.word)
        #expect(status.reference == (try Shop.reference()))
        #expect((status.token?.id == "t-1") == row.body.contains("t-1"))
        #expect((status.decline != nil) == (row.phase == .failed))
    }

    @Test("T4: the word decides, not what else is there: a finished session that still names a vault is finished")
    func wordWins() async throws {
        let status = try await Self.status(
            .answer(
                200,
                #"{"status":"success","data":{"token_id":"t-1","provider":"guardian","base_url":"https://v.example","api_key":"k"}}"#
            ))
        #expect(status.phase == .succeeded)
        let open = try await Self.status(.answer(200, #"{"next_action":"tokenize_card","data":{"token_id":"t-1"}}"#))
        #expect(open.phase == .open)
        #expect(open.token == nil)
    }

    @Test("Why a session failed is told, with the original words")
    func decline() async throws {
        let decline = try #require(try await Self.status(.failure).decline)
        #expect(decline.reason == .accountNotActive)
        #expect(decline.providerCode == "invalid_test_card")
        #expect(decline.message.description == "Invalid test card")
    }

    @Test(
        "No usable answer is an error of its own kind, never a state",
        arguments: [
            (.notFound, .notFound), (.answer(404, ""), .notFound), (.answer(401, ""), .credentialsRefused),
            (.answer(403, ""), .notPermitted), (.answer(429, ""), .rateLimited),
            (.answer(200, "<html>"), .unreadableAnswer), (.answer(200, "{}"), .unreadableAnswer),
            (.answer(200, "[]"), .unreadableAnswer), (.answer(204, ""), .unreadableAnswer),
            (.answer(302, ""), .unreadableAnswer), (.answer(500, ""), .providerUnavailable),
            (.answer(503, "{}"), .providerUnavailable), (.lost, .connectionLost), (.notSent, .unreachable),
        ] as [(ScriptedHellgate.Reply, GatewayError.Code)])
    func errors(_ row: (ScriptedHellgate.Reply, GatewayError.Code)) async throws {
        do {
            let status = try await Self.status(row.0)
            Issue.record("\(status)")
        } catch let error as GatewayError {
            #expect(error.code == row.1)
            #expect(error.advice.description.contains("Nothing was "))
        }
    }

    @Test("A read is asked again when it fails")
    func again() async throws {
        let peer = ScriptedHellgate(["status": [.lost, .answer(503, ""), .wait]])
        let gateway = try Shop.gateway(Shop.settings(key: nil), Shop.runtime(peer))
        #expect(try await gateway.requireSessions().status(of: Shop.reference()).phase == .processing)
        #expect(peer.count("status") == 3)
    }

    @Test("A reference of another account, and what is no id, is refused before anything is sent")
    func references() async throws {
        let peer = ScriptedHellgate([:])
        let gateway = try Shop.gateway(Shop.settings(), Shop.runtime(peer))
        let other = SessionReference(account: try #require(AccountName("other")), id: Shop.sessionID)
        for reference in [other, try Shop.reference(""), try Shop.reference("a b"), try Shop.reference("a\nb")] {
            await #expect { try await gateway.requireSessions().status(of: reference) } throws: {
                ($0 as? GatewayError)?.code == .invalidInput
            }
            #expect { try gateway.requireTokens().attach(reference) } throws: {
                ($0 as? GatewayError)?.code == .invalidInput
            }
        }
        #expect(peer.sent.isEmpty)
    }

    @Test("An id cannot lead elsewhere: it is one segment of the address")
    func segment() async throws {
        let peer = ScriptedHellgate(["status": [.wait]])
        let gateway = try Shop.gateway(Shop.settings(), Shop.runtime(peer))
        _ = try await gateway.requireSessions().status(of: Shop.reference("../tokens?x=1"))
        #expect(peer.lines == ["GET http://127.0.0.1:9/hellgate/sessions/..%2Ftokens%3Fx%3D1"])
    }

    @Test("Neither the session's id nor the vault's key shows in what is observed")
    func confidential() async throws {
        let recorder = Recorder()
        let status = try await Self.status(.vault(), recorder)
        #expect(status.phase == .open)
        for text in [recorder.shown, everything(of: status)] {
            #expect(!text.contains(Shop.sessionID))
            #expect(!text.contains(Shop.vaultKey))
        }
        #expect(recorder.events.map(\.kind) == [.callStarted, .requestStarted, .answerReceived, .callFinished])
    }
}
