import GatewayKitCore
import Testing

@testable import BlueSnapAdapter

/// What happens when BlueSnap does not take a token any more.
@Suite struct BlueSnapRenewalTests {
    static let unusable: [ScriptedBlueSnap.Reply] = [
        .expired, .error("TOKEN_NOT_FOUND", "14041"), .error("TOKEN_WAS_ALREADY_USED_FOR_CC"),
        .error("TOKEN_WAS_ALREADY_USED_FOR_APPLE_PAY"), .error("PAYPAL_TOKEN_ALREADY_USED"),
        .answer(400, #"{"message":[{"errorName":"EXPIRED_TOKEN","code":14040}]}"#), .answer(400, "EXPIRED_TOKEN"),
        .answer(400, #"{"errorCode":14041,"errorDescription":"x"}"#), .answer(403, "\"Unauthorized\""),
        .answer(
            400, "<messages><message><error-name>EXPIRED_TOKEN</error-name><code>14040</code></message></messages>"),
        .answer(400, #"{"message":[{"errorName":"SOMETHING"},{"errorName":"EXPIRED_TOKEN"}]}"#),
    ]

    @Test(
        "K2, K5: expired, used or unknown: the source is asked once and the same submission goes to the new token",
        arguments: unusable)
    func renewed(_ reply: ScriptedBlueSnap.Reply) async throws {
        let peer = ScriptedBlueSnap(["tokenize": [reply, .visa]])
        let renewal = try Renewal(Shop.other)
        let end = try await Shop.tokenize(peer, renewal: renewal)
        #expect(end.token?.id == Shop.other)
        #expect(renewal.asked == 1)
        let bodies = peer.bodies("tokenize")
        #expect(bodies.count == 2 && bodies.first == bodies.last)
        #expect(
            peer.sent.map { $0.fields.last } == [
                "token-authentication: " + Shop.token, "token-authentication: " + Shop.other,
            ])
        #expect(peer.lines.last?.hasSuffix(Shop.other) == true)
    }

    @Test("K1: without a source the session is unusable, and BlueSnap's word tells why", arguments: unusable)
    func noSource(_ reply: ScriptedBlueSnap.Reply) async throws {
        let peer = ScriptedBlueSnap(["tokenize": [reply, .visa]])
        let status = try #require(try await Shop.tokenize(peer).unusable)
        #expect(status.phase == .expired)
        #expect(status.providerWord != nil)
        #expect(peer.count("tokenize") == 1)
    }

    @Test("A new token that is unusable too ends the call: nothing is asked or sent a third time")
    func unusableTwice() async throws {
        let peer = ScriptedBlueSnap(["tokenize": [.expired]])
        let renewal = try Renewal(Shop.other, Shop.token)
        let status = try #require(try await Shop.tokenize(peer, renewal: renewal).unusable)
        #expect(status.reference == (try Shop.reference(Shop.other)))
        #expect(renewal.asked == 1)
        #expect(peer.count("tokenize") == 2)
    }

    @Test("A source that fails, gives the same session or no token ends the call and says so")
    func badSource() async throws {
        for (renewal, words) in [
            (try Renewal(), "The shop's backend is away."), (try Renewal(Shop.token), "gave the same one again"),
        ] {
            let peer = ScriptedBlueSnap(["tokenize": [.expired, .visa]])
            let error = try #require(try await Shop.tokenize(peer, renewal: renewal).thrown)
            #expect(error.code == .sessionUnusable)
            #expect(error.message.description.contains(words))
            #expect(peer.count("tokenize") == 1)
        }
        let peer = ScriptedBlueSnap(["tokenize": [.expired, .visa]])
        #expect(try await Shop.tokenize(peer, renewal: Renewal("no token")).thrown?.code == .invalidInput)
        #expect(peer.count("tokenize") == 1)
    }

    @Test(
        "R6: what may have arrived is never sent to another token",
        arguments: [
            .lost, .answer(500, #"{"message":[{"errorName":"EXPIRED_TOKEN"}]}"#), .answer(200, ""), .answer(408, ""),
            .answer(409, #"{"message":[{"errorName":"EXPIRED_TOKEN"}]}"#), .error("SERVER_GENERAL_FAILURE", "10000"),
            .answer(200, #"{"message":[{"errorName":"EXPIRED_TOKEN"}]}"#),
        ] as [ScriptedBlueSnap.Reply])
    func unknown(_ reply: ScriptedBlueSnap.Reply) async throws {
        let peer = ScriptedBlueSnap(["tokenize": [reply, .visa]])
        let renewal = try Renewal(Shop.other)
        #expect(try await Shop.tokenize(peer, renewal: renewal).unknown != nil)
        #expect(renewal.asked == 0)
        #expect(peer.count("tokenize") == 1)
    }

    @Test(
        "A wrong field, a decline, missing rights and a rate limit are no matter of the token",
        arguments: [
            .error("INVALID_CVV"), .error("DO_NOT_HONOR", "14002"), .answer(429, ""), .answer(403, "You may not"),
            .answer(404, ""), .error("NO_PAYMENT_DETAILS_LINKED_TO_TOKEN", "14042"),
        ] as [ScriptedBlueSnap.Reply])
    func otherRefusals(_ reply: ScriptedBlueSnap.Reply) async throws {
        let peer = ScriptedBlueSnap(["tokenize": [reply, .visa]])
        let renewal = try Renewal(Shop.other)
        let end = try await Shop.tokenize(peer, renewal: renewal)
        #expect(end.token == nil && end.unusable == nil)
        #expect(renewal.asked == 0)
        #expect(peer.count("tokenize") == 1)
    }

    @Test("A token that is refused with 401 is probed: only its age leads to another one")
    func probedAfter401() async throws {
        let rows: [(ScriptedBlueSnap.Reply, String, Int)] = [
            (.expired, "token", 1), (.error("TOKEN_NOT_FOUND", "14041"), "token", 1),
            (.alive, "throws credentialsRefused", 0), (.answer(401, ""), "throws credentialsRefused", 0),
            (.lost, "throws credentialsRefused", 0), (.answer(500, ""), "throws credentialsRefused", 0),
        ]
        for (probe, name, asked) in rows {
            let peer = ScriptedBlueSnap([
                "tokenize": [.answer(401, ErrorPages.tomcat, type: "text/html"), .visa], "status": [probe],
            ])
            let renewal = try Renewal(Shop.other)
            #expect(try await Shop.tokenize(peer, renewal: renewal).name == name)
            #expect(renewal.asked == asked)
            #expect(peer.count("status") >= 1)
            // Without a source there is nothing to find out for: BlueSnap tells the age of a token that is submitted to.
            let alone = ScriptedBlueSnap(["tokenize": [.answer(401, "")], "status": [probe]])
            #expect(try await Shop.tokenize(alone).name == "throws credentialsRefused")
            #expect(alone.count("status") == 0)
        }
    }

    // MARK: - Every other call with a token

    private static func client(_ transport: any HTTPTransport, _ recorder: Recorder? = nil) throws -> BlueSnapClient {
        try BlueSnapClient(Shop.settings(), Shop.runtime(transport, recorder))
    }

    private static func read(
        _ client: BlueSnapClient, _ context: CallContext
    ) async throws(GatewayError) -> String {
        let session = SessionReference(account: client.account.name, id: Shop.token)
        return try await client.read(
            "bluesnap.rates", session, context, outcome: "rates",
            request: { token in
                client.tokenRequest(
                    "bluesnap.rates", .get, ["tokenized-services", "rates"], token, repeatability: .read)
            },
            parse: { (_, json, _) throws(GatewayError) in json["x"].nonEmptyText ?? "" })
    }

    @Test("A call that reads renews in the same way, and throws where there is no source")
    func reads() async throws {
        for reply in Self.unusable {
            let peer = ScriptedBlueSnap(["rates": [reply, .answer(200, #"{"x":"y"}"#)]])
            let recorder = Recorder()
            let client = try Self.client(peer, recorder)
            #expect(try await Self.read(client, CallContext(renewal: Renewal(Shop.other))) == "y")
            #expect(peer.sent.map { $0.fields.last }.last == "token-authentication: " + Shop.other)
            #expect(!recorder.shown.contains(Shop.token) && !recorder.shown.contains(Shop.other))

            let another = ScriptedBlueSnap(["rates": [reply]])
            let alone = try Self.client(another)
            let error = await thrown { _ = try await Self.read(alone, CallContext()) }
            #expect(error?.code == .sessionUnusable)
            #expect(another.count("rates") == 1)
        }
    }

    @Test("A 401 of the services for tokens leads to a probe, and then to a new token")
    func readsAfter401() async throws {
        let peer = ScriptedBlueSnap([
            "rates": [.answer(401, ErrorPages.tomcat, type: "text/html"), .answer(200, #"{"x":"y"}"#)],
            "status": [.expired],
        ])
        let client = try Self.client(peer)
        #expect(try await Self.read(client, CallContext(renewal: Renewal(Shop.other))) == "y")
        #expect(peer.lines.map { $0.prefix(3) } == ["GET", "PUT", "GET"])
    }

    @Test("What is no object, or tells an error under a success, is not read")
    func unreadable() async throws {
        for body in ["", "[]", "<html>", #"{"message":[{"errorName":"EXPIRED_TOKEN"}]}"#] {
            let client = try Self.client(ScriptedBlueSnap(["rates": [.answer(200, body)]]))
            let error = await thrown { _ = try await Self.read(client, CallContext()) }
            #expect(error?.code == .unreadableAnswer)
            #expect(error?.advice.description.contains("safe to ask again") == true)
        }
    }
}
