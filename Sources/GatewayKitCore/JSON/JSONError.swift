/// Why JSON could not be parsed, read or written.
///
/// An error tells what is wrong and where, never what stood there: the text may be card data. Member names appear in a
/// message only if the reading code asked for them by name, and pass the redactor even then.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public let kind: Kind
    /// The byte of the source at which parsing stopped or the unfit value begins, counted from 0; for a writer the byte
    /// of its output. `nil` where no byte is to blame, as for an absent member.
    public let offset: Int?
    /// What happened, for a person. It begins with the path of the value, such as `transaction.amount`, if a value of a
    /// parsed document is meant.
    public let message: SafeText

    /// The message.
    public var description: String { message.description }

    init(_ kind: Kind, offset: Int?, message: SafeText) {
        self.kind = kind
        self.offset = offset
        self.message = message
    }

    init(_ kind: Kind, at offset: Int) {
        self.init(kind, offset: offset, message: "JSON, byte \(count: offset): " + kind.explanation)
    }
}

extension JSONError {
    /// A kind of error. More kinds may be added in any release; `description` is the stable spelling.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case unexpectedEnd, unexpectedByte, trailingBytes, byteOrderMark, invalidNumber, invalidEscape
            case invalidSurrogate, invalidUTF8, controlCharacter, duplicateName, tooLarge, tooDeep, tooManyNodes
            case missing, wrongKind, outOfRange, notOneValue, abandoned, secretInText
        }
        private let name: Name

        /// The text ends before the value does; an empty text too.
        public static let unexpectedEnd = Kind(name: .unexpectedEnd)
        /// A byte that the grammar does not allow at this place.
        public static let unexpectedByte = Kind(name: .unexpectedByte)
        /// Something other than white space follows the value.
        public static let trailingBytes = Kind(name: .trailingBytes)
        /// The text begins with a byte order mark.
        public static let byteOrderMark = Kind(name: .byteOrderMark)
        /// A number that is not of the form that RFC 8259, section 6 allows.
        public static let invalidNumber = Kind(name: .invalidNumber)
        /// A backslash that begins none of the escapes of RFC 8259, section 7.
        public static let invalidEscape = Kind(name: .invalidEscape)
        /// Half of a surrogate pair.
        public static let invalidSurrogate = Kind(name: .invalidSurrogate)
        /// Bytes that are not UTF-8, over-long and surrogate forms included.
        public static let invalidUTF8 = Kind(name: .invalidUTF8)
        /// A bare control character in a text.
        public static let controlCharacter = Kind(name: .controlCharacter)
        /// An object names a member twice (compared after unescaping, scalar by scalar).
        public static let duplicateName = Kind(name: .duplicateName)
        /// More bytes than ``JSONLimits/maximumBytes``.
        public static let tooLarge = Kind(name: .tooLarge)
        /// Deeper nesting than ``JSONLimits/maximumDepth``.
        public static let tooDeep = Kind(name: .tooDeep)
        /// More values and names than ``JSONLimits/maximumNodes``.
        public static let tooManyNodes = Kind(name: .tooManyNodes)
        /// Reading: the value is absent or null.
        public static let missing = Kind(name: .missing)
        /// Reading: the value is there but of another kind.
        public static let wrongKind = Kind(name: .wrongKind)
        /// Reading: an integer that `Int` cannot hold.
        public static let outOfRange = Kind(name: .outOfRange)
        /// Writing: no value, or more than one.
        public static let notOneValue = Kind(name: .notOneValue)
        /// Writing: a closure threw in the middle of an object or array.
        public static let abandoned = Kind(name: .abandoned)
        /// Writing: a `Sensitive` value was written to what should become plain text.
        public static let secretInText = Kind(name: .secretInText)

        /// The stable spelling.
        public var description: String { name.rawValue }

        var explanation: SafeText {
            switch name {
            case .unexpectedEnd: "the text ends too early"
            case .unexpectedByte: "a byte that may not stand here"
            case .trailingBytes: "something follows the value"
            case .byteOrderMark: "a byte order mark, which RFC 8259 forbids"
            case .invalidNumber: "not a number that RFC 8259 allows"
            case .invalidEscape: "not an escape that RFC 8259 allows"
            case .invalidSurrogate: "half of a surrogate pair"
            case .invalidUTF8: "not UTF-8"
            case .controlCharacter: "a control character that is not escaped"
            case .duplicateName: "the object has a member of this name already"
            case .tooLarge: "more bytes than the limit allows"
            case .tooDeep: "deeper nesting than the limit allows"
            case .tooManyNodes: "more values than the limit allows"
            case .missing: "missing"
            case .wrongKind: "a value of another kind"
            case .outOfRange: "an integer beyond 64 bits"
            case .notOneValue: "not exactly one value was written"
            case .abandoned: "writing was given up in the middle of a value"
            case .secretInText: "a guarded value was written to plain text"
            }
        }
    }
}
