import GatewayKitCore
import GatewayTransport

/// One contestant's turn.
struct Slice {
    var exchanges = 0
    var failures = 0
    /// Wall time in nanoseconds.
    var elapsed: UInt64 = 0
    /// CPU of this process in nanoseconds.
    var cpu: UInt64 = 0
    var latencies: [UInt64] = []
    var connections = 0
}

/// Calls against the sandbox in its own process: bare libcurl in C, our transport, a whole tokenization, in turns.
enum Throughput {
    private static let rounds = 7
    private static let levels = [1, 64]

    static func measure(seconds: Int, into report: inout Report) async throws(BenchmarkFailure) {
        let sandbox = try SandboxProcess.start()
        defer { sandbox.stop() }
        let turn = UInt64(Double(seconds) * 1e9) / UInt64(levels.count * rounds * 3)
        for inFlight in levels {
            let contest = try await Contest(sandbox, inFlight: inFlight)
            var results = Contest.names.map { _ in [Slice]() }
            _ = await contest.round(turn / 4)
            for _ in 0..<rounds {
                for (place, slice) in await contest.round(turn).enumerated() { results[place].append(slice) }
            }
            let connections = contest.connections
            await contest.close()
            try add(results, connections, inFlight: inFlight, to: &report)
        }
    }

    private static func add(
        _ results: [[Slice]], _ connections: [Int], inFlight: Int, to report: inout Report
    ) throws(BenchmarkFailure) {
        var rows: [Report.Row] = []
        for (place, name) in Contest.names.enumerated() {
            let slices = results[place]
            let exchanges = slices.reduce(0) { $0 + $1.exchanges }
            let failures = slices.reduce(0) { $0 + $1.failures }
            guard failures == 0, slices.allSatisfy({ $0.exchanges > 0 }) else {
                throw BenchmarkFailure("\(name), \(inFlight) in flight: \(failures) calls failed, \(exchanges) did not")
            }
            // Round by round, so that a machine that is slow for a while is slow for both sides of the ratio.
            let ratio = zip(slices, results[0]).map { $0.cpuEach / $1.cpuEach }.median
            let latencies = Samples(nanoseconds: slices.flatMap(\.latencies))
            rows.append(
                Report.Row(
                    name: name,
                    cells: [
                        .number("perSecond", "per second", slices.map(\.perSecond).median, digits: 0),
                        .number(
                            "cpuSecondsPer10000", "CPU s per 10,000", slices.map { $0.cpuEach / 1e5 }.median, digits: 3),
                        .number("cpuRatio", "x bare C", ratio, digits: 2),
                    ] + latencies.columns + [.count("connectionsOpened", "connections", connections[place])]))
            if inFlight > 1, place > 0 {
                report.aims.append(
                    Report.Aim(
                        name: "CPU of \(name), \(inFlight) in flight", limit: place == 1 ? 1.5 : 3, measured: ratio,
                        unit: "x bare C"))
            }
        }
        report.sections.append(
            Report.Section(
                key: "throughputAt\(inFlight)",
                title: "Against the sandbox in its own process, \(inFlight) in flight, plain HTTP over loopback",
                notes: [
                    "\(rounds) rounds in turns; rates, CPU and ratios are medians of rounds. CPU is user + system time of",
                    "this process alone. Connections are those opened in all rounds, warming up included.",
                ], rows: rows))
    }
}

extension Slice {
    /// Nanoseconds of CPU for one exchange.
    fileprivate var cpuEach: Double { Double(cpu) / Double(max(1, exchanges)) }
    fileprivate var perSecond: Double { Double(exchanges) / Double(max(1, elapsed)) * 1e9 }
}

/// The three contestants, each with its own connections.
private struct Contest {
    static let names = ["bare libcurl loop in C", "our transport alone", "whole tokenization"]

    private let inFlight: Int
    private let bare: BareLoop
    private let alone = CurlTransport(.loopback)
    private let below = CurlTransport(.loopback)
    private let wireRequest: WireRequest
    private let tokens: any TokenProvider
    private let request: TokenizationRequest

    init(_ sandbox: SandboxProcess, inFlight: Int) async throws(BenchmarkFailure) {
        self.inFlight = inFlight
        request = try Subject.request()
        wireRequest = try await Subject.wireRequest(baseURL: sandbox.baseURL, credentials: sandbox.credentials)
        bare = try BareLoop(wireRequest, inFlight: inFlight)
        tokens = try Subject.tokens(baseURL: sandbox.baseURL, credentials: sandbox.credentials, transport: below)
    }

    /// Every contestant's turn, in the order of ``names``.
    func round(_ nanoseconds: UInt64) async -> [Slice] {
        let first = bare.run(nanoseconds: nanoseconds)
        bareConnections.add(first.connections)
        let second = await run(nanoseconds) { [alone, wireRequest] in
            let response = try? await alone.send(wireRequest, deadline: .now + .seconds(30))
            return response?.status == 201
        }
        let third = await run(nanoseconds) { [tokens, request] in
            if case .token? = try? await tokens.tokenize(request) { true } else { false }
        }
        return [first, second, third]
    }

    private let bareConnections = Counter()

    var connections: [Int] {
        [bareConnections.value, alone.statistics.connectionsOpened, below.statistics.connectionsOpened]
    }

    func close() async {
        await alone.shutdown()
        await below.shutdown()
    }

    /// As many tasks as calls in flight, each calling again as soon as it has its answer.
    private func run(_ nanoseconds: UInt64, _ call: @escaping @Sendable () async -> Bool) async -> Slice {
        let cpu = Meter.cpu
        let start = Meter.now
        let end = start + nanoseconds
        var slice = await withTaskGroup(of: Slice.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    var part = Slice()
                    part.latencies.reserveCapacity(1024)
                    var before = Meter.now
                    while before < end {
                        let isGood = await call()
                        let after = Meter.now
                        if isGood { part.exchanges += 1 } else { part.failures += 1 }
                        part.latencies.append(after - before)
                        before = after
                    }
                    return part
                }
            }
            var sum = Slice()
            for await part in group {
                sum.exchanges += part.exchanges
                sum.failures += part.failures
                sum.latencies += part.latencies
            }
            return sum
        }
        slice.elapsed = Meter.now - start
        slice.cpu = Meter.cpu - cpu
        return slice
    }
}

/// A sum that grows in a value that does not change.
private final class Counter {
    private(set) var value = 0

    func add(_ amount: Int) {
        value += amount
    }
}
