import GatewayKitCore

/// Reads what Safepay is sent.
enum SafepayBody {
    static func root(_ request: ReceivedRequest) throws(SafepayRefusal) -> JSONValue {
        let type = request.value(of: "content-type")?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard type == "application/json" else { throw .wrongContentType }
        guard let root = try? JSONValue(parsing: request.body), root.kind == .object else { throw .unreadableBody }
        return root
    }

    /// Void, reversal and refund take their members bare (a copy of Safepay's Postman collection in a third-party
    /// client) or, as the dossier has it, below `payload`.
    static func unwrapped(_ request: ReceivedRequest) throws(SafepayRefusal) -> JSONValue {
        let root = try root(request)
        guard root["payload"].kind == .object else { return root }
        try check(root, ["payload"])
        return root["payload"]
    }

    static func check(_ json: JSONValue, _ known: Set<String>) throws(SafepayRefusal) {
        guard let members = try? json.members() else { throw .unreadableBody }
        for member in members where !known.contains(member.name) { throw .unknownMember(shown(member.name)) }
    }

    /// A name from outside is repeated only where it is a plain word.
    private static func shown(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 == 0x5F || 0x61...0x7A ~= $0 }
        return isPlain && name.utf8.count <= 40 ? name : "of this name"
    }

    /// A text that is there and not empty.
    static func text(_ name: String, _ json: JSONValue) throws(SafepayRefusal) -> String {
        guard let text = try optionalText(name, json) else { throw .malformed(name) }
        return text
    }

    static func optionalText(_ name: String, _ json: JSONValue) throws(SafepayRefusal) -> String? {
        guard let value = json[name].present else { return nil }
        guard let text = try? value.string(), !text.isEmpty, text.utf8.count <= 4096 else { throw .malformed(name) }
        return text
    }

    static func flag(_ name: String, _ json: JSONValue) throws(SafepayRefusal) -> Bool? {
        guard let value = json[name].present else { return nil }
        guard value.kind == .bool, let flag = try? value.bool() else { throw .malformed(name) }
        return flag
    }

    static func word(
        _ name: String, _ json: JSONValue, _ known: Set<String>, default usual: String
    ) throws(SafepayRefusal) -> String {
        guard let word = try optionalText(name, json) else { return usual }
        guard known.contains(word) else { throw .malformed(name) }
        return word
    }

    /// A whole number of minor units, without a point: 0 and less are refused (a guess).
    static func minorUnits(_ name: String, _ json: JSONValue) throws(SafepayRefusal) -> Int64 {
        let value = json[name]
        guard value.kind == .number, let text = try? value.decimalText(), let number = Int64(text), number > 0,
            number <= SafepayMoney.largest
        else { throw .malformed(name) }
        return number
    }
}

/// An amount of one of the currencies that Safepay takes, all of which have two digits.
struct SafepayMoney: Sendable, Equatable {
    static let currencies: Set<String> = ["PKR", "USD", "AED", "SAR", "CAD", "EUR", "GBP"]
    /// This sandbox's own limit.
    static let largest: Int64 = 1_000_000_000_000

    var minor: Int64
    var currency: String

    /// A JSON number in major units, as v1 wants it: not more than two digits behind the point (a guess).
    static func major(_ name: String, _ json: JSONValue) throws(SafepayRefusal) -> Int64 {
        guard json[name].kind == .number, let text = try? json[name].decimalText() else { throw .malformed(name) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        var fraction = parts.count == 2 ? String(parts[1]) : ""
        while fraction.hasSuffix("0") { fraction.removeLast() }
        guard parts.count <= 2, fraction.utf8.count <= 2, let whole = parts.first, whole.utf8.count <= 12,
            let units = Int64(whole + fraction + String(repeating: "0", count: 2 - fraction.utf8.count)),
            units > 0, units <= largest
        else { throw .malformed(name) }
        return units
    }

    /// Major units as a JSON number.
    var majorText: String {
        let (whole, rest) = (minor / 100, minor % 100)
        guard rest > 0 else { return "\(whole)" }
        let digits = rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(whole)." + (digits.hasSuffix("0") ? String(digits.dropLast()) : digits)
    }

    func write(_ name: String, to body: inout AnswerWriter) {
        body.object(name) { money in
            money.set("currency", currency)
            money.set("amount", Int(minor))
        }
    }
}

extension AnswerWriter {
    /// Seconds, and nanoseconds where they are not 0.
    mutating func set(safepay name: String, _ time: WallTime) {
        object(name) { moment in
            moment.set("seconds", Int(time.secondsSince1970))
            if time.nanoseconds != 0 { moment.set("nanos", Int(time.nanoseconds)) }
        }
    }
}
