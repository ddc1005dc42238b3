import GatewayKitCore

/// Writes the JSON of answers: compact, members in the order of the calls. The sandbox has a writer of its own, so
/// that a mistake in the one that the adapters use cannot hide on both sides.
///
/// The same type writes objects and arrays; member names are the sandbox's own and need no escapes.
struct AnswerWriter: Sendable {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// The bytes of one object.
    static func object(_ build: (inout AnswerWriter) -> Void) -> [UInt8] {
        var writer = AnswerWriter()
        writer.bytes.reserveCapacity(2048)
        writer.nest("{", "}", build)
        return writer.bytes
    }

    // MARK: - Members

    /// Nothing is written for `nil`.
    mutating func set(_ name: String, _ text: String?) {
        guard let text else { return }
        begin(name)
        put(text: text)
    }

    mutating func setOrNull(_ name: String, _ text: String?) {
        begin(name)
        if let text { put(text: text) } else { put("null") }
    }

    mutating func setOrNull(_ name: String, _ number: Int?) {
        begin(name)
        put(number.map { "\($0)" } ?? "null")
    }

    mutating func setOrNull(_ name: String, _ value: JSONValue?) {
        begin(name)
        if let source = value?.source { bytes += source } else { put("null") }
    }

    mutating func set(_ name: String, _ number: Int) {
        begin(name)
        put("\(number)")
    }

    mutating func set(_ name: String, _ flag: Bool) {
        begin(name)
        put(flag ? "true" : "false")
    }

    mutating func setNull(_ name: String) {
        begin(name)
        put("null")
    }

    mutating func object(_ name: String, _ build: (inout AnswerWriter) -> Void) {
        begin(name)
        nest("{", "}", build)
    }

    mutating func array(_ name: String, _ build: (inout AnswerWriter) -> Void) {
        begin(name)
        nest("[", "]", build)
    }

    /// A member whose name came from outside, with the value as it was written.
    mutating func set(foreign name: String, source: [UInt8]) {
        separate()
        put(text: name)
        bytes.append(0x3A)
        bytes += source
    }

    /// A member whose name came from outside.
    mutating func set(foreign name: String, _ text: String) {
        separate()
        put(text: name)
        bytes.append(0x3A)
        put(text: text)
    }

    // MARK: - Elements

    mutating func append(_ text: String) {
        separate()
        put(text: text)
    }

    mutating func appendObject(_ build: (inout AnswerWriter) -> Void) {
        separate()
        nest("{", "}", build)
    }

    // MARK: - Bytes

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
        needsComma = true
    }

    private mutating func begin(_ name: String) {
        separate()
        bytes.append(0x22)
        put(name)
        bytes.append(0x22)
        bytes.append(0x3A)
    }

    private mutating func nest(_ opening: String, _ closing: String, _ build: (inout AnswerWriter) -> Void) {
        put(opening)
        needsComma = false
        build(&self)
        put(closing)
        needsComma = true
    }

    private mutating func put(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func put(text: String) {
        bytes.append(0x22)
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            for byte in text.utf8 {
                switch byte {
                case 0x22, 0x5C: bytes += [0x5C, byte]
                case 0x0A: put("\\n")
                case 0..<0x20: put("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
                default: bytes.append(byte)
                }
            }
        } else {
            put(text)
        }
        bytes.append(0x22)
    }
}
