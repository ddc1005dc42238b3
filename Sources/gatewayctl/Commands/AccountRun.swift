import GatewayKitCore

/// What every command does around its work for an account: it opens the account, and writes the error or the dry run
/// that comes of it.
enum AccountRun {
    private static let dryRun = Option.flag(
        "dry-run", help: "Build the request, print it redacted, send nothing.")

    /// The options of a command that makes one call.
    static let options: [any OptionDeclaration] = AccountChoice.all + [dryRun]

    /// `gatewayctl.vault-show/1`.
    static func schema(_ invocation: Invocation) -> String {
        "gatewayctl." + invocation.parsed.names.joined(separator: "-") + "/1"
    }

    /// Opens the account and works for it.
    ///
    /// - Parameter isRead: Whether a thrown error means that nothing was done that counts: the work only asks, opens what
    ///   expires unused, or throws only where certainly nothing was stored.
    static func run(
        _ invocation: Invocation, isRead: Bool = false,
        _ body: (AccountChoice.Opened, CallContext, Terminal) async throws -> ExitCode
    ) async throws -> ExitCode {
        let terminal = invocation.terminal
        let isDryRun = invocation[dryRun]
        let dryObserver = DryRunObserver()
        do {
            let opened = try AccountChoice.open(
                invocation,
                observer: isDryRun ? dryObserver : terminal.isVerbose ? TerminalObserver(terminal: terminal) : nil,
                transport: isDryRun ? DryRunTransport() : nil)
            return try await body(opened, CallContext(timeout: invocation[GlobalOptions.timeout]), terminal)
        } catch let error as GatewayError {
            guard error.code == .dryRun, let text = dryObserver.request else {
                return ResultReport.write(error, terminal, isRead: isRead)
            }
            terminal.say("Dry run: nothing was sent.")
            terminal.emit(
                Report(schema: "gatewayctl.dry-run/1", fields: [Field("Request", "request", .text(text))]))
            return .done
        }
    }
}
