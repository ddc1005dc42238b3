import GatewayKitCore

/// Reads the body of a create call for a card and collects everything that is wrong with it (dossier 1.2, 1.5).
///
/// Guesses, because no source tells: a known member of the wrong JSON type is `errors.invalid`; a number with other
/// characters than digits, or of more than 19 digits, is too; of the length of a security code only "3 or 4 digits"
/// is checked; limits of metadata are reported as `errors.invalid` on `metadata`; first and last name go before a
/// full name when both are sent; a full name of one word becomes the last name; `retained` without the access secret
/// is `errors.invalid` on `retained`; a missing `payment_method` or `credit_card` is `errors.blank`.
struct SpreedlyCardForm {
    private(set) var method = SpreedlyMethod()
    private(set) var issues: [SpreedlyRefusal.Item] = []
    private(set) var submitted: SubmittedCard?
    /// Whether the number is on the public test list; everything else counts as a real card.
    private(set) var isTestNumber = false

    private static let testNumbers = Set(TestCard.all.map(\.number))

    private let way: SpreedlyAccess.Way
    private let now: WallTime

    init(_ root: JSONValue, way: SpreedlyAccess.Way, now: WallTime, fingerprint: KeyedFingerprint) {
        self.way = way
        self.now = now
        let outer = root["payment_method"]
        let card = outer["credit_card"]
        guard outer.kind == .object else {
            issues = [outer.present == nil ? .blank("payment_method") : .invalid("payment_method")]
            return
        }
        guard card.kind == .object else {
            issues = [card.present == nil ? .blank("credit_card") : .invalid("credit_card")]
            return
        }
        readNames(card, allowsBlank: flag("allow_blank_name", outer, card) ?? false)
        readNumber(card["number"], fingerprint: fingerprint)
        readDate(
            card, allowsBlank: flag("allow_blank_date", outer, card) ?? false,
            allowsExpired: flag("allow_expired_date", outer, card) ?? false)
        readCode(card["verification_value"])
        for name in SpreedlyMethod.billingFields + SpreedlyMethod.shippingFields {
            method.address[name] = text(name, card[name])
        }
        method.email = text("email", outer["email"]) ?? text("email", card["email"])
        method.isEligibleForUpdater = flag("eligible_for_card_updater", outer, card) ?? true
        _ = flag("provision_network_token", outer, card)
        readRetained(flag("retained", outer))
        readMetadata(outer["metadata"])
        method.data = Self.detached(outer["data"])
    }

    // MARK: - Parts

    private mutating func readNames(_ card: JSONValue, allowsBlank: Bool) {
        let first = Self.unlessBlank(text("first_name", card["first_name"]))
        let last = Self.unlessBlank(text("last_name", card["last_name"]))
        let full = Self.unlessBlank(text("full_name", card["full_name"]))
        if first == nil, last == nil, let full {
            let words = full.split(whereSeparator: \.isWhitespace)
            method.lastName = words.last.map { String($0) }
            method.firstName = words.count > 1 ? words.dropLast().joined(separator: " ") : nil
            return
        }
        method.firstName = first
        method.lastName = last
        guard !allowsBlank else { return }
        for (name, value) in [("first_name", first), ("last_name", last)]
        where value == nil && !issues.contains(where: { $0.attribute == name }) {
            issues.append(.blank(name))
        }
    }

    private mutating func readNumber(_ value: JSONValue, fingerprint: KeyedFingerprint) {
        if let sent = try? value.present?.sensitive() { submitted = SubmittedCard(number: sent) }
        guard let number = text("number", value) else {
            if value.present == nil { issues.append(.blank("number")) }
            return
        }
        guard Self.unlessBlank(number) != nil else {
            issues.append(.blank("number"))
            return
        }
        guard Self.isDigits(number), number.utf8.count <= CardNumber.lengths.upperBound else {
            issues.append(.invalid("number"))
            return
        }
        // Spreedly's own Ruby client's tests see "343" refused as a real card and not as a malformed one.
        guard let card = try? CardNumber(Sensitive(number)) else { return }
        method.brand = card.brand
        method.firstSix = String(number.prefix(6))
        method.firstEight = String(number.prefix(8))
        method.lastFour = card.lastFour
        guard card.issues.isEmpty else {
            issues.append(.invalid("number"))
            return
        }
        guard card.brand != nil else {
            issues.append(.blankCardType)
            return
        }
        isTestNumber = Self.testNumbers.contains(number)
        method.fingerprint = fingerprint.of(number)
    }

    private mutating func readDate(_ card: JSONValue, allowsBlank: Bool, allowsExpired: Bool) {
        let month = datePart("month", card["month"], isRequired: !allowsBlank) { (1...12).contains($0) }
        let year = datePart("year", card["year"], isRequired: !allowsBlank) { (1000...9999).contains($0) }
        method.month = month
        method.year = year
        // That a card is good to the end of its month, and in which time zone, is a guess.
        if let month, let year, let expiry = CardExpiry(month: month, year: year), !allowsExpired,
            expiry.isExpired(at: now)
        {
            issues.append(.expired("year"))
        }
    }

    /// A number, or text of digits; leading zeros are fine in a month.
    private mutating func datePart(
        _ name: String, _ value: JSONValue, isRequired: Bool, isRight: (Int) -> Bool
    ) -> Int? {
        guard let value = value.present, value.kind != .string || Self.unlessBlank(try? value.string()) != nil else {
            if isRequired { issues.append(.blank(name)) }
            return nil
        }
        guard value.kind == .string || value.kind == .number, let digits = try? value.scalarText(),
            Self.isDigits(digits), digits.utf8.count <= 4, let number = Int(digits), isRight(number)
        else {
            issues.append(.invalid(name))
            return nil
        }
        return number
    }

    private mutating func readCode(_ value: JSONValue) {
        if let sent = try? value.present?.sensitive() { submitted?.securityCode = sent }
        guard let code = Self.unlessBlank(text("verification_value", value)) else { return }
        guard Self.isDigits(code), (3...4).contains(code.utf8.count) else {
            issues.append(.invalid("verification_value"))
            return
        }
        method.codeLength = code.utf8.count
    }

    private mutating func readRetained(_ retained: Bool?) {
        method.isRetained = retained ?? false
        if method.isRetained, way != .authenticated { issues.append(.invalid("retained")) }
    }

    private mutating func readMetadata(_ value: JSONValue) {
        guard let present = value.present else { return }
        guard let members = try? present.members(), members.count <= 25,
            members.allSatisfy({ $0.name.unicodeScalars.count <= 50 && Self.isScalar($0.value) })
        else {
            issues.append(.invalid("metadata"))
            return
        }
        method.metadata = Self.detached(present)
    }

    private static func isScalar(_ value: JSONValue) -> Bool {
        switch value.kind {
        case .string: (try? value.string()).map { $0.unicodeScalars.count <= 500 } ?? false
        case .number, .bool: true
        case .absent, .null, .array, .object: false
        }
    }

    // MARK: - Members

    private mutating func text(_ name: String, _ value: JSONValue) -> String? {
        guard let present = value.present else { return nil }
        guard let text = try? present.string() else {
            issues.append(.invalid(name))
            return nil
        }
        return text
    }

    /// A flag may stand at either level (dossier 1.2): true anywhere is true, except where only one level counts.
    private mutating func flag(_ name: String, _ levels: JSONValue...) -> Bool? {
        var result: Bool?
        for level in levels {
            guard let value = level[name].present else { continue }
            guard value.kind == .bool, let flag = try? value.bool() else {
                issues.append(.invalid(name))
                continue
            }
            result = (result ?? false) || flag
        }
        return result
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    private static func unlessBlank(_ text: String?) -> String? {
        guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
        return text
    }

    /// A copy that does not keep the rest of the body, with the card number in it, alive.
    private static func detached(_ value: JSONValue) -> JSONValue? {
        guard value.present != nil, let source = value.source else { return nil }
        return try? JSONValue(parsing: Array(source))
    }
}
