import GatewayKitCore

/// A vaulted shopper (dossier 2.1, 2.3, 4.4).
struct BlueSnapShopper: Sendable {
    /// The shopper whom every sandbox has: with a good card, one that has expired, and a shipping address.
    static let returning = "31009922"

    static let fields = [
        "firstName", "lastName", "email", "country", "state", "address", "address2", "city", "zip", "phone",
        "shopperCurrency",
    ]
    static let contactFields = [
        "firstName", "lastName", "address1", "address2", "city", "state", "zip", "country",
    ]

    struct Source: Sendable {
        var card: BlueSnapCard
        var billing: [String: String] = [:]
    }

    struct Choice: Sendable {
        var method: String
        var card: BlueSnapCard?
    }

    let id: String
    var texts: [String: String] = [:]
    var sources: [Source] = []
    var banks: [BlueSnapBank] = []
    var shipping: [String: String]?
    var lastMethod: String?
    var choice: Choice?

    init(id: String) {
        self.id = id
    }

    func card(_ type: String, _ lastFour: String) throws(BlueSnapRefusal) -> BlueSnapCard {
        guard let source = sources.first(where: { $0.card.type == type && $0.card.lastFour == lastFour }) else {
            throw .unknownMethod
        }
        return source.card
    }

    /// Keeps a card; the same card with another date takes the place of the old one.
    mutating func keep(_ card: BlueSnapCard, billing: [String: String] = [:]) {
        sources.removeAll { $0.card.type == card.type && $0.card.lastFour == card.lastFour }
        var kept = card
        kept.hasCode = false
        sources.append(Source(card: kept, billing: billing))
    }

    static func returning(at now: WallTime) -> BlueSnapShopper {
        let year = now.utcDate.year
        let home = [
            "firstName": "Rita", "lastName": "Quill", "address1": "1 Made Up St", "city": "Boston", "state": "MA",
            "zip": "02110", "country": "us",
        ]
        var shopper = BlueSnapShopper(id: returning)
        shopper.texts = home
        shopper.texts["address1"] = nil
        shopper.texts["address"] = home["address1"]
        shopper.texts["email"] = "rita@example.org"
        shopper.texts["shopperCurrency"] = "USD"
        shopper.sources = [
            Source(
                card: BlueSnapCard(
                    type: "VISA", lastFour: "1111", firstSix: "411111", expiry: CardExpiry(month: 11, year: year + 3),
                    country: "us"),
                billing: home),
            Source(
                card: BlueSnapCard(
                    type: "MASTERCARD", lastFour: "9903", firstSix: "542523",
                    expiry: CardExpiry(month: 2, year: year - 2), country: "us"),
                billing: home),
        ]
        shopper.shipping = home
        shopper.lastMethod = "CC"
        return shopper
    }

    // MARK: - Answers

    /// As in `sdk-init` and in the Payment API, which show the same.
    func write(to body: inout AnswerWriter) {
        body.set("vaultedShopperId", Int(id) ?? 0)
        for name in Self.fields { body.set(name, texts[name]) }
        body.object("paymentSources") { list in
            list.array("creditCardInfo") { cards in
                for source in sources { cards.appendObject { Self.write(source, to: &$0) } }
            }
            if !banks.isEmpty {
                list.array("ecpDetails") { accounts in
                    for bank in banks {
                        accounts.appendObject { entry in
                            entry.object("ecp") { details in
                                details.set("publicAccountNumber", bank.publicAccount)
                                details.set("publicRoutingNumber", String(bank.routing.suffix(5)))
                                details.set("accountType", bank.type)
                            }
                        }
                    }
                }
            }
        }
        if let shipping {
            body.object("shippingContactInfo") { contact in
                for name in Self.contactFields { contact.set(name, shipping[name]) }
            }
        }
        if let lastMethod { body.object("lastPaymentInfo") { $0.set("paymentMethod", lastMethod) } }
        if let choice {
            body.object("chosenPaymentMethod") { chosen in
                chosen.set("chosenPaymentMethodType", choice.method)
                if let card = choice.card { chosen.object("creditCard") { Self.write(card, to: &$0) } }
            }
        }
    }

    private static func write(_ source: Source, to body: inout AnswerWriter) {
        body.object("billingContactInfo") { contact in
            for name in contactFields { contact.set(name, source.billing[name]) }
        }
        body.object("creditCard") { write(source.card, to: &$0) }
        body.object("processingInfo") { info in
            info.set("cvvResponseCode", "ND")
            for name in ["avsResponseCodeZip", "avsResponseCodeAddress", "avsResponseCodeName"] { info.set(name, "U") }
        }
    }

    static func write(_ card: BlueSnapCard, to body: inout AnswerWriter) {
        body.set("cardLastFourDigits", card.lastFour)
        body.set("cardType", card.type)
        body.set("cardSubType", "CREDIT")
        body.set("expirationMonth", card.expiry?.twoDigitMonth)
        body.set("expirationYear", card.expiry.map { "\($0.year)" })
    }
}
