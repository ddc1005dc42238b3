import Testing

@testable import GatewayKitCore

/// The validators of BlueSnap's SDKs as tables. Where ours differs, the row's comment tells why.
@Suite("Rules for what shoppers type")
struct ShopperRuleTests {
    @Test(
        "names",
        arguments: [
            ("Rita Quill", nil), (" Rita  Quill ", nil), ("R Q", nil), ("Rita", "malformed"), (" Rita ", "malformed"),
            ("", "missing"), ("   ", "missing"), (nil, "missing"),
            // One word is a name where names are written without a space; the original asks a language library, which
            // is there on Apple's systems only. Ours looks at the script.
            ("田中太郎", nil), ("たなかたろう", nil), ("김민수", nil), ("ﾀﾅｶ", nil), ("田中\u{3000}太郎", nil),
            ("Ångström", "malformed"),
        ] as [(String?, String?)])
    func names(text: String?, problem: String?) {
        #expect(ShopperRules.problem(ofName: text)?.description == problem)
    }

    @Test(
        "names are split at the first space, and no word is lost (Android's SDK loses the third)",
        arguments: [
            ("aa bb", "aa", "bb"), ("aa vv bb", "aa", "vv bb"), ("aaa", "aaa", ""), ("", "", ""),
            ("  aa   bb  ", "aa", "bb"), ("Ana Maria Lopez", "Ana", "Maria Lopez"), ("a\tb", "a", "b"),
            ("田中\u{3000}太郎", "田中", "太郎"),
        ])
    func split(whole: String, first: String, last: String) {
        let name = PersonName(whole)
        #expect(name.first == first)
        #expect(name.last == last)
        #expect(["no name", "name of one word", "first and last name"].contains("\(name)"))
    }

    @Test(
        "e-mail addresses",
        arguments: [
            ("aaa@bbb", "malformed"), ("aaa@bbb.c", "malformed"), ("aaa@bbb.com", nil), (" aaa@bbb.com ", nil),
            ("a.b_c%d+e-f@sub.shop.example", nil), ("@shop.example", "malformed"), ("a@.example", "malformed"),
            ("a@b@shop.example", "malformed"), ("a b@shop.example", "malformed"), ("a@shop.ex4mple", "malformed"),
            ("a@shop." + String(repeating: "x", count: 64), nil),
            ("a@shop." + String(repeating: "x", count: 65), "malformed"), ("", "missing"), (nil, "missing"),
            ("ä@shop.example", "malformed"), ("a@shöp.example", "malformed"),
            // The original has no limit for the whole: RFC 5321 has, and what is longer reaches nobody.
            (String(repeating: "a", count: 250) + "@shop.example", "tooLong"),
        ] as [(String?, String?)])
    func emails(text: String?, problem: String?) {
        #expect(ShopperRules.problem(ofEmail: text)?.description == problem)
    }

    @Test(
        "lines of addresses and cities",
        arguments: [
            ("ab", nil), ("a", "tooShort"), (" a ", "tooShort"), ("", "missing"), (nil, "missing"), ("東京", nil),
        ]
            as [(String?, String?)])
    func lines(text: String?, problem: String?) {
        #expect(ShopperRules.problem(ofLine: text)?.description == problem)
    }

    @Test(
        "postal codes",
        arguments: [
            ("02110", "US", nil), ("SW1A 1AA", "GB", nil), ("100-0001", "JP", nil), ("12", "DE", "tooShort"),
            // iOS wants three characters, Android two; no country's code is shorter than three.
            ("123", "IS", nil), ("", "DE", "missing"), (nil, "DE", "missing"), (nil, nil, "missing"),
            // iOS takes any characters, Android letters, digits, spaces and hyphens; ours takes Android's.
            ("〒100", "JP", "malformed"), ("1000;1", "DE", "malformed"),
            (String(repeating: "1", count: 21), "DE", "tooLong"), (nil, "AE", nil), (nil, "ae", nil), ("x", "AE", nil),
            // In Android's list only; ours has both lists' countries, so that a shopper is let pass on every device.
            (nil, "JM", nil), (nil, "TT", nil),
            // In neither list.
            (nil, "IE", "missing"), (nil, "PA", "missing"),
        ] as [(String?, String?, String?)])
    func postalCodes(text: String?, country: String?, problem: String?) {
        #expect(ShopperRules.problem(ofPostalCode: text, in: country)?.description == problem)
    }

    @Test(
        "states",
        arguments: [
            ("MA", "US", nil), ("ma", "us", nil), ("XX", "US", "malformed"), ("California", "US", "malformed"),
            ("", "US", "missing"), (nil, "US", "missing"), ("ON", "CA", nil), ("NF", "CA", nil), ("NL", "CA", nil),
            ("SP", "BR", nil),
            // The armed forces' codes and the Northern Marianas are not in the original's list; people live there.
            ("AE", "US", nil), ("MP", "US", nil),
            // The original writes nine of Brazil's states by codes of its own (XC for MT): ours knows ISO's, and the
            // adapter translates.
            ("MT", "BR", nil), ("XC", "BR", "malformed"),
            // The original refuses a state where a country has none. Addresses have regions there all the same: ours
            // lets them pass, and the adapter leaves them out of what it sends.
            ("Sachsen", "DE", nil), (nil, "DE", nil), (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func states(text: String?, country: String?, problem: String?) {
        #expect(ShopperRules.problem(ofState: text, in: country, isDemanded: true)?.description == problem)
        let undemanded = ShopperRules.problem(ofState: text, in: country, isDemanded: false)?.description
        #expect(undemanded == (problem == "missing" ? nil : problem))
    }

    @Test("every country of the lists is one that an address can name")
    func countries() {
        let without = CountryTable.codes.filter { !CountryRules.hasPostalCode($0) }
        #expect(without.count == 60)
        #expect(CountryRules.hasPostalCode("AN") && CountryRules.hasPostalCode("TP"), "withdrawn by ISO")
        #expect(CountryRules.states(of: "US").count == 59)
        #expect(CountryRules.states(of: "CA").count == 14)
        #expect(CountryRules.states(of: "br").count == 27)
        #expect(CountryTable.codes.count { !CountryRules.states(of: $0).isEmpty } == 3)
    }
}

/// What BlueSnap's SDKs do with typed card data, next to what ours does.
@Suite("Typed card data beside BlueSnap's rules")
struct CardRuleTests {
    /// In 2025, as the original's own tests assume.
    private static let now = WallTime(secondsSince1970: 1_750_000_000)

    @Test(
        "expiry",
        arguments: [
            ("12/26", nil), ("14/26", "malformed"), ("11/11", "expired"), ("12", "malformed"), ("", "missing"),
            // The original calls this month expired; a card is good through the end of its month.
            ("06/25", nil), ("05/25", "expired"),
            // The original refuses more than ten years ahead; Visa alone issues for up to twenty.
            ("12/36", nil), ("12/80", "tooFarAhead"),
            // The original wants the slash; ours reads what people type.
            ("1226", nil), ("12 / 26", nil), ("12-2026", nil),
        ] as [(String, String?)])
    func expiry(text: String, problem: String?) {
        let found: FieldIssue.Problem?
        do throws(InvalidCardInput) {
            found = try CardExpiry.read(text, now: Self.now).issues(at: Self.now).first?.problem
        } catch {
            found = error.issues.first?.problem
        }
        #expect(found?.description == problem)
    }

    @Test(
        "numbers",
        arguments: [
            ("4111 1111 1111 1111", nil), ("4111 1111 1111", "tooShort"), ("411111111111111", "malformed"),
            // The original begins to check at six characters; no card has fewer than twelve digits.
            ("411111", "tooShort"), ("4111 abcd", "malformed"), ("", "missing"),
            // The original cuts at 21 digits; no card has more than 19, and a cut number is another number.
            (String(repeating: "4", count: 21), "tooLong"),
        ] as [(String, String?)])
    func numbers(text: String, problem: String?) {
        let found: FieldIssue.Problem?
        do throws(InvalidCardInput) {
            found = try CardNumber(Sensitive(text)).issues.first?.problem
        } catch {
            found = error.issues.first?.problem
        }
        #expect(found?.description == problem)
    }

    @Test(
        "grouping",
        arguments: [
            ("41112222", "4111 2222"), ("4111 2222", "4111 2222"),
            // The original groups American Express in fours too; its cards are printed 4-6-5.
            ("3782822", "3782 822"), ("37828224631", "3782 822463 1"),
        ])
    func grouping(typed: String, shown: String) {
        let digits = String(typed.filter { $0 != " " })
        let brand: CardBrand? = typed.hasPrefix("37") ? .americanExpress : nil
        #expect(DigitLayout.number(brand: brand, count: digits.count).text(digits) == shown)
    }

    @Test("security codes: four digits for American Express, three otherwise, as the original has it")
    func securityCodes() {
        #expect(CardBrand.americanExpress.securityCodeLength == 4)
        #expect([CardBrand.visa, .dinersClub, .unionPay].allSatisfy { $0.securityCodeLength == 3 })
    }

    @Test(
        "lengths: the original's key for Diners Club is never found, so it allows 16 digits; ours has the brands' own")
    func lengths() {
        #expect(CardBrand.americanExpress.numberLengths == [15])
        #expect(CardBrand.dinersClub.numberLengths.first == 14)
    }
}
