import GatewayKitCore
import GatewaySandbox
import SpreedlyAdapter
import Testing

/// The adapter against the imitation of its provider, undisturbed: `GatewayKitTests` walks all faults over its calls.
@Suite struct SandboxTests {
    @Test("Without a fault: a token that exists, with the card's own summary")
    func undisturbed() async throws {
        let sandbox = try Shop.sandbox()
        for card in TestCard.all {
            let number = try CardNumber(Sensitive(card.number))
            let code = number.brand == .americanExpress ? "1234" : "737"
            let request = try Shop.request(Shop.card(card.name, code: code))
            let end = await End(of: try Shop.tokens(Shop.settings(in: sandbox)), request)
            let entry = try #require(sandbox.ledger.entries.last)
            #expect(end.token?.id == entry.token, "\(card.name)")
            #expect(end.token?.card?.brand == number.brand, "\(card.name)")
            #expect(end.token?.card?.lastFour == number.lastFour)
            #expect(end.token?.isTest == true)
            let search = LeakSearch([number.sensitive])
            #expect(search.leaks(in: end.shown).isEmpty)
        }
        #expect(sandbox.ledger.count == TestCard.all.count)
        sandbox.stop()
    }

    @Test("Every test card's effect is told, of cards that exist, and only once")
    func testCards() {
        let effects = SpreedlyProvider().testCardEffects
        #expect(Set(effects.map(\.card)).count == effects.count)
        for effect in effects { #expect(TestCard.named(effect.card) != nil, "\(effect.card)") }
        for card in TestCard.all where card.name.hasSuffix("-declined") {
            #expect(effects.first { $0.card == card.name }?.kind == .declined, "\(card.name)")
        }
        // developer.spreedly.com/docs/test-data: nine brands, each with a card that succeeds and one that is declined.
        #expect(effects.count { $0.kind == .declined } == 10 && effects.count { $0.kind == .approved } == 21)
    }

    @Test(
        "Wrong credentials are told as such, in each way to authenticate", arguments: ["secret", "restricted", "query"])
    func wrongCredentials(authentication: String) async throws {
        let sandbox = try Shop.sandbox()
        let baseURL = try #require(sandbox.baseURL(for: "spreedly"))
        let settings = try Shop.settings(baseURL, authentication: authentication)
        let end = await End(of: try Shop.tokens(settings), try Shop.request())
        #expect(end.thrown?.code == .credentialsRefused)
        #expect(end.thrown?.answer?.status == 401)
        #expect(end.leaks.isEmpty)
        sandbox.stop()
    }

    @Test("A card off the test list is declined as the account's, not the card's, fault")
    func realCard() async throws {
        let sandbox = try Shop.sandbox()
        // A number that is nobody's on the test list: a listed one with two digits changed so that Luhn still holds.
        let number = try CardNumber(Sensitive(String(Shop.number.prefix(13)) + "129"))
        try #require(!TestCard.contains(number.withExposed { $0 }))
        let card = Card(
            number: number, expiry: CardExpiry(month: 9, year: 2031), holderName: "Ada Okoro")
        let end = await End(
            of: try Shop.tokens(Shop.settings(in: sandbox)), try Shop.request(card, checksLocally: false))
        #expect(end.name == (number.passesCheckDigit ? "declined" : "invalid"))
        #expect(LeakSearch([number.sensitive]).leaks(in: end.shown).isEmpty)
        sandbox.stop()
    }
}
