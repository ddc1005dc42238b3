import GatewayContract
import GatewayKitCore

/// The contract suite's values as the tool writes them.
enum ContractOutput {
    static func report(_ report: ContractReport) -> Report {
        let cases = report.outcomes.map { outcome in
            OutputValue.object([
                Field("Result", "verdict", .identifier(outcome.isFailure ? "failed" : outcome.verdict.word)),
                Field("Case", "name", .identifier(outcome.name)),
                Field("Observed", "observed", .list(outcome.observed.map { .text($0) })),
                Field("Remarks", "reasons", .list(outcome.reasons.map { .text($0) })),
            ])
        }
        return Report(
            schema: "gatewayctl.contract-run/1",
            fields: [
                Field("Subject", "subject", .identifier(report.subject)),
                Field("Provider", "provider", .identifier(report.provider.description)),
                Field("Evidence", "evidence", .identifier(report.evidence.rawValue)),
                Field("Passed", "passed", .number(report.count("passed"))),
                Field("Failed", "failed", .number(report.count("failed"))),
                Field("Skipped", "skipped", .number(report.count("skipped"))),
                Field("Owed", "owed", .list(report.owed.map { .text($0) })),
                Field("Cases", "cases", .list(cases)),
            ])
    }

    static func cases(_ cases: [ContractCase]) -> Report {
        let list = cases.map { test in
            OutputValue.object([
                Field("Case", "name", .identifier(test.name)),
                Field("Runs", "scope", .identifier(test.scope.rawValue)),
                Field("Needs", "needs", .list(needs(test).map { .identifier($0) })),
                Field("What must hold", "expectation", .text(test.expectation)),
            ])
        }
        return Report(schema: "gatewayctl.contract-list/1", fields: [Field("Cases", "cases", .list(list))])
    }

    private static func needs(_ test: ContractCase) -> [String] {
        ([test.capability] + test.alsoNeeds).filter { $0 != .account }.map(\.description)
    }
}
