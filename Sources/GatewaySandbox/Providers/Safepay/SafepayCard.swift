import GatewayKitCore

/// A card as it was sent: checked, and kept without its number.
struct SafepayCard: Sendable {
    /// What 3-D Secure does with it. Which public test card does what is this sandbox's choice (dossier 5.3).
    enum Authentication: Sendable { case frictionless, challenge, failed }

    /// `pm_…`.
    var token: String
    var summary: CardSummary
    var authentication: Authentication
    /// Recognises the number.
    var fingerprint: String

    private static let challenged: Set<String> = ["4000000000001091", "5200000000001096"]
    private static let failing = "4000000000000101"

    /// The members of `payment_method.card`, all of them texts. The wording is a guess, but that the member is named.
    ///
    /// - Parameter submitted: Gets what was sent, for the echo fault, as soon as it is readable.
    init(
        _ json: JSONValue, token: String, fingerprint: KeyedFingerprint, now: WallTime,
        submitted: inout SubmittedCard?
    ) throws(SafepayRefusal) {
        try SafepayBody.check(json, ["card_number", "expiration_month", "expiration_year", "cvv"])
        let number = try Self.digits("card_number", json, 12...19)
        let code = try Self.digits("cvv", json, 3...4)
        submitted = SubmittedCard(number: Sensitive(number), securityCode: Sensitive(code))
        let month = try Self.digits("expiration_month", json, 1...2)
        let year = try Self.digits("expiration_year", json, 4...4)
        try self.init(number: number, code: code, month: month, year: year, token, fingerprint, now)
    }

    /// A test card as the hosted page sends it: any future date and code go with it.
    init(testCard number: String, token: String, fingerprint: KeyedFingerprint, now: WallTime) throws(SafepayRefusal) {
        let isAmex = TestCard.all.first { $0.number == number }?.brand == .americanExpress
        try self.init(
            number: number, code: isAmex ? "1234" : "737", month: "12", year: "\(now.utcDate.year + 3)", token,
            fingerprint, now)
    }

    private init(
        number: String, code: String, month: String, year: String, _ token: String, _ fingerprint: KeyedFingerprint,
        _ now: WallTime
    ) throws(SafepayRefusal) {
        guard let read = try? CardNumber(Sensitive(number)), read.passesCheckDigit else {
            throw .action(.setup, "card_number: the number is not valid")
        }
        guard TestCard.contains(number) else {
            throw .action(.setup, "card_number: only test cards are accepted in the sandbox")
        }
        guard let monthNumber = Int(month), (1...12).contains(monthNumber) else {
            throw .action(.setup, "expiration_month: the month is not valid")
        }
        guard let yearNumber = Int(year), let expiry = CardExpiry(month: monthNumber, year: yearNumber) else {
            throw .action(.setup, "expiration_year: the year is not valid")
        }
        guard !expiry.isExpired(at: now) else {
            throw .action(.setup, "expiration_year: the card has expired")
        }
        guard code.utf8.count == (read.brand == .americanExpress ? 4 : 3) else {
            throw .action(.setup, "cvv: the code has the wrong length")
        }
        self.token = token
        summary = CardSummary(brand: read.brand, lastFour: read.lastFour, firstSix: read.firstSix, expiry: expiry)
        authentication =
            Self.challenged.contains(number) ? .challenge : number == Self.failing ? .failed : .frictionless
        self.fingerprint = fingerprint.of(number)
    }

    private static func digits(
        _ name: String, _ json: JSONValue, _ lengths: ClosedRange<Int>
    ) throws(SafepayRefusal) -> String {
        guard let text = try? json[name].string(), lengths.contains(text.utf8.count),
            text.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { throw .action(.setup, "\(name): the value is missing or malformed") }
        return text
    }

    var month: String { summary.expiry?.twoDigitMonth ?? "" }
    var year: String { "\(summary.expiry?.year ?? 0)" }

    /// Cybersource's codes of card types.
    var typeCode: String {
        switch summary.brand {
        case .visa: "001"
        case .mastercard: "002"
        case .americanExpress: "003"
        case .discover: "004"
        case .dinersClub: "005"
        case .jcb: "007"
        case .maestro: "042"
        case .unionPay: "062"
        default: "000"
        }
    }

    var typeName: String {
        switch summary.brand {
        case .visa: "Visa"
        case .mastercard: "Mastercard"
        case .americanExpress: "American Express"
        case .discover: "Discover"
        case .dinersClub: "Diners Club"
        case .jcb: "JCB"
        case .maestro: "Maestro"
        case .unionPay: "China UnionPay"
        default: "Unknown"
        }
    }

    /// As an action's answer tells it.
    func write(to body: inout AnswerWriter) {
        body.object("payment_method") { method in
            method.set("token", token)
            method.set("expiration_month", month)
            method.set("expiration_year", year)
            method.set("card_type_code", typeCode)
            method.set("card_type", typeName)
            method.set("bin_number", summary.firstSix)
            method.set("last_four", summary.lastFour)
        }
    }
}
