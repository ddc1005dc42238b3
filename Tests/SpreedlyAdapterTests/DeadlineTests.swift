import GatewayKitCore
import GatewaySandbox
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Time limits, cancellation and hosts that are not there.
@Suite struct DeadlineTests {
    @Test("F5: a stalled answer ends at the deadline, with an unknown outcome")
    func stalled() async throws {
        let peer = try AnswerPeer(nil)
        let tokens = try Shop.tokens(Shop.settings(peer.baseURL))
        let end = await End.patiently(tokens, try Shop.request()) { !peer.received.isEmpty }
        #expect(end.unknown?.code == .timedOut)
        #expect(end.unknown?.reach == .sent)
        #expect(end.unknown?.tries == 1)
        #expect(peer.received.count == 1)
    }

    @Test("F5: the account's own time limit holds where the call brings none")
    func accountLimit() async throws {
        let peer = try AnswerPeer(nil)
        let end = await End(of: try Shop.tokens(Shop.settings(peer.baseURL, timeout: .seconds(1))), try Shop.request())
        // On a very busy machine the second may be over before the connection stands: then nothing was sent.
        #expect(peer.received.isEmpty ? end.thrown?.reach == .notSent : end.unknown?.code == .timedOut)
        #expect(end.leaks.isEmpty)
    }

    @Test("F6: what was stored although nobody answered in time is unknown, never declined")
    func stalledAfterWork() async throws {
        let sandbox = try Shop.sandbox()
        sandbox.faults.add(.stall, provider: "spreedly", operation: "tokenize")
        let tokens = try Shop.tokens(Shop.settings(in: sandbox))
        let end = await End.patiently(tokens, try Shop.request()) { sandbox.ledger.count > 0 }
        #expect(end.unknown?.code == .timedOut)
        #expect(sandbox.ledger.entries.map(\.outcome) == [.created])
        sandbox.stop()
    }

    @Test("Cancellation while waiting ends the call at once, with an unknown outcome")
    func cancelled() async throws {
        let peer = try AnswerPeer(nil)
        let tokens = try Shop.tokens(Shop.settings(peer.baseURL))
        let request = try Shop.request()
        let task = Task { await End(of: tokens, request, CallContext(timeout: .seconds(300))) }
        await peer.waitForRequest()
        task.cancel()
        let end = await task.value
        #expect(end.unknown?.code == .cancelled)
        #expect(end.unknown?.reach == .sent)
    }

    @Test("A call that is cancelled before it begins sends nothing and throws")
    func cancelledBefore() async throws {
        let peer = try AnswerPeer(status: 503)
        let tokens = try Shop.tokens(Shop.settings(peer.baseURL))
        let request = try Shop.request()
        let end = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await End(of: tokens, request)
        }.value
        #expect(end.thrown?.code == .cancelled)
        #expect(end.thrown?.reach == .notSent)
        #expect(peer.received.isEmpty)
    }

    @Test("A deadline that has passed sends nothing")
    func noTime() async throws {
        let peer = try AnswerPeer(status: 503)
        let tokens = try Shop.tokens(Shop.settings(peer.baseURL))
        let end = await End(of: tokens, try Shop.request(), CallContext(timeout: .zero))
        #expect(end.thrown?.code == .timedOut)
        #expect(end.thrown?.reach == .notSent)
        #expect(peer.received.isEmpty)
    }

    @Test(
        "A refused connection throws: nothing was sent, so it was tried again",
        arguments: [(RetryPolicy(), 3), (.never, 1), (RetryPolicy(maximumTries: 5), 5)])
    func refused(policy: RetryPolicy, tries: Int) async throws {
        let (socket, port) = try AnswerPeer.bindLoopback()
        defer { close(socket) }
        let recorder = Recorder()
        let settings = try Shop.settings("http://127.0.0.1:\(port)/v1")
        let end = await End(of: try Shop.tokens(settings, Shop.runtime(recorder, retry: policy)), try Shop.request())
        let error = try #require(end.thrown)
        #expect(error.code == .unreachable)
        #expect(error.reach == .notSent)
        #expect(error.tries == tries)
        #expect(recorder.count(.requestStarted) == tries)
        #expect(end.leaks.isEmpty)
        #expect(secretSearch.leaks(in: recorder.shown).isEmpty)
    }

    @Test("Plain HTTP to this machine needs a transport that allows it")
    func plainHTTP() async throws {
        let peer = try AnswerPeer(status: 503)
        let runtime = Shop.runtime(transport: StrictTransport.shared)
        let end = await End(of: try Shop.tokens(Shop.settings(peer.baseURL), runtime), try Shop.request())
        #expect(end.thrown?.code == .refusedHost)
        #expect(end.thrown?.reach == .notSent)
        #expect(peer.received.isEmpty)
    }

    @Test("A hundred calls at once get a hundred different tokens")
    func concurrent() async throws {
        let sandbox = try Shop.sandbox()
        let tokens = try Shop.tokens(Shop.settings(in: sandbox))
        let request = try Shop.request()
        let ids = await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { await End(of: tokens, request).token?.id } }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(!ids.contains(nil))
        #expect(ids == Set(sandbox.ledger.entries.map(\.token)))
        #expect(ids.count == 100)
        sandbox.stop()
    }
}
