import GatewayKitCore

/// Reads the members of a request and collects everything that is wrong with them (dossier 1.2, 1.5).
///
/// Guesses, because no source tells: a known member of the wrong JSON type is `errors.invalid`; limits of metadata
/// are reported as `errors.invalid` on `metadata`; first and last name go before a full name when both are sent; a
/// full name of one word becomes the last name.
struct SpreedlyFields {
    var issues: [SpreedlyRefusal.Item] = []

    // MARK: - Single members

    mutating func text(_ name: String, _ value: JSONValue) -> String? {
        guard let present = value.present else { return nil }
        guard let text = try? present.string() else {
            issues.append(.invalid(name))
            return nil
        }
        return text
    }

    /// Text with something in it; otherwise `errors.blank`.
    mutating func requiredText(_ name: String, _ value: JSONValue) -> String? {
        let known = issues.count
        if let text = Self.unlessBlank(text(name, value)) { return text }
        if issues.count == known { issues.append(.blank(name)) }
        return nil
    }

    /// A flag may stand at several levels (dossier 1.2): true anywhere is true.
    mutating func flag(_ name: String, _ levels: JSONValue...) -> Bool? {
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

    /// A number, or text of digits; leading zeros are fine in a month.
    mutating func datePart(
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

    // MARK: - Groups

    mutating func names(_ level: JSONValue, allowsBlank: Bool, into method: inout SpreedlyMethod) {
        let first = Self.unlessBlank(text("first_name", level["first_name"]))
        let last = Self.unlessBlank(text("last_name", level["last_name"]))
        let full = Self.unlessBlank(text("full_name", level["full_name"]))
        if first == nil, last == nil, let full {
            method.setFullName(full)
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

    mutating func date(
        _ level: JSONValue, allowsBlank: Bool, allowsExpired: Bool, now: WallTime, into method: inout SpreedlyMethod
    ) {
        method.month = datePart("month", level["month"], isRequired: !allowsBlank) { (1...12).contains($0) }
        method.year = datePart("year", level["year"], isRequired: !allowsBlank) { (1000...9999).contains($0) }
        if !allowsExpired { checkExpiry(of: method, now: now) }
    }

    /// That a card is good to the end of its month, and in which time zone, is a guess.
    mutating func checkExpiry(of method: SpreedlyMethod, now: WallTime) {
        if let month = method.month, let year = method.year, let expiry = CardExpiry(month: month, year: year),
            expiry.isExpired(at: now)
        {
            issues.append(.expired("year"))
        }
    }

    /// A security code that is not blank; of its length only "3 or 4 digits" is checked.
    mutating func securityCode(_ value: JSONValue, wrong: SpreedlyRefusal.Item) -> Int? {
        guard let code = Self.unlessBlank(text("verification_value", value)) else { return nil }
        guard Self.isDigits(code), (3...4).contains(code.utf8.count) else {
            issues.append(wrong)
            return nil
        }
        return code.utf8.count
    }

    mutating func metadata(_ value: JSONValue) -> SpreedlyMetadata? {
        guard let present = value.present else { return nil }
        guard let metadata = SpreedlyMetadata(present) else {
            issues.append(.invalid("metadata"))
            return nil
        }
        return metadata
    }

    // MARK: - Tests

    static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    static func unlessBlank(_ text: String?) -> String? {
        guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
        return text
    }

    /// A copy that does not keep the rest of the body, with the card number in it, alive.
    static func detached(_ value: JSONValue) -> JSONValue? {
        guard value.present != nil, let source = value.source else { return nil }
        return try? JSONValue(parsing: Array(source))
    }
}

/// At most 25 pairs; names of at most 50 characters; values are text of at most 500, numbers or flags (dossier 1.2).
struct SpreedlyMetadata: Sendable {
    private struct Pair: Sendable {
        var name: String
        var text: String
        /// As it was written.
        var source: [UInt8]
    }

    private var pairs: [Pair] = []

    init?(_ value: JSONValue) {
        guard let members = try? value.members() else { return nil }
        for member in members {
            guard member.name.unicodeScalars.count <= 50, let text = Self.text(member.value),
                let source = member.value.source
            else { return nil }
            pairs.append(Pair(name: member.name, text: text, source: Array(source)))
        }
        guard pairs.count <= 25 else { return nil }
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value.kind {
        case .string: (try? value.string()).flatMap { $0.unicodeScalars.count <= 500 ? $0 : nil }
        case .number, .bool: try? value.scalarText()
        case .absent, .null, .array, .object: nil
        }
    }

    func text(of name: String) -> String? {
        pairs.first { $0.name == name }?.text
    }

    /// These pairs with the others put in their places or added; `nil` when they become too many.
    func merged(with other: SpreedlyMetadata) -> SpreedlyMetadata? {
        var result = self
        for pair in other.pairs {
            if let index = result.pairs.firstIndex(where: { $0.name == pair.name }) {
                result.pairs[index] = pair
            } else {
                result.pairs.append(pair)
            }
        }
        return result.pairs.count <= 25 ? result : nil
    }

    mutating func remove(_ names: Set<String>) {
        pairs.removeAll { names.contains($0.name) }
    }

    func write(to body: inout AnswerWriter) {
        for pair in pairs { body.set(foreign: pair.name, source: pair.source) }
    }
}
