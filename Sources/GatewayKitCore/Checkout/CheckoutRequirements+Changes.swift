/// What becomes of a checkout when the shopper changes something. Each gives new requirements and leaves the old ones.
extension CheckoutRequirements {
    /// The same checkout with another price; as it is where there is no price to replace.
    public func replacing(price: Price) -> CheckoutRequirements {
        var copy = self
        switch purpose {
        case .payment: copy.purpose = .payment(price)
        case .subscription(.some): copy.purpose = .subscription(price)
        case .subscription(nil), .shopperConfiguration: break
        }
        return copy
    }

    /// The checkout after the shopper has changed the address to ship to.
    ///
    /// `taxOf` is asked for the tax when the country or the state is another one than before, where the checkout ships
    /// and has a price, and not otherwise: a new street changes no tax. It gets the country's code, the state if there
    /// is one, and the price as it was.
    /// - Throws: ``MoneyError`` when the tax that it gives cannot be added: another currency, negative, too large.
    public func shipping(
        to new: Address?, insteadOf old: Address?, taxOf: (_ country: String, _ state: String?, Price) -> Money
    ) throws(MoneyError) -> CheckoutRequirements {
        guard wantsShipping, let price, let country = new?.country else { return self }
        let state = Self.state(of: new)
        guard country != old?.country || state != Self.state(of: old) else { return self }
        return replacing(price: try Price(amount: price.amount, tax: taxOf(country, state, price)))
    }

    /// The checkout in another currency.
    ///
    /// - Parameter original: The price that was asked for at first: converting that one each time keeps a shopper who
    ///   looks through the currencies from changing the price. Its tax must be the one that holds now: after
    ///   ``shipping(to:insteadOf:taxOf:)`` give the price with the new tax. `nil` converts the price of these requirements.
    /// - Throws: ``RateError``; ``RateError/notAllowed`` when the checkout's currency cannot be changed.
    public func changing(
        to currency: Currency, by rates: CurrencyRates, from original: Price? = nil
    ) throws(RateError) -> CheckoutRequirements {
        guard let price, price.currency != currency else { return self }
        guard allowsCurrencyChange else { throw .notAllowed }
        return replacing(price: try (original ?? price).converted(to: currency, by: rates))
    }

    /// Whether the profile of an account can give what the checkout wants.
    ///
    /// - Throws: ``GatewayError/Code/notSupported`` when authentication is wanted and the provider has it switched off;
    ///   ``GatewayError/Code/invalidInput`` when a shopper's choice is to be written down and the session was opened for
    ///   nobody.
    public func check(against profile: CheckoutProfile, of account: AccountName) throws(GatewayError) {
        if wantsAuthentication, !profile.authenticates {
            throw GatewayError(
                .notSupported, message: "The provider has 3-D Secure switched off for this merchant.",
                advice: "Switch it on at the provider, or do not ask for it.", account: account)
        }
        if purpose == .shopperConfiguration, profile.shopper == nil {
            throw GatewayError(
                .invalidInput, message: "The session was opened for no shopper.",
                advice: "Open a session for the shopper (SessionRequest.shopperID).", account: account)
        }
    }

    private static func state(of address: Address?) -> String? {
        let state = ShopperRules.trim(address?.region).uppercased()
        return state.isEmpty ? nil : state
    }
}
