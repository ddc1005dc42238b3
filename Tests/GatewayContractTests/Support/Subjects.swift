import GatewayContract
import GatewayKit
import GatewayKitCore
import GatewayTransport
import Testing

@testable import GatewaySandbox

/// What the tests run the suite on.
enum Subjects {
    static let transport = CurlTransport(.loopback)

    /// Every provider of the registry, and the invented one. A new adapter is in it by being in the registry.
    static let all: [ContractSubject] = registered + [acorn].compactMap { $0 }
    static let registered = ProviderRegistry.all.providers.compactMap {
        try? SandboxSubject.make($0, transport: transport)
    }
    static let acorn = try? SandboxSubject.make(AcornProvider(), transport: transport, sandbox: sandboxWithAcorn)

    static let sandboxWithAcorn: @Sendable (SandboxConfiguration) -> Sandbox = { configuration in
        Sandbox(configuration, further: [AcornSandbox(seed: configuration.seed)])
    }

    static func acornSubject() throws -> ContractSubject { try #require(acorn) }
    static func spreedlySubject() throws -> ContractSubject { try #require(registered.first) }
}

/// One case on one subject.
struct SubjectCase: Sendable, CustomTestStringConvertible {
    let subject: ContractSubject
    let test: ContractCase

    var testDescription: String { "\(subject.name): \(test.name)" }

    static let all: [SubjectCase] = Subjects.all.flatMap { subject in
        ContractSuite.cases.map { SubjectCase(subject: subject, test: $0) }
    }
}

/// Runs each case on each subject once, for whoever asks first.
enum Outcomes {
    private static let tasks = Locked<[String: Task<ContractOutcome, Never>]>([:])

    static func of(_ one: SubjectCase) async -> ContractOutcome {
        let task = tasks.withLock { tasks -> Task<ContractOutcome, Never> in
            if let task = tasks[one.testDescription] { return task }
            let task = Task {
                var selection = ContractSuite.Selection(includesFaults: true)
                selection.timeLimit = .seconds(1800)
                return await one.test.run(one.subject, selection)
            }
            tasks[one.testDescription] = task
            return task
        }
        return await task.value
    }

    static func report(_ subject: ContractSubject) async -> ContractReport {
        var outcomes: [ContractOutcome] = []
        for test in ContractSuite.cases { outcomes.append(await of(SubjectCase(subject: subject, test: test))) }
        return ContractReport(subject, outcomes)
    }
}
