import GatewayKit
import GatewayKitCore

extension Root {
    /// `config show|check`.
    static let config = Command(
        "config", summary: "Look at the configuration",
        subcommands: [show, check])

    private static let show = Command(
        "show",
        summary: "Print every configured value with the place that it came from",
        discussion: "Secrets are masked. 'gatewayctl help configuration' tells where values come from.",
        options: [Journal.file]
    ) { invocation in
        do {
            let configuration = try AccountChoice.configuration(invocation)
            invocation.terminal.protect(configuration.secrets)
            let values = configuration.entries.map { entry in
                OutputValue.object([
                    Field("Key", "key", .identifier(entry.key)),
                    Field("Value", "value", .text(entry.value.description)),
                    Field("From", "origin", .identifier(entry.origin.description)),
                ])
            }
            if values.isEmpty {
                invocation.terminal.say("Nothing is configured. 'gatewayctl help configuration' tells how to.")
            }
            invocation.terminal.emit(
                Report(
                    schema: "gatewayctl.config/1",
                    fields: [
                        Field(
                            "Default account", "defaultAccount",
                            .identifier(orNull: configuration.defaultAccount?.description)),
                        Field("Journal", "journal", .object(journal(invocation))),
                        Field("Values", "values", .list(values)),
                    ]))
            return .done
        } catch let error as GatewayError {
            return ResultReport.write(error, invocation.terminal)
        }
    }

    private static func journal(_ invocation: Invocation) -> [Field] {
        let origin =
            switch invocation.origin(of: Journal.file) {
            case .commandLine: "--journal"
            case .environment(let variable): "environment variable \(variable)"
            case nil: "default"
            }
        let path = invocation[Journal.file] ?? Journal.standardPath(invocation.terminal.environment)
        return [
            Field("File", "path", .identifier(orNull: path)),
            Field("From", "origin", .identifier(origin)),
        ]
    }

    private static let check = Command(
        "check",
        summary: "Check that every account can be used",
        discussion: "Reads all files and references and builds every account's gateway. Nothing is sent."
    ) { invocation in
        let terminal = invocation.terminal
        do {
            let configuration = try AccountChoice.configuration(invocation)
            terminal.protect(configuration.secrets)
            var firstProblem: GatewayError?
            var rows: [OutputValue] = []
            for name in configuration.accountNames {
                let problem = problem(with: name, configuration)
                firstProblem = firstProblem ?? problem
                rows.append(
                    .object([
                        Field("Account", "account", .identifier(name.description)),
                        Field("Usable", "usable", .bool(problem == nil)),
                        Field("Problem", "problem", .text(orNull: problem?.message.description)),
                        Field("What to do", "advice", .text(orNull: problem?.advice.description)),
                    ]))
            }
            terminal.emit(
                Report(schema: "gatewayctl.config-check/1", fields: [Field("Accounts", "accounts", .list(rows))]))
            if rows.isEmpty { terminal.say("No account is configured. 'gatewayctl help configuration' tells how to.") }
            return firstProblem == nil && !rows.isEmpty ? .done : .configuration
        } catch let error as GatewayError {
            return ResultReport.write(error, terminal)
        }
    }

    private static func problem(with name: AccountName, _ configuration: Configuration) -> GatewayError? {
        do {
            let runtime = try GatewayRuntime.standard(configuration.network, reachesSandbox: true)
            _ = try ProviderRegistry.all.gateway(name, in: configuration, runtime)
            return nil
        } catch {
            return error
        }
    }
}
