/// Rates of exchange as a provider told them, for prices in another currency.
public struct CurrencyRates: Sendable, Hashable {
    /// The currency that every rate is for one unit of.
    public var base: Currency
    /// The rates, in the provider's order.
    public var rates: [Rate]

    /// Rates for one unit of `base`.
    public init(base: Currency, rates: [Rate]) {
        self.base = base
        self.rates = rates
    }

    /// What one unit of the base is worth in another currency.
    public struct Rate: Sendable, Hashable {
        /// The other currency.
        public var currency: Currency
        /// Its name, for people, as the provider tells it.
        public var name: String?
        /// How many digits after the point the provider takes in amounts of this currency; `nil` means the currency's
        /// own.
        public var fractionDigits: Int?
        /// The rate, exactly as the provider wrote it: a decimal number above zero.
        public var text: String

        /// Describes a rate.
        public init(_ currency: Currency, _ text: String, name: String? = nil, fractionDigits: Int? = nil) {
            self.currency = currency
            self.text = text
            self.name = name
            self.fractionDigits = fractionDigits
        }
    }
}
