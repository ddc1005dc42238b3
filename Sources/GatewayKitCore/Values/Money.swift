/// An exact amount: minor units and the currency that says what they are.
///
/// No `Double` ever touches an amount. There is no `<` between amounts and no arithmetic that can silently overflow or
/// mix currencies: each such operation throws ``MoneyError``.
public struct Money: Sendable, Hashable, CustomStringConvertible {
    /// The amount in the currency's minor unit: 9200 is 92.00 USD, 9.200 KWD and 9200 JPY. May be negative.
    public let minorUnits: Int64
    /// The currency.
    public let currency: Currency

    /// So many minor units of a currency.
    public init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Reads an amount in major units, exactly: `79.10`, `10`, `1000.5`.
    ///
    /// ASCII digits with at most one point, which stands between digits. Refused, each with its ``MoneyError``:
    /// thousands separators, a comma, exponents, signs other than an allowed minus, white space, other scripts'
    /// digits; more decimal digits than the currency has, trailing zeros included (`79.100 USD` is more often a
    /// mistake than an amount); what 64 bits do not hold.
    /// - Parameter allowNegative: whether a leading minus is read; otherwise ``MoneyError/negative`` is thrown.
    public init(_ text: String, _ currency: Currency, allowNegative: Bool = false) throws(MoneyError) {
        try self.init(text, in: .major, currency, allowNegative: allowNegative)
    }

    /// Reads an amount in the unit that a provider declares; in ``AmountUnit/minor`` there is no point.
    ///
    /// The rules are those of ``init(_:_:allowNegative:)``.
    public init(
        _ text: String, in unit: AmountUnit, _ currency: Currency, allowNegative: Bool = false
    ) throws(MoneyError) {
        var rest = text.utf8[...]
        guard !rest.isEmpty else { throw MoneyError.empty }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }

        var magnitude: UInt64 = 0
        var overflows = false
        var decimals: Int?
        var hasDigits = false
        func append(_ digit: UInt8) {
            let (product, high) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            overflows = overflows || high || carry
            magnitude = sum
        }
        for byte in rest {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                append(byte - UInt8(ascii: "0"))
                decimals = decimals.map { $0 + 1 }
                hasDigits = true
            case UInt8(ascii: "."):
                guard hasDigits, decimals == nil else { throw MoneyError.malformed }
                decimals = 0
            default:
                throw MoneyError.malformed
            }
        }
        guard hasDigits, decimals != 0, unit == .major || decimals == nil else { throw MoneyError.malformed }
        guard !isNegative || allowNegative else { throw MoneyError.negative }
        if unit == .major {
            let missing = currency.minorUnitDigits - (decimals ?? 0)
            guard missing >= 0 else { throw MoneyError.tooPrecise(currency, digits: decimals ?? 0) }
            for _ in 0..<missing { append(0) }
        }
        let limit = isNegative ? Int64.min.magnitude : Int64.max.magnitude
        guard !overflows, magnitude <= limit else { throw MoneyError.overflow(currency) }
        minorUnits = isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
        self.currency = currency
    }

    /// The amount in major units with all of the currency's digits: `92.000`, `79.10`, `9200`, `-0.05`.
    public var decimalText: String {
        let digits = currency.minorUnitDigits
        var text = String(minorUnits.magnitude)
        if text.count <= digits { text = String(repeating: "0", count: digits + 1 - text.count) + text }
        let point = digits > 0 ? "." : ""
        return (minorUnits < 0 ? "-" : "") + text.dropLast(digits) + point + text.suffix(digits)
    }

    /// The amount as text in the unit that a provider declares: `92.000` or `92000`.
    public func text(in unit: AmountUnit) -> String {
        switch unit {
        case .major: decimalText
        case .minor: String(minorUnits)
        }
    }

    /// For people: `92.000 KWD`.
    public var description: String { "\(decimalText) \(currency.code)" }
}

/// The unit in which a provider counts amounts; every adapter declares its own, and a table tests it.
public enum AmountUnit: String, Sendable, Hashable {
    /// Whole currency units with decimals: `10.00`.
    case major
    /// The smallest unit of the currency, an integer: `1000`.
    case minor
}

extension Money {
    /// Nothing, in a currency.
    public static func zero(_ currency: Currency) -> Money { Money(minorUnits: 0, currency: currency) }

    /// Whether the amount is nothing.
    public var isZero: Bool { minorUnits == 0 }

    /// Whether the amount is less than nothing.
    public var isNegative: Bool { minorUnits < 0 }

    /// The sum; throws `differentCurrencies` or `overflow`.
    public static func + (left: Money, right: Money) throws(MoneyError) -> Money {
        try left.combined(with: right) { $0.addingReportingOverflow($1) }
    }

    /// The difference, which may be negative; throws `differentCurrencies` or `overflow`.
    public static func - (left: Money, right: Money) throws(MoneyError) -> Money {
        try left.combined(with: right) { $0.subtractingReportingOverflow($1) }
    }

    /// So many times the amount; throws `overflow`.
    public func multiplied(by factor: Int64) throws(MoneyError) -> Money {
        let (product, overflow) = minorUnits.multipliedReportingOverflow(by: factor)
        guard !overflow else { throw MoneyError.overflow(currency) }
        return Money(minorUnits: product, currency: currency)
    }

    /// Whether this amount is less than the other; throws `differentCurrencies`.
    public func isLess(than other: Money) throws(MoneyError) -> Bool {
        guard currency == other.currency else { throw MoneyError.differentCurrencies(currency, other.currency) }
        return minorUnits < other.minorUnits
    }

    private func combined(
        with other: Money, by reckon: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
    ) throws(MoneyError) -> Money {
        guard currency == other.currency else { throw MoneyError.differentCurrencies(currency, other.currency) }
        let (result, overflow) = reckon(minorUnits, other.minorUnits)
        guard !overflow else { throw MoneyError.overflow(currency) }
        return Money(minorUnits: result, currency: currency)
    }
}

/// Written as `{"amount": 92000, "currency": "KWD"}`, the amount in minor units; a fraction or an unknown code fails.
extension Money: Codable {
    private enum CodingKeys: String, CodingKey {
        case minorUnits = "amount"
        case currency
    }
}
