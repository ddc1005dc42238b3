import GatewayKitCore
import Testing

@Suite("Manual clock")
struct ManualClockTests {
    @Test("the time passes only when it is told to")
    func standsStill() {
        let clock = ManualClock()
        let start = clock.now
        #expect(clock.now == start)
        clock.advance(by: .seconds(5))
        #expect(start.duration(to: clock.now) == .seconds(5))
        clock.advance(by: .seconds(-3))
        #expect(start.duration(to: clock.now) == .seconds(5))
    }

    @Test("a deadline that has passed is no wait")
    func past() async throws {
        let clock = ManualClock()
        try await clock.sleep(until: clock.now)
        try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)))
        #expect(clock.sleeperCount == 0)
    }

    @Test("sleepers wake in the order of their deadlines, each by its own advance")
    func order() async {
        let clock = ManualClock()
        let woken = Locked<[Int]>([])
        let start = clock.now
        let tasks = [3, 1, 2].map { seconds in
            Task {
                try? await clock.sleep(until: start.advanced(by: .seconds(seconds)))
                woken.withLock { $0.append(seconds) }
            }
        }
        await clock.waitForSleepers(3)
        clock.advance(by: .milliseconds(999))
        #expect(clock.sleeperCount == 3)
        for expected in [1, 2, 3] {
            #expect(await clock.wakeNext() == (expected == 1 ? .milliseconds(1) : .seconds(1)))
            #expect(clock.sleeperCount == 3 - expected)
            await tasks[expected == 3 ? 0 : expected].value
            #expect(woken.withLock { $0 } == Array(1...expected))
        }
    }

    @Test("cancellation ends a sleep, and only that one")
    func cancellation() async {
        let clock = ManualClock()
        let patient = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
        let hasty = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
        await clock.waitForSleepers(2)
        hasty.cancel()
        await #expect(throws: CancellationError.self) { try await hasty.value }
        #expect(clock.sleeperCount == 1)
        await clock.wakeNext()
        await #expect(throws: Never.self) { try await patient.value }
    }

    @Test("a task that is cancelled already does not fall asleep")
    func cancelledBefore() async {
        let clock = ManualClock()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("whoever waits for sleepers is let go by its own cancellation")
    func watcherCancellation() async {
        let clock = ManualClock()
        let watcher = Task { await clock.waitForSleepers(1) }
        watcher.cancel()
        await watcher.value
        let waker = Task { await clock.wakeNext() }
        waker.cancel()
        #expect(await waker.value == .zero)
    }

    @Test("a storm of sleepers and cancellations leaves nobody behind")
    func storm() async {
        let clock = ManualClock()
        let start = clock.now
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let sleeper = Task { try await clock.sleep(until: start.advanced(by: .seconds(1 + index % 7))) }
                    if index.isMultiple(of: 2) { sleeper.cancel() }
                    _ = await sleeper.result
                }
            }
            await clock.waitForSleepers(100)
            clock.advance(by: .seconds(10))
            await group.waitForAll()
        }
        #expect(clock.sleeperCount == 0)
    }
}

@Suite("Locked")
struct LockedTests {
    @Test("counts from many tasks are not lost")
    func counts() async {
        let counter = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1_000 { counter.withLock { $0 += 1 } } }
            }
        }
        #expect(counter.withLock { $0 } == 8_000)
    }

    @Test("the lock is free again after an error")
    func errors() {
        struct Failure: Error {}
        let value = Locked(1)
        #expect(throws: Failure.self) { try value.withLock { _ in throw Failure() } }
        #expect(value.withLock { $0 } == 1)
    }
}
