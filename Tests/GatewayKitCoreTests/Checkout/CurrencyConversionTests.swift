import Testing

@testable import GatewayKitCore

@Suite("Rates of exchange")
struct CurrencyConversionTests {
    private static func rates(_ pairs: [(String, String)], base: String = "USD") throws -> CurrencyRates {
        CurrencyRates(
            base: try Currency(base), rates: try pairs.map { CurrencyRates.Rate(try Currency($0.0), $0.1) })
    }

    @Test(
        "BlueSnap's vectors: a price with tax, from currency to currency and back",
        arguments: [
            ("100.00", "10.00", "USD", "EUR", "50.00", "5.00"), ("100.00", "10.00", "USD", "ILS", "400.00", "40.00"),
            ("400.00", "40.00", "ILS", "EUR", "50.00", "5.00"), ("50.00", "5.00", "EUR", "ILS", "400.00", "40.00"),
            ("400.00", "40.00", "ILS", "USD", "100.00", "10.00"),
        ])
    func vectors(amount: String, tax: String, from: String, to: String, newAmount: String, newTax: String) throws {
        let rates = try Self.rates([("EUR", "0.5"), ("ILS", "4")])
        let (old, new) = (try Currency(from), try Currency(to))
        let price = try Price(amount: Money(amount, old), tax: Money(tax, old))
        let converted = try price.converted(to: new, by: rates)
        #expect(converted == (try Price(amount: Money(newAmount, new), tax: Money(newTax, new))))
        #expect(try converted.total == Money(newAmount, new) + Money(newTax, new))
    }

    @Test("BlueSnap's chain: USD to EUR to ILS to USD comes back as it was")
    func chain() throws {
        let rates = try Self.rates([("EUR", "0.5"), ("ILS", "4")])
        let price = try Price(amount: Money("100.00", .usd), tax: Money("10.00", .usd))
        let ils = try Currency("ILS")
        let back = try price.converted(to: .eur, by: rates).converted(to: ils, by: rates).converted(to: .usd, by: rates)
        #expect(back == price)
    }

    @Test(
        "rounded once, half away from zero, to the digits of the currency",
        arguments: [
            ("1.00", "USD", "JPY", "150.5", "151"), ("1.00", "USD", "JPY", "150.4999999999", "150"),
            ("-1.00", "USD", "JPY", "150.5", "-151"), ("0.01", "USD", "KWD", "0.30750", "0.003"),
            ("1.00", "USD", "KWD", "0.3075", "0.308"), ("1.00", "USD", "EUR", "0.815", "0.82"),
            ("1.00", "USD", "EUR", "0.814999999999999999999999", "0.81"), ("0.00", "USD", "EUR", "0.9", "0.00"),
            ("1.00", "USD", "EUR", "8.5E-1", "0.85"), ("100000.00", "USD", "EUR", "1.005e-5", "1.01"),
            ("1.00", "USD", "EUR", "1e2", "100.00"), ("1.00", "USD", "EUR", "1E+2", "100.00"),
        ])
    func rounding(amount: String, from: String, to: String, rate: String, expected: String) throws {
        let (old, new) = (try Currency(from), try Currency(to))
        let rates = try Self.rates([(to, rate)])
        let result = try rates.convert(Money(amount, old, allowNegative: true), to: new)
        #expect(result == (try Money(expected, new, allowNegative: true)))
    }

    @Test("the provider's digits are kept where it takes fewer than the currency has; never more than it has")
    func providerDigits() throws {
        let huf = try Currency("HUF")
        var rates = CurrencyRates(
            base: .usd, rates: [.init(huf, "361.478", fractionDigits: 0), .init(.jpy, "150.123", fractionDigits: 2)])
        #expect(try rates.convert(Money("1.00", .usd), to: huf) == Money("361.00", huf))
        #expect(try rates.convert(Money("1.00", .usd), to: .jpy) == Money("150", .jpy))
        rates.rates[0].fractionDigits = -5
        #expect(try rates.convert(Money("1.00", .usd), to: huf) == Money("361.00", huf))
    }

    @Test(
        "a currency without a rate is a named error; where ours differs: the original takes such a rate for 1, or stops"
    )
    func unknown() throws {
        let rates = try Self.rates([("EUR", "0.5"), ("GBP", "x"), ("CHF", "0"), ("SEK", "-1"), ("NOK", "")])
        let amount = try Money("1.00", .usd)
        #expect(throws: RateError.noRate(.jpy)) { try rates.convert(amount, to: .jpy) }
        #expect(throws: RateError.noRate(.jpy)) { try rates.convert(Money("1", .jpy), to: .usd) }
        for code in ["GBP", "CHF", "SEK", "NOK"] {
            let currency = try Currency(code)
            #expect(throws: RateError.unusableRate(currency)) { try rates.convert(amount, to: currency) }
        }
        #expect(rates.currencies == [.usd, .eur])
        #expect(RateError.noRate(.jpy).issue.field == .currency)
    }

    @Test("the same currency needs no rate and rounds nothing")
    func same() throws {
        #expect(try Self.rates([]).convert(Money("1.005", .kwd), to: .kwd) == Money("1.005", .kwd))
    }

    @Test("what does not fit is an error, not another amount")
    func overflow() throws {
        let rates = try Self.rates([("EUR", "1000000"), ("KWD", "9.9")])
        let most = Money(minorUnits: .max, currency: .usd)
        #expect(throws: RateError.overflow(.eur)) { try rates.convert(most, to: .eur) }
        #expect(throws: RateError.overflow(.kwd)) { try rates.convert(most, to: .kwd) }
        #expect(throws: RateError.overflow(.kwd)) {
            try rates.convert(Money(minorUnits: .min, currency: .usd), to: .kwd)
        }
        let price = try Price(amount: Money(minorUnits: .max / 2, currency: .usd), tax: Money("1.00", .usd))
        let doubling = try Self.rates([("EUR", "2")])
        #expect(throws: RateError.overflow(.eur)) { try price.converted(to: .eur, by: doubling) }
    }

    @Test("random conversions are within half a unit of the exact value, and nearest", arguments: 0..<100)
    func nearest(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let currencies = [
            Currency.jpy, .usd, .eur, .kwd, try Currency("CLF"), try Currency("KRW"), try Currency("BHD"),
        ]
        let from = try #require(currencies.randomElement(using: &random))
        let to = try #require(currencies.filter { $0 != from }.randomElement(using: &random))
        func rate() -> (text: String, thousandths: Int128) {
            let value = Int.random(in: 1...9_999_999, using: &random)
            let rest = String(value % 1000)
            return ("\(value / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)", Int128(value))
        }
        let (one, other) = (rate(), rate())
        let base = try Currency("SEK")
        let rates = CurrencyRates(base: base, rates: [.init(from, one.text), .init(to, other.text)])
        func tenToThe(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { product, _ in product * 10 } }
        for _ in 0..<50 {
            let minor = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
            let converted = try rates.convert(Money(minorUnits: minor, currency: from), to: to)
            let exact = Int128(minor) * other.thousandths * tenToThe(to.minorUnitDigits)
            let divisor = one.thousandths * tenToThe(from.minorUnitDigits)
            // 2 × |exact - result × divisor| <= divisor, and a half goes away from zero.
            let distance = exact - Int128(converted.minorUnits) * divisor
            #expect(2 * distance.magnitude <= divisor.magnitude)
            if 2 * distance.magnitude == divisor.magnitude {
                #expect(Int128(converted.minorUnits).magnitude > (exact / divisor).magnitude)
            }
        }
    }

    @Test("converting a chain of prices from the first one never drifts, however long the shopper looks")
    func noDrift() throws {
        let rates = try Self.rates([("EUR", "0.8137"), ("JPY", "151.33"), ("KWD", "0.30671"), ("GBP", "0.7511")])
        let original = try Price(amount: Money("25.00", .usd), tax: Money("1.52", .usd))
        var requirements = CheckoutRequirements(.payment(original))
        for round in 0..<100 {
            let currency = [Currency.eur, .jpy, .kwd, .gbp, .usd][round % 5]
            requirements = try requirements.changing(to: currency, by: rates, from: original)
        }
        #expect(requirements.price == original)
    }

    @Test("numbers of any size are multiplied and divided as 128 bits are", arguments: 0..<100)
    func natural(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<50 {
            let left = random.next() >> UInt64.random(in: 0...63, using: &random)
            let right = random.next() >> UInt64.random(in: 0...63, using: &random)
            let divisor = max(1, random.next() >> UInt64.random(in: 0...63, using: &random))
            let product = UInt128(left) * UInt128(right)
            var (quotient, rest) = product.quotientAndRemainder(dividingBy: UInt128(divisor))
            if rest * 2 >= UInt128(divisor) { quotient += 1 }
            let result = (Natural(left) * Natural(right)).dividedRoundingHalfUp(by: Natural(divisor))
            #expect(result == UInt64(exactly: quotient))
        }
        #expect(Natural(1).dividedRoundingHalfUp(by: Natural(0)) == nil)
        #expect(Natural(digits: "18446744073709551616".utf8) == Natural(UInt64.max / 2 + 1) * Natural(2))
        #expect(Natural(tenToThe: 19) == Natural(10_000_000_000_000_000_000))
    }

    @Test(
        "what is no number above zero is no rate",
        arguments: [
            "", "0", "0.000", "-1", "1,5", "1.", ".5", "01", " 1", "1 ", "NaN", "1e100", "1e", "0x1", "１",
            String(repeating: "9", count: 42),
        ])
    func noRate(text: String) {
        #expect(PositiveDecimal(text) == nil)
    }

    @Test("amount and tax of a price are of one currency, neither is negative, and the sum fits")
    func price() throws {
        #expect(throws: MoneyError.differentCurrencies(.usd, .eur)) {
            try Price(amount: .zero(.usd), tax: .zero(.eur))
        }
        #expect(throws: MoneyError.negative) { try Price(amount: Money(minorUnits: -1, currency: .usd)) }
        #expect(throws: MoneyError.negative) {
            try Price(amount: .zero(.usd), tax: Money(minorUnits: -1, currency: .usd))
        }
        #expect(throws: MoneyError.overflow(.usd)) {
            try Price(amount: Money(minorUnits: .max, currency: .usd), tax: Money(minorUnits: 1, currency: .usd))
        }
        #expect(try Price(amount: Money("5.00", .usd)).total == Money("5.00", .usd))
    }
}
