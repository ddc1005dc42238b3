/// The method that a shopper has chosen earlier, and with which the next payment is made.
public enum ChosenMethod: Sendable, Hashable {
    /// A card that the provider has stored: send ``PaymentInstrument/shopperCard(_:)`` in the session, then charge.
    case storedCard(ShopperCard)
    /// Apple Pay: the shopper's device is asked (``ApplePayRequest``), and what it hands over is sent.
    case applePay
    /// Google Pay: as Apple Pay.
    case googlePay
    /// PayPal: the shopper is sent to its page, which takes the money (``HostedCheckout``). Through `PaymentService`.
    case payPal
}

extension CheckoutProfile {
    /// With what to charge the returning shopper: the choice that the provider has kept.
    ///
    /// - Parameters:
    ///   - currency: Of the payment: PayPal can be charged in some only.
    ///   - account: Named in errors.
    /// - Throws: ``GatewayError/Code/invalidInput`` when the session was opened for no shopper, when the shopper has
    ///   chosen nothing or something that no payment can be made with here, when the chosen card has expired or is not
    ///   among the stored ones any more, and when PayPal is not offered in the currency. Nothing was sent.
    public func methodToCharge(in currency: Currency, of account: AccountName) throws(GatewayError) -> ChosenMethod {
        func refusal(_ message: SafeText, _ advice: SafeText) -> GatewayError {
            GatewayError(.invalidInput, message: message, advice: advice, account: account)
        }
        guard let shopper else {
            throw refusal(
                "The session was opened for no shopper.", "Open a session for the shopper (SessionRequest.shopperID).")
        }
        guard let choice = shopper.choice else {
            throw refusal(
                "The shopper has chosen no method that can be charged here.",
                "Let the shopper choose one, and write the choice down (ShopperConfiguring), or use an ordinary checkout."
            )
        }
        switch choice {
        case .storedCard(let card):
            guard let stored = shopper.cards.first(where: { $0.card == card }) else {
                throw refusal("The chosen card is not stored any more.", "Let the shopper choose another one.")
            }
            guard !stored.isExpired else {
                throw refusal("The chosen card has expired.", "Let the shopper choose another one.")
            }
        case .payPal:
            guard offersPayPal(in: currency) else {
                throw refusal(
                    "PayPal is not offered in \(currency.code).",
                    "Charge in a currency that the profile lists for PayPal, or let the shopper choose another method.")
            }
        case .applePay, .googlePay: break
        }
        return choice
    }

    /// Whether PayPal can be offered for a payment in the currency.
    public func offersPayPal(in currency: Currency) -> Bool { payPalCurrencies.contains(currency) }

    /// The shopper that a form begins with: what the shop knows, and for what it does not know, what the provider knows
    /// of a returning one.
    ///
    /// An address is taken whole from one of the two: a street of the one with a city of the other would be nobody's.
    public func shopper(knowing known: Shopper = Shopper()) -> Shopper {
        guard let theirs = shopper?.shopper else { return known }
        func first(_ ours: String?, _ theirs: String?) -> String? {
            ShopperRules.trim(ours).isEmpty ? theirs : ours
        }
        func first(_ ours: Address?, _ theirs: Address?) -> Address? {
            ours.map(\.isEmpty) ?? true ? theirs : ours
        }
        return Shopper(
            name: first(known.name, theirs.name), email: first(known.email, theirs.email),
            phone: first(known.phone, theirs.phone), company: first(known.company, theirs.company),
            billingAddress: first(known.billingAddress, theirs.billingAddress),
            shippingAddress: first(known.shippingAddress, theirs.shippingAddress),
            shippingName: first(known.shippingName, theirs.shippingName),
            shippingPhone: first(known.shippingPhone, theirs.shippingPhone))
    }
}
