import Testing

@testable import GatewayKitCore

@Suite("Pipeline")
struct HTTPPipelineTests {
    @Test(
        "N14: a request to an origin that is not on the list never reaches the network",
        arguments: [
            "https://evil.example", "http://api.provider.example", "https://api.provider.example:8443",
            "https://api.provider.example.evil.example", "https://sub.api.provider.example", "https://localhost",
            "https://127.0.0.1",
        ])
    func hostGuard(address: String) async {
        let bench = Workbench([.answer(200)])
        let (result, waits) = await bench.run(bench.request(.read, .known(address)))
        guard case .failure(let error) = result else {
            Issue.record("sent to \(address)")
            return
        }
        #expect(error.kind == .refusedHost && error.reach == .notSent)
        #expect(bench.transport.count == 0 && waits.isEmpty)
        #expect(error.detail.description.contains("eu"))
    }

    @Test("other spellings of an allowed origin are the same origin")
    func sameOrigin() async throws {
        for address in ["https://API.provider.example/x", "https://api.provider.example:443"] {
            let bench = Workbench([.answer(200)])
            #expect(try await bench.run(bench.request(.read, .known(address))).result.get().status == 200)
        }
    }

    @Test("a task that is cancelled before the call sends nothing")
    func cancelledBefore() async {
        let bench = Workbench([.answer(200)])
        let (pipeline, request) = (bench.pipeline, bench.request(.once))
        let task = Task { () -> TransportError? in
            while !Task.isCancelled { await Task.yield() }
            do throws(TransportError) {
                _ = try await pipeline.send(request, in: pipeline.begin("test.call", CallContext()))
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        let error = await task.value
        #expect(error?.kind == .cancelled && error?.reach == .notSent && error?.tries == 0)
        #expect(bench.transport.count == 0)
    }

    @Test("a task that is cancelled under way ends at once and tells that something was sent")
    func cancelledUnderWay() async {
        let bench = Workbench([.hang, .answer(200)])
        let (pipeline, request, transport) = (bench.pipeline, bench.request(.keyed), bench.transport)
        let call = pipeline.begin("test.call", CallContext())
        let task = Task { try await pipeline.send(request, in: call) }
        while transport.count == 0 { await Task.yield() }
        task.cancel()
        guard case .failure(let error as TransportError) = await task.result else {
            Issue.record("no transport error")
            return
        }
        #expect(error.kind == .cancelled && error.reach == .sent)
        #expect(transport.count == 1)
    }

    @Test("the deadline is the call's own, or else the account's")
    func deadlines() async {
        for (timeout, expected) in [(nil, 30), (.seconds(5), 5)] as [(Duration?, Int)] {
            let bench = Workbench([.answer(200)])
            let start = bench.clock.now
            _ = await bench.run(bench.request(.read), timeout: timeout)
            #expect(bench.transport.seen.map { start.duration(to: $0.deadline) } == [.seconds(expected)])
        }
    }

    @Test("the request goes out as the adapter built it")
    func untouched() async {
        let bench = Workbench([.answer(200)])
        var request = WireMessageTests.request
        request.url = Workbench.base.appending("things")
        _ = await bench.run(request)
        let sent = bench.transport.seen.first?.request
        #expect(sent?.url == request.url && sent?.fields == request.fields && sent?.body?.bytes == request.body?.bytes)
    }

    @Test("each call passes through once, however many there are")
    func manyCalls() async throws {
        let bench = Workbench(Array(repeating: .answer(200), count: 2_000))
        let request = bench.request(.read)
        let call = bench.pipeline.begin("test.call", CallContext())
        for _ in 0..<2_000 { _ = try await bench.pipeline.send(request, in: call) }
        #expect(bench.transport.count == 2_000)
    }
}
