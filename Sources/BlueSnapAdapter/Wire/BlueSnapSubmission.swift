import GatewayCrypto
import GatewayKitCore

extension BlueSnapTokens {
    /// The body of a submission: one flat object whose values are all texts, in the order of BlueSnap's SDKs; what is
    /// not there is left out.
    func submission(_ request: TokenizationRequest) throws(GatewayError) -> JSONBody {
        let shopper = request.shopper
        switch request.instrument {
        case .card(let card):
            return try client.body { json in
                json.set("ccNumber", card.number.sensitive)
                json.set("cvv", card.securityCode?.sensitive)
                json.set("expDate", card.expiry?.description)
                json.set("ccType", BlueSnapCardType.word(card.number.brand))
                json.set("storeCard", request.retain.map { $0 ? "true" : "false" })
                write(billing: shopper, name: card.holderName, into: &json)
                write(shipping: shopper, into: &json)
                json.set("fraudSessionId", request.fraudSessionID)
            }
        case .shopperCard(let card):
            return try client.body { json in
                json.set("ccType", card.providerBrand.uppercased())
                json.set("lastFourDigits", card.lastFour)
                json.set("expDate", card.expiry.description)
                json.set("storeCard", request.retain.map { $0 ? "true" : "false" })
                write(billing: shopper, name: nil, into: &json)
                write(shipping: shopper, into: &json)
                json.set("fraudSessionId", request.fraudSessionID)
            }
        case .cardNumber(let number):
            return try client.body { json in
                json.set("ccNumber", number.sensitive)
                json.set("fraudSessionId", request.fraudSessionID)
            }
        case .applePay(let payment):
            let token = try applePayToken(payment, request)
            return try client.body { json in
                json.set("applePayToken", token)
                json.set("email", shopper.email)
                json.set("fraudSessionId", request.fraudSessionID)
            }
        case .googlePay(let payment):
            let token = try googlePayToken(payment, request)
            return try client.body { json in
                json.set("paymentToken", token)
                json.set("paymentMethod", "GOOGLE_PAY")
                write(billing: shopper, name: nil, into: &json)
                write(shipping: shopper, into: &json)
                json.set("fraudSessionId", request.fraudSessionID)
            }
        case .bankAccount(let account):
            return try client.body { json in
                json.set("paymentMethod", "ECP")
                json.set("ecpRoutingNumber", account.routingNumber)
                json.set("ecpAccountNumber", account.accountNumber)
                json.set("ecpAccountType", BlueSnapCardType.accountType(account))
                write(billing: shopper, name: account.holderName, into: &json)
                write(shipping: shopper, into: &json)
                json.set("fraudSessionId", request.fraudSessionID)
            }
        case .storedCard, .foreignToken, .offsite:
            throw client.notSupported("BlueSnap's tokens take no such instrument.", "Nothing was sent.")
        }
    }

    // MARK: - Contacts

    private func write(billing shopper: Shopper, name: String?, into json: inout JSONObjectWriter) {
        let own = name.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        let name = BlueSnapName(own ?? shopper.name)
        let address = shopper.billingAddress
        json.set("billingFirstName", name.first)
        json.set("billingLastName", name.last)
        json.set("billingCountry", address?.country)
        json.set("billingState", BlueSnapCountry.state(of: address))
        json.set("billingCity", address?.city)
        json.set("billingAddress", BlueSnapCountry.street(of: address))
        json.set("billingZip", address?.postalCode)
        json.set("email", shopper.email)
    }

    private func write(shipping shopper: Shopper, into json: inout JSONObjectWriter) {
        guard let address = shopper.shippingAddress else { return }
        let name = BlueSnapName(shopper.shippingName ?? shopper.name)
        json.set("shippingFirstName", name.first)
        json.set("shippingLastName", name.last)
        json.set("shippingCountry", address.country)
        json.set("shippingState", BlueSnapCountry.state(of: address))
        json.set("shippingCity", address.city)
        json.set("shippingAddress", BlueSnapCountry.street(of: address))
        json.set("shippingZip", address.postalCode)
    }

    // MARK: - Wallets

    /// BlueSnap's envelope of Apple Pay (iOS SDK, `BSApplepayOperation`; BlueSnap's documents, "Apple Pay"), in base64.
    /// The payload stands in it byte for byte, and contacts beside it.
    private func applePayToken(
        _ payment: WalletPayment, _ request: TokenizationRequest
    ) throws(GatewayError) -> Sensitive<String> {
        let shopper = request.shopper
        let json = payment.payload.withExposed { try? JSONValue(parsing: $0) }
        let envelope = try client.body { root in
            write(contact: shopper.billingAddress, BlueSnapName(shopper.name), "billingContact", into: &root)
            write(
                contact: shopper.shippingAddress, BlueSnapName(shopper.shippingName ?? shopper.name),
                "shippingContact", into: &root)
            root.object("token") { token in
                token.set("transactionIdentifier", json?["header"]["transactionId"].nonEmptyText)
                token.set("paymentData", json: payment.payload)
                let card = BlueSnapOption.Wallet(request.options)
                guard !card.isEmpty else { return }
                token.object("paymentMethod") { method in
                    method.set("displayName", card.displayName)
                    method.set("network", card.network)
                    method.set("type", card.cardType)
                }
            }
        }
        return envelope.bytes.map { Base64.standard.encode($0) }
    }

    private func write(
        contact address: Address?, _ name: BlueSnapName, _ member: String, into root: inout JSONObjectWriter
    ) {
        guard let address else { return }
        root.object(member) { contact in
            let lines = [address.line1, address.line2, address.line3].compactMap { $0 }
            if !lines.isEmpty {
                contact.array("addressLines") { list in for line in lines { list.append(line) } }
            }
            contact.set("countryCode", address.country)
            contact.set("familyName", name.last)
            contact.set("givenName", name.first)
            contact.set("locality", address.city)
            contact.set("postalCode", address.postalCode)
        }
    }

    /// BlueSnap's envelope of Google Pay (Android SDK, `GooglePayService`), in base64 with the alphabet for addresses and
    /// padding, as the SDK writes it. Google's token is a text in it.
    private func googlePayToken(
        _ payment: WalletPayment, _ request: TokenizationRequest
    ) throws(GatewayError) -> Sensitive<String> {
        let envelope = try client.body { root in
            root.object("paymentMethodData") { data in
                let card = BlueSnapOption.Wallet(request.options)
                data.set("description", card.displayName)
                data.object("tokenizationData") { token in
                    token.set("type", "PAYMENT_GATEWAY")
                    token.set("token", payment.payload.map { String(decoding: $0, as: UTF8.self) })
                }
                data.object("info") { info in
                    info.set("cardNetwork", card.network)
                    info.set("cardClass", card.cardType)
                }
            }
            root.set("email", request.shopper.email)
        }
        return envelope.bytes.map { bytes in
            Base64.standard.encode(bytes).replacing("+", with: "-").replacing("/", with: "_")
        }
    }
}

/// A whole name in BlueSnap's two parts: split at the first blank, the rest is the last name (iOS SDK, `BSStringUtils`).
struct BlueSnapName: Equatable {
    let first: String?
    let last: String?

    init(_ name: String?) {
        let parts = PersonName(name ?? "")
        first = parts.first.isEmpty ? nil : parts.first
        last = parts.last.isEmpty ? nil : parts.last
    }
}

/// BlueSnap's rules for addresses.
enum BlueSnapCountry {
    /// Where BlueSnap takes a state; it refuses one elsewhere (activemerchant#3229).
    static let withStates: Set<String> = ["US", "CA", "BR"]

    static func hasStates(_ address: Address?) -> Bool { address?.country.map(withStates.contains) ?? false }

    static func state(of address: Address?) -> String? {
        hasStates(address) ? BlueSnapStates.word(for: address?.region, in: address?.country) : nil
    }

    /// One line, since BlueSnap has a key for one.
    static func street(of address: Address?) -> String? {
        let lines = [address?.line1, address?.line2, address?.line3].compactMap { $0 }
        return lines.isEmpty ? nil : lines.joined(separator: " ")
    }
}

/// BlueSnap's words for brands and bank accounts.
enum BlueSnapCardType {
    /// The word for a brand whose numbers BlueSnap certainly takes for the same; `nil` leaves the optional member out.
    /// Diners Club, UnionPay and Maestro are read differently there, number by number.
    static func word(_ brand: CardBrand?) -> String? {
        switch brand {
        case .visa?: "VISA"
        case .mastercard?: "MASTERCARD"
        case .americanExpress?: "AMEX"
        case .discover?: "DISCOVER"
        case .jcb?: "JCB"
        default: nil
        }
    }

    static func accountType(_ account: BankAccount) -> String {
        switch (account.holderType, account.type) {
        case (.personal, .checking): "CONSUMER_CHECKING"
        case (.personal, .savings): "CONSUMER_SAVINGS"
        case (.business, .checking): "CORPORATE_CHECKING"
        case (.business, .savings): "CORPORATE_SAVINGS"
        }
    }
}
