import GatewayKitCore

extension Root {
    /// `tokenize`.
    static let tokenize = Command(
        "tokenize",
        summary: "Hand a card or another instrument to a provider and get a token for it",
        discussion: """
            The card comes from a public test card, from stdin, or from a prompt without echo when stdin is a terminal. \
            It never goes on the command line, where every process of the machine could read it. Other instruments \
            (wallet payments, bank accounts, tokens of other vaults, stored cards with a fresh security code, offsite \
            methods) come as JSON on stdin, in the form at the end of this page.

            A run whose outcome is unknown ends with exit code 4: the card may have been stored. It is never sent a \
            second time by itself.
            """,
        examples: [
            .init(
                "gatewayctl tokenize --provider spreedly --sandbox --test-card visa",
                "Without any account, against the built-in sandbox:"),
            .init("gatewayctl tokenize --account eu --card-stdin < card.json", "With a configured account:"),
            .init("gatewayctl tokenize --account eu --instrument-stdin < bank.json", "A bank account:"),
            .init(
                "gatewayctl tokenize -p spreedly --sandbox --test-card visa -v "
                    + "--sandbox-fault spreedly.tokenize=reset-before-answer",
                "What happens when the answer is lost:"),
        ],
        options: TokenizeRun.options, rules: TokenizeRun.rules,
        appendix: [.instrumentJSON, .cardJSON]
    ) { invocation in
        try await TokenizeRun.run(invocation) { (tokens, _, request, call) async throws(GatewayError) in
            try await tokens.tokenize(request, call)
        }
    }
}
