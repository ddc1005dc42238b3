import Testing

@testable import GatewayKitCore

@Suite("Watching a session")
struct SessionUpdatesTests {
    private func status(_ phase: SessionStatus.Phase, _ word: String? = nil) -> SessionStatus {
        SessionStatus(reference: ScriptedSessions.reference, phase: phase, providerWord: word)
    }

    private func end(_ updates: [SessionUpdate]) -> SessionEnd? {
        guard case .ended(let end)? = updates.last else { return nil }
        return end
    }

    @Test("T6: pending is visible as pending, each answer and failure once, the end last")
    func ordinary() async {
        let bench = WatchBench([
            .says(.open, "created"), .says(.open, "created"), .fails(.connectionLost), .says(.processing, "3ds"),
            .says(.open, "created"), .says(.succeeded, "paid"),
        ])
        let (updates, waits, _) = await bench.run(PollingPolicy(backOff: 1))
        #expect(
            updates == [
                .status(status(.open, "created"), isChange: true), .status(status(.open, "created"), isChange: false),
                .pollFailed(.scripted(.connectionLost)), .status(status(.processing, "3ds"), isChange: true),
                .status(status(.processing, "created"), isChange: true),
                .status(status(.succeeded, "paid"), isChange: true),
                .ended(SessionEnd(.finished, status: status(.succeeded, "paid"), polls: 6)),
            ])
        #expect(waits == Array(repeating: .seconds(1), count: 5))
        #expect(Set(bench.source.correlationIDs) == ["case-7"])
    }

    @Test("T2: a status that never changes ends at the deadline, still unknown, with the last answer")
    func neverChanges() async {
        let bench = WatchBench([.says(.processing, "pending")])
        let (updates, _, took) = await bench.run()
        #expect(took == .seconds(600))
        #expect(
            end(updates) == SessionEnd(.deadline, status: status(.processing, "pending"), polls: bench.source.count))
        // Six growing waits, then one every fifteen seconds.
        #expect((40...50).contains(bench.source.count))
    }

    @Test("T2: a status call that always fails ends at the deadline, without an answer")
    func alwaysFails() async {
        let bench = WatchBench([.fails(.providerUnavailable)])
        let (updates, _, took) = await bench.run(PollingPolicy(deadline: .seconds(60)))
        #expect(took == .seconds(60))
        #expect(updates.count == bench.source.count + 1)
        #expect(
            end(updates)
                == SessionEnd(.deadline, failure: .scripted(.providerUnavailable), polls: bench.source.count))
    }

    @Test("T2: failures after an answer keep the answer")
    func failsLater() async {
        let bench = WatchBench([.says(.open, "created"), .fails(.timedOut)])
        let (updates, _, _) = await bench.run(PollingPolicy(maximumFailures: 3))
        #expect(
            end(updates)
                == SessionEnd(
                    .tooManyFailures, status: status(.open, "created"), failure: .scripted(.timedOut), polls: 4))
    }

    @Test("T7: a challenge that is left untouched ends as abandoned, which is not success")
    func abandoned() async {
        let bench = WatchBench([.says(.open, "waiting for the shopper")])
        let (updates, _, took) = await bench.run(PollingPolicy(deadline: .seconds(60)))
        let end = end(updates)
        #expect(took == .seconds(60) && end?.reason == .deadline)
        #expect(end?.status?.phase == .open && end?.status?.phase.isTerminal == false)
    }

    @Test("T7: a session that the provider gave up is an end, and no success")
    func expired() async {
        let bench = WatchBench([.says(.open), .says(.expired, "timeout")])
        #expect(end(await bench.run().updates)?.status?.phase == .expired)
    }

    @Test("T4: a payment that succeeded stays so, whatever a later answer still offers")
    func paidStays() async {
        var paid = status(.processing, "paid")
        paid.payment = PaymentRecord(id: "pay-1", account: .known("eu"), kind: .purchase, state: .succeeded)
        var redirect = status(.open, "redirect")
        redirect.payment = PaymentRecord(id: "pay-1", account: .known("eu"), kind: .purchase, state: .pending)
        let bench = WatchBench([.answer(paid), .answer(redirect), .answer(status(.succeeded, "paid"))])
        let end = end(await bench.run().updates)
        #expect(end?.status?.phase == .succeeded && end?.status?.payment?.state == .succeeded)
    }

    @Test("Retry-After of a failed poll is waited for, on the clock")
    func retryAfter() async {
        let bench = WatchBench([.fails(.rateLimited, retryAfter: .seconds(42)), .says(.succeeded)])
        #expect(await bench.run().waits == [.seconds(42)])
    }

    @Test("a permanent error is told once and ends it", arguments: [GatewayError.Code.notFound, .credentialsRefused])
    func permanent(_ code: GatewayError.Code) async {
        let bench = WatchBench([.fails(code)])
        let (updates, waits, _) = await bench.run()
        #expect(
            updates == [
                .pollFailed(.scripted(code)),
                .ended(SessionEnd(.permanentFailure, failure: .scripted(code), polls: 1)),
            ])
        #expect(waits.isEmpty)
    }

    @Test("cancellation during a wait ends it at once, with what is known")
    func cancelledWaiting() async {
        let bench = WatchBench([.says(.open, "created")])
        let updates = bench.updates()
        let task = Task { await updates.untilEnd() }
        await bench.clock.waitForSleepers(1)
        task.cancel()
        #expect(await task.value == SessionEnd(.cancelled, status: status(.open, "created"), polls: 1))
        #expect(bench.clock.sleeperCount == 0)
    }

    @Test("cancellation during a question ends it at once; the question is no failed poll")
    func cancelledAsking() async {
        let bench = WatchBench([.hang])
        let updates = bench.updates()
        let task = Task {
            var seen: [SessionUpdate] = []
            for await update in updates { seen.append(update) }
            return seen
        }
        while bench.source.count == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value == [.ended(SessionEnd(.cancelled))])
    }

    @Test("a task that is cancelled already asks nothing")
    func cancelledBefore() async {
        let bench = WatchBench([.says(.succeeded)])
        let updates = bench.updates()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await updates.untilEnd()
        }
        task.cancel()
        #expect(await task.value == SessionEnd(.cancelled))
        #expect(bench.source.count == 0)
    }

    @Test("a question that hangs is ended by its time limit, and the last one by the deadline")
    func stalls() async {
        let bench = WatchBench([.stall])
        let (updates, _, took) = await bench.run(PollingPolicy(deadline: .seconds(40), pollTimeout: .seconds(30)))
        #expect(took == .seconds(40))
        #expect(bench.source.timeouts == [.seconds(30), .seconds(9)])
        #expect(end(updates)?.reason == .deadline)
    }

    @Test("what is terminal already ends without a question")
    func known() async {
        let bench = WatchBench([.says(.open)])
        let (updates, _, _) = await bench.run(knowing: status(.succeeded, "paid"))
        #expect(updates == [.ended(SessionEnd(.finished, status: status(.succeeded, "paid")))])
        #expect(bench.source.count == 0)
    }

    @Test("an earlier watch's answer is not moved back by this one's")
    func resumed() async {
        let bench = WatchBench([.says(.open, "created"), .says(.succeeded, "paid")])
        let (updates, _, _) = await bench.run(knowing: status(.processing, "3ds"))
        #expect(updates.first == .status(status(.processing, "created"), isChange: true))
    }

    @Test("iterating again watches again; behind the end there is nothing")
    func iterators() async {
        let bench = WatchBench([.says(.succeeded)])
        let updates = bench.updates()
        for round in 1...2 {
            var iterator = updates.makeAsyncIterator()
            for _ in 0..<2 { #expect(await iterator.next() != nil) }
            for _ in 0..<2 { #expect(await iterator.next() == nil) }
            #expect(bench.source.count == round)
        }
    }

    @Test("a thousand sessions on one clock each end by themselves")
    func many() async {
        let clock = ManualClock()
        let watcher = SessionWatcher(
            ScriptedSessions([.says(.processing)], clock: clock), clock: clock, random: RandomSource { 0 })
        await withTaskGroup(of: SessionEnd.Reason.self) { group in
            for _ in 0..<1_000 {
                let updates = watcher.updates(
                    of: ScriptedSessions.reference, policy: PollingPolicy(deadline: .seconds(3)))
                group.addTask { await updates.untilEnd().reason }
            }
            // At 0, 1 and 2 seconds each asks and sleeps again; at 3 it ends.
            for _ in 0..<3 {
                await clock.waitForSleepers(1_000)
                clock.advance(by: .seconds(1))
            }
            for await reason in group { #expect(reason == .deadline) }
        }
        #expect(clock.sleeperCount == 0)
    }
}
