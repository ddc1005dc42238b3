import GatewayKitCore

/// An order (v1) or a tracker (v3) as creating, asking and acting on it answers.
struct SafepayTracker {
    let json: JSONValue

    /// A v1 order stands in `data` itself.
    init(order data: JSONValue) {
        json = data
    }

    /// A v3 tracker stands in `data.tracker`.
    init(in data: JSONValue) {
        json = data["tracker"]
    }

    var token: String? { json["token"].nonEmptyText }
    /// The merchant's public key.
    var client: String? { json["client"].nonEmptyText }
    var environment: String? { json["environment"].nonEmptyText }
    var word: String? { json["state"].nonEmptyText }
    var mode: String? { json["mode"].nonEmptyText }
    var entry: String? { json["entry_mode"].nonEmptyText }

    /// v1: a number in major units; zeros behind the currency's digits are no precision.
    var majorAmount: Money? {
        guard let text = try? json["amount"].present?.decimalText() else { return nil }
        return Money.safepay(major: text, json["currency"].nonEmptyText)
    }

    /// v3: a whole number of minor units.
    var minorAmount: Money? { Money.safepay(minor: json["purchase_totals"]["quote_amount"]) }
}

extension Money {
    /// `{"currency", "amount"}` in minor units; `nil` for anything else.
    static func safepay(minor json: JSONValue) -> Money? {
        guard let units = try? json["amount"].present?.integer(), let code = json["currency"].nonEmptyText,
            let currency = try? Currency(code)
        else { return nil }
        return Money(minorUnits: Int64(units), currency: currency)
    }

    /// A number in major units as it was written, such as `1500.5` or `1500.0`.
    static func safepay(major text: String, _ code: String?) -> Money? {
        guard let code, let currency = try? Currency(code) else { return nil }
        var text = Substring(text)
        if let point = text.firstIndex(of: ".") {
            let kept =
                text.index(point, offsetBy: currency.minorUnitDigits + 1, limitedBy: text.endIndex) ?? text.endIndex
            while text.endIndex > kept, text.last == "0" { text.removeLast() }
            if text.last == "." { text.removeLast() }
        }
        return try? Money(String(text), currency)
    }
}

extension JSONObjectWriter {
    /// Members `currency` and `amount` of a v1 order: a number in major units.
    mutating func set(major amount: Money) {
        set("amount", number: amount.text(in: .major))
        set("currency", amount.currency.code)
    }

    /// Members of a v3 call: a whole number of minor units.
    mutating func set(minor amount: Money) {
        set("currency", amount.currency.code)
        set("amount", amount.minorUnits)
    }
}
