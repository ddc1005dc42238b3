import GatewayContract
import GatewayKit
import GatewayKitCore
import GatewaySandbox

extension Root {
    /// `contract run`, `contract list`, `contract capabilities`.
    static let contract = Command(
        "contract", summary: "Check that an adapter keeps what GatewayKit promises",
        discussion: """
            The contract suite asks every provider the same questions, and knows none of them: what a test card becomes, \
            what a refused card, a lost answer, an expired session, a wrong key, a time limit end as.
            """,
        subcommands: [contractRun, contractList, contractCapabilities])

    private static let onRequest = Option.flag(
        "all",
        help: "On an account: also what changes stored cards, moves test money, or sends wrong credentials.")
    private static let faults = Option.flag(
        "faults", help: "With --sandbox: also every call under every fault. Takes some seconds per call.")
    private static let caseName = Option.value(
        "case", "NAME", reading: .oneOf(ContractSuite.cases.map(\.name)),
        help: "Only this case; 'gatewayctl contract list' names them.")
    private static let junit = Option.value(
        "junit", "FILE", reading: .text, help: "Write the report as JUnit XML to this file, too.")

    private static let contractRun = Command(
        "run", summary: "Run the contract suite on a provider",
        discussion: """
            With --sandbox it runs against the built-in sandbox, and needs no account. With --account it runs on the \
            provider's own test system: it makes tokens of public test cards and reads, and does nothing else unless \
            --all is given. An account of the kind live is refused.

            The exit code is 0 when no case failed and 2 when one did. What is owed (something that the gateway offers \
            and no case has shown, or test data that nobody supplied) is told and does not fail the run.
            """,
        examples: [
            .init("gatewayctl contract run --provider spreedly --sandbox", "Without any account:"),
            .init(
                "gatewayctl contract run -p spreedly --sandbox --faults --junit contract.xml",
                "Under every fault too, with a report for a CI server:"),
            .init("gatewayctl contract run --account eu-test", "On the provider's own test system, with test cards:"),
            .init(
                "gatewayctl contract run -p spreedly --sandbox --case tokens.unknown-outcome -o json",
                "One case, for a script:"),
        ],
        options: [
            AccountChoice.provider, AccountChoice.account, AccountChoice.sandbox, onRequest, faults, caseName, junit,
        ],
        rules: AccountChoice.rules
    ) { invocation in
        let terminal = invocation.terminal
        guard invocation[AccountChoice.sandbox] || !invocation[faults] else {
            throw invocation.usageError("'--faults' needs '--sandbox'")
        }
        let subject = try subject(invocation)
        let selection = ContractSuite.Selection(
            name: invocation[caseName], includesOnRequest: invocation[onRequest], includesFaults: invocation[faults])
        let report = await ContractSuite.run(subject, selection) { outcome in
            guard outcome.isFailure else { return terminal.detail(outcome.description) }
            terminal.say(outcome.description, tone: .problem)
        }
        if let path = invocation[junit] {
            try TextFile.make(terminal.redactor.redact(identifier: report.junit), at: path)
        }
        terminal.emit(ContractOutput.report(report))
        for line in report.owed { terminal.say("Owed: \(line)") }
        terminal.say(report.closing, tone: report.isPassed ? .success : .problem)
        guard !Task.isCancelled else { return .interrupted }
        return report.isPassed ? .done : .providerSaidNo
    }

    private static let contractList = Command(
        "list", summary: "List the cases of the contract suite",
        examples: [.init("gatewayctl contract list --output json", "For scripts:")]
    ) { invocation in
        invocation.terminal.emit(ContractOutput.cases(ContractSuite.cases))
        return .done
    }

    private static let contractCapabilities = Command(
        "capabilities", summary: "Write the table of what each provider was observed to do, as Markdown",
        discussion: """
            Runs the suite, under every fault too, on every provider in the built-in sandbox and writes \
            Docs/Capabilities.md to stdout. It takes some seconds per provider.
            """,
        examples: [
            .init("gatewayctl contract capabilities > Docs/Capabilities.md", "Bring the page up to date:")
        ]
    ) { invocation in
        let runtime = try GatewayRuntime.standard(NetworkSettings(), reachesSandbox: true)
        var reports: [ContractReport] = []
        for provider in ProviderRegistry.all.providers {
            let subject = try SandboxSubject.make(provider, transport: runtime.transport)
            let report = await ContractSuite.run(subject, ContractSuite.Selection(includesFaults: true))
            for outcome in report.outcomes where outcome.isFailure {
                invocation.terminal.say(outcome.description, tone: .problem)
            }
            reports.append(report)
        }
        guard !Task.isCancelled else { return .interrupted }
        // The page ends with a line feed of its own.
        invocation.terminal.printPage(String(CapabilityTable.markdown(reports).dropLast()))
        return reports.allSatisfy(\.isPassed) ? .done : .providerSaidNo
    }

    private static func subject(_ invocation: Invocation) throws -> ContractSubject {
        let registry = ProviderRegistry.all
        if invocation[AccountChoice.sandbox] {
            guard let id = invocation[AccountChoice.provider] else {
                throw invocation.usageError("'--sandbox' needs '--provider P'")
            }
            let runtime = try GatewayRuntime.standard(NetworkSettings(), reachesSandbox: true)
            return try SandboxSubject.make(
                registry.provider(ProviderID(reading: id)), transport: runtime.transport)
        }
        let opened = try AccountChoice.open(invocation, observer: nil)
        let settings = opened.settings
        guard settings.environment.kind != .live else {
            throw Failure(
                .configuration, "account \(settings.name) is live, and the contract suite sends test cards",
                advice: ["Choose an account of the provider's test environment, or --sandbox."])
        }
        let isSandbox = settings.environment.kind == .sandbox
        let runtime = try GatewayRuntime.standard(
            AccountChoice.configuration(invocation).network, reachesSandbox: isSandbox)
        let testData = Sandbox().testData(for: settings.provider.description) ?? ProviderTestData()
        return ContractSubject(
            settings.name.description, opened.provider, testData: testData,
            evidence: isSandbox ? .sandbox : .account
        ) {
            ContractStage(account: settings, runtime: runtime)
        }
    }
}
