import GatewayKitCore

/// Many sessions watched at once in this process: what one costs in memory, what all cost while they wait, and what a
/// question costs. Each question goes through a whole adapter (Hellgate's) to a recorded answer, so that nothing but the
/// network is missing.
enum Watch {
    /// Counts the questions.
    private final class Source: SessionStatusSource {
        private let inner: any SessionStatusSource
        private let asked = Locked(0)

        init(_ inner: any SessionStatusSource) { self.inner = inner }

        var count: Int { asked.withLock { $0 } }

        func status(
            of session: SessionReference, _ call: CallContext
        ) async throws(GatewayError) -> SessionStatus {
            asked.withLock { $0 += 1 }
            return try await inner.status(of: session, call)
        }
    }

    /// A session that is at work.
    private struct RecordedSession: HTTPTransport {
        func send(
            _ request: WireRequest, deadline: ContinuousClock.Instant
        ) async throws(TransportError) -> WireResponse {
            var fields = HTTPFields()
            fields.append("content-type", "application/json; charset=utf-8")
            return WireResponse(
                status: 200, fields: fields, body: Array(#"{"next_action":"wait","data":{}}"#.utf8), exchange: .init())
        }
    }

    private static let account = AccountName("hellgate" as ProviderID)

    private static func session(_ number: Int) -> SessionReference {
        let digits = String(number, radix: 16)
        let tail = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        return SessionReference(account: account, id: "2c7f31b0-9f0e-4a53-8d4e-" + tail)
    }

    static func measure(
        watchers: Int, seconds: Int, into report: inout Report
    ) async throws(BenchmarkFailure) {
        let gateway = try Subject.gateway(
            "hellgate", baseURL: "http://127.0.0.1:9/hellgate", credentials: [:], transport: RecordedSession())
        guard let sessions = gateway.sessions, (try? await sessions.status(of: session(0)))?.phase == .processing else {
            throw BenchmarkFailure("the recorded answer is not understood")
        }
        // The pool's threads and the first metadata exist before memory is looked at.
        _ = await run(watchers: 64, PollingPolicy(deadline: .seconds(1)), Source(sessions)).value
        let before = Meter.status("VmRSS:")

        let idleSource = Source(sessions)
        let started = Meter.now
        let idle = run(
            watchers: watchers, PollingPolicy(firstWait: .seconds(3_600), deadline: .seconds(86_400)), idleSource)
        while idleSource.count < watchers { await pause(milliseconds: 5) }
        let startup = Meter.now - started
        // The last of them have asked, but are only about to sleep.
        await pause(milliseconds: 500)
        let resident = Meter.status("VmRSS:") - before
        let threads = Meter.status("Threads:")
        let (idleCPU, idleWall) = await spent(seconds)
        let polledWhileIdle = idleSource.count - watchers
        let stopping = Meter.now
        idle.cancel()
        let ends = await idle.value
        let stopped = Meter.now - stopping

        let busySource = Source(sessions)
        let busyPolicy = PollingPolicy(
            firstWait: .seconds(1), backOff: 1, longestWait: .seconds(1), jitter: 0.5, deadline: .seconds(86_400))
        let busy = run(watchers: watchers, busyPolicy, busySource)
        while busySource.count < watchers { await pause(milliseconds: 5) }
        let askedBefore = busySource.count
        let (busyCPU, busyWall) = await spent(seconds)
        let polls = busySource.count - askedBefore
        busy.cancel()
        _ = await busy.value

        let bytes = Double(resident) * 1024 / Double(watchers)
        let idleShare = Double(idleCPU) / Double(idleWall) * 100
        report.sections.append(
            Report.Section(
                key: "watchIdle", title: "\(watchers) sessions watched, all of them waiting",
                notes: ["Memory is what this process holds more than before, CPU that of all threads together."],
                rows: [
                    Report.Row(
                        name: "waiting",
                        cells: [
                            .number("bytesPerSession", "bytes each", bytes, digits: 0),
                            .count("threads", "threads", threads),
                            .number("cpuPercent", "CPU %", idleShare, digits: 3),
                            .count("polls", "polls", polledWhileIdle),
                            .number("startMilliseconds", "ms to start", Double(startup) / 1e6, digits: 1),
                            .number("stopMilliseconds", "ms to stop", Double(stopped) / 1e6, digits: 1),
                            .count("cancelled", "cancelled", ends[.cancelled] ?? 0),
                        ])
                ]))
        report.sections.append(
            Report.Section(
                key: "watchBusy", title: "\(watchers) sessions watched, each asked every 0.5 to 1 seconds",
                notes: [],
                rows: [
                    Report.Row(
                        name: "asking",
                        cells: [
                            .number(
                                "pollsPerSecond", "polls per second", Double(polls) * 1e9 / Double(busyWall), digits: 0),
                            .number("cpuPercent", "CPU %", Double(busyCPU) / Double(busyWall) * 100, digits: 1),
                            .number(
                                "cpuMicrosecondsPerPoll", "CPU us per poll",
                                Double(busyCPU) / 1e3 / Double(max(polls, 1)), digits: 2),
                            .count("threads", "threads", Meter.status("Threads:")),
                        ])
                ]))
        report.aims += [
            Report.Aim(name: "memory of a watched session", limit: 8192, measured: bytes, unit: "bytes"),
            Report.Aim(name: "CPU while all sessions wait", limit: 0.1, measured: idleShare, unit: "%"),
            Report.Aim(
                name: "threads", limit: Double(Meter.processors + 8), measured: Double(threads), unit: "threads"),
        ]
    }

    /// Watches so many sessions, each in a task of its own; gives how they ended.
    private static func run(
        watchers: Int, _ policy: PollingPolicy, _ source: Source
    ) -> Task<[SessionEnd.Reason: Int], Never> {
        Task {
            return await withTaskGroup(of: SessionEnd.Reason.self) { group in
                for number in 0..<watchers {
                    let updates = source.updates(of: session(number), policy: policy)
                    group.addTask { await updates.untilEnd().reason }
                }
                var ends: [SessionEnd.Reason: Int] = [:]
                for await reason in group { ends[reason, default: 0] += 1 }
                return ends
            }
        }
    }

    /// CPU and wall time of the coming seconds, in nanoseconds.
    private static func spent(_ seconds: Int) async -> (cpu: UInt64, wall: UInt64) {
        let (cpu, wall) = (Meter.cpu, Meter.now)
        await pause(milliseconds: UInt64(seconds) * 1000)
        return (Meter.cpu - cpu, Meter.now - wall)
    }

    private static func pause(milliseconds: UInt64) async {
        try? await Task.sleep(nanoseconds: milliseconds * 1_000_000)
    }
}
