import Foundation
import Testing

@testable import GatewayKitCore

@Suite("Currencies")
struct CurrencyTests {
    /// The currencies of ISO 4217 whose minor unit has other than two digits.
    private static let exceptions: [Int: String] = [
        0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", 3: "BHD IQD JOD KWD LYD OMR TND",
        4: "CLF UYW",
    ]

    @Test("ISO 4217: digits of the minor unit", arguments: [0, 2, 3, 4])
    func digits(_ digits: Int) {
        let unusual = Set(Self.exceptions.values.flatMap { $0.split(separator: " ").map(String.init) })
        let expected: Set<String> =
            Self.exceptions[digits].map { Set($0.split(separator: " ").map(String.init)) }
            ?? Set(Currency.all.map(\.code)).subtracting(unusual)
        #expect(Set(Currency.all.filter { $0.minorUnitDigits == digits }.map(\.code)) == expected)
    }

    @Test("the table is whole and well-formed")
    func table() {
        let rows = CurrencyTable.rows
        #expect(rows.filter(\.isActive).count == 178)
        #expect(Set(rows.map(\.code)).count == rows.count)
        let active = rows.filter(\.isActive)
        #expect(Set(active.map(\.numericCode)).count == active.count)
        for row in rows {
            #expect(row.code.utf8.count == 3 && row.code == row.code.uppercased())
            #expect(row.numericCode.utf8.count == 3 && Int(row.numericCode) != nil)
            #expect(!row.name.isEmpty)
        }
        #expect(Currency.codesWithoutMinorUnit.sorted() == Currency.codesWithoutMinorUnit)
        #expect(Set(Currency.codesWithoutMinorUnit).isSuperset(of: ["XAU", "XAG", "XDR", "XTS", "XXX", "XPT", "XPD"]))
    }

    @Test("codes in any case", arguments: Currency.all)
    func anyCase(currency: Currency) throws {
        #expect(try Currency(currency.code.lowercased()) == currency)
        #expect(try Currency(currency.code).minorUnitDigits == currency.minorUnitDigits)
        let byNumber = try #require(Currency(numericCode: currency.numericCode))
        #expect(byNumber == currency || !currency.isActive)
    }

    @Test("the constants agree with the table")
    func constants() throws {
        for currency in [Currency.usd, .eur, .gbp, .jpy, .kwd, .pkr] {
            #expect(Currency.all.first { $0 == currency }?.minorUnitDigits == currency.minorUnitDigits)
        }
        #expect(Currency.kwd.numericCode == "414")
        #expect(Currency.kwd.name == "Kuwaiti Dinar")
        #expect(Currency(numericCode: "532")?.code == "XCG")
        #expect(Currency(numericCode: "959") == nil)
        #expect(try Currency("HRK").isActive == false)
    }

    @Test(
        "a wrong code suggests the near one",
        arguments: [
            ("UDS", "USD"), ("EUO", "EUR"), ("euro", "EUR"), ("Yen", "JPY"), ("GPB", "GBP"), ("USDD", "USD"),
            ("KWDD", "KWD"), ("US", "USD"), ("GB", "GBP"), ("qqq", nil), ("", nil), ("$", nil), ("4111", nil),
        ] as [(String, String?)])
    func suggestions(text: String, code: String?) {
        let error = #expect(throws: MoneyError.self) { try Currency(text) }
        guard case .unknownCurrency(let shown, let suggestion)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(suggestion?.code == code)
        #expect(shown == nil || shown?.count == 3)
        if let code { #expect("\(error as Any)".contains(code)) }
    }

    @Test("codes without a minor unit are refused for money", arguments: Currency.codesWithoutMinorUnit)
    func withoutMinorUnit(code: String) {
        #expect(throws: MoneyError.noMinorUnit(code)) { try Currency(code) }
    }

    @Test("look-alike letters are no code", arguments: ["ＵＳＤ", "usd ", "U\u{0405}D", "ıqd", "US\u{0}"])
    func lookAlikes(text: String) {
        #expect(throws: MoneyError.self) { try Currency(text) }
    }
}
