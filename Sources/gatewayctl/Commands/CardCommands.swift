import GatewayKit
import GatewayKitCore

extension Root {
    /// `card inspect|fields|test-cards`.
    static let card = Command(
        "card", summary: "Look at a card without sending it anywhere",
        subcommands: [inspect, cardFields, testCards])

    private static let inspect = Command(
        "inspect",
        summary: "Tell a card's brand and what is wrong with it",
        discussion:
            "Nothing is sent. The number itself is not printed: at most its first six and last four digits are.",
        examples: [
            .init("gatewayctl card inspect --test-card amex", "A public test card:"),
            .init("gatewayctl card inspect --card-stdin < card.json", "A card from a file:"),
        ],
        options: CardSource.all, rules: CardSource.rules
    ) { invocation in
        let now = invocation.terminal.now
        let card = try CardSource.read(invocation, now: now).card
        let issues = card.issues(at: now)
        invocation.terminal.emit(
            Report(
                schema: "gatewayctl.card/1",
                fields: ResultReport.fields(of: card.summary) + [
                    Field("Digits", "length", .number(card.number.length)),
                    Field("Check digit", "checkDigitPasses", .bool(card.number.passesCheckDigit)),
                    Field("Usable", "usable", .bool(issues.isEmpty)),
                    Field(
                        "Issues", "issues", .list(issues.map { .object(ResultReport.fields(of: $0)) })),
                ]))
        return issues.isEmpty ? .done : .badInput
    }

    private static let testCards = Command(
        "test-cards",
        summary: "List the public test cards",
        discussion: """
            These numbers are published by providers for their test systems and belong to nobody. Refer to them by \
            name: --test-card NAME. What each of them does differs between providers, so there is a column for each \
            provider whose documents tell.
            """
    ) { invocation in
        let providers = ProviderRegistry.all.providers.filter { !$0.testCardEffects.isEmpty }
        let rows = TestCard.all.map { card in
            let effects = providers.map { provider in
                let effect = provider.testCardEffects.first { $0.card == card.name }
                let words = effect.map { [$0.kind.description, $0.detail?.description].compactMap { $0 } }
                return Field(
                    "At " + provider.displayName, provider.id.description,
                    .text(orNull: words?.joined(separator: ": ")))
            }
            return OutputValue.object(
                [
                    Field("Name", "name", .identifier(card.name)),
                    Field("Brand", "brand", .identifier(card.brand.id)),
                    Field("Last four", "lastFour", .identifier(String(card.number.suffix(4)))),
                ] + effects)
        }
        invocation.terminal.emit(
            Report(schema: "gatewayctl.test-cards/1", fields: [Field("Test cards", "cards", .list(rows))]))
        return .done
    }
}
