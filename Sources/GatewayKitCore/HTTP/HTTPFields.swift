/// The name of a header field. Names compare without case by construction (RFC 9110, section 5.1).
public struct HTTPFieldName: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name in lower case.
    public let description: String

    /// Takes a name in any case. ASCII letters are lowered, nothing else is changed.
    public init(_ name: String) {
        func isUpper(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
        guard name.utf8.contains(where: isUpper) else {
            description = name
            return
        }
        description = String(unsafeUninitializedCapacity: name.utf8.count) { lowered in
            for (place, byte) in name.utf8.enumerated() { lowered[place] = isUpper(byte) ? byte | 0x20 : byte }
            return name.utf8.count
        }
    }

    /// Takes a name in any case.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Whether this is a token of RFC 9110, section 5.6.2, and so can be sent.
    var isSendable: Bool {
        !description.isEmpty
            && description.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A: true
                case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
                default: false
                }
            }
    }
}

/// A text that a request carries in its head: a header's value or a query item's.
public enum WireText: Sendable, Equatable, ExpressibleByStringLiteral {
    /// May be shown after redaction.
    case plain(String)
    /// A credential or card data: never shown.
    case sensitive(Sensitive<String>)

    /// A plain text.
    public init(stringLiteral value: String) {
        self = .plain(value)
    }

    /// Hands the text to `body`, which must not let it reach a log, an error or a description.
    public func withExposed<Result, Failure: Error>(
        _ body: (String) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .plain(let text): try body(text)
        case .sensitive(let guarded): try guarded.withExposed(body)
        }
    }
}

extension WireText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A plain text as ``Redactor/standard`` leaves it, or `[FILTERED]`.
    public var description: String {
        switch self {
        case .plain(let text): Redactor.standard.redact(text)
        case .sensitive: "[FILTERED]"
        }
    }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Header fields in the order they were sent, with names that compare without case.
public struct HTTPFields: Sendable, Equatable {
    /// One field.
    public struct Field: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
        /// The name.
        public var name: HTTPFieldName
        /// The value.
        public var value: WireText

        /// Makes a field.
        public init(name: HTTPFieldName, value: WireText) {
            self.name = name
            self.value = value
        }

        /// Name and value, redacted together: a cookie shows its name only.
        public var description: String {
            guard case .plain(let text) = value else { return "\(name): [FILTERED]" }
            return Redactor.standard.redact("\(name): \(text)")
        }
        /// An empty mirror: `dump` shows the description only.
        public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
    }

    /// The fields in order; a name may stand more than once.
    public private(set) var list: [Field] = []

    /// No fields.
    public init() {}

    /// Adds a field behind those that are there.
    public mutating func append(_ name: HTTPFieldName, _ value: WireText) {
        list.append(Field(name: name, value: value))
    }

    /// The plain text of the first field of that name; setting replaces all fields of the name, `nil` removes them.
    ///
    /// A sensitive value reads as `nil`: it is for the wire alone.
    public subscript(name: HTTPFieldName) -> String? {
        get {
            for field in list where field.name == name {
                if case .plain(let text) = field.value { return text }
            }
            return nil
        }
        set { set(name, newValue.map(WireText.plain)) }
    }

    /// Replaces all fields of that name by one, or removes them.
    public mutating func set(_ name: HTTPFieldName, _ value: WireText?) {
        list.removeAll { $0.name == name }
        if let value { append(name, value) }
    }

    /// The plain texts of all fields of that name, in order.
    public func values(of name: HTTPFieldName) -> [String] {
        list.compactMap { field in
            guard field.name == name, case .plain(let text) = field.value else { return nil }
            return text
        }
    }

    /// Whether there is a field of that name, plain or sensitive.
    public func contains(_ name: HTTPFieldName) -> Bool {
        list.contains { $0.name == name }
    }
}
