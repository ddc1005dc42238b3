/// The command line of `gatewayctl`.
enum Root {
    static let tree = CommandTree(
        root: Command(
            "gatewayctl",
            summary: "Drives payment gateways through GatewayKit from a terminal",
            examples: [
                .init("gatewayctl help exit-codes", "What the exit codes tell a script:"),
                .init("source <(gatewayctl completions bash)", "Complete commands and options in this shell:"),
            ],
            subcommands: [completions, help]),
        version: "0.1.0",
        topics: [.exitCodes, .environment(further: HelpTopic.colorVariables)])
}
