import GatewayKitCore

extension Root {
    private static let configured = Option.toggle(
        "configured-secrets", default: true,
        help: "Mask the secrets of the configured accounts too, in every encoding.")

    /// `redact`.
    static let redact = Command(
        "redact",
        summary: "Copy stdin to stdout with card data and secrets masked",
        discussion: """
            For logs and transcripts that are to be shown to somebody. What can be told from its form is masked: card \
            numbers in every encoding, values of fields with telling names, credentials in headers. A CVV that stands \
            alone in a sentence cannot be told from any other number.
            """,
        examples: [.init("gatewayctl redact < app.log > app.clean.log", "A log to attach to a ticket:")],
        options: [configured]
    ) { invocation in
        let terminal = invocation.terminal
        if invocation[configured] {
            do {
                terminal.protect(try AccountChoice.configuration(invocation).secrets)
            } catch let error as GatewayError {
                terminal.say("'--no-configured-secrets' leaves the configuration aside.")
                return ResultReport.write(error, terminal)
            }
        }
        if terminal.isInputTerminal { terminal.say("Reading from the terminal; end with Ctrl-D on a line of its own.") }
        try terminal.copyInputRedacted()
        return .done
    }
}
