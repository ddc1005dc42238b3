/// What a caller cannot do without, or the error that says so.
extension Gateway {
    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireTokens() throws(GatewayError) -> any TokenProvider {
        guard let tokens else { throw lack("cannot tokenize", whose: "can") }
        return tokens
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireVault() throws(GatewayError) -> any Vault {
        guard let vault else { throw lack("has no vault", whose: "has one") }
        return vault
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireSessions() throws(GatewayError) -> any SessionStatusSource {
        guard let sessions else { throw lack("has no sessions to ask about", whose: "has them") }
        return sessions
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireCheckout() throws(GatewayError) -> any HostedCheckout {
        guard let checkout else { throw lack("has no pages for shoppers", whose: "has them") }
        return checkout
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireProfiles() throws(GatewayError) -> any CheckoutProfileSource {
        guard let profiles else { throw lack("does not tell what a checkout can offer", whose: "does") }
        return profiles
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireCurrencyRates() throws(GatewayError) -> any CurrencyRateSource {
        guard let currencyRates else { throw lack("tells no rates of exchange", whose: "does") }
        return currencyRates
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireShoppers() throws(GatewayError) -> any ShopperConfiguring {
        guard let shoppers else { throw lack("keeps no choices of shoppers", whose: "does") }
        return shoppers
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireWalletSessions() throws(GatewayError) -> any WalletSessionSource {
        guard let walletSessions else { throw lack("starts no wallets", whose: "does") }
        return walletSessions
    }

    /// The capability, or the error to throw where a caller cannot do without it.
    /// - Throws: ``GatewayError/Code/notSupported``.
    public func requireCustomers() throws(GatewayError) -> any CustomerCreating {
        guard let customers else { throw lack("stores no shoppers", whose: "does") }
        return customers
    }

    private func lack(_ what: SafeText, whose: SafeText) -> GatewayError {
        GatewayError(
            .notSupported, message: "Account \(account) (\(provider)) \(what).",
            advice: "Choose an account whose provider \(whose): 'gatewayctl providers' lists them.", account: account)
    }
}
