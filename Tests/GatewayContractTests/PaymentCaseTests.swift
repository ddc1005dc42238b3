import GatewayContract
import GatewayKitCore
import Testing

/// The cases of payments on a bank in memory: they pass on one that is right, and catch one that is not.
@Suite("The contract suite's payments")
struct PaymentCaseTests {
    private static let amount = Money(minorUnits: 1_234, currency: .usd)
    private static let declined = Money(minorUnits: 5_100, currency: .usd)

    private static func report(_ mistake: MemoryBank.Mistake?) async throws -> ContractReport {
        var subject = try Subjects.acornSubject()
        let open = subject.open
        let bank = MemoryBank(AccountName(AcornProvider().id), declining: declined, mistake)
        subject.testData.payments = .known(.init(amount: amount, declinedAmount: declined))
        subject.provider = Mistaken(AcornProvider()) { gateway, _ in
            Gateway(
                account: gateway.account, provider: gateway.provider, tokens: gateway.tokens,
                payments: bank.capabilities)
        }
        // The sandbox's ledger knows nothing of this bank.
        subject.open = {
            var stage = try open()
            stage.controls = nil
            return stage
        }
        return await ContractSuite.run(subject, ContractSuite.Selection(includesOnRequest: true))
    }

    @Test("A right bank passes all of them, and nothing is owed")
    func right() async throws {
        let report = try await Self.report(nil)
        #expect(report.isPassed, "\(report)")
        let passed = report.outcomes.filter { $0.verdict == .passed && $0.name.hasPrefix("payments.") }
        #expect(passed.count == 7)
        #expect(report.owed.isEmpty, "\(report.owed)")
    }

    static let catching: [(MemoryBank.Mistake, String)] = [
        (.tenthOfTheAmount, "payments.charging.purchase"), (.tenthOfTheAmount, "payments.refunding.refund"),
        (.declineAsUnknown, "payments.charging.declined"), (.childWithoutParent, "payments.capturing.capture"),
        (.childWithoutParent, "payments.voiding.void"), (.finderOfAnything, "payments.lookup.absent"),
        (.blindFinder, "payments.lookup.find"), (.noWitness, "payments.lookup.absent"),
    ]

    @Test("A mistake in its named case", arguments: catching)
    func caught(_ mistake: MemoryBank.Mistake, _ name: String) async throws {
        let report = try await Self.report(mistake)
        #expect(report.outcomes.contains { $0.name == name && $0.isFailure }, "\(report)")
    }

    @Test("Every mistake has its case")
    func completeness() {
        #expect(Set(Self.catching.map(\.0)) == Set(MemoryBank.Mistake.allCases))
    }
}
