import GatewayKit
import GatewayKitCore
import GatewayPayments
import GatewaySandbox

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs the sandbox, starts workers on one journal, kills them, and compares in the end.
final class Driver: Sendable {
    private struct Aim {
        var point: SandboxPoint?
        var child: Child?
        var passes = 0
    }

    private let seed: UInt64
    private let kills: Int
    private let folder: String
    private let time = SkewedTime()
    private let aim = Locked(Aim())
    private let intents: Int

    init(seed: UInt64, kills: Int, folder: String) {
        self.seed = seed
        self.kills = kills
        self.folder = folder
        intents = 24 + 2 * kills
    }

    static let faults = [
        "spreedly.purchase=answer-lost%8*always", "spreedly.authorize=answer-lost%8*always",
        "spreedly.capture=answer-lost%8*always", "spreedly.credit=answer-lost%8*always",
        "spreedly.general-credit=answer-lost%8*always", "spreedly.void=answer-lost%8*always",
        "spreedly.purchase=duplicate-delivery%3*always",
        "spreedly=reset-before-answer%4*always", "spreedly=slow:2500%2*always",
        "spreedly=status:503+processed%4*always",
        "spreedly=truncated%3*always", "spreedly=html:502%3*always", "spreedly=status:500+unprocessed%3*always",
        "spreedly=close-after-answer%3*always",
    ]

    /// - Returns: What is wrong (nothing when all is right), and what happened.
    func run() async throws -> (problems: [String], summary: String) {
        let (sandbox, bench) = try await prepare()
        defer { sandbox.stop() }
        for text in Self.faults { sandbox.faults.add(try FaultRule(text)) }
        try killAtPoints(bench)
        try killAtRandom(bench)
        sandbox.faults.removeAll()
        let service = try bench.service(time)
        let unsettled = try await settle(service)
        let verdict = Verdict(
            service: service, ledger: sandbox.ledger.entries, told: diary(), intents: intents, unsettled: unsettled)
        return (try await verdict.problems(), verdict.summary)
    }

    private func prepare() async throws -> (Sandbox, Bench) {
        var configuration = SandboxConfiguration()
        configuration.seed = seed
        configuration.now = { [time] in time.wall }
        configuration.atPoint = { [self] point, path in strike(point, path) }
        let sandbox = Sandbox(configuration)
        try sandbox.start()
        guard let address = sandbox.baseURL(for: "spreedly"), let credentials = sandbox.credentials(for: "spreedly")
        else {
            throw Trouble("the sandbox does not know Spreedly")
        }
        let values = Dictionary(uniqueKeysWithValues: credentials.items.map { ($0.name, $0.value) })
        let settings = try Bench.settings(address: address, values: values)
        let runtime = try GatewayRuntime.standard(NetworkSettings(), reachesSandbox: true)
        let gateway = try ProviderRegistry.all.gateway(settings, runtime)
        guard let visa = TestCard.all.first(where: { $0.name == "visa" }) else { throw Trouble("no test card") }
        let now = WallClock.system.now()
        let card = try Card.read(
            number: Sensitive(visa.number), month: "12", year: "\(now.utcDate.year + 3)",
            securityCode: Sensitive("123"),
            name: "Ada Okoro", now: now)
        var request = TokenizationRequest(.card(card))
        request.retain = true
        guard case .token(let token) = try await gateway.requireTokens().tokenize(request) else {
            throw Trouble("the sandbox gives no token")
        }
        for (name, value) in values { setenv("CRASH_TEST_" + name, value, 1) }
        setenv("CRASH_TEST_ADDRESS", address, 1)
        setenv("CRASH_TEST_TOKEN", token.id, 1)
        return (sandbox, Bench(settings: settings, journal: folder + "/journal.sqlite", token: token.id))
    }

    private func start(_ name: String, _ number: Int, steps: Int) throws -> Child {
        try Child([folder, name, String(seed &* 1_000 &+ UInt64(number)), String(steps), String(intents)])
    }

    // MARK: - Killing

    /// Ends the worker whose request has come to the point that is aimed at. The sandbox waits meanwhile: nothing goes on
    /// before the process is gone.
    private func strike(_ point: SandboxPoint, _ path: [String]?) {
        let child = aim.withLock { aim -> Child? in
            guard aim.point == point else { return nil }
            // A look-up is not what is to be hit.
            if let path,
                !(path.contains("gateways")
                    || path.contains { $0.hasSuffix("capture.json") || $0.hasSuffix("credit.json") })
            {
                return nil
            }
            guard aim.passes == 0 else {
                aim.passes -= 1
                return nil
            }
            aim.point = nil
            return aim.child
        }
        guard let child else { return }
        child.kill()
        _ = child.wait()
    }

    /// One worker at a time, killed at each point in turn.
    private func killAtPoints(_ bench: Bench) throws {
        var random = SeededNumbers(seed)
        for number in 0..<min(kills, 2 * SandboxPoint.allCases.count) {
            let point = SandboxPoint.allCases[number % SandboxPoint.allCases.count]
            aim.withLock { aim in
                aim.point = point
                aim.passes = random.below(3)
                aim.child = nil
            }
            let child = try start("point-\(number)", number, steps: 200)
            aim.withLock { $0.child = child }
            let ending = child.wait()
            aim.withLock { aim in
                aim.point = nil
                aim.child = nil
            }
            guard ending == SIGKILL || ending == 256 else { throw Trouble("a worker ended with \(ending)") }
        }
    }

    /// Three workers at once, one of them killed every few hundredths of a second.
    private func killAtRandom(_ bench: Bench) throws {
        var random = SeededNumbers(seed ^ 0xC4A5)
        var left = kills - 2 * SandboxPoint.allCases.count
        var number = 1_000
        var children: [Child] = []
        while left > 0 {
            while children.count < 3 {
                number += 1
                children.append(try start("random-\(number)", number, steps: 10_000))
            }
            usleep(UInt32(20_000 + random.below(400_000)))
            let victim = children.remove(at: random.below(children.count))
            victim.kill()
            let ending = victim.wait()
            guard ending == SIGKILL || ending == 256 else { throw Trouble("a worker ended with \(ending)") }
            left -= 1
        }
        for child in children {
            child.kill()
            _ = child.wait()
        }
    }

    // MARK: - Afterwards

    /// Time goes on and the reconciler runs, until all is settled or nothing changes any more.
    private func settle(_ service: PaymentService) async throws -> [PaymentAttempt] {
        var filter = AttemptFilter()
        filter.states = Set(AttemptState.allCases.filter(\.isOpen))
        filter.limit = 100_000
        for pass in 0..<40 {
            time.move(.seconds(1_800))
            let report = try await Reconciler(service, worker: "driver").run(CallContext(timeout: .seconds(120)))
            if let error = report.stoppedBy, error.code != .rateLimited { throw error }
            let open = try await service.store.attempts(filter)
            if open.isEmpty || pass == 39 { return open }
        }
        return []
    }

    private func diary() -> [(AttemptID, String)] {
        guard let file = fopen(folder + "/told", "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes += buffer[0..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2 else { return nil }
            return (AttemptID(reading: String(words[0])), String(words[1]))
        }
    }
}
