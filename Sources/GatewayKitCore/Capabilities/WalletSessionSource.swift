/// Starts a wallet in a shopper's browser, where the provider vouches for the merchant.
public protocol WalletSessionSource: Sendable {
    /// The merchant session that Apple Pay's script in the browser asks the shop for.
    ///
    /// Moves no money; may be repeated.
    /// - Parameters:
    ///   - validationURL: The address that the script was given by Apple, sent on as it is.
    ///   - domain: The shop's domain, as it is registered.
    ///   - displayName: What the shopper reads.
    /// - Throws: ``GatewayError`` when there is no usable answer; ``GatewayError/Code/invalidInput`` when the address is
    ///   none of Apple's, before anything is sent.
    func applePaySession(
        validationURL: String, domain: String, displayName: String, _ call: CallContext
    ) async throws(GatewayError) -> Sensitive<String>
}
