import Foundation
import Testing

@testable import GatewayKitCore

@Suite("Brand detection by a provider's patterns")
struct BrandPatternTests {
    /// Whole numbers are a beginning and how many digits there are: no card number but test cards stands in sources.
    @Test(
        "BlueSnap's list in BlueSnap's order: what its SDKs tell, and what the list says",
        arguments: [
            ("4111", 16, "VISA"), ("40111", 5, "VISA"), ("401178", 6, "ELO"), ("4011 78", 7, "ELO"),
            ("4011-78", 7, "ELO"), ("606282", 6, "HIPERCARD"), ("603493", 6, "CENCOSUD"), ("589562", 6, "NARANJA"),
            ("603488", 6, "TARJETASHOPPING"), ("501105", 6, "ARGENCARD"), ("627170", 6, "CABAL"),
            ("51111", 5, "MASTERCARD"), ("324412", 6, "AMEX"), ("38989", 5, "DISCOVER"), ("30511", 5, "DINERS"),
            ("2131", 4, "JCB"), ("628013", 16, "MASTERCARD"), ("624012", 16, "CHINA_UNION_PAY"),
            ("36123", 5, "DINERS"), ("564182", 16, "CARTE_BLEUE"), ("4", 1, nil), ("34", 2, nil), ("5000", 4, nil),
            ("501100", 6, "MASTERCARD"), ("222100", 16, "MASTERCARD"), ("272099", 16, "MASTERCARD"),
            ("272300", 16, nil), ("630400", 16, "MASTERCARD"), ("675964", 16, "MASTERCARD"),
            ("625094", 16, "CHINA_UNION_PAY"), ("622000", 16, "MASTERCARD"), ("622200", 16, "CHINA_UNION_PAY"),
            ("622200", 15, nil), ("622200", 19, "CHINA_UNION_PAY"), ("622200", 20, nil), ("5612", 4, "CARTE_BLEUE"),
            ("627170", 16, "CABAL"), ("", 0, nil), ("4111x", 5, nil), ("x411", 4, nil),
        ] as [(String, Int, String?)])
    func list(start: String, count: Int, word: String?) {
        let number = start + String(repeating: "0", count: max(0, count - start.count))
        #expect(BrandRules(BlueSnapBrandList.brands).brand(of: Sensitive(number))?.providerWord == word)
    }

    @Test("all of BlueSnap's list is understood, and whole numbers are read too")
    func understood() throws {
        let rules = BrandRules(BlueSnapBrandList.brands)
        #expect(rules.undetected.isEmpty)
        for (name, word) in [("visa", "VISA"), ("amex", "AMEX"), ("elo", "ELO"), ("naranja", "NARANJA")] {
            let card = try #require(TestCard.named(name))
            #expect(rules.brand(of: try CardNumber(Sensitive(card.number)))?.providerWord == word)
        }
    }

    @Test("order decides: the same number is another brand in another order")
    func order() {
        let number = Sensitive("628013" + String(repeating: "3", count: 10))
        #expect(BrandRules(BlueSnapBrandList.brands).brand(of: number)?.providerWord == "MASTERCARD")
        #expect(BrandRules(BlueSnapBrandList.brands.reversed()).brand(of: number)?.providerWord == "CHINA_UNION_PAY")
    }

    @Test("a number that a look-ahead excludes is not of the brand")
    func lookAhead() throws {
        let pattern = try #require(BrandPattern("^4059(?!34).*"))
        #expect(pattern.matches(Sensitive("405935")))
        #expect(pattern.matches(Sensitive("40593")))
        #expect(!pattern.matches(Sensitive("405934")))
        #expect(try #require(BrandPattern("4(?=[12]3)..")).matches(Sensitive("423")))
    }

    @Test(
        "where ours differs from a search: a match begins at the first digit",
        arguments: [
            ("603493", "1603493", false), ("603493", "6034931", true), ("93$", "603493", false), ("", "1", false),
        ])
    func anchored(pattern: String, number: String, fits: Bool) {
        #expect((BrandPattern(pattern)?.matches(Sensitive(number)) ?? false) == fits)
    }

    @Test(
        "unknown syntax, or too much of it, is not understood: the brand is not detected, the others are",
        arguments: [
            "", "(", ")", "^4)", "(?<!4)5", "(?<name>4)", "(?i)4", "\\w", "\\b4", "4\\1", "[", "[]", "[a-z]", "[9-1]",
            "[4", "4{", "4{2", "4{,2}", "4{3,2}", "4{65}", "*", "+4", "a", "4**", "4+?", "4++", "^*", "^+4",
            "(?!(?!4))",
            "(?=4)*", "é", "４", "4{2}{3}", String(repeating: "4", count: 1_025),
            String(repeating: "(", count: 30) + "4" + String(repeating: ")", count: 30), "((4{64}){64}){64}",
            String(repeating: "(?!5)", count: 17) + "4",
        ])
    func unknown(pattern: String) {
        #expect(BrandPattern(pattern) == nil)
        let strange = CheckoutProfile.Brand(providerWord: "STRANGE", brand: nil, pattern: pattern)
        let without = CheckoutProfile.Brand(providerWord: "WITHOUT", brand: nil)
        let rules = BrandRules([strange, without] + BlueSnapBrandList.brands)
        #expect(rules.undetected == [strange, without])
        #expect(rules.brand(of: Sensitive("4111"))?.providerWord == "VISA")
    }

    @Test(
        "patterns that make engines go back for ever are decided in a bounded number of steps",
        arguments: ["^(4*)*$", "^((4+)+)+5$", "^(4|4)*$", "^(4?){64}4{64}$", "^(4*4*)*5", "(.*.*.*.*)*6$"])
    func hostile(pattern: String) throws {
        let compiled = try #require(BrandPattern(pattern))
        let digits = String(repeating: "4", count: 24)
        // Whether it fits is told by the last digit in each of them.
        #expect(!compiled.matches(Sensitive(digits.dropLast() + "7")) || !pattern.hasSuffix("$"))
        #expect(!compiled.matches(Sensitive(digits + "4")), "too many digits match nothing")
    }

    @Test(
        "nothing, repeated many times over, is compiled at once",
        arguments: ["(((((((){64}){64}){64}){64}){64}){64}){64}", "((((((4{0}){64}){64}){64}){64}){64}){64}"])
    func repeatedNothing(pattern: String) {
        #expect(BrandPattern(pattern)?.matches(Sensitive("4111")) == true)
    }

    @Test("random patterns decide as the system's engine does, anchored at the first digit", arguments: 0..<100)
    func likeTheSystem(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let text = Self.pattern(depth: 2, &random)
        let pattern = try #require(BrandPattern(text), "not understood: \(text)")
        let engine = try NSRegularExpression(pattern: "\\A(?:\(text))")
        for _ in 0..<20 {
            let digits = random.digits(Int.random(in: 1...10, using: &random))
                .map { String(UInt8.random(in: 0...9, using: &random) < 5 ? $0 % 3 : $0) }.joined()
            let range = NSRange(location: 0, length: digits.utf16.count)
            let expected = engine.firstMatch(in: digits, options: [.anchored], range: range) != nil
            let fits = pattern.matches(Sensitive(digits))
            if fits != expected { Issue.record("\(text) on \(digits): \(fits)") }
        }
    }

    private static func pattern(depth: Int, _ random: inout SeededNumbers) -> String {
        let branches = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in atom(depth: depth, &random) }.joined()
        }
        return branches.joined(separator: "|")
    }

    private static func atom(depth: Int, _ random: inout SeededNumbers) -> String {
        let atom: String
        switch Int.random(in: 0...(depth > 0 ? 6 : 3), using: &random) {
        case 0, 1: atom = String(Int.random(in: 0...2, using: &random))
        case 2: atom = "[0-\(Int.random(in: 0...9, using: &random))]"
        case 3: atom = "."
        case 4, 5: atom = "(\(pattern(depth: depth - 1, &random)))"
        default: atom = Bool.random(using: &random) ? "(?!\(Int.random(in: 0...2, using: &random)))" : "$"
        }
        let suffixes = ["", "", "", "", "?", "*", "+", "{2}", "{1,3}", "{2,}"]
        // What looks only is not repeated: see the type's documentation.
        if atom == "$" || atom.hasPrefix("(?") { return atom }
        return atom + (suffixes.randomElement(using: &random) ?? "")
    }
}
