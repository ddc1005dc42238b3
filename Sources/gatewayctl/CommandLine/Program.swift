import GatewayKitCore

/// Runs a command line against a tree: parse, dispatch, explain, exit code.
struct Program: Sendable {
    let tree: CommandTree
    /// Explains errors that the commands let through, such as the library's own; `nil` for an unknown error.
    let explain: @Sendable (any Error) -> Failure?

    init(tree: CommandTree, explain: @escaping @Sendable (any Error) -> Failure? = { _ in nil }) {
        self.tree = tree
        self.explain = explain
    }

    /// Runs the terminal's arguments. It never throws; everything to say has been said when it returns.
    func run(_ terminal: Terminal) async -> ExitCode {
        let code = await dispatch(terminal)
        // Any other code says more than this one.
        guard code == .done, terminal.hasLostOutput else { return code }
        terminal.say("\(tree.root.name): the result could not be written to stdout", tone: .problem)
        return .internalError
    }

    private func dispatch(_ terminal: Terminal) async -> ExitCode {
        let result: ParseResult
        do {
            result = try Parser(tree: tree).parse(terminal.arguments, environment: terminal.environment)
        } catch {
            let output = Parser.formatAsked(in: terminal.arguments, environment: terminal.environment)
            return report(error, to: terminal.configured(output: output, isVerbose: false, color: .auto))
        }
        switch result {
        case .version:
            terminal.print("\(tree.root.name) \(tree.version)")
            return .done
        case .help(let names):
            if let page = HelpWriter(tree: tree, width: terminal.helpWidth).page(of: names) { terminal.printPage(page) }
            return .done
        case .run(let parsed):
            return await run(parsed, terminal)
        }
    }

    private func run(_ parsed: ParsedCommand, _ unconfigured: Terminal) async -> ExitCode {
        let globals = Invocation(tree: tree, parsed: parsed, terminal: unconfigured)
        let terminal = unconfigured.configured(
            output: globals[GlobalOptions.output], isVerbose: globals[GlobalOptions.verbose],
            color: globals[GlobalOptions.color])
        guard let run = parsed.path.last?.run else { return .usage }
        do {
            return try await run(Invocation(tree: tree, parsed: parsed, terminal: terminal))
        } catch let error as UsageError {
            return report(error, to: terminal)
        } catch {
            return report(failure(of: error), to: terminal)
        }
    }

    private func failure(of error: any Error) -> Failure {
        if let failure = error as? Failure { return failure }
        if let failure = explain(error) { return failure }
        if error is CancellationError { return Failure(.interrupted, "interrupted") }
        return Failure(
            .internalError, "an unexpected error of the type \(String(describing: type(of: error)))",
            advice: ["This is a fault in gatewayctl; please report it with the command that led to it."])
    }

    private func report(_ error: UsageError, to terminal: Terminal) -> ExitCode {
        for (number, line) in error.lines(tool: tree.root.name).enumerated() {
            terminal.say(line, tone: number == 0 ? .problem : .plain)
        }
        reportAsJSON(.usage, message: error.message, to: terminal)
        return .usage
    }

    private func report(_ failure: Failure, to terminal: Terminal) -> ExitCode {
        terminal.say("\(tree.root.name): \(failure.message)", tone: .problem)
        for line in failure.advice { terminal.say(line.description) }
        reportAsJSON(failure.code, message: failure.message.description, to: terminal)
        return failure.code
    }

    /// A script that asked for JSON gets one object, also when the command failed before it had a result.
    private func reportAsJSON(_ code: ExitCode, message: String, to terminal: Terminal) {
        guard terminal.output == .json, !terminal.hasEmitted else { return }
        terminal.emit(
            Report(
                schema: "\(tree.root.name).error/1",
                fields: [
                    Field("Code", "code", .text(code.name)),
                    Field("Exit code", "exitCode", .number(Int(code.rawValue))),
                    Field("Message", "message", .text(message)),
                ]))
    }
}
