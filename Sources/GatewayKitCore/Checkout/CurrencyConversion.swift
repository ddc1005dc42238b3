/// Conversion in exact arithmetic. No `Double` comes near an amount or a rate.
extension CurrencyRates {
    /// An amount in another currency.
    ///
    /// `amount × rate(to) ÷ rate(from)`, reckoned exactly and rounded once, at the end, to the digits that the provider
    /// takes (``Rate/fractionDigits``), at most the currency's own: half goes away from zero. The base's own rate is 1,
    /// whether it is listed or not. An amount that is in the wanted currency already comes back as it is. Where a
    /// currency is listed twice, the first one counts.
    ///
    /// Each conversion rounds, so convert what was asked for at first, not what was converted already.
    /// - Throws: ``RateError``: a currency without a rate is never taken for one with the rate 1.
    public func convert(_ amount: Money, to currency: Currency) throws(RateError) -> Money {
        guard amount.currency != currency else { return amount }
        let from = try decimal(amount.currency)
        let to = try decimal(currency)
        let digits = min(
            max(rate(of: currency)?.fractionDigits ?? currency.minorUnitDigits, 0), currency.minorUnitDigits)
        // minor ÷ 10^d1 × to ÷ from × 10^d2, as one fraction of whole numbers.
        let shift = to.exponent - from.exponent - amount.currency.minorUnitDigits + digits
        let numerator =
            Natural(amount.minorUnits.magnitude) * to.digits * Natural(tenToThe: max(shift, 0))
        let divisor = from.digits * Natural(tenToThe: max(-shift, 0))
        let unit = UInt64(10).power(currency.minorUnitDigits - digits)
        guard let rounded = numerator.dividedRoundingHalfUp(by: divisor) else { throw .overflow(currency) }
        let (magnitude, overflow) = rounded.multipliedReportingOverflow(by: unit)
        guard !overflow, magnitude <= UInt64(Int64.max) else { throw .overflow(currency) }
        return Money(
            minorUnits: amount.isNegative ? -Int64(magnitude) : Int64(magnitude), currency: currency)
    }

    /// The first rate told for a currency; `nil` where none is, for the base too unless it is listed.
    public func rate(of currency: Currency) -> Rate? {
        rates.first { $0.currency == currency }
    }

    /// The currencies that amounts can be converted to: the base, then the others in the provider's order, each once,
    /// those with an unusable rate left out.
    public var currencies: [Currency] {
        var found = [base]
        for rate in rates where !found.contains(rate.currency) && PositiveDecimal(rate.text) != nil {
            found.append(rate.currency)
        }
        return found
    }

    private func decimal(_ currency: Currency) throws(RateError) -> PositiveDecimal {
        if currency == base { return .one }
        guard let rate = rate(of: currency) else { throw .noRate(currency) }
        guard let decimal = PositiveDecimal(rate.text) else { throw .unusableRate(currency) }
        return decimal
    }
}

extension UInt64 {
    /// For the few digits that currencies have.
    fileprivate func power(_ exponent: Int) -> UInt64 {
        (0..<Swift.max(exponent, 0)).reduce(1) { product, _ in product * self }
    }
}
