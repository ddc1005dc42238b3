/// Why a price cannot be told in another currency.
public enum RateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The provider told no rate for the currency.
    case noRate(Currency)
    /// What the provider told is no number above zero.
    case unusableRate(Currency)
    /// The amount is greater than 64 bits of minor units can hold.
    case overflow(Currency)
    /// The checkout does not let the shopper change the currency.
    case notAllowed

    /// What happened and what to do, for a person.
    public var message: SafeText {
        switch self {
        case .noRate(let currency):
            "There is no rate of exchange for \(currency.code): choose a currency that the provider lists."
        case .unusableRate(let currency):
            "The rate of exchange for \(currency.code) is no number above zero: ask for the rates again."
        case .overflow(let currency):
            "The amount in \(currency.code) is too large."
        case .notAllowed:
            "This checkout's currency cannot be changed."
        }
    }

    /// As ``message``.
    public var description: String { message.description }

    /// The same as an issue of the field `currency` or `amount`.
    public var issue: FieldIssue {
        switch self {
        case .noRate, .unusableRate, .notAllowed: FieldIssue(.currency, .notAccepted, message: message)
        case .overflow: FieldIssue(.amount, .notAccepted, message: message)
        }
    }
}
