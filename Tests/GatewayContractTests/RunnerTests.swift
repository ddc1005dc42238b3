import GatewayContract
import GatewayKitCore
import GatewayTransport
import Testing

@testable import GatewaySandbox

@Suite("The runner of the contract suite")
struct RunnerTests {
    @Test("The same run twice gives the same report")
    func isDeterministic() async throws {
        let subject = try Subjects.acornSubject()
        let first = await ContractSuite.run(subject)
        let second = await ContractSuite.run(subject)
        #expect(try first.json() == second.json())
        #expect(first.outcomes.map(\.name) == ContractSuite.cases.filter { !$0.isUnderFaults }.map(\.name))
    }

    @Test("One case can be asked for by its name, walks included")
    func oneCase() async throws {
        let report = await ContractSuite.run(
            try Subjects.acornSubject(), ContractSuite.Selection(name: "tokens.approved-card"))
        #expect(report.outcomes.map(\.name) == ["tokens.approved-card"])
        #expect(report.isPassed)
        let none = await ContractSuite.run(try Subjects.acornSubject(), ContractSuite.Selection(name: "nothing"))
        #expect(none.outcomes.isEmpty)
    }

    @Test("A case that does not end is given up, and the run goes on")
    func boundedTime() async throws {
        let deaf = Locked<[CheckedContinuation<Void, Never>]>([])
        defer { for waiting in deaf.withLock({ $0 }) { waiting.resume() } }
        var subject = try Subjects.acornSubject()
        subject.provider = Mistaken(AcornProvider()) { gateway, _ in
            var mistaken = MistakenTokens(gateway)
            mistaken.tokenize = { _, _, _, _ in
                // Deaf to cancellation too.
                await withCheckedContinuation { waiting in deaf.withLock { $0.append(waiting) } }
                return .invalid([])
            }
            return mistaken.gateway
        }
        var selection = ContractSuite.Selection()
        selection.timeLimit = .milliseconds(50)
        var names: [String] = []
        for test in ContractSuite.cases where test.name.hasPrefix("tokens.") && !test.isUnderFaults {
            let outcome = await test.run(subject, selection)
            if outcome.reasons.contains(where: { $0.contains("did not end within") }) { names.append(test.name) }
        }
        #expect(names.contains("tokens.approved-card"))
        #expect(names.contains("tokens.local-check"))
    }

    @Test("A stage that cannot be opened fails each case and ends nothing")
    func noStage() async throws {
        var subject = try Subjects.acornSubject()
        subject.open = { throw GatewayError(.configuration, message: "No.", advice: "None.") }
        let report = await ContractSuite.run(subject, ContractSuite.Selection(name: "tokens.approved-card"))
        #expect(report.count("failed") == 1)
    }

    @Test("On a provider's own system: no faults, no ledger, and nothing but tokens and reads unless asked for")
    func ownSystem() async throws {
        let sandboxed = try Subjects.spreedlySubject()
        var subject = sandboxed
        subject.evidence = .account
        subject.open = {
            var stage = try sandboxed.open()
            stage.controls = nil
            return stage
        }
        let cautious = await ContractSuite.run(subject, ContractSuite.Selection(includesFaults: true))
        #expect(cautious.isPassed, "\(cautious)")
        let scopes = Dictionary(uniqueKeysWithValues: ContractSuite.cases.map { ($0.name, $0.scope) })
        for outcome in cautious.outcomes where outcome.verdict == .passed {
            #expect(scopes[outcome.name] == .anywhere, "\(outcome.name)")
        }
        #expect(cautious.outcomes.contains { $0.name == "tokens.approved-card" && $0.verdict == .passed })
        #expect(cautious.owed.contains { $0.hasPrefix("vault:") } == false, "a case that reads shows the vault")
        let all = await ContractSuite.run(subject, ContractSuite.Selection(includesOnRequest: true))
        #expect(all.isPassed, "\(all)")
        #expect(all.count("passed") > cautious.count("passed"))
    }
}
