import Testing

@testable import GatewayKitCore

@Suite("Retry in the pipeline")
struct RetryMiddlewareTests {
    @Test("R10: 429 is retried after the provider's own wait, on the clock")
    func retryAfter() async throws {
        let bench = Workbench([.answer(429, ["Retry-After": "7"]), .answer(503), .answer(200)])
        let (result, waits) = await bench.run(bench.request(.read))
        let response = try result.get()
        #expect(response.status == 200)
        #expect(response.tries == 3)
        #expect(waits == [.seconds(7), .milliseconds(500)])
        #expect(bench.transport.count == 3)
    }

    @Test("R10: a date counts from the wall clock")
    func retryAfterDate() async throws {
        let bench = Workbench([.answer(503, ["retry-after": "Wed, 01 May 2030 12:00:09 GMT"]), .answer(200)])
        let (result, waits) = await bench.run(bench.request(.read))
        #expect(try result.get().status == 200)
        #expect(waits == [.seconds(9)])
    }

    @Test("R3: 409 under a key waits and goes on")
    func sameKeyInProgress() async throws {
        let bench = Workbench([.fail(.connectionLost, .sent), .answer(409), .answer(201)])
        let (result, _) = await bench.run(bench.request(.keyed))
        #expect(try result.get().status == 201)
    }

    @Test("R8: what must not be repeated goes out once, whatever comes", arguments: TransportError.Kind.known)
    func once(kind: TransportError.Kind) async {
        for reach in [Reach.sent, .answered] {
            let bench = Workbench([.fail(kind, reach), .answer(200)])
            let (result, waits) = await bench.run(bench.request(.once))
            guard case .failure(let error) = result else {
                Issue.record("sent twice after \(kind), \(reach)")
                continue
            }
            #expect(error.kind == kind && error.reach == reach && error.tries == 1)
            #expect(waits.isEmpty && bench.transport.count == 1)
        }
    }

    @Test("what was certainly not sent goes out again")
    func onceUnsent() async throws {
        let bench = Workbench([.fail(.connect, .notSent), .fail(.nameLookup, .notSent), .answer(201)])
        let (result, waits) = await bench.run(bench.request(.once))
        #expect(try result.get().tries == 3)
        #expect(waits == [.milliseconds(250), .milliseconds(500)])
    }

    @Test("all tries unsent is unsent")
    func allUnsent() async {
        let bench = Workbench(Array(repeating: .fail(.connect, .notSent), count: 3))
        let (result, _) = await bench.run(bench.request(.once))
        #expect(throws: TransportError.self) { try result.get() }
        guard case .failure(let error) = result else { return }
        #expect(error.reach == .notSent && error.tries == 3)
    }

    @Test(
        "R11: a last try that was not sent does not hide an earlier one that may have arrived",
        arguments: [
            [.fail(.connectionLost, .sent), .fail(.connect, .notSent), .fail(.connect, .notSent)],
            [.fail(.connect, .notSent), .fail(.timeout, .sent), .fail(.nameLookup, .notSent)],
            [.answer(503), .fail(.connect, .notSent), .fail(.connect, .notSent)],
            [.fail(.truncated, .answered), .fail(.tls, .notSent)],
        ] as [[ScriptedTransport.Step]])
    func earlierTryMayHaveArrived(steps: [ScriptedTransport.Step]) async {
        let bench = Workbench(steps)
        let (result, _) = await bench.run(bench.request(.keyed))
        guard case .failure(let error) = result else {
            Issue.record("no failure")
            return
        }
        #expect(error.reach == .sent)
        #expect(error.tries == steps.count)
        #expect(error.detail.description.contains("earlier try"))
    }

    @Test("an answer tells how far earlier tries got")
    func earlierReach() async throws {
        for (step, expected) in [
            (.fail(.connect, .notSent), .notSent), (.fail(.timeout, .sent), .sent), (.answer(503), .answered),
        ] as [(ScriptedTransport.Step, Reach)] {
            let bench = Workbench([step, .answer(402)])
            let (result, _) = await bench.run(bench.request(.keyed))
            #expect(try result.get().earlierReach == expected)
        }
        let bench = Workbench([.answer(402)])
        #expect(try await bench.run(bench.request(.keyed)).result.get().earlierReach == .notSent)
    }

    @Test("F5: no try begins after the deadline, and every try has the same one")
    func deadline() async {
        let bench = Workbench(Array(repeating: .answer(503, ["Retry-After": "2"]), count: 9))
        let (result, waits) = await bench.run(bench.request(.read), timeout: .seconds(3))
        guard case .success(let response) = result else {
            Issue.record("the provider's answer is lost")
            return
        }
        #expect(response.status == 503 && response.tries == 2)
        #expect(waits == [.seconds(2)])
        let start = bench.transport.seen.first?.deadline
        #expect(bench.transport.seen.allSatisfy { $0.deadline == start })
    }

    @Test("cancellation ends the wait and hands out what there is")
    func cancelledWhileWaiting() async {
        let bench = Workbench([.fail(.connect, .notSent), .answer(200)])
        let (pipeline, clock) = (bench.pipeline, bench.clock)
        let request = bench.request(.once)
        let call = pipeline.begin("test.call", CallContext())
        let task = Task { try await pipeline.send(request, in: call) }
        await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: TransportError.self) { try await task.value }
        #expect(bench.transport.count == 1)
        #expect(clock.sleeperCount == 0)
    }

    @Test("each decision is told, with its reason")
    func told() async {
        let recorder = EventRecorder()
        let bench = Workbench([.fail(.connect, .notSent), .answer(500)], observer: recorder)
        _ = await bench.run(bench.request(.once))
        #expect(
            recorder.kinds == [
                .callStarted, .requestStarted, .requestFailed, .retryDecided, .requestStarted, .answerReceived,
                .retryDecided,
            ])
        let decisions = recorder.events.filter { $0.kind == .retryDecided }
        #expect(decisions.map(\.outcome) == ["again", "stop"])
        #expect(decisions.map(\.tryNumber) == [1, 2])
        #expect(decisions.map(\.duration) == [.milliseconds(250), nil])
        #expect(
            decisions.map(\.detail?.description) == [
                "connect, and nothing was sent", "status 500, and this request must not be sent twice",
            ])
        #expect(recorder.events.filter { $0.kind == .requestStarted }.map(\.tryNumber) == [1, 2])
    }
}
