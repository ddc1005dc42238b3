import GatewayKitCore
import GatewaySandbox
import Testing

/// An answer that was lost after the card was sent is settled by the session, by reading only.
@Suite struct HellgateSettlementTests {
    private typealias Reply = ScriptedHellgate.Reply
    private static let ways: [ScriptedHellgate.Reply] = [.encrypted, .vault()]

    private static func peer(
        _ way: ScriptedHellgate.Reply, then status: [ScriptedHellgate.Reply],
        completion: ScriptedHellgate.Reply = .lost
    ) -> ScriptedHellgate {
        ScriptedHellgate(["status": [way] + status, "store-card": [.stored], "tokenize": [completion]])
    }

    @Test("The session has a token: that is the result, with the card that was sent", arguments: ways)
    func token(_ way: ScriptedHellgate.Reply) async throws {
        let peer = Self.peer(way, then: [.success])
        let end = try await Shop.tokenize(peer)
        #expect(end.token?.id == Shop.tokenID)
        #expect(end.token?.card?.lastFour == "1111")
        #expect(peer.count("status") == 2)
    }

    @Test("F6: the session failed: that is a decline, and only the session says so")
    func failed() async throws {
        let end = try await Shop.tokenize(Self.peer(.encrypted, then: [.failure]))
        #expect(end.decline?.reason == .accountNotActive)
    }

    @Test(
        "The session is still open: the card may be on its way, so it is unknown and nothing is sent again",
        arguments: ways)
    func open(_ way: ScriptedHellgate.Reply) async throws {
        let peer = Self.peer(way, then: [way])
        let end = try await Shop.tokenize(peer)
        guard case .result(.unknown(let reference, let cause)) = end else {
            Issue.record("\(end.name)")
            return
        }
        #expect(reference == (try Shop.reference()))
        #expect(cause.code == .connectionLost)
        #expect(cause.reach == .sent)
        #expect(peer.count("status") == 2)
        #expect(peer.count("tokenize") == 1)
    }

    @Test("T2: the session is at work: it is asked again, and ends with what it says")
    func working() async throws {
        let peer = Self.peer(.encrypted, then: [.wait, .wait, .success])
        #expect(try await Shop.tokenize(peer).token?.id == Shop.tokenID)
        #expect(peer.count("status") == 4)
        let answered = Self.peer(.encrypted, then: [.wait, .success], completion: .wait)
        #expect(try await Shop.tokenize(answered).token?.id == Shop.tokenID)
    }

    @Test("T2: a session that never ends is asked a bounded number of times, and the outcome stays unknown")
    func endless() async throws {
        let peer = Self.peer(.encrypted, then: [.wait])
        let cause = try #require(try await Shop.tokenize(peer).unknown)
        #expect(cause.advice.description.contains("ask the session"))
        #expect((2...20).contains(peer.count("status")))
        #expect(peer.count("tokenize") == 1)
    }

    @Test(
        "T2: the status call itself fails: unknown, with the cause of the lost answer",
        arguments: [.notFound, .answer(200, "<html>"), .answer(401, ""), .lost, .notSent, .answer(503, "")]
            as [ScriptedHellgate.Reply])
    func unanswered(_ reply: ScriptedHellgate.Reply) async throws {
        let cause = try #require(try await Shop.tokenize(Self.peer(.encrypted, then: [reply])).unknown)
        #expect(cause.code == .connectionLost)
        #expect(cause.reach == .sent)
    }

    @Test("A token that is the card number is none, in the session either")
    func echo() async throws {
        let status = Reply.answer(200, #"{"status":"success","data":{"token_id":"\#(Shop.number)"}}"#)
        #expect(try await Shop.tokenize(Self.peer(.encrypted, then: [status])).unknown != nil)
    }

    @Test("K2: somebody completed the session before: whether with this card, nobody knows")
    func conflict() async throws {
        for status in [Reply.success, .failure, .wait] {
            let peer = Self.peer(.encrypted, then: [status], completion: .answer(409, ""))
            let cause = try #require(try await Shop.tokenize(peer).unknown)
            #expect(cause.answer?.status == 409)
        }
    }

    @Test("Time is kept for asking: the completion gets less than the whole")
    func reserve() async throws {
        for (limit, kept) in [(Duration.seconds(100), Duration.seconds(5)), (.seconds(8), .seconds(2))] {
            let peer = Self.peer(.encrypted, then: [.success])
            let clock = ManualClock()
            let gateway = try Shop.gateway(Shop.settings(), Shop.runtime(peer, clock: clock))
            let end = await End(
                gateway, try Shop.request(), in: Shop.sessionID, CallContext(timeout: limit))
            #expect(end.token != nil)
            let deadlines = peer.sent.map(\.deadline)
            #expect(deadlines[0] == deadlines[2])
            #expect(deadlines[1].duration(to: deadlines[2]) == kept)
        }
    }

    @Test("A caller who gives up is told that it is unknown, not that it failed")
    func cancelled() async throws {
        let sandbox = try HellgateBox()
        sandbox.sandbox.faults.add(.stall, provider: "hellgate", operation: "tokenize")
        let gateway = try sandbox.gateway()
        let request = try Shop.request()
        let task = Task { await End(gateway, request, in: nil, CallContext(timeout: .seconds(300))) }
        while !sandbox.operations.contains("tokenize") { await Task.yield() }
        task.cancel()
        let end = await task.value
        #expect(end.unknown?.code == .cancelled)
        #expect(sandbox.operations.count { $0 == "tokenize" } == 1)
    }
}
