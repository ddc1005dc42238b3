import GatewayKit
import GatewayKitCore

/// `checkout profile`.
enum CheckoutProfileCommand {
    private static let session = Option.value(
        "session", "SESSION", reading: .text, help: "The session to ask in. Without it one is opened.")
    private static let shopper = Option.value(
        "shopper", "ID", reading: .text, help: "Without --session: open the session for this stored shopper.")

    static let command = Command(
        "profile", summary: "Tell what a checkout can offer, and what is known of a returning shopper",
        discussion: """
            Methods, card brands in the order that decides, currencies, 3-D Secure, and of a shopper whom the provider \
            knows: contact, stored cards, the method chosen. Moves no money. No number of a card is told, and not the \
            token that 3-D Secure starts with.
            """,
        examples: [
            .init("gatewayctl checkout profile -p bluesnap --sandbox", "Without any account:"),
            .init("gatewayctl checkout profile --account eu --shopper 31009922 --base EUR", "For a returning shopper:"),
        ],
        options: AccountRun.options + [session, shopper, Rates.base],
        rules: AccountChoice.rules + [.atMostOne(session, shopper)]
    ) { invocation in
        let base = try Rates.currency(invocation, Rates.base)
        return try await AccountRun.run(invocation, isRead: true) { opened, call, terminal in
            let profiles = try opened.gateway.requireProfiles()
            let tokens = try opened.gateway.requireTokens()
            let opening: PaymentSession
            if let id = invocation[session] {
                SessionInput.protect(id, terminal)
                opening = try tokens.attach(SessionReference(account: opened.settings.name, id: id))
            } else {
                opening = try await tokens.openSession(SessionRequest(shopperID: invocation[shopper]), call)
            }
            let profile = try await profiles.profile(in: opening, base: base, call)
            terminal.emit(
                Report(
                    schema: AccountRun.schema(invocation),
                    fields: SessionReport.fields(of: opened.settings) + fields(of: profile)))
            return .done
        }
    }

    private static func fields(of profile: CheckoutProfile) -> [Field] {
        let undetected = BrandRules(profile.brands).undetected.map(\.providerWord)
        return [
            Field("Merchant", "merchantName", .text(orNull: profile.merchantName)),
            Field("Merchant's id", "merchantID", .identifier(orNull: profile.merchantID)),
            Field("Id at the collector", "fraudMerchantID", .identifier(orNull: profile.fraudMerchantID)),
            Field("3-D Secure", "authenticates", .bool(profile.authenticates)),
            Field("Methods", "methods", .list(profile.methods.map { .text($0) })),
            Field("Card types", "cardTypes", .list(profile.cardTypes.map { .text($0) })),
            Field("PayPal in", "payPalCurrencies", .list(profile.payPalCurrencies.map { .identifier($0.code) })),
            Field(
                "Brands", "brands",
                .list(
                    profile.brands.map { brand in
                        .object([
                            Field("Provider's word", "providerWord", .text(brand.providerWord)),
                            Field("Brand", "brand", .identifier(orNull: brand.brand?.id)),
                            Field("Detected", "detected", .bool(!undetected.contains(brand.providerWord))),
                        ])
                    })),
            Field("Shopper", "shopper", profile.shopper.map { .object(fields(of: $0)) } ?? .null),
        ] + (profile.rates.map { Rates.fields(of: $0) } ?? [])
    }

    private static func fields(of shopper: CheckoutProfile.ReturningShopper) -> [Field] {
        [
            Field("Shopper", "id", .identifier(shopper.id)),
            Field("Known", "known", .object(ResultReport.fields(of: shopper.shopper))),
            Field("Currency", "currency", .identifier(orNull: shopper.currency?.code)),
            Field("Last method", "lastMethod", .text(orNull: shopper.lastMethod)),
            Field("Chosen method", "chosenMethod", .text(orNull: shopper.chosenMethod)),
            Field("Chosen card", "chosenCard", shopper.chosenCard.map { .object(fields(of: $0)) } ?? .null),
            Field(
                "Cards", "cards",
                .list(
                    shopper.cards.map { stored in
                        .object(fields(of: stored.card) + [Field("Expired", "expired", .bool(stored.isExpired))])
                    })),
        ]
    }

    private static func fields(of card: ShopperCard) -> [Field] {
        [
            Field("Brand", "providerBrand", .text(card.providerBrand)),
            Field("Last four", "lastFour", .identifier(card.lastFour)),
            Field("Expiry", "expiry", .identifier(card.expiry.description)),
        ]
    }
}
