import GatewayKitCore

/// Reads an instrument of any kind, and what is known of the shopper, from one JSON object.
enum InstrumentJSON {
    /// The kinds with their members, as help shows them.
    static let form: [(name: String, meaning: String)] = [
        ("card", "number, expiry (or month and year), cvv, name: see 'gatewayctl help card-json'."),
        ("storedCard", "token, cvv: a fresh security code for a card that the provider has stored."),
        ("shopperCard", "brand (the provider's word), lastFour, expiry: a card of the shopper whose session it is."),
        ("cardNumber", "number: a check; gives no token to charge."),
        ("applePay", "payload: the object paymentData as Apple Pay gave it; testCard: the name of a test card."),
        ("googlePay", "payload: the token object as Google Pay gave it; testCard: the name of a test card."),
        (
            "bankAccount",
            "routingNumber, accountNumber, type (checking, savings), holderType (personal, business), name, bankName, "
                + "country (US, CA; US if absent)."
        ),
        ("foreignToken", "vault: the provider's word for the vault or gateway; reference: the token there."),
        ("offsite", "method: the provider's word, such as paypal; returnURL: where the browser comes back to."),
    ]

    /// What was read.
    struct Read: Sendable {
        var instrument: PaymentInstrument
        var shopper: Shopper
    }

    /// - Throws: ``Failure`` with `badInput`. What is secret is protected before anything else is done with it.
    static func read(_ bytes: Sensitive<[UInt8]>, _ terminal: Terminal, now: WallTime) throws -> Read {
        do {
            let json = try bytes.withExposed { try JSONValue(parsing: $0) }
            terminal.protect(secretMembers.compactMap { try? json[$0].present?.sensitive() })
            let kind = try json["kind"].string()
            let shopper = try CardJSON.shopper(json["shopper"])
            switch kind {
            case "card":
                return Read(instrument: .card(try CardJSON.card(json, also: ["kind"], now: now)), shopper: shopper)
            case "storedCard":
                try check(json, ["token", "cvv"])
                let code = try code(json["cvv"])
                return Read(
                    instrument: .storedCard(StoredCard(token: try json["token"].string(), securityCode: code)),
                    shopper: shopper)
            case "shopperCard": return Read(instrument: .shopperCard(try shopperCard(json, now)), shopper: shopper)
            case "cardNumber":
                try check(json, ["number"])
                let number = try json["number"].sensitive()
                return Read(
                    instrument: .cardNumber(try CardSource.checked { try CardNumber(number) }), shopper: shopper)
            case "applePay", "googlePay":
                let payment = try wallet(json, terminal)
                return Read(instrument: kind == "applePay" ? .applePay(payment) : .googlePay(payment), shopper: shopper)
            case "bankAccount":
                return Read(instrument: .bankAccount(try bankAccount(json)), shopper: shopper)
            case "foreignToken":
                try check(json, ["vault", "reference"])
                let token = ForeignToken(
                    vault: try json["vault"].string(), reference: try json["reference"].sensitive())
                return Read(instrument: .foreignToken(token), shopper: shopper)
            case "offsite":
                try check(json, ["method", "returnURL"])
                let method = OffsiteMethod(
                    kind: try json["method"].string(), returnURL: try json["returnURL"].string())
                return Read(instrument: .offsite(method), shopper: shopper)
            default:
                throw Failure(
                    .badInput, "there is no kind of instrument '\(Echo.show(kind))'",
                    advice: ["Kinds: \(form.map(\.name).joined(separator: ", "))."])
            }
        } catch let error as JSONError {
            throw Failure(
                .badInput, "the instrument on stdin cannot be read: \(error.message)",
                advice: ["'gatewayctl help instrument-json' shows the form."])
        }
    }

    private static let secretMembers = ["number", "cvv", "routingNumber", "accountNumber", "reference"]

    private static func check(_ json: JSONValue, _ members: [String]) throws {
        try CardJSON.check(json, ["kind", "shopper"] + members, "the instrument")
    }

    private static func shopperCard(_ json: JSONValue, _ now: WallTime) throws -> ShopperCard {
        try check(json, ["brand", "lastFour", "expiry"])
        let text = try json["expiry"].string()
        return ShopperCard(
            providerBrand: try json["brand"].string(), lastFour: try json["lastFour"].scalarText(),
            expiry: try CardSource.checked { try CardExpiry.read(text, now: now) })
    }

    private static func code(_ json: JSONValue) throws -> SecurityCode {
        let text = try json.sensitive()
        return try CardSource.checked { try SecurityCode(text) }
    }

    private static func wallet(_ json: JSONValue, _ terminal: Terminal) throws -> WalletPayment {
        try check(json, ["payload", "testCard"])
        protect(json["payload"], terminal)
        var test: TestCard?
        if let name = try json["testCard"].present?.string() {
            test = TestCard.named(name)
            guard test != nil else {
                throw Failure(
                    .badInput, "there is no such test card",
                    advice: ["'gatewayctl card test-cards' lists them. It is a name: a number is not taken here."])
            }
        }
        return WalletPayment(payload: Sensitive(Array(json["payload"].source ?? [])), testCard: test)
    }

    /// Every text of a payload that is long enough to be a secret.
    private static func protect(_ payload: JSONValue, _ terminal: Terminal) {
        var open = [payload]
        while let next = open.popLast() {
            open += (try? next.elements()) ?? (try? next.members().map(\.value)) ?? []
            if let text = try? next.string(), text.utf8.count >= 16 { terminal.protect([Sensitive(text)]) }
        }
    }

    private static func bankAccount(_ json: JSONValue) throws -> BankAccount {
        try check(json, ["routingNumber", "accountNumber", "type", "holderType", "name", "bankName", "country"])
        return BankAccount(
            routingNumber: try json["routingNumber"].sensitive(), accountNumber: try json["accountNumber"].sensitive(),
            type: try choice(json, "type"), holderType: try choice(json, "holderType"),
            holderName: try json["name"].present?.string(), bankName: try json["bankName"].present?.string(),
            country: json["country"].present == nil ? .unitedStates : try choice(json, "country"))
    }

    private static func choice<Value: CaseIterable & RawRepresentable>(
        _ json: JSONValue, _ name: String
    ) throws -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: try json[name].string()) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.badInput, "the instrument's \(name) is none of \(known)")
        }
        return value
    }
}
