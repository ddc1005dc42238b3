/// A public test card: a number that providers publish for their sandboxes and that belongs to nobody.
///
/// The same number may succeed at one provider and be declined at another, so what it does is not told here but by
/// ``GatewayProvider/testCardEffects``; the names that end in `-declined` are those that Spreedly's test gateway
/// declines. Any future expiry and any code go with it.
public struct TestCard: Sendable, Hashable {
    /// The name that `gatewayctl --test-card` takes, such as `visa`.
    public let name: String
    /// The number. It is public, so it is plain text here; an account in live mode must refuse it or decline it.
    public let number: String
    /// The brand.
    public let brand: CardBrand

    private init(_ name: String, _ number: String, _ brand: CardBrand) {
        self.name = name
        self.number = number
        self.brand = brand
    }

    /// Every public test card, the most used ones first.
    ///
    /// From Spreedly's published test data (developer.spreedly.com/docs/test-data) and the tests of its public SDKs; then
    /// three test numbers that many providers share, and those of single providers.
    public static let all: [TestCard] = [
        TestCard("visa", "4111111111111111", .visa),
        TestCard("visa-declined", "4012888888881881", .visa),
        TestCard("visa-19", "4444333322221111455", .visa),
        TestCard("visa-19-declined", "4917610000000000003", .visa),
        TestCard("mastercard", "5555555555554444", .mastercard),
        TestCard("mastercard-declined", "5105105105105100", .mastercard),
        TestCard("mastercard-2", "2223003122003222", .mastercard),
        TestCard("mastercard-2-declined", "2720992720992729", .mastercard),
        TestCard("amex", "378282246310005", .americanExpress),
        TestCard("amex-declined", "371449635398431", .americanExpress),
        TestCard("discover", "6011111111111117", .discover),
        TestCard("discover-declined", "6011000990139424", .discover),
        TestCard("diners", "30569309025904", .dinersClub),
        TestCard("diners-declined", "30207712915383", .dinersClub),
        TestCard("jcb", "3569990010030400", .jcb),
        TestCard("jcb-declined", "3528327757705979", .jcb),
        TestCard("maestro", "6759000000000000005", .maestro),
        TestCard("maestro-declined", "6799990100000000019", .maestro),
        TestCard("visa-3ds", "4556761029983886", .visa),
        TestCard("visa-3ds-declined", "4024007101934890", .visa),
        TestCard("visa-store-refused", "4217651111111119", .visa),
        TestCard("dankort", "5019717010103742", .dankort),
        TestCard("elo", "5067310000000010", .elo),
        TestCard("alelo", "5067705232092752", .alelo),
        TestCard("cabal", "6035227716427021", .cabal),
        TestCard("carnet", "5062280000000002", .carnet),
        TestCard("naranja", "5895627823453005", .naranja),
        TestCard("sodexo", "6060690000000002", .sodexo),
        TestCard("click-to-pay-mastercard", "5186001700008785", .mastercard),
        TestCard("click-to-pay-mastercard-2", "5120350100064537", .mastercard),
        TestCard("click-to-pay-visa", "4622943127011022", .visa),
        TestCard("click-to-pay-amex", "373708623186001", .americanExpress),
        TestCard("click-to-pay-discover", "6011208800050000", .discover),
        TestCard("3ds-global-challenge", "5111220000000009", .mastercard),
        TestCard("3ds-global-frictionless", "5222220000000005", .mastercard),
        TestCard("3ds-global-failed", "5248481111200179", .mastercard),
        TestCard("3ds-app-challenge", "4000000000000002", .visa),
        TestCard("3ds-app-failed", "4000000000000101", .visa),
        TestCard("3ds-app-frictionless", "4242424242424242", .visa),
        TestCard("3ds-cardinal-challenge", "4000000000001091", .visa),
        TestCard("3ds-cardinal-challenge-mastercard", "5200000000001096", .mastercard),
        TestCard("diners-14", "36227206271667", .dinersClub),
        TestCard("jcb-2", "3566002020360505", .jcb),
        TestCard("unionpay", "6200000000000005", .unionPay),
        // BlueSnap's, as its SDKs and third-party clients use them.
        TestCard("bluesnap-visa", "4263982640269299", .visa),
        TestCard("bluesnap-visa-brazil", "4007702835532454", .visa),
        TestCard("bluesnap-visa-by-month", "4917484589897107", .visa),
        TestCard("bluesnap-mastercard", "5425233430109903", .mastercard),
        TestCard("bluesnap-amex", "374245455400126", .americanExpress),
        TestCard("bluesnap-discover", "6011000180331112", .discover),
        TestCard("bluesnap-discover-refused", "6011000991300009", .discover),
        TestCard("bluesnap-jcb", "3566000020000410", .jcb),
        TestCard("bluesnap-jcb-refused", "3530111333300000", .jcb),
        TestCard("bluesnap-unionpay", "6250941006528599", .unionPay),
        TestCard("bluesnap-cabal", "6271701225979642", .cabal),
        TestCard("bluesnap-naranja", "5895626746595650", .naranja),
    ]

    /// The test card of this name; `nil` when there is none. Names are compared exactly.
    public static func named(_ name: String) -> TestCard? {
        all.first { $0.name == name }
    }

    /// Whether these digits are a public test number.
    public static func contains(_ digits: String) -> Bool {
        all.contains { $0.number == digits }
    }
}
