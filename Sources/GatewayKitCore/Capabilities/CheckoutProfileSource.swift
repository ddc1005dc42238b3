/// Tells what a checkout can offer: methods, brands, currencies, and the returning shopper.
public protocol CheckoutProfileSource: Sendable {
    /// Asks once. A read: may be repeated.
    ///
    /// - Parameters:
    ///   - session: The session of the checkout, where the provider wants one. A session that cannot be used any more is
    ///     renewed once (``CallContext/renewal``).
    ///   - base: The currency that rates are told for; `nil` leaves it to the provider.
    /// - Throws: ``GatewayError`` when there is no usable answer;
    ///   ``GatewayError/Code/sessionUnusable`` when the session is too old, used up or not known.
    func profile(
        in session: PaymentSession, base: Currency?, _ call: CallContext
    ) async throws(GatewayError) -> CheckoutProfile
}
