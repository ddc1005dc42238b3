/// Why a text is no currency or no amount, or why two amounts cannot be reckoned together.
public enum MoneyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No currency of ISO 4217 has this code (shown only when it is three letters); perhaps the suggested one is meant.
    case unknownCurrency(String?, suggestion: Currency?)
    /// ISO 4217 lists the code without a minor unit (metals, units of account, codes for tests): no amounts in it.
    case noMinorUnit(String)
    /// No text at all.
    case empty
    /// Not of the form `1234` or `1234.56`: thousands separators, exponents, other scripts' digits, white space.
    case malformed
    /// A minus sign where negative amounts were not asked for.
    case negative
    /// More decimal digits than the currency has: it is never rounded, and never cut off.
    case tooPrecise(Currency, digits: Int)
    /// Greater than 64 bits of minor units can hold.
    case overflow(Currency)
    /// Two currencies in one reckoning.
    case differentCurrencies(Currency, Currency)

    /// What happened and what to do, for a person.
    public var description: String { message.description }

    /// What happened and what to do, for a person.
    public var message: SafeText {
        switch self {
        case .unknownCurrency(let code?, let suggestion?):
            "\(code) is no ISO 4217 currency: did you mean \(suggestion.code) (\(suggestion.name))?"
        case .unknownCurrency(nil, let suggestion?):
            "This is no ISO 4217 currency code: did you mean \(suggestion.code) (\(suggestion.name))?"
        case .unknownCurrency(let code?, nil):
            "\(code) is no ISO 4217 currency: use a code such as EUR."
        case .unknownCurrency(nil, nil):
            "This is no ISO 4217 currency: use a three-letter code such as EUR."
        case .noMinorUnit(let code):
            "\(code) has no minor unit in ISO 4217, so no amount can be stated in it."
        case .empty:
            "The amount is missing."
        case .malformed:
            "The amount is not of the form 1234 or 1234.56: no separators but one point, ASCII digits only."
        case .negative:
            "The amount is negative."
        case .tooPrecise(let currency, let digits):
            """
            The amount has \(count: digits) decimal digits, but \(currency.code) has \
            \(count: currency.minorUnitDigits): state it exactly, it is not rounded.
            """
        case .overflow(let currency):
            "The amount in \(currency.code) is too large."
        case .differentCurrencies(let left, let right):
            "Amounts in \(left.code) and \(right.code) cannot be reckoned together."
        }
    }

    /// The same as an issue of the field `amount` or `currency`.
    public var issue: FieldIssue {
        switch self {
        case .unknownCurrency, .differentCurrencies: FieldIssue(.currency, .malformed, message: message)
        case .noMinorUnit: FieldIssue(.currency, .notAccepted, message: message)
        case .empty: FieldIssue(.amount, .missing, message: message)
        case .malformed, .tooPrecise: FieldIssue(.amount, .malformed, message: message)
        case .negative, .overflow: FieldIssue(.amount, .notAccepted, message: message)
        }
    }
}
