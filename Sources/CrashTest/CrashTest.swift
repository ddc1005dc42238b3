import GatewayKit
import GatewayKitCore
import GatewayPayments
import GatewayStoreSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `crash-test SEED COUNT`: kills processes that pay, COUNT times, and compares the journal with the sandbox's ledger.
@main struct CrashTest {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if arguments.first == "work" {
                try await work(Array(arguments.dropFirst()))
                return
            }
            if arguments.first == "race" {
                try await race(Array(arguments.dropFirst()))
                return
            }
            guard arguments.count == 2, let seed = UInt64(arguments[0]), let count = Int(arguments[1]), count > 0 else {
                print("usage: CrashTest SEED COUNT")
                exit(64)
            }
            try await drive(seed, count)
        } catch {
            print("crash-test: \(error)")
            exit(70)
        }
    }

    private static func drive(_ seed: UInt64, _ count: Int) async throws {
        var template = Array("/tmp/gatewaykit-crash-XXXXXX".utf8CString)
        let folder = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let folder else { throw Trouble("there is no place for temporary files") }
        let (problems, summary) = try await Driver(seed: seed, kills: count, folder: folder).run()
        guard problems.isEmpty else {
            for problem in problems { print("- \(problem)") }
            print(
                "crash-test: \(problems.count) problems with seed \(seed), \(count) kills; the journal is in \(folder)")
            exit(1)
        }
        for name in ["/journal.sqlite", "/journal.sqlite-journal", "/told"] { unlink(folder + name) }
        rmdir(folder)
        print(summary)
        print("crash-test: seed \(seed), \(count) kills: the journal and the ledger agree.")
    }

    private static func work(_ arguments: [String]) async throws {
        guard arguments.count == 5, let seed = UInt64(arguments[2]), let steps = Int(arguments[3]),
            let intents = Int(arguments[4])
        else { throw Trouble("a worker needs a folder, a name, a seed, steps and intents") }
        let folder = arguments[0]
        var values: [String: String] = [:]
        for name in ["environmentKey", "accessSecret", "gatewayToken"] { values[name] = variable(name) }
        let bench = Bench(
            settings: try Bench.settings(address: variable("ADDRESS") ?? "", values: values),
            journal: folder + "/journal.sqlite", token: variable("TOKEN") ?? "")
        let diary = open(folder + "/told", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        try await Worker(
            bench: bench, name: arguments[1], seed: seed, steps: steps, intents: intents, diary: diary
        ).run()
    }

    /// `race JOURNAL NAME ROUNDS`: begins and claims the same intents as other processes do at the same time, and prints
    /// the rounds that it won.
    private static func race(_ arguments: [String]) async throws {
        guard arguments.count == 3, let rounds = Int(arguments[2]) else { throw Trouble("race JOURNAL NAME ROUNDS") }
        let store = try SQLitePaymentStore(path: arguments[0])
        let account = AccountName("race" as ProviderID)
        var claim = AttemptChange(to: .sending, by: arguments[1], note: "claimed")
        claim.answerWithin = .seconds(60)
        for round in 0..<rounds {
            let intent = try PaymentIntent(
                id: "round-\(round)", amount: Money(minorUnits: 1, currency: .usd), account: account)
            let key = "\(arguments[1])-\(round)"
            let new = NewAttempt(id: AttemptID(reading: key), kind: .purchase, key: key, fingerprint: [1])
            let attempt: PaymentAttempt
            switch try await store.open(intent, new) {
            case .opened(let opened): attempt = opened
            case .existing(let existing): attempt = existing
            case .refused: continue
            }
            if case .done = try await store.advance(attempt.id, from: 1, claim, holding: nil) { print("won \(round)") }
        }
    }

    private static func variable(_ name: String) -> String? {
        getenv("CRASH_TEST_" + name).map { String(cString: $0) }
    }
}
