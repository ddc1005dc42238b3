import GatewayContract
import GatewayKit
import GatewayKitCore
import Testing

@Suite("The contract")
struct ContractTests {
    @Test("Every provider keeps it, plain and under every fault", .timeLimit(.minutes(60)), arguments: SubjectCase.all)
    func holds(_ one: SubjectCase) async {
        let outcome = await Outcomes.of(one)
        #expect(!outcome.isFailure, "\(outcome)")
    }

    @Test(
        "Every provider of the registry takes part, and nothing is owed for it",
        arguments: Subjects.registered.map(\.name))
    func nothingIsOwed(name: String) async throws {
        let subject = try #require(Subjects.registered.first { $0.name == name })
        let report = await Outcomes.report(subject)
        #expect(report.owed.isEmpty, "\(report.owed)")
        #expect(report.count("passed") > 10)
    }

    @Test("No provider of the registry is left out")
    func completeness() {
        #expect(Subjects.registered.map(\.name) == ProviderRegistry.all.providers.map(\.id.description))
    }

    @Test("Names are unique, begin with their capability, and expectations are sentences")
    func names() {
        let names = ContractSuite.cases.map(\.name)
        #expect(Set(names).count == names.count)
        for test in ContractSuite.cases {
            let capability = test.capability == .account ? "account" : test.capability.description
            #expect(test.name.hasPrefix(capability + ".") || test.name.hasPrefix("tokens."))
            #expect(test.expectation.hasSuffix("."))
        }
    }

    @Test("Every capability that core can offer has a case and a walk")
    func capabilities() {
        let known = Set(ContractSuite.cases.map(\.capability))
        #expect(known.isSuperset(of: [.account, .tokens, .vault, .sessions, .charging, .capturing, .voiding]))
        #expect(known.isSuperset(of: [.refunding, .crediting, .lookup]))
        #expect(known.isSuperset(of: [.checkout, .profiles, .currencyRates, .shoppers, .walletSessions]))
        #expect(known.contains(.customers))
        let walked = Set(ContractSuite.cases.filter(\.isUnderFaults).map(\.capability))
        #expect(walked == known.subtracting([.account]))
    }
}
