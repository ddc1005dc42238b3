import Foundation
import Testing

@testable import GatewayKitCore

@Suite("Money")
struct MoneyTests {
    @Test(
        "M1: three digits are a thousandth, not a hundredth",
        arguments: [("35.20", "BHD", 35_200), ("18.60", "KWD", 18_600), ("1000.5", "KWD", 1_000_500)])
    func thousandths(text: String, code: String, minor: Int64) throws {
        #expect(try Money(text, Currency(code)).minorUnits == minor)
    }

    @Test(
        "M2, M13: the unit is declared and converts exactly",
        arguments: [
            (1000, "KWD", "1.000"), (1000, "USD", "10.00"), (1000, "JPY", "1000"), (1000, "CLF", "0.1000"),
            (5, "USD", "0.05"), (0, "KWD", "0.000"), (-5, "USD", "-0.05"), (-1234, "USD", "-12.34"),
            (.max, "USD", "92233720368547758.07"), (.min, "JPY", "-9223372036854775808"),
            (.min, "KWD", "-9223372036854775.808"),
        ] as [(Int64, String, String)])
    func units(minor: Int64, code: String, major: String) throws {
        let money = Money(minorUnits: minor, currency: try Currency(code))
        #expect(money.text(in: .major) == major)
        #expect(money.text(in: .minor) == String(minor))
        #expect(try Money(major, in: .major, money.currency, allowNegative: true) == money)
        #expect(try Money(String(minor), in: .minor, money.currency, allowNegative: true) == money)
    }

    @Test("M9: 79.10 is read exactly, as are all its neighbours")
    func exact() throws {
        #expect(try Money("79.10", .usd).minorUnits == 7_910)
        for cents in Int64(0)...20_000 {
            let text = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
            #expect(try Money(text, .usd).minorUnits == cents)
        }
    }

    @Test(
        "M11, M14: a precision finer than the currency is refused by a typed error that names the currency",
        arguments: [
            ("0.999", "USD", 3), ("7.875", "EUR", 3), ("79.100", "USD", 3), ("10.0", "JPY", 1), ("1.0000", "KWD", 4),
            ("1.00000", "CLF", 5),
        ])
    func tooPrecise(text: String, code: String, digits: Int) throws {
        let currency = try Currency(code)
        let error = #expect(throws: MoneyError.self) { try Money(text, currency) }
        #expect(error == .tooPrecise(currency, digits: digits))
        #expect(error?.description.contains(code) == true)
        #expect(error?.description.contains(String(currency.minorUnitDigits)) == true)
        #expect(error?.issue.field == .amount)
    }

    @Test("M12: 92000 minor units of KWD show as 92.000")
    func display() {
        #expect(Money(minorUnits: 92_000, currency: .kwd).description == "92.000 KWD")
        #expect(Money(minorUnits: 92_000, currency: .jpy).description == "92000 JPY")
    }

    @Test(
        "what is no amount is refused",
        arguments: [
            ("", .empty), (" ", .malformed), ("1,000", .malformed), ("1,000.00", .malformed), ("79,10", .malformed),
            ("1e3", .malformed), ("1E3", .malformed), ("+1", .malformed), (".5", .malformed), ("5.", .malformed),
            (".", .malformed), ("-", .malformed), ("--1", .malformed), ("1.2.3", .malformed), ("1 000", .malformed),
            ("1_000", .malformed), ("0x10", .malformed), ("١٠", .malformed), ("１０", .malformed), ("NaN", .malformed),
            ("$5", .malformed), ("5 USD", .malformed), ("1'000", .malformed), (" 5", .malformed), ("-5", .negative),
            ("-0.00", .negative), ("92233720368547758.08", .overflow(.usd)), ("99999999999999999999", .overflow(.usd)),
        ] as [(String, MoneyError)])
    func refused(text: String, error: MoneyError) {
        #expect(throws: error) { try Money(text, .usd) }
    }

    @Test("negative amounts are read only when they are asked for")
    func negative() throws {
        #expect(try Money("-5.25", .usd, allowNegative: true).minorUnits == -525)
        #expect(try Money("-0", .usd, allowNegative: true).isZero)
        #expect(throws: MoneyError.overflow(.jpy)) {
            try Money("-9223372036854775809", .jpy, allowNegative: true)
        }
    }

    @Test("minor units have no point")
    func minorText() throws {
        #expect(try Money("1000", in: .minor, .kwd).minorUnits == 1000)
        #expect(throws: MoneyError.malformed) { try Money("10.00", in: .minor, .usd) }
    }

    @Test("text and value agree both ways, in every currency")
    func roundTrip() throws {
        var numbers = SeededNumbers(seed: 6)
        for currency in Currency.all {
            for _ in 0..<40 {
                let shift = Int64.random(in: 0...62, using: &numbers)
                let money = Money(
                    minorUnits: Int64.random(in: .min ... .max, using: &numbers) >> shift, currency: currency)
                for unit in [AmountUnit.major, .minor] {
                    #expect(try Money(money.text(in: unit), in: unit, currency, allowNegative: true) == money)
                }
                let data = try JSONEncoder().encode(money)
                #expect(try JSONDecoder().decode(Money.self, from: data) == money)
            }
        }
    }

    @Test("sums and comparisons refuse other currencies and overflow")
    func arithmetic() throws {
        let dollar = Money(minorUnits: 100, currency: .usd)
        let most = Money(minorUnits: .max, currency: .usd)
        let euro = Money(minorUnits: 100, currency: .eur)
        #expect(try (dollar + dollar).minorUnits == 200)
        #expect(try (dollar - most).isNegative)
        #expect(try dollar.multiplied(by: 3).minorUnits == 300)
        #expect(try dollar.isLess(than: most))
        #expect(try !dollar.isLess(than: dollar))
        #expect(dollar != euro)
        #expect(throws: MoneyError.overflow(.usd)) { try most + dollar }
        #expect(throws: MoneyError.overflow(.usd)) { try Money(minorUnits: .min, currency: .usd) - dollar }
        #expect(throws: MoneyError.overflow(.usd)) { try most.multiplied(by: 2) }
        #expect(throws: MoneyError.differentCurrencies(.usd, .eur)) { try dollar + euro }
        #expect(throws: MoneyError.differentCurrencies(.usd, .eur)) { try dollar - euro }
        #expect(throws: MoneyError.differentCurrencies(.usd, .eur)) { try dollar.isLess(than: euro) }
    }

    @Test("JSON: minor units and code; fractions, texts and unknown codes fail")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(Money(minorUnits: 92_000, currency: .kwd))
        #expect(String(decoding: data, as: UTF8.self) == #"{"amount":92000,"currency":"KWD"}"#)
        for text in [
            #"{"amount":10.5,"currency":"USD"}"#, #"{"amount":"10","currency":"USD"}"#,
            #"{"amount":10,"currency":"XAU"}"#, #"{"amount":10,"currency":"???"}"#, #"{"amount":10}"#,
            #"{"amount":9223372036854775808,"currency":"USD"}"#,
        ] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Money.self, from: Data(text.utf8)) }
        }
    }
}
