/// Writes `Docs/Capabilities.md` from what the suite observed, so that it says what is shown and not what is meant.
public enum CapabilityTable {
    /// The page.
    ///
    /// It holds no time, address or id, so that the same observations give the same page.
    public static func markdown(_ reports: [ContractReport]) -> String {
        var lines = [
            "# Capabilities", "",
            "Written by `gatewayctl contract capabilities` from what the contract suite observed; a test fails when it is out of date. Do not edit it.",
            "",
            "- **yes**: shown against the provider's own system.",
            "- **sandbox**: shown against the built-in sandbox only. It proves that the adapter does what we believe the provider to want.",
            "- **owed**: offered, and not shown so far.", "- **no**: not offered by the provider or by the adapter.",
            "",
        ]
        lines += overview(reports)
        for report in reports { lines += details(report) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func overview(_ reports: [ContractReport]) -> [String] {
        let all = Set(reports.flatMap(\.offered) + ContractSuite.cases.map(\.capability)).sorted()
        var lines = ["| Capability | " + reports.map(\.subject).joined(separator: " | ") + " |"]
        lines.append("| --- |" + String(repeating: " --- |", count: reports.count))
        for capability in all {
            let cells = reports.map { cell($0, capability) }
            lines.append("| `\(capability)` | " + cells.joined(separator: " | ") + " |")
        }
        return lines
    }

    private static func cell(_ report: ContractReport, _ capability: ContractCapability) -> String {
        guard report.offered.contains(capability) else { return "no" }
        let outcomes = report.outcomes.filter { $0.capability == capability }
        let passed = outcomes.filter { $0.verdict == .passed }
        if outcomes.contains(where: \.isFailure) { return "**fails**" }
        guard !passed.isEmpty else { return "owed" }
        let word = report.evidence == .account ? "yes" : "sandbox"
        return passed.contains(where: \.isUnderFaults) ? word + ", also under every fault" : word
    }

    private static func details(_ report: ContractReport) -> [String] {
        var lines = ["", "## \(report.subject)", ""]
        lines.append("| Case | What must hold | Outcome | Observed |")
        lines.append("| --- | --- | --- | --- |")
        for outcome in report.outcomes {
            if case .skipped(let reason) = outcome.verdict, reason.hasPrefix("the gateway does not offer") { continue }
            let observed = outcome.isUnderFaults ? outcome.observed.sorted() : outcome.observed
            let seen = observed.joined(separator: "; ")
            let word: String =
                switch outcome.verdict {
                case .passed: report.evidence == .account ? "yes" : "sandbox"
                case .failed: "**fails**"
                case .skipped: "no"
                case .owed: "owed"
                }
            let remark =
                outcome.isFailure || outcome.verdict == .passed ? seen : outcome.reasons.joined(separator: "; ")
            lines.append("| `\(outcome.name)` | \(escaped(outcome.expectation)) | \(word) | \(escaped(remark)) |")
        }
        if !report.owed.isEmpty {
            lines += ["", "Owed:", ""]
            lines += report.owed.map { "- \($0)" }
        }
        return lines
    }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
