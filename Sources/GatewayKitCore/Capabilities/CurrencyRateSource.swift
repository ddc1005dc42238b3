/// Tells the provider's rates of exchange: for display, and for prices in another currency.
public protocol CurrencyRateSource: Sendable {
    /// Asks once. A read: may be repeated.
    ///
    /// - Parameters:
    ///   - base: The currency that the rates are told for; `nil` means the merchant's own, or in a session
    ///     the provider's usual one.
    ///   - quotes: The currencies wanted; none means all.
    ///   - session: A checkout's session, where rates are asked for with one; `nil` asks with the account's key.
    /// - Throws: ``GatewayError`` when there is no usable answer.
    func rates(
        base: Currency?, quotes: [Currency], in session: PaymentSession?, _ call: CallContext
    ) async throws(GatewayError) -> CurrencyRates
}
