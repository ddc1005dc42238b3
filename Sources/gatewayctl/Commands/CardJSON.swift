import GatewayKitCore

/// Reads a card, and what is known of the shopper, from one JSON object.
enum CardJSON {
    /// The form, as help shows it.
    static let form: [(name: String, meaning: String)] = [
        ("number", "The card number, as text; spaces and hyphens are allowed."),
        ("expiry", "Month and year, such as 09/2031 or 09/31."),
        ("cvv", "The security code, as text."),
        ("name", "The name on the card, as one text."),
        ("shopper", "An object: name, email, phone, company, billing, shipping."),
        ("shopper.billing", "An object: line1, line2, line3, city, region, postalCode, country (two letters)."),
        ("shopper.shipping", "The same, and the receiver's name and phone."),
    ]

    private static let members = ["number", "expiry", "month", "year", "cvv", "name", "shopper"]
    private static let shopperMembers = ["name", "email", "phone", "company", "billing", "shipping"]
    private static let addressMembers = ["line1", "line2", "line3", "city", "region", "postalCode", "country"]

    /// - Throws: ``Failure`` with `badInput`. What was read is protected first, even where it is no card.
    static func read(
        _ bytes: Sensitive<[UInt8]>, _ terminal: Terminal, now: WallTime
    ) throws -> CardSource.Read {
        do {
            let json = try bytes.withExposed { try JSONValue(parsing: $0) }
            let number = try json["number"].present?.sensitive()
            let code = try json["cvv"].present?.sensitive()
            terminal.protect([number, code].compactMap { $0 })
            return CardSource.Read(card: try card(json, now: now), shopper: try shopper(json["shopper"]))
        } catch let error as JSONError {
            throw Failure(
                .badInput, "the card on stdin cannot be read: \(error.message)",
                advice: ["'gatewayctl help card-json' shows the form."])
        }
    }

    /// The card of an object that may have `further` members.
    static func card(_ json: JSONValue, also further: [String] = [], now: WallTime) throws -> Card {
        try check(json, members + further, "the card")
        return try CardSource.checked {
            try Card.read(
                number: json["number"].present?.sensitive(), month: json["month"].present?.scalarText(),
                year: json["year"].present?.scalarText(), expiry: json["expiry"].present?.string(),
                securityCode: json["cvv"].present?.sensitive(), name: json["name"].present?.string(), now: now)
        }
    }

    static func shopper(_ json: JSONValue) throws -> Shopper {
        var shopper = Shopper()
        guard json.present != nil else { return shopper }
        try check(json, shopperMembers, "the shopper")
        shopper.name = try json["name"].present?.string()
        shopper.email = try json["email"].present?.string()
        shopper.phone = try json["phone"].present?.string()
        shopper.company = try json["company"].present?.string()
        shopper.billingAddress = try address(json["billing"], addressMembers, "the billing address")
        let shipping = json["shipping"]
        shopper.shippingAddress = try address(shipping, addressMembers + ["name", "phone"], "the shipping address")
        shopper.shippingName = try shipping["name"].present?.string()
        shopper.shippingPhone = try shipping["phone"].present?.string()
        return shopper
    }

    private static func address(_ json: JSONValue, _ known: [String], _ what: SafeText) throws -> Address? {
        guard json.present != nil else { return nil }
        try check(json, known, what)
        return Address(
            line1: try json["line1"].present?.string(), line2: try json["line2"].present?.string(),
            line3: try json["line3"].present?.string(),
            city: try json["city"].present?.string(), region: try json["region"].present?.string(),
            postalCode: try json["postalCode"].present?.string(), country: try json["country"].present?.string())
    }

    static func check(_ json: JSONValue, _ known: [String], _ what: SafeText) throws {
        for member in try json.members() where !known.contains(member.name) {
            let near = Suggestions.question(Suggestions.near(member.name, among: known)) ?? ""
            throw Failure(
                .badInput, "\(what) on stdin has a member that is not known: '\(member.name)'. \(near)",
                advice: ["Known members: \(known.joined(separator: ", "))."])
        }
    }
}
