/// A currency of ISO 4217 in which amounts can be stated: one with a minor unit (of 0, 2, 3 or 4 digits).
///
/// Metals, units of account and test codes (XAU, XDR, XTS...) are in the standard too, but have no minor unit; they
/// are refused with an error of their own, so that a ``Money`` always knows its digits. Two currencies are equal when
/// their codes are.
public struct Currency: Sendable, Hashable, CustomStringConvertible {
    /// The alphabetic code, three upper-case letters.
    public let code: String
    /// How many decimal digits the minor unit has: 0 (yen), 2 (cent), 3 (fils) or 4 (Unidad de Fomento).
    public let minorUnitDigits: Int

    /// A currency by its alphabetic code, in any case.
    ///
    /// Throws ``MoneyError/unknownCurrency(_:suggestion:)``, with a near code where there is one, or
    /// ``MoneyError/noMinorUnit(_:)``. White space is not cut off.
    public init(_ code: String) throws(MoneyError) {
        guard let letters = Self.upperCaseLetters(code), letters.count == 3, let row = CurrencyTable.byCode[letters]
        else {
            throw MoneyError.unknownCurrency(
                Self.upperCaseLetters(code).flatMap { $0.count == 3 ? $0 : nil }, suggestion: Self.near(code))
        }
        guard let digits = row.digits else { throw MoneyError.noMinorUnit(row.code) }
        self.init(code: row.code, digits: digits)
    }

    private init(code: String, digits: Int) {
        self.code = code
        minorUnitDigits = digits
    }

    /// A currency by its numeric code, three digits such as `414`; `nil` when there is none with a minor unit.
    ///
    /// A code in force goes before a withdrawn one with the same number (532 is XCG, and was ANG).
    public init?(numericCode: String) {
        guard let row = CurrencyTable.rows.first(where: { $0.numericCode == numericCode }), let digits = row.digits
        else { return nil }
        self.init(code: row.code, digits: digits)
    }

    /// The numeric code: three digits with leading zeros, as text.
    public var numericCode: String { CurrencyTable.byCode[code]?.numericCode ?? "" }

    /// The English name that ISO gives.
    public var name: String { CurrencyTable.byCode[code]?.name ?? code }

    /// Whether the code is in force. Withdrawn ones of the last years stay readable, for refunds and look-ups.
    public var isActive: Bool { CurrencyTable.byCode[code]?.isActive ?? false }

    /// The alphabetic code.
    public var description: String { code }

    /// Every currency with a minor unit, codes in force first, each group in alphabetical order.
    public static let all: [Currency] = CurrencyTable.rows.compactMap { row in
        row.digits.map { Currency(code: row.code, digits: $0) }
    }

    /// The codes in ISO's list that have no minor unit and are refused for amounts.
    public static let codesWithoutMinorUnit: [String] = CurrencyTable.rows.filter { $0.digits == nil }.map(\.code)

    /// US dollar.
    public static let usd = Currency(code: "USD", digits: 2)
    /// Euro.
    public static let eur = Currency(code: "EUR", digits: 2)
    /// Pound sterling.
    public static let gbp = Currency(code: "GBP", digits: 2)
    /// Yen.
    public static let jpy = Currency(code: "JPY", digits: 0)
    /// Kuwaiti dinar.
    public static let kwd = Currency(code: "KWD", digits: 3)
    /// Pakistan rupee.
    public static let pkr = Currency(code: "PKR", digits: 2)
}

extension Currency {
    /// The text in ASCII upper case; `nil` unless all of it is ASCII letters.
    private static func upperCaseLetters(_ text: String) -> String? {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            guard (0x41...0x5A).contains(byte & 0xDF) else { return nil }
            bytes.append(byte & 0xDF)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The nearest code: the ISO name that the text is, or the one code nearest in spelling.
    ///
    /// Two letters swapped go before one letter wrong, missing or too many; within a kind the currencies that are
    /// traded most go first.
    private static func near(_ text: String) -> Currency? {
        guard let text = upperCaseLetters(text), (2...32).contains(text.count) else { return nil }
        if let named = all.first(where: { upperCaseLetters($0.name) == text && $0.isActive }) { return named }
        guard text.count <= 4 else { return nil }
        let traded = ["USD", "EUR", "JPY", "GBP", "CNY", "AUD", "CAD", "CHF", "HKD", "SGD", "SEK", "INR", "BRL", "MXN"]
        let ordered = traded.compactMap { code in all.first { $0.code == code } } + all.filter(\.isActive)
        return ordered.first { isSwap(Array(text), Array($0.code)) }
            ?? ordered.first { isOneEdit(Array(text), Array($0.code)) }
    }

    private static func isSwap(_ left: [Character], _ right: [Character]) -> Bool {
        guard left.count == right.count, left.sorted() == right.sorted() else { return false }
        return zip(left, right).filter { $0.0 != $0.1 }.count == 2
    }

    private static func isOneEdit(_ left: [Character], _ right: [Character]) -> Bool {
        if left.count == right.count { return zip(left, right).filter { $0.0 != $0.1 }.count == 1 }
        let (short, long) = left.count < right.count ? (left, right) : (right, left)
        guard long.count == short.count + 1 else { return false }
        return long.indices.contains { index in
            var rest = long
            rest.remove(at: index)
            return rest == short
        }
    }
}

extension Currency: Codable {
    /// Reads the alphabetic code; fails on an unknown code and on one without a minor unit.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let code = try container.decode(String.self)
        do throws(MoneyError) {
            try self.init(code)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the alphabetic code.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}
