import GatewayKitCore

/// The body of a shopper configuration, in the order of BlueSnap's iOS SDK (`BSShopper.toJson`). What is not known is
/// left out, where the SDK sends an empty text.
struct BlueSnapShopperBody {
    let shopper: String
    let choice: ShopperConfiguration.Choice
    let configuration: ShopperConfiguration

    func write(with token: BlueSnapToken, into json: inout JSONObjectWriter) {
        let who = configuration.shopper
        json.set("vaultedShopperId", Int64(shopper))
        write(name: who.name, who.billingAddress, street: "address", into: &json)
        json.set("email", who.email)
        json.set("phone", who.phone)
        if let address = who.shippingAddress {
            json.object("shippingContactInfo") {
                write(name: who.shippingName ?? who.name, address, street: "address1", into: &$0)
            }
        }
        json.object("chosenPaymentMethod") { chosen in
            chosen.set("chosenPaymentMethodType", method)
            guard let card else { return }
            chosen.object("creditCard") { json in
                json.set("cardType", card.brand)
                json.set("cardLastFourDigits", card.lastFour)
                json.set("expirationMonth", card.expiry?.twoDigitMonth)
                json.set("expirationYear", card.expiry.map { String($0.year) })
            }
        }
        if card != nil {
            json.object("paymentSources") { sources in
                sources.array("creditCardInfo") { list in
                    list.object { $0.set("pfToken", token.sensitive) }
                }
            }
        }
        if let id = configuration.fraudSessionID {
            json.object("transactionFraudInfo") { $0.set("fraudSessionId", id) }
        }
    }

    private var method: String {
        switch choice {
        case .newCard, .storedCard: "CC"
        case .applePay: "APPLE_PAY"
        case .googlePay: "GOOGLE_PAY"
        case .payPal: "PAYPAL"
        }
    }

    private var card: (brand: String?, lastFour: String?, expiry: CardExpiry?)? {
        switch choice {
        case .newCard(let card): (card.brand.flatMap(BlueSnapBrandWord.word), card.lastFour, card.expiry)
        case .storedCard(let card): (card.providerBrand.uppercased(), card.lastFour, card.expiry)
        case .applePay, .googlePay, .payPal: nil
        }
    }

    private func write(name: String?, _ address: Address?, street: String, into json: inout JSONObjectWriter) {
        let name = BlueSnapName(name)
        json.set("firstName", name.first)
        // BlueSnap wants both; a name of one word (in scripts that write none apart) stands in both places.
        json.set("lastName", name.last ?? name.first)
        json.set("country", address?.country)
        json.set("state", BlueSnapCountry.state(of: address))
        json.set("city", address?.city)
        json.set("zip", address?.postalCode)
        json.set(street, address?.line1)
        json.set("address2", address?.line2)
    }
}

/// BlueSnap's words for brands (`cardType`), for cards whose brand it has told us before.
enum BlueSnapBrandWord {
    private static let words = Dictionary(BlueSnapErrors.brands.map { ($0.value, $0.key) }) { first, _ in first }

    static func word(_ brand: CardBrand) -> String? {
        words[brand] ?? brand.id.uppercased()
    }
}
