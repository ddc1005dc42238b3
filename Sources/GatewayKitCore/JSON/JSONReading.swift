/// Typed readings. Providers differ in how they spell the same thing, and the same provider differs from itself, so a
/// number may come as text and a single element without its array. What is missing or of an unfit kind throws a
/// ``JSONError`` that names the path and the kinds, never the value.
///
/// Every reading treats null like an absent member. For an optional member go through ``present``:
/// `try value["month"].present?.integer()` is `nil` if there is none, and still throws if it is no integer.
extension JSONValue {
    /// This value, or `nil` if it is absent or null.
    public var present: JSONValue? {
        kind == .absent || kind == .null ? nil : self
    }

    /// The text, unescaped.
    public func string() throws(JSONError) -> String {
        guard kind == .string else { throw unfit("text") }
        return rawText
    }

    /// The text, or a number, `true` or `false` as it was written: for identifiers and codes, which some providers
    /// send as numbers.
    public func scalarText() throws(JSONError) -> String {
        switch kind {
        case .string, .number, .bool: return rawText
        case .absent, .null, .array, .object: throw unfit("text or a number")
        }
    }

    /// ``scalarText()`` under guard, for tokens, card data and the like.
    public func sensitive() throws(JSONError) -> Sensitive<String> {
        Sensitive(try scalarText())
    }

    /// A whole number, or text made of digits with an optional minus sign (leading zeros are fine in text: `"05"`).
    /// A fraction of zeros is accepted in a number (`5.0`), an exponent is not. Throws `outOfRange` beyond `Int`.
    public func integer() throws(JSONError) -> Int {
        guard kind == .number || kind == .string else { throw unfit("an integer") }
        var digits = Substring(rawText)
        if kind == .number, let point = digits.firstIndex(of: "."),
            digits[point...].dropFirst().utf8.allSatisfy({ $0 == UInt8(ascii: "0") })
        {
            digits = digits[..<point]
        }
        let magnitude = digits.utf8.first == UInt8(ascii: "-") ? digits.dropFirst() : digits
        guard !magnitude.isEmpty, magnitude.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { throw unfit("an integer") }
        guard let result = Int(digits) else {
            throw JSONError(.outOfRange, offset: range?.lowerBound, message: path.text + ": an integer beyond 64 bits")
        }
        return result
    }

    /// A number exactly as it was written, or text that is a number by the same grammar: for amounts.
    public func decimalText() throws(JSONError) -> String {
        let text = rawText
        guard kind == .number || kind == .string, text.isJSONNumber else { throw unfit("a number") }
        return text
    }

    /// `true` or `false`, or the text `"true"` or `"false"`.
    public func bool() throws(JSONError) -> Bool {
        switch kind {
        case .bool: return isTrue
        case .string:
            switch rawText {
            case "true": return true
            case "false": return false
            default: throw unfit("true or false")
            }
        case .absent, .null, .number, .array, .object: throw unfit("true or false")
        }
    }

    /// The elements of an array.
    public func elements() throws(JSONError) -> [JSONValue] {
        guard kind == .array else { throw unfit("an array") }
        return childElements
    }

    /// The members of an object in the order in which they were written.
    public func members() throws(JSONError) -> [Member] {
        guard kind == .object else { throw unfit("an object") }
        return childMembers
    }

    /// The elements of an array; any other value as the only item, because some providers send a list of one without
    /// its brackets; nothing if absent or null.
    public var items: [JSONValue] {
        switch kind {
        case .array: childElements
        case .absent, .null: []
        case .bool, .number, .string, .object: [self]
        }
    }

    private func unfit(_ expected: SafeText) -> JSONError {
        let found = kind == .absent || kind == .null
        var message = path.text + ": expected " + expected + ", found " + kind.name
        if let obstacle { message = message + " (its parent is " + obstacle.name + ")" }
        return JSONError(found ? .missing : .wrongKind, offset: range?.lowerBound, message: message)
    }
}

extension JSONValue.Kind {
    fileprivate var name: SafeText {
        switch self {
        case .absent: "nothing"
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension String {
    /// Whether all of it is one number by the grammar of RFC 8259.
    var isJSONNumber: Bool {
        var copy = self
        return copy.withUTF8 { JSONGrammar(bytes: $0).isNumber }
    }
}
