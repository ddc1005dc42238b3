import GatewayKitCore

/// What the public test cards do at Spreedly's test gateway (developer.spreedly.com/docs/test-data), at its 3DS2 Global
/// sandbox and in its app channel (the samples of its web and Android SDKs).
enum SpreedlyTestCards {
    static let effects: [TestCardEffect] =
        approved.map { TestCardEffect($0, .approved) } + declined.map { TestCardEffect($0, .declined) } + others

    private static let brands = [
        "visa", "visa-19", "mastercard", "mastercard-2", "amex", "discover", "diners", "jcb", "maestro",
    ]

    /// The second line are cards that Spreedly's own tests treat as good.
    private static let approved =
        brands + [
            "dankort", "elo", "alelo", "cabal", "carnet", "naranja", "sodexo", "click-to-pay-mastercard",
            "click-to-pay-mastercard-2", "click-to-pay-visa", "click-to-pay-amex", "click-to-pay-discover",
        ]

    private static let declined = brands.map { $0 + "-declined" }

    private static let others = [
        TestCardEffect(
            "visa-3ds", .authenticates,
            detail: "The amount decides: 3001, 3003, 3004, 3005 succeed, 3103 and 3104 fail."),
        TestCardEffect("visa-3ds-declined", .declined, detail: "Enrolled in 3-D Secure."),
        TestCardEffect("visa-store-refused", .storingRefused, detail: "\"Unable to store card\" at the gateway."),
        TestCardEffect("3ds-global-challenge", .challenge, detail: "PIN 1234 passes, 4567 fails."),
        TestCardEffect("3ds-global-frictionless", .frictionless),
        TestCardEffect("3ds-global-failed", .authenticationFailed, detail: "Needs the Forter sandbox."),
        TestCardEffect("3ds-app-challenge", .challenge),
        TestCardEffect("3ds-app-failed", .authenticationFailed),
        TestCardEffect("3ds-app-frictionless", .frictionless),
    ]
}
