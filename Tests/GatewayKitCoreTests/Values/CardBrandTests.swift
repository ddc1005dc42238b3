import Testing

@testable import GatewayKitCore

@Suite("Card brands")
struct CardBrandTests {
    @Test("public test numbers have their brand and pass its check", arguments: TestCard.all)
    func publicTestNumbers(test: TestCard) throws {
        #expect(CardBrand.detect(test.number) == test.brand)
        #expect(CardBrand.mayBeCardNumber(Array(test.number.utf8)))
        let card = try CardNumber(Sensitive(test.number))
        #expect(card.passesCheckDigit)
        #expect(card.issues.isEmpty)
        for length in 1...test.number.count {
            #expect(CardBrand.candidates(forPrefix: String(test.number.prefix(length))).contains(test.brand))
        }
    }

    @Test("test cards have names and numbers of their own")
    func testCardList() {
        #expect(Set(TestCard.all.map(\.name)).count == TestCard.all.count)
        #expect(Set(TestCard.all.map(\.number)).count == TestCard.all.count)
        #expect(TestCard.named("visa")?.number == "4111111111111111")
        #expect(TestCard.named("Visa") == nil)
        #expect(TestCard.contains("378282246310005"))
        #expect(!TestCard.contains("37828224631000"))
    }

    @Test(
        "prefixes of the dossiers",
        arguments: [
            ("40111", .visa), ("51111", .mastercard), ("55", .mastercard), ("222100", .mastercard),
            ("34", .americanExpress), ("37", .americanExpress), ("601100", .discover), ("622126", .discover),
            ("622925", .discover), ("644000", .discover), ("659999", .discover), ("300", .dinersClub),
            ("36", .dinersClub), ("3528", .jcb), ("3589", .jcb), ("3088", .jcb), ("3094", .jcb), ("2131", .jcb),
            ("5019", .dankort), ("589562", .naranja), ("600722", .forbrugsforeningen), ("606071", .sodexo),
            ("627416", .vr), ("637036", .vr), ("81000000", .unionPay), ("81719999", .unionPay), ("62000000", .unionPay),
            ("639000", .maestro), ("679999", .maestro), ("506199", .carnet), ("588772", .carnet), ("604201", .cabal),
            ("627170", .cabal), ("603493", .cencosud), ("603488", .tarjetaShopping), ("501105", .argencard),
            ("606282", .hipercard), ("637095", .hipercard), ("968201", .mada), ("504300", .mada), ("700676", .routex),
            ("1175", .uatp), ("705", .bpPlus), ("628026", .passcard), ("637483", .edenred), ("603199", .anda),
            ("601828", .tarjetaD), ("506099", .verve), ("602049", .panal), ("601933", .creditel), ("2200", .mir),
            ("560718", .confiable), ("700600", .synchrony), ("588800", .tuya), ("636853", .olimpica),
        ] as [(String, CardBrand)])
    func prefixes(prefix: String, brand: CardBrand) {
        #expect(CardBrand.detect(prefix) == brand)
    }

    @Test(
        "overlapping ranges have one answer",
        arguments: [
            ("402588", CardBrand.visa, CardBrand.alelo), ("401178", .visa, .elo),
            ("650031", .elo, .discover), ("655021", .elo, .discover),
            ("650002", .verve, .discover), ("622126", .discover, .unionPay),
            ("627416", .vr, .unionPay), ("627535", .carnet, .unionPay),
            ("628026", .passcard, .unionPay), ("602049", .panal, .maestro),
            ("384100", .hipercard, .dinersClub), ("309000", .jcb, .dinersClub),
        ])
    func overlaps(prefix: String, first: CardBrand, second: CardBrand) throws {
        #expect(CardBrand.detect(prefix + "0000000000") == first)
        let candidates = CardBrand.candidates(forPrefix: prefix)
        let firstAt = try #require(candidates.firstIndex(of: first))
        let secondAt = try #require(candidates.firstIndex(of: second))
        #expect(firstAt < secondAt)
    }

    @Test("a rule whose length fits goes before one whose prefix alone fits")
    func lengthDecides() {
        #expect(CardBrand.detect("650031" + String(repeating: "0", count: 10)) == .elo)
        #expect(CardBrand.detect("650031" + String(repeating: "0", count: 13)) == .discover)
        #expect(CardBrand.detect("4" + String(repeating: "1", count: 13)) == .visa)
    }

    /// Spreedly's dossier, 6.2, with JCB's old numbers of 15 digits.
    @Test(
        "whole numbers have the lengths of their brand",
        arguments: [
            ([13, 16, 19], [CardBrand.visa]), ([15], [.americanExpress, .uatp]), ([15, 16], [.jcb]),
            (
                [16],
                [
                    .mastercard, .elo, .cabal, .alelo, .naranja, .carnet, .mada, .sodexo, .hipercard, .dankort,
                    .forbrugsforeningen, .vr,
                ]
            ), (Array(14...19), [.dinersClub]), (Array(16...19), [.discover, .unionPay, .verve]),
            (Array(12...19), [.maestro]), ([18, 19], [.routex]),
        ] as [([Int], [CardBrand])])
    func lengths(lengths: [Int], brands: [CardBrand]) {
        for brand in brands {
            let rules = BrandTable.rules.filter { $0.brand == brand }
            #expect(rules.reduce(into: Set<Int>()) { $0.formUnion($1.lengths) } == Set(lengths), "\(brand)")
        }
        #expect(CardNumber.lengths == 12...19)
    }

    @Test("what is no brand's has none", arguments: ["", "0", "9", "7", "79927398713", "4a", "４１１１", "4111 1111"])
    func unknown(digits: String) {
        #expect(CardBrand.detect(digits) == nil)
    }

    @Test("the digits typed so far narrow the brands")
    func candidates() {
        #expect(CardBrand.candidates(forPrefix: "") == CardBrand.known)
        #expect(CardBrand.candidates(forPrefix: "3").contains(.americanExpress))
        #expect(CardBrand.candidates(forPrefix: "34") == [.americanExpress])
        #expect(CardBrand.candidates(forPrefix: "x").isEmpty)
        #expect(CardBrand.candidates(forPrefix: String(repeating: "4", count: 20)).isEmpty)
    }

    @Test("every word of the table is read, and no rule is empty")
    func tableIsWellFormed() {
        #expect(BrandRule.range("65-64") == nil)
        #expect(BrandRule.range("6x") == nil)
        #expect(BrandRule.range("-") == nil)
        for rule in BrandTable.rules {
            #expect(!rule.ranges.isEmpty)
            #expect(rule.ranges.count == rule.words, "\(rule.brand)")
            #expect(rule.lengths.allSatisfy { (12...19).contains($0) })
        }
        #expect(CardBrand.known.count == Set(CardBrand.known.map(\.id)).count)
    }

    @Test("ids are stable, names are the owners'")
    func names() throws {
        #expect(CardBrand.americanExpress.id == "american_express")
        #expect("\(CardBrand.unionPay)" == "union_pay")
        #expect(CardBrand.americanExpress.displayName == "American Express")
        #expect(CardBrand.tarjetaShopping.displayName == "Tarjeta Shopping")
        #expect(CardBrand(id: "visa") == .visa)
        #expect(CardBrand(id: "brand_of_2031")?.id == "brand_of_2031")
        for text in ["", "Visa", "4visa", "visa card", String(repeating: "a", count: 33), "a12345"] {
            #expect(CardBrand(id: text) == nil)
        }
    }

    @Test("security code lengths")
    func securityCodes() {
        #expect(CardBrand.known.filter { $0.securityCodeLength == 4 } == [.americanExpress])
        #expect(Set(CardBrand.known.filter(\.mayLackSecurityCode)) == [.maestro, .routex, .uatp, .tarjetaD])
    }
}
