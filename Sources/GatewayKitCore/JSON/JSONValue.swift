/// A value of a parsed JSON document (RFC 8259), read-only.
///
/// A value keeps what decoders usually lose: a number's text as it was written (`10.10` stays `10.10`), the order of
/// members, and the ``range`` of bytes it was read from, over which signatures are checked. Walking never fails:
/// `value["transaction"]["payment_method"]["token"]` gives an absent value if any step is not there, and the typed
/// readings, such as ``string()``, tell the whole path in their error.
///
/// A value prints, dumps and mirrors as its kind only, because it may hold card data. It keeps the whole source alive.
public struct JSONValue: Sendable {
    private let document: JSONDocument
    /// Of an absent value: the last value on its path that is there.
    private let node: Int
    private let isThere: Bool
    let path: JSONPath

    /// Parses `bytes`, which must be exactly one value in UTF-8 without byte order mark.
    ///
    /// Takes time and memory in proportion to the number of bytes (with a logarithmic factor for objects of many
    /// members) and no stack. Throws a ``JSONError`` with the offset at which the text is wrong; it never quotes it.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        self.init(document: try JSONDocument(parsing: bytes, limits: limits), node: 0, isThere: true, path: .root)
    }

    private init(document: JSONDocument, node: Int, isThere: Bool, path: JSONPath) {
        self.document = document
        self.node = node
        self.isThere = isThere
        self.path = path
    }

    /// What a value is. `absent` is the kind of what is not there.
    public enum Kind: String, Sendable, Hashable {
        /// Not in the document.
        case absent
        /// `null`.
        case null
        /// `true` or `false`.
        case bool
        /// A number.
        case number
        /// A string; "text" in messages.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    /// What the value is.
    public var kind: Kind { isThere ? kindOfNode : .absent }

    /// The bytes of the source that the value was read from, quotes and brackets included, or `nil` if it is absent.
    public var range: Range<Int>? { isThere ? document.nodes[node].range : nil }

    /// The value exactly as it was written, or `nil` if it is absent. May be card data: do not show it.
    public var source: ArraySlice<UInt8>? { range.map { document.bytes[$0] } }

    /// The member of this name (compared scalar by scalar), or an absent value, also if this is not an object.
    public subscript(name: String) -> JSONValue {
        step(.member(path, name), to: kind == .object ? document.member(name, of: node) : nil)
    }

    /// The element at this position, counted from 0, or an absent value, also if this is not an array.
    public subscript(index: Int) -> JSONValue {
        step(.element(path, index), to: kind == .array ? document.element(index, of: node) : nil)
    }

    private func step(_ path: JSONPath, to child: Int?) -> JSONValue {
        JSONValue(document: document, node: child ?? node, isThere: child != nil, path: path)
    }
}

extension JSONValue {
    /// A member of an object. Its name comes from the document; like the value it is not shown by printing.
    public struct Member: Sendable, CustomStringConvertible, CustomReflectable {
        /// The name, unescaped.
        public let name: String
        /// The value.
        public let value: JSONValue

        /// The kind of the value.
        public var description: String { value.description }
        /// An empty mirror.
        public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
    }

    var childElements: [JSONValue] {
        guard kind == .array else { return [] }
        return document.children(of: node).enumerated().map { step(.element(path, $0.offset), to: $0.element) }
    }

    var childMembers: [Member] {
        guard kind == .object else { return [] }
        return document.children(of: node).enumerated().map {
            Member(
                name: document.text($0.element), value: step(.unnamedMember(path, $0.offset), to: $0.element + 1))
        }
    }

    /// A text unescaped, anything else as it was written.
    var rawText: String { kind == .string ? document.text(node) : kind == .absent ? "" : document.source(node) }

    var isTrue: Bool { isThere && document.nodes[node].kind == .true }

    /// Of an absent value: what stands where its parent should be, if that cannot have members or elements.
    var obstacle: Kind? {
        guard !isThere else { return nil }
        switch kindOfNode {
        case .object, .array, .null, .absent: return nil
        case let other: return other
        }
    }

    private var kindOfNode: Kind {
        switch document.nodes[node].kind {
        case .null: .null
        case .true, .false: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

extension JSONValue: Equatable {
    /// Whether both values mean the same: texts by their scalars, members in any order, numbers as they were written
    /// (`1.0` is not `1`). Ranges and white space do not count; two absent values are equal.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        guard left.isThere, right.isThere else { return left.isThere == right.isThere }
        return JSONDocument.areEqual(left.document, left.node, right.document, right.node)
    }
}

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind only, such as `JSON object`.
    public var description: String { "JSON " + kind.rawValue }
    /// The kind only.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows nothing of the value.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
