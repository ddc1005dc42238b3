import GatewayKitCore

/// A card as it was sent: checked for its form, judged, and kept without its number.
struct HellgateCard: Sendable {
    var summary: CardSummary
    var issuer: String
    var length: Int
    var verdict: HellgateVerdict
    var additional: [String: String] = [:]
    /// For the echo fault.
    var submitted: SubmittedCard

    static let additionalFields: Set<String> = [
        "cardholder_name", "email", "billing_address_line_1", "billing_address_line_2", "billing_address_line_3",
        "billing_address_postal_code", "billing_address_city", "billing_address_country",
    ]

    /// Names of the members that hold the four parts.
    struct Names {
        var number: String
        var code: String
        static let claims = Names(number: "account_number", code: "security_code")
        static let basisTheory = Names(number: "number", code: "cvc")
    }

    /// The members of the newer protocol's claims, or of what the vault Guardian is sent (dossier 2.2, 2.3). The older
    /// SDK sends the code as `issuer_identification_number`: here it must have its own name, and every other member is
    /// refused.
    init(_ json: JSONValue, _ names: Names, allows more: Set<String> = []) throws(HellgateRefusal) {
        guard let members = try? json.members() else { throw .unreadableBody }
        let known: Set<String> = [names.number, names.code, "expiry_month", "expiry_year"]
        for member in members where !known.contains(member.name) && !more.contains(member.name) {
            throw .unknownMember(HellgateCard.shown(member.name))
        }
        let number = try Self.digits(names.number, json, CardNumber.lengths)
        let code = try Self.digits(names.code, json, 3...4)
        let month = try Self.number("expiry_month", json, 1...12)
        let year = try Self.number("expiry_year", json, 2000...2099)
        let read = try? CardNumber(Sensitive(number))
        summary = CardSummary(
            brand: read?.brand, lastFour: read?.lastFour, firstSix: read?.firstSix,
            expiry: CardExpiry(month: month, year: year))
        issuer = String(number.prefix(8))
        length = number.utf8.count
        verdict = HellgateVerdict(number: number)
        submitted = SubmittedCard(number: Sensitive(number), securityCode: Sensitive(code))
        try take(additional: members.filter { more.contains($0.name) })
    }

    /// Empty texts are not supported (dossier 3.1).
    mutating func take(additional members: [JSONValue.Member]) throws(HellgateRefusal) {
        for member in members {
            guard Self.additionalFields.contains(member.name) else {
                throw .unknownMember(Self.shown(member.name))
            }
            guard let text = try? member.value.string(), !text.isEmpty else { throw .malformed(member.name) }
            additional[member.name] = text
        }
    }

    /// That a card whose month is over fails with a reason of its own is a guess, like the code.
    mutating func judge(at now: WallTime) {
        if case .accepted = verdict, summary.expiry?.isExpired(at: now) == true {
            verdict = .failed(.init(reason: "The card has expired", code: "expired_card"))
        }
    }

    /// A name from outside is repeated only where it is a plain word.
    static func shown(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 == 0x5F || 0x61...0x7A ~= $0 }
        return isPlain && name.utf8.count <= 40 ? name : "of this name"
    }

    private static func digits(
        _ name: String, _ json: JSONValue, _ lengths: ClosedRange<Int>
    ) throws(HellgateRefusal) -> String {
        guard let text = try? json[name].string(), lengths.contains(text.utf8.count),
            text.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { throw .malformed(name) }
        return text
    }

    private static func number(
        _ name: String, _ json: JSONValue, _ range: ClosedRange<Int>
    ) throws(HellgateRefusal) -> Int {
        guard json[name].kind == .number, let number = try? json[name].integer(), range.contains(number) else {
            throw .malformed(name)
        }
        return number
    }
}
