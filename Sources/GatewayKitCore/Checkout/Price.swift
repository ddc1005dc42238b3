/// What a checkout asks for: an amount, the tax that comes on top, and their sum.
public struct Price: Sendable, Hashable, CustomStringConvertible {
    /// What is sold, without the tax.
    public let amount: Money
    /// The tax, in the same currency.
    public let tax: Money
    /// Amount and tax.
    public let total: Money

    /// A price.
    ///
    /// - Parameter tax: `nil` means none.
    /// - Throws: ``MoneyError/negative``, ``MoneyError/differentCurrencies(_:_:)``, or ``MoneyError/overflow(_:)`` when
    ///   the sum does not fit.
    public init(amount: Money, tax: Money? = nil) throws(MoneyError) {
        let tax = tax ?? .zero(amount.currency)
        total = try amount + tax
        guard !amount.isNegative, !tax.isNegative else { throw .negative }
        self.amount = amount
        self.tax = tax
    }

    /// The currency of all three.
    public var currency: Currency { amount.currency }

    /// The price in another currency: amount and tax are converted and rounded each for itself
    /// (``CurrencyRates/convert(_:to:)``), and the total is their sum, so that what a shopper sees adds up.
    ///
    /// Convert the price that was asked for at first, not one that was converted: each conversion rounds.
    /// - Throws: ``RateError``.
    public func converted(to currency: Currency, by rates: CurrencyRates) throws(RateError) -> Price {
        let amount = try rates.convert(self.amount, to: currency)
        let tax = try rates.convert(self.tax, to: currency)
        do throws(MoneyError) {
            return try Price(amount: amount, tax: tax)
        } catch {
            throw .overflow(currency)
        }
    }

    /// `25.00 USD and 1.52 USD tax`.
    public var description: String { tax.isZero ? "\(amount)" : "\(amount) and \(tax) tax" }
}
