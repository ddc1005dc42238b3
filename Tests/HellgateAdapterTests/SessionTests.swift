import GatewayKitCore
import GatewaySandbox
import Testing

/// The whole way over real HTTP, against the imitation of the provider.
@Suite struct HellgateSessionTests {
    static let kinds = ["encrypted", "guardian", "basis_theory"]

    private static func openSession(_ gateway: Gateway) async throws -> String {
        try await gateway.requireTokens().openSession().reference.id
    }

    @Test(
        "Every kind of session gives a token, with its result at once or after a while", arguments: kinds,
        ["immediate", "waiting"])
    func token(kind: String, completion: String) async throws {
        let box = try HellgateBox(["hellgate.session": kind, "hellgate.completion": completion])
        let recorder = Recorder()
        let gateway = try box.gateway(recorder)
        let end = await End(gateway, try Shop.request(shopper: HellgateRequestTests.shopper))
        let made = try #require(box.sandbox.ledger.entries.last { $0.operation == "tokenize" })
        #expect(made.outcome == .created)
        #expect(end.token?.id == made.token)
        let store = kind == "encrypted" ? [] : ["store-card"]
        let looks = completion == "waiting" ? ["status", "status", "status"] : []
        #expect(box.operations == ["open-session", "status"] + store + ["tokenize"] + looks)
        let search = LeakSearch(
            [Shop.number, box.sandbox.credentials(for: "hellgate")?["apiKey"] ?? ""].map { Sensitive($0) })
        #expect(search.leaks(in: recorder.shown + end.shown).isEmpty)
    }

    @Test(
        "Cards of every length are taken: the older SDK takes no American Express",
        arguments: ["visa", "mastercard", "amex", "diners-14", "jcb-2", "unionpay", "3ds-app-frictionless"], kinds)
    func cards(name: String, kind: String) async throws {
        let box = try HellgateBox(["hellgate.session": kind])
        let gateway = try box.gateway()
        let end = await End(gateway, try Shop.request(Shop.card(name, code: name == "amex" ? "7373" : "737")))
        let token = try #require(end.token, "\(end.shown)")
        guard case .done(let stored) = try await gateway.requireVault().show(token.id) else {
            Issue.record("the token is not there")
            return
        }
        #expect(stored.card == token.card)
        #expect(stored.state == .retained)
        #expect(stored.shopper.name == "Ada Okoro")
    }

    @Test(
        "A declined card and a card off the list: declines with the original words, and the session tells them too",
        arguments: kinds)
    func declines(kind: String) async throws {
        let box = try HellgateBox(["hellgate.session": kind])
        let gateway = try box.gateway()
        let rows = [
            ("3ds-app-challenge", Decline.Reason.cardDeclined, "card_declined", "The card was declined"),
            ("discover", .accountNotActive, "invalid_test_card", "Invalid test card"),
        ]
        for (name, reason, code, words) in rows {
            let session = try await Self.openSession(gateway)
            let decline = try #require(await End(gateway, try Shop.request(Shop.card(name)), in: session).decline)
            #expect(decline.reason == reason)
            #expect(decline.providerCode == code)
            #expect(decline.message.description == words)
            let status = try await gateway.requireSessions().status(of: Shop.reference(session))
            #expect(status.phase == .failed)
            #expect(status.decline == decline)
        }
        #expect(!box.sandbox.ledger.entries.contains { $0.operation == "tokenize" && $0.outcome == .created })
    }

    @Test("A session that a backend handed over is taken up without a key", arguments: kinds)
    func attach(kind: String) async throws {
        let box = try HellgateBox(["hellgate.session": kind])
        let session = try await Self.openSession(box.gateway())
        let device = try box.gateway(hasKey: false)
        #expect(try await device.requireSessions().status(of: Shop.reference(session)).phase == .open)
        let end = await End(device, try Shop.request(), in: session)
        let status = try await device.requireSessions().status(of: Shop.reference(session))
        #expect(status.phase == .succeeded)
        #expect(status.token?.id == end.token?.id)
        #expect(end.token != nil)
    }

    @Test(
        "K2, K5: a used session is unusable and names its token, a new one works; the card is not sent to the used one")
    func used() async throws {
        let box = try HellgateBox()
        let gateway = try box.gateway()
        let session = try await Self.openSession(gateway)
        let first = await End(gateway, try Shop.request(), in: session)
        let second = await End(gateway, try Shop.request(), in: session)
        let unusable = try #require(second.unusable)
        #expect(unusable.phase == .succeeded)
        #expect(unusable.token?.id == first.token?.id)
        #expect(box.operations.count { $0 == "tokenize" } == 1)
        #expect(await End(gateway, try Shop.request()).token != nil)
    }

    @Test("K5, T7: a session left alone expires: that is no success, and a new one goes on", arguments: kinds)
    func expired(kind: String) async throws {
        let box = try HellgateBox(["hellgate.session": kind])
        let gateway = try box.gateway()
        let session = try await Self.openSession(gateway)
        box.advance(seconds: 899)
        #expect(try await gateway.requireSessions().status(of: Shop.reference(session)).phase == .open)
        box.advance(seconds: 1)
        let unusable = try #require(await End(gateway, try Shop.request(), in: session).unusable)
        #expect(unusable.phase == .expired)
        #expect(unusable.providerWord == "NOT_FOUND")
        await #expect {
            try await gateway.requireSessions().status(of: Shop.reference(session))
        } throws: {
            ($0 as? GatewayError)?.code == .notFound
        }
        #expect(!box.operations.contains("tokenize") && !box.operations.contains("store-card"))
        #expect(await End(gateway, try Shop.request()).token != nil)
    }

    @Test("T6: a session at work is pending for everybody: a second try is refused and sends no card")
    func pending() async throws {
        let box = try HellgateBox(["hellgate.completion": "waiting"])
        let gateway = try box.gateway()
        let session = try await Self.openSession(gateway)
        // The first try's answer never comes, and neither do those of the session: it ends as unknown.
        box.sandbox.faults.add(.answerLost, provider: "hellgate", operation: "tokenize")
        box.sandbox.faults.add(.html(status: 200), provider: "hellgate", operation: "status", count: 1, after: 1)
        #expect(await End(gateway, try Shop.request(), in: session).unknown != nil)
        let second = await End(gateway, try Shop.request(), in: session)
        #expect(second.unusable?.phase == .processing || second.unusable?.phase == .succeeded)
        #expect(box.operations.count { $0 == "tokenize" } == 1)
    }

    @Test("A lost answer is settled over the real wire: one completion, one token", arguments: kinds)
    func settled(kind: String) async throws {
        let box = try HellgateBox(["hellgate.session": kind])
        box.sandbox.faults.add(.answerLost, provider: "hellgate", operation: "tokenize")
        let end = await End(try box.gateway(), try Shop.request())
        let made = box.sandbox.ledger.entries.filter { $0.operation == "tokenize" }
        #expect(made.map(\.outcome) == [.created])
        #expect(made.map(\.delivery) == [.lost])
        #expect(end.token?.id == made.first?.token)
    }

    @Test("Wrong credentials are told as such")
    func wrongKey() async throws {
        let box = try HellgateBox()
        let gateway = try Shop.gateway(Shop.settings(box.sandbox.baseURL(for: "hellgate")))
        #expect(await End(gateway, try Shop.request()).thrown?.code == .credentialsRefused)
        await #expect { try await gateway.requireVault().show("t-1") } throws: {
            ($0 as? GatewayError)?.code == .credentialsRefused
        }
    }
}
