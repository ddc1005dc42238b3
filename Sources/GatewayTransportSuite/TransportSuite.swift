/// The fault suite that any ``GatewayKitCore/HTTPTransport`` can be run through.
///
/// Every case sets up a peer on 127.0.0.1 (or a name, certificate or proxy that is not to be reached), makes one or
/// more calls, and checks two things: what was delivered, and how far the request got. The peers count what they read,
/// so a request that is called "not sent" but was seen, or one that must be seen once and was seen twice, is caught.
///
/// It needs no testing library: an outcome is a value.
///
/// ```swift
/// for outcome in await TransportSuite.run(subject) { print(outcome) }
/// ```
public enum TransportSuite {
    /// All cases. Each can be run on its own, in any order and at the same time as others.
    public static let cases: [TransportCase] =
        RequestCases.all + AnswerCases.all + BrokenAnswerCases.all + OversizeCases.all + CompressionCases.all
        + ConnectCases.all + TLSCases.all + HTTP2Cases.all + ProxyCases.all + DeadlineCases.all + CancelCases.all
        + ReuseCases.all + ManyCallsCases.all

    /// Runs all cases, or those given, one after the other.
    public static func run(
        _ subject: TransportSubject, _ cases: [TransportCase] = TransportSuite.cases
    ) async -> [Outcome] {
        var outcomes: [Outcome] = []
        for test in cases { outcomes.append(await test.run(subject)) }
        return outcomes
    }

    /// What became of one case.
    public struct Outcome: Sendable, CustomStringConvertible {
        /// The case's name.
        public let name: String
        /// How it ended.
        public let verdict: Verdict

        /// Whether something was found. A skipped case has found nothing.
        public var isFailure: Bool {
            if case .failed = verdict { true } else { false }
        }

        /// One line, and one more for each thing found.
        public var description: String {
            switch verdict {
            case .passed: "passed   \(name)"
            case .skipped(let reason): "skipped  \(name): \(reason)"
            case .failed(let findings): "FAILED   \(name)" + findings.map { "\n         \($0)" }.joined()
            }
        }
    }

    /// How a case ended.
    public enum Verdict: Sendable, Hashable {
        /// Everything was as it must be.
        case passed
        /// What was not as it must be.
        case failed([String])
        /// It could not be run, and why.
        case skipped(String)
    }
}

/// One case of the suite.
public struct TransportCase: Sendable, CustomStringConvertible {
    /// What must hold, and the ids of the field bugs that it stands for.
    public let name: String
    /// What the transport must be able to do for it.
    public let needs: Set<TransportFeature>
    let body: @Sendable (CaseRun) async throws -> Void

    init(
        _ name: String, needs: Set<TransportFeature> = [], _ body: @escaping @Sendable (CaseRun) async throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.body = body
    }

    /// The name.
    public var description: String { name }

    /// Runs the case. It takes from a millisecond to a few seconds, and longer on a transport that does not keep
    /// deadlines.
    ///
    /// The calls are made on a thread of the case's own (a task executor preference), so that what is timed does not
    /// wait for the program's other tasks.
    public func run(_ subject: TransportSubject) async -> TransportSuite.Outcome {
        let missing = needs.intersection(subject.lacks).map(\.rawValue).sorted()
        guard missing.isEmpty else {
            return TransportSuite.Outcome(
                name: name, verdict: .skipped("the transport has no \(missing.joined(separator: ", "))"))
        }
        let thread = OwnThread()
        defer { thread.end() }
        let run = CaseRun(subject, thread)
        let verdict = await withTaskExecutorPreference(thread) { await run.verdict(body) }
        return TransportSuite.Outcome(name: name, verdict: verdict)
    }
}
