/// Writes one JSON value in UTF-8 without white space, members in the order of the calls, so that the same calls give
/// the same bytes.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { body in
///     body.object("credit_card") { card in
///         card.set("number", number)      // Sensitive<String>
///         card.set("month", 3)
///         card.set("company", company)    // String?: left out if nil
///     }
/// }
/// let body = try writer.finish()
/// ```
///
/// `Sensitive` values go straight into the bytes and are remembered, so that the HTTP layer can mask exactly them.
/// What cannot be written (text that is no number as a number, a name twice in one object) does not stop the calls:
/// ``finish()`` throws the first such error, and there is no body.
public struct JSONWriter: ~Copyable {
    private let output = JSONOutput()
    private var isEmpty = true

    /// An empty writer.
    public init() {}

    /// Writes the value as an object whose members `build` writes.
    public mutating func object<Failure: Error>(
        _ build: (inout JSONObjectWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin()
        try JSONObjectWriter.write(to: output, build)
    }

    /// Writes the value as an array whose elements `build` writes.
    public mutating func array<Failure: Error>(
        _ build: (inout JSONArrayWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin()
        try JSONArrayWriter.write(to: output, build)
    }

    /// The bytes and the guarded values in them. Throws what went wrong while writing, `notOneValue` if there is no
    /// value or a second one.
    public consuming func finish() throws(JSONError) -> JSONBody {
        let output = try checked()
        return JSONBody(bytes: Sensitive(output.bytes), secrets: output.secrets)
    }

    /// The text, for output that people and programs read. Throws like ``finish()``, and `secretInText` if a guarded
    /// value was written.
    public consuming func finishText() throws(JSONError) -> String {
        let output = try checked()
        guard !output.wroteSensitive else {
            throw JSONError(.secretInText, offset: nil, message: JSONError.Kind.secretInText.explanation)
        }
        return String(decoding: output.bytes, as: UTF8.self)
    }

    private mutating func begin() {
        if !isEmpty { output.fail(.notOneValue) }
        isEmpty = false
    }

    private func checked() throws(JSONError) -> JSONOutput {
        if isEmpty { output.fail(.notOneValue) }
        if let failure = output.failure { throw failure }
        return output
    }
}

/// A request body.
public struct JSONBody: Sendable {
    /// The bytes to send. Under guard because card data may be in them.
    public let bytes: Sensitive<[UInt8]>
    /// Every guarded value that was written, in order, empty ones left out: what the exchange's redactor must mask.
    public let secrets: [Sensitive<String>]
}

/// Where the writers of one value put their bytes.
final class JSONOutput {
    private(set) var bytes: [UInt8] = []
    private(set) var secrets: [Sensitive<String>] = []
    private(set) var wroteSensitive = false
    private(set) var failure: JSONError?

    init() {
        bytes.reserveCapacity(512)
    }

    func fail(_ kind: JSONError.Kind) {
        if failure == nil { failure = JSONError(kind, at: bytes.count) }
    }

    func put(_ byte: UInt8) {
        bytes.append(byte)
    }

    func put(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    func put(integer: some BinaryInteger) {
        bytes.append(contentsOf: String(integer).utf8)
    }

    func put(bool: Bool) {
        put(bool ? "true" : "false")
    }

    func put(number: String) {
        guard number.isJSONNumber else { return fail(.invalidNumber) }
        bytes.append(contentsOf: number.utf8)
    }

    func put(_ value: JSONValue) {
        if let source = value.source { bytes.append(contentsOf: source) } else { put("null") }
    }

    func put(_ secret: Sensitive<String>) {
        wroteSensitive = true
        let isEmpty = secret.withExposed { text in
            put(text: text)
            return text.isEmpty
        }
        if !isEmpty { secrets.append(secret) }
    }

    func put(json: Sensitive<[UInt8]>) {
        wroteSensitive = true
        guard let value = json.withExposed({ try? JSONValue(parsing: $0) }) else { return fail(.notOneValue) }
        put(value)
        rememberTexts(of: value)
    }

    /// Without recursion, because the depth is the document's.
    private func rememberTexts(of value: JSONValue) {
        var open = [value]
        while let next = open.popLast() {
            switch next.kind {
            case .string where next.rawText.utf8.count >= 16: secrets.append(Sensitive(next.rawText))
            case .array: open += next.childElements
            case .object: open += next.childMembers.map(\.value)
            default: break
            }
        }
    }

    func put(text: String) {
        Self.append(text, to: &bytes)
    }

    /// Works on the array alone: each look at a member of this object would be checked for overlapping access.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { characters in
            bytes.append(UInt8(ascii: "\""))
            if characters.allSatisfy({ !mustEscape($0) }) {
                bytes.append(contentsOf: characters)
            } else {
                for byte in characters { appendEscaped(byte, to: &bytes) }
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case 0..<0x20:
            append(byte < 0x10 ? "\\u000" : "\\u001")
            let digit = byte & 0xF
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        default: bytes.append(byte)
        }
    }
}
