import GatewayKitCore

/// What `sdk-init` tells. Every member may be missing but the methods, without which there is no checkout.
struct BlueSnapProfileBody {
    let json: JSONValue
    /// Masks what somebody echoes.
    let redactor: Redactor
    let now: WallTime

    /// `nil` when the answer does not tell the methods.
    init?(_ json: JSONValue, _ redactor: Redactor, at now: WallTime) {
        guard json["supportedPaymentMethods"].kind == .object else { return nil }
        self.json = json
        self.redactor = redactor
        self.now = now
    }

    func profile(in session: PaymentSession) -> CheckoutProfile {
        var profile = CheckoutProfile(session: session)
        let supported = json["supportedPaymentMethods"]
        profile.methods = words(supported["paymentMethods"])
        profile.brands = brands(supported)
        profile.cardTypes = words(supported["creditCardTypes"])
        if profile.methods.contains(Self.payPal) {
            profile.payPalCurrencies = words(supported["paypalCurrencies"]).compactMap { try? Currency($0) }
        }
        profile.rates = BlueSnapRatesBody.read(json["rates"], redactor)
        profile.shopper = shopper
        profile.merchantName = text(json["merchantName"])
        profile.merchantID = id(json["merchantId"])
        profile.fraudMerchantID = id(json["kountMerchantId"])
        profile.authenticationToken = json["threeDSecureJwt"].nonEmptyText.map { Sensitive($0) }
        profile.authenticates = profile.authenticationToken != nil
        return profile
    }

    static let payPal = "PAYPAL"
    private static let card = "CC"

    private func words(_ list: JSONValue) -> [String] {
        list.items.compactMap(\.nonEmptyText).filter { PaymentToken.isWellFormed(id: $0) }.map(redactor.redact(_:))
    }

    private func text(_ json: JSONValue) -> String? { json.nonEmptyText.map(redactor.redact(_:)) }
    private func id(_ json: JSONValue) -> String? { json.nonEmptyText.map { redactor.redact(identifier: $0) } }

    /// In the order of `creditCardRegex`, which decides; brands without a pattern come behind.
    private func brands(_ supported: JSONValue) -> [CheckoutProfile.Brand] {
        var found: [CheckoutProfile.Brand] = []
        func add(_ word: String, _ pattern: String?) {
            guard !found.contains(where: { $0.providerWord == word }), PaymentToken.isWellFormed(id: word) else {
                return
            }
            found.append(
                CheckoutProfile.Brand(providerWord: word, brand: BlueSnapSubmittedCard.brand(word), pattern: pattern))
        }
        for member in (try? supported["creditCardRegex"].members()) ?? [] {
            add(redactor.redact(member.name), id(member.value))
        }
        for word in words(supported["creditCardBrands"]) { add(word, nil) }
        return found
    }

    // MARK: - The shopper

    var shopper: CheckoutProfile.ReturningShopper? {
        let json = json["shopper"]
        guard let id = id(json["vaultedShopperId"]), PaymentToken.isWellFormed(id: id) else { return nil }
        var contact = Self.contact(json, street: "address")
        contact.email = json["email"].nonEmptyText
        contact.phone = json["phone"].nonEmptyText
        if let shipping = json["shippingContactInfo"].present {
            let receiver = Self.contact(shipping, street: "address1")
            contact.shippingAddress = receiver.billingAddress
            contact.shippingName = receiver.name
        }
        var shopper = CheckoutProfile.ReturningShopper(
            id: id, shopper: contact,
            cards: json["paymentSources"]["creditCardInfo"].items.compactMap(storedCard))
        let chosen = json["chosenPaymentMethod"]
        shopper.chosenMethod = text(chosen["chosenPaymentMethodType"])
        shopper.chosenCard = card(chosen["creditCard"])
        shopper.choice = Self.choice(shopper.chosenMethod, shopper.chosenCard)
        shopper.lastMethod = text(json["lastPaymentInfo"]["paymentMethod"])
        shopper.currency = json["shopperCurrency"].nonEmptyText.flatMap { try? Currency($0) }
        return shopper
    }

    private static func choice(_ word: String?, _ card: ShopperCard?) -> ChosenMethod? {
        switch word {
        case Self.card: card.map { .storedCard($0) }
        case "APPLE_PAY": .applePay
        case "GOOGLE_PAY": .googlePay
        case payPal: .payPal
        default: nil
        }
    }

    /// A card whose date cannot be read is left out: no payment could name it.
    private func storedCard(_ json: JSONValue) -> CheckoutProfile.StoredCard? {
        guard let card = card(json["creditCard"]) else { return nil }
        return CheckoutProfile.StoredCard(
            card: card, brand: BlueSnapSubmittedCard.brand(card.providerBrand),
            billing: Self.contact(json["billingContactInfo"], street: "address1"),
            isExpired: card.expiry.isExpired(at: now))
    }

    private func card(_ json: JSONValue) -> ShopperCard? {
        guard let brand = json["cardType"].nonEmptyText, let lastFour = json["cardLastFourDigits"].nonEmptyText,
            let month = try? json["expirationMonth"].integer(), let year = try? json["expirationYear"].integer(),
            let expiry = CardExpiry(month: month, year: year)
        else { return nil }
        let card = ShopperCard(providerBrand: redactor.redact(brand.uppercased()), lastFour: lastFour, expiry: expiry)
        // What is wrong but its age makes it no card: a whole number in place of four digits above all.
        return card.issues(at: WallTime(secondsSince1970: 0)).contains { $0.field == .number || $0.field == .brand }
            ? nil : card
    }

    /// Name and address of a contact. The street is `address` in a shopper, `address1` in what a shopper holds.
    private static func contact(_ json: JSONValue, street: String) -> Shopper {
        let country = json["country"].nonEmptyText
        let address = Address(
            line1: json[street].nonEmptyText, line2: json["address2"].nonEmptyText, city: json["city"].nonEmptyText,
            region: BlueSnapStates.state(for: json["state"].nonEmptyText, in: country),
            postalCode: json["zip"].nonEmptyText, country: country)
        let names = [json["firstName"].nonEmptyText, json["lastName"].nonEmptyText].compactMap { $0 }
        return Shopper(
            name: names.isEmpty ? nil : names.joined(separator: " "), billingAddress: address.isEmpty ? nil : address)
    }
}
