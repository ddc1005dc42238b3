import GatewayKitCore
import Testing

/// Opening, taking up and probing tokens.
@Suite struct BlueSnapSessionTests {
    private static func opening(_ reply: ScriptedBlueSnap.Reply) async throws -> (GatewayError?, ScriptedBlueSnap) {
        let peer = ScriptedBlueSnap(["open-session": [reply]])
        let gateway = try Shop.gateway(nil, Shop.runtime(peer))
        return (await thrown { _ = try await gateway.requireTokens().openSession() }, peer)
    }

    @Test(
        "N5: the token is what stands behind the last slash of Location",
        arguments: [
            "https://sandbox.bluesnap.com/services/2/payment-fields-tokens/" + Shop.token, Shop.token,
            "/x/" + Shop.token,
        ])
    func location(_ location: String) async throws {
        #expect(try await Self.opening(.answer(201, "", location: location)).0 == nil)
    }

    @Test(
        "An answer without a usable token is no session",
        arguments: [
            .answer(201, ""), .answer(201, "", location: ""), .answer(201, "", location: "https://x/"),
            .answer(201, "", location: "https://x/" + Shop.token + "/"),
            .answer(201, "", location: "https://x/" + String(Shop.token.dropLast()) + "3"),
            .answer(201, "", location: "https://x/" + Shop.token + "?a=b"), .answer(200, "{}"), .answer(204, ""),
        ] as [ScriptedBlueSnap.Reply])
    func noToken(_ reply: ScriptedBlueSnap.Reply) async throws {
        let error = try #require(try await Self.opening(reply).0)
        #expect(error.code == .unreadableAnswer)
        #expect(error.advice.description.contains("Nothing was stored"))
    }

    @Test(
        "B10, B12: refusals of the API user, as pages and texts",
        arguments: [
            (.answer(401, ErrorPages.tomcat, type: "text/html"), .credentialsRefused),
            (.answer(403, "User API_x is not authorized to perform this action.", type: "text/plain"), .notPermitted),
            (.answer(429, "Client request rate is too high", type: "text/plain"), .rateLimited),
            (.error("SHOPPER_NOT_FOUND", "15008"), .notFound), (.error("INVALID_INPUT", "21001"), .requestRefused),
            (.answer(500, ""), .providerUnavailable), (.answer(302, ""), .unreadableAnswer), (.lost, .connectionLost),
            (.answer(503, "Service is temporarily unavailable"), .providerUnavailable),
        ] as [(ScriptedBlueSnap.Reply, GatewayError.Code)])
    func refused(reply: ScriptedBlueSnap.Reply, code: GatewayError.Code) async throws {
        let error = try #require(try await Self.opening(reply).0)
        #expect(error.code == code)
        #expect(!error.advice.isEmpty && error.message.description.hasSuffix("."))
    }

    @Test("Without an API user nothing is sent, and the missing setting is named")
    func noUser() async throws {
        let peer = ScriptedBlueSnap([:])
        let gateway = try Shop.gateway(Shop.settings(hasUser: false), Shop.runtime(peer))
        let error = try #require(await thrown { _ = try await gateway.requireTokens().openSession() })
        #expect(error.code == .configuration)
        #expect(error.message.description.contains("username"))
        #expect(peer.sent.isEmpty)
        // What needs none goes on.
        #expect(
            try await Shop.tokenize(ScriptedBlueSnap(["tokenize": [.visa]]), nil, Shop.settings(hasUser: false)).token
                != nil)
    }

    @Test(
        "What is no shopper's number, or a wish that a prefilled token cannot keep, is refused before anything is sent",
        arguments: [
            (SessionRequest(shopperID: "31009922x"), .invalidInput), (SessionRequest(shopperID: ""), .invalidInput),
            (SessionRequest(shopperID: "-1"), .invalidInput),
            (SessionRequest(entry: .cardData, shopperID: "1"), .notSupported),
            (SessionRequest(entry: .cardData, authentication: .required), .notSupported),
        ] as [(SessionRequest, GatewayError.Code)])
    func unusableRequests(request: SessionRequest, code: GatewayError.Code) async throws {
        let peer = ScriptedBlueSnap([:])
        let gateway = try Shop.gateway(nil, Shop.runtime(peer))
        let error = await thrown { _ = try await gateway.requireTokens().openSession(request) }
        #expect(error?.code == code)
        #expect(peer.sent.isEmpty)
    }

    @Test(
        "A token is taken up only if it is one, of this account and environment; an illegal suffix is told by name",
        arguments: [
            ("", "64 hexadecimal digits"), ("x", "64 hexadecimal digits"), (Shop.token.uppercased(), "64 hexadecimal"),
            (String(Shop.token.dropLast()) + "3", "names no server"),
            (String(Shop.token.dropLast()) + "1", "another environment"),
            ("../" + Shop.token, "64 hexadecimal digits"),
        ])
    func attach(text: String, words: String) async throws {
        let gateway = try Shop.gateway(
            Shop.settings(nil, environment: .test), Shop.runtime(ScriptedBlueSnap([:])))
        let error = await thrown { _ = try gateway.requireTokens().attach(Shop.reference(text)) }
        #expect(error?.code == .invalidInput)
        #expect(error?.message.description.contains(words) == true)
        let asked = await thrown { _ = try await gateway.requireSessions().status(of: Shop.reference(text)) }
        #expect(asked?.code == .invalidInput)
    }

    @Test("A test token does not get to a live account, and the other way round")
    func environments() async throws {
        for (kind, suffix) in [(EnvironmentDescription.Kind.live, "_"), (.test, "1"), (.test, "2")] {
            let peer = ScriptedBlueSnap(["tokenize": [.visa]])
            let end = try await Shop.tokenize(
                peer, nil, Shop.settings(nil, environment: kind), in: String(Shop.token.dropLast()) + suffix)
            #expect(end.thrown?.code == .invalidInput)
            #expect(peer.sent.isEmpty)
        }
    }

    // MARK: - The probe

    private static func status(_ replies: ScriptedBlueSnap.Reply...) async throws -> (
        Result<SessionStatus, GatewayError>, ScriptedBlueSnap
    ) {
        let peer = ScriptedBlueSnap(["status": replies])
        let recorder = Recorder()
        let gateway = try Shop.gateway(nil, Shop.runtime(peer, recorder))
        let sessions = try gateway.requireSessions()
        let reference = try Shop.reference()
        let result: Result<SessionStatus, GatewayError>
        do throws(GatewayError) {
            result = .success(try await sessions.status(of: reference))
        } catch {
            result = .failure(error)
        }
        #expect(!recorder.shown.contains(Shop.token))
        #expect(recorder.events.last?.kind == .callFinished)
        return (result, peer)
    }

    @Test("The probe submits nothing: it may be repeated, and is")
    func probe() async throws {
        let (result, peer) = try await Self.status(.lost, .answer(503, ""), .alive)
        #expect(try result.get().phase == .open)
        #expect(peer.bodies("status") == Array(repeating: #"{"dummy":"check:"}"#, count: 3))
        #expect(peer.lines.allSatisfy { $0 == BlueSnapRequestTests.submit })
        #expect(peer.sent.first?.fields == ["accept: application/json", "token-authentication: " + Shop.token])
    }

    @Test(
        "K1: what the probe tells, and what it cannot tell",
        arguments: [
            (.alive, "open", nil), (.answer(200, ""), "open", nil), (.expired, "expired", "EXPIRED_TOKEN"),
            (.answer(400, #"{"message":[{"errorName":"EXPIRED_TOKEN","code":14040}]}"#), "expired", "EXPIRED_TOKEN"),
            (.answer(400, "\"EXPIRED_TOKEN\""), "expired", "EXPIRED_TOKEN"),
            (.answer(400, #"{"errorCode":"14040"}"#), "expired", "14040"),
            (.error("TOKEN_WAS_ALREADY_USED_FOR_CC"), "expired", "TOKEN_WAS_ALREADY_USED_FOR_CC"),
            (.answer(403, "\"Unauthorized\""), "expired", "Unauthorized"),
            (.error("TOKEN_NOT_FOUND", "14041"), "throws notFound", nil),
            (.error("INVALID_CC_NUMBER"), "unknown", "INVALID_CC_NUMBER"),
            (.answer(401, ErrorPages.tomcat), "throws credentialsRefused", nil),
            (.answer(403, "User x is not authorized"), "throws notPermitted", nil),
            (.answer(200, "<html></html>"), "throws unreadableAnswer", nil),
            (.answer(400, ""), "throws requestRefused", nil), (.answer(500, ""), "throws providerUnavailable", nil),
            (.answer(500, #"{"message":[{"errorName":"EXPIRED_TOKEN"}]}"#), "throws providerUnavailable", nil),
            (.answer(200, #"{"message":[{"errorName":"EXPIRED_TOKEN"}]}"#), "throws unreadableAnswer", nil),
            (.lost, "throws connectionLost", nil),
        ] as [(ScriptedBlueSnap.Reply, String, String?)])
    func phases(reply: ScriptedBlueSnap.Reply, name: String, word: String?) async throws {
        switch try await Self.status(reply).0 {
        case .success(let status):
            #expect(status.phase.description == name)
            #expect(status.providerWord == word)
        case .failure(let error):
            #expect("throws \(error.code)" == name)
        }
    }
}
