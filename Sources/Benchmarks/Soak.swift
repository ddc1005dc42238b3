import GatewayKitCore
import GatewayTransport

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A mixed load under random faults against the sandbox in its own process, for as long as is wanted: does anything
/// grow?
enum Soak {
    private static let inFlight = 16
    private static let samples = 20

    /// What the sandbox does to the calls. Together they strike about four calls in ten.
    private static let faults = [
        "answer-lost%2", "reset-before-answer%3", "reset-inside-answer%2", "close-without-answer%2",
        "close-after-answer%5", "reset-after-answer%3", "refuse%2", "stall%1", "stall-inside-body%1", "truncated%2",
        "truncated-chunked%2", "chunked%3", "garbage%1", "status:503%3", "rate-limited:1%2", "html:502%2",
        "malformed-json%2", "gzip%3", "gzip-truncated%1", "huge-header:1048576%1", "slow:40%3",
        "drip:16,2%1", "informational:103%2", "echo-card%2",
    ].map { "spreedly=\($0)*always" }

    static func measure(
        seconds: Int, into report: inout Report, say: (String) -> Void
    ) async throws(BenchmarkFailure) {
        let sandbox = try SandboxProcess.start(faults: faults)
        defer { sandbox.stop() }
        let transport = CurlTransport(.loopback)
        let load = SoakLoad(
            tokens: try Subject.tokens(
                baseURL: sandbox.baseURL, credentials: sandbox.credentials, transport: transport),
            request: try Subject.request(), end: Meter.now + UInt64(seconds) * 1_000_000_000)
        let interval = UInt64(seconds) * 1_000_000_000 / UInt64(samples)
        var taken: [SoakSample] = []
        let running = Task { await load.run(inFlight: inFlight) }
        say(SoakSample.heading)
        let began = Meter.now
        for round in 1...samples {
            let due = began + interval * UInt64(round)
            let now = Meter.now
            if due > now { try? await Task.sleep(nanoseconds: due - now) }
            let sample = SoakSample(
                at: Double(Meter.now - began) / 1e9, transport: transport.statistics, outcomes: load.outcomes)
            taken.append(sample)
            say(sample.line)
        }
        await running.value
        let left = transport.statistics.inFlight
        await transport.shutdown()
        add(taken, load.outcomes, left, to: &report)
    }

    private static func add(
        _ samples: [SoakSample], _ outcomes: [String: Int], _ left: Int, to report: inout Report
    ) {
        report.sections.append(
            Report.Section(
                key: "soak", title: "Soak: \(inFlight) calls in flight under random faults, this process over time",
                notes: ["Connections are those opened so far. Calls are those that have ended."],
                rows: samples.map(\.row)))
        report.sections.append(
            Report.Section(
                key: "soakOutcomes", title: "How the calls ended", notes: [],
                rows: outcomes.sorted { $0.key < $1.key }.map {
                    Report.Row(name: $0.key, cells: [.count("calls", "calls", $0.value)])
                }))
        // The first fifth warms up: pools fill, metadata is made.
        let steady = samples.dropFirst(samples.count / 5)
        let first = steady.prefix(steady.count / 2)
        let second = steady.suffix(steady.count / 2)
        func compare(_ name: String, _ unit: String, slack: (Double) -> Double, _ value: (SoakSample) -> Int) {
            let before = first.map { Double(value($0)) }.median
            let after = second.map { Double(value($0)) }.median
            report.aims.append(
                Report.Aim(
                    name: "\(name), second half (first half \(Int(before)) \(unit))", limit: before + slack(before),
                    measured: after, unit: unit))
        }
        compare("Resident memory", "KiB", slack: { $0 / 20 + 1024 }, \.residentKiB)
        compare("Threads", "threads", slack: { _ in 1 }, \.threads)
        compare("File descriptors", "descriptors", slack: { _ in 8 }, \.descriptors)
        report.aims.append(
            Report.Aim(
                name: "Calls under way after the last one ended", limit: 0, measured: Double(left), unit: "calls"))
    }
}

/// What this process holds at one moment, and what its calls have come to.
private struct SoakSample {
    let at: Double
    let residentKiB: Int
    let threads: Int
    let descriptors: Int
    let connections: Int
    let calls: Int
    let tokens: Int
    let unknown: Int
    let thrown: Int

    init(at: Double, transport: TransportStatistics, outcomes: [String: Int]) {
        self.at = at
        residentKiB = Meter.status("VmRSS:")
        threads = Meter.status("Threads:")
        descriptors = Self.openDescriptors()
        connections = transport.connectionsOpened
        calls = outcomes.values.reduce(0, +)
        tokens = outcomes["token"] ?? 0
        unknown = outcomes["unknown"] ?? 0
        thrown = outcomes.reduce(0) { $0 + ($1.key.hasPrefix("throws ") ? $1.value : 0) }
    }

    static let heading = "   seconds     KiB  threads  descriptors  connections     calls    tokens  unknown   thrown\n"

    var line: String {
        let texts = [String(Int(at.rounded()))] + counts.map { String($0.value) }
        let widths = [10, 8, 9, 13, 13, 10, 10, 9, 9]
        return zip(texts, widths).map { String(repeating: " ", count: max(1, $1 - $0.count)) + $0 }.joined() + "\n"
    }

    var row: Report.Row {
        Report.Row(
            name: "after \(Int(at.rounded())) s", cells: counts.map { .count($0.key, $0.heading, $0.value) })
    }

    private var counts: [(key: String, heading: String, value: Int)] {
        [
            ("residentKiB", "KiB", residentKiB), ("threads", "threads", threads),
            ("descriptors", "descriptors", descriptors), ("connectionsOpened", "connections", connections),
            ("calls", "calls", calls), ("tokens", "tokens", tokens), ("unknown", "unknown", unknown),
            ("thrown", "thrown", thrown),
        ]
    }

    /// Without the one that the look itself needs.
    private static func openDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return max(0, count - 3)
    }
}

/// The calls: most with time enough, some with little, some cancelled on the way.
private final class SoakLoad: Sendable {
    private let tokens: any TokenProvider
    private let request: TokenizationRequest
    private let end: UInt64
    private let counts = Locked<[String: Int]>([:])

    init(tokens: any TokenProvider, request: TokenizationRequest, end: UInt64) {
        self.tokens = tokens
        self.request = request
        self.end = end
    }

    var outcomes: [String: Int] { counts.withLock { $0 } }

    func run(inFlight: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight {
                group.addTask { [self] in
                    while Meter.now < end { await one() }
                }
            }
        }
    }

    private func one() async {
        let dice = Int.random(in: 0..<100)
        let timeout: Duration = dice < 5 ? .milliseconds(5) : .seconds(1)
        let call = Task { [self] in await outcome(CallContext(timeout: timeout)) }
        if dice >= 90 {
            try? await Task.sleep(nanoseconds: UInt64.random(in: 0..<5_000_000))
            call.cancel()
        }
        let name = await call.value
        counts.withLock { $0[name, default: 0] += 1 }
    }

    private func outcome(_ context: CallContext) async -> String {
        do throws(GatewayError) {
            return try await tokens.tokenize(request, context).outcomeName
        } catch {
            return "throws " + error.code.description
        }
    }
}
