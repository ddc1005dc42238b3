/// The command line of `gatewayctl`.
enum Root {
    static let tree = CommandTree(
        root: Command(
            "gatewayctl",
            summary: "Drives payment gateways through GatewayKit from a terminal",
            examples: [
                .init(
                    "gatewayctl tokenize --provider spreedly --sandbox --test-card visa",
                    "Get a token from the built-in sandbox, without any account:"),
                .init("gatewayctl config show", "See which accounts are configured, and where:"),
                .init("gatewayctl help exit-codes", "What the exit codes tell a script:"),
                .init("source <(gatewayctl completions bash)", "Complete commands and options in this shell:"),
            ],
            subcommands: [
                tokenize, session, checkout, rates, shoppers, pay, attempts, vault, signNonce, providers, card, config,
                sandbox, contract, redact,
                completions,
                help,
            ]),
        version: "0.1.0",
        topics: [
            .configuration, .cardJSON, .cardEdits, .instrumentJSON, .faults, .exitCodes,
            .environment(further: HelpTopic.colorVariables + HelpTopic.configurationVariables),
        ])
}
