/// Writes the members of one object; given to a closure by ``JSONWriter`` or another writer.
///
/// A `nil` value leaves its member out. A name that was written before in the same object makes
/// ``JSONWriter/finish()`` throw `duplicateName`.
public struct JSONObjectWriter: ~Copyable {
    private let output: JSONOutput
    private var names = JSONNameLedger()

    /// Writes a member with a text.
    public mutating func set(_ name: String, _ text: String?) {
        guard let text else { return }
        begin(name)
        output.put(text: text)
    }

    /// Writes a member with a guarded text.
    public mutating func set(_ name: String, _ secret: Sensitive<String>?) {
        guard let secret else { return }
        begin(name)
        output.put(secret)
    }

    /// Writes a member with a whole number.
    public mutating func set<Integer: BinaryInteger>(_ name: String, _ integer: Integer?) {
        guard let integer else { return }
        begin(name)
        output.put(integer: integer)
    }

    /// Writes a member with `true` or `false`.
    public mutating func set(_ name: String, _ bool: Bool?) {
        guard let bool else { return }
        begin(name)
        output.put(bool: bool)
    }

    /// Writes a member with a number whose text is taken as it is, such as `10.10`. Text that is no number makes
    /// ``JSONWriter/finish()`` throw `invalidNumber`.
    public mutating func set(_ name: String, number: String?) {
        guard let number else { return }
        begin(name)
        output.put(number: number)
    }

    /// Writes a member with a parsed value exactly as it was written; an absent value leaves the member out.
    public mutating func set(_ name: String, _ value: JSONValue) {
        guard value.kind != .absent else { return }
        begin(name)
        output.put(value)
    }

    /// Writes a member with a guarded JSON value exactly as it is written. Its longer texts (16 bytes and more) are
    /// remembered as guarded values. Bytes that are no JSON value make ``JSONWriter/finish()`` throw `notOneValue`.
    public mutating func set(_ name: String, json: Sensitive<[UInt8]>) {
        begin(name)
        output.put(json: json)
    }

    /// Writes a member with `null`.
    public mutating func setNull(_ name: String) {
        begin(name)
        output.put("null")
    }

    /// Writes a member with an object.
    public mutating func object<Failure: Error>(
        _ name: String, _ build: (inout JSONObjectWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin(name)
        try JSONObjectWriter.write(to: output, build)
    }

    /// Writes a member with an array.
    public mutating func array<Failure: Error>(
        _ name: String, _ build: (inout JSONArrayWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin(name)
        try JSONArrayWriter.write(to: output, build)
    }

    static func write<Failure: Error>(
        to output: JSONOutput, _ build: (inout JSONObjectWriter) throws(Failure) -> Void
    ) throws(Failure) {
        output.put(UInt8(ascii: "{"))
        var writer = JSONObjectWriter(output: output)
        do {
            try build(&writer)
        } catch {
            output.fail(.abandoned)
            throw error
        }
        output.put(UInt8(ascii: "}"))
    }

    private init(output: JSONOutput) {
        self.output = output
    }

    private mutating func begin(_ name: String) {
        if !names.isEmpty { output.put(UInt8(ascii: ",")) }
        let start = output.bytes.count
        output.put(text: name)
        if !names.insert(start..<output.bytes.count, of: output.bytes) { output.fail(.duplicateName) }
        output.put(UInt8(ascii: ":"))
    }
}

/// Writes the elements of one array; given to a closure by ``JSONWriter`` or another writer.
public struct JSONArrayWriter: ~Copyable {
    private let output: JSONOutput
    private var isEmpty = true

    /// Writes a text.
    public mutating func append(_ text: String) {
        begin()
        output.put(text: text)
    }

    /// Writes a guarded text.
    public mutating func append(_ secret: Sensitive<String>) {
        begin()
        output.put(secret)
    }

    /// Writes a whole number.
    public mutating func append<Integer: BinaryInteger>(_ integer: Integer) {
        begin()
        output.put(integer: integer)
    }

    /// Writes `true` or `false`.
    public mutating func append(_ bool: Bool) {
        begin()
        output.put(bool: bool)
    }

    /// Writes a number whose text is taken as it is; see ``JSONObjectWriter/set(_:number:)``.
    public mutating func append(number: String) {
        begin()
        output.put(number: number)
    }

    /// Writes a parsed value exactly as it was written, an absent one as `null`.
    public mutating func append(_ value: JSONValue) {
        begin()
        output.put(value)
    }

    /// Writes `null`.
    public mutating func appendNull() {
        begin()
        output.put("null")
    }

    /// Writes an object.
    public mutating func object<Failure: Error>(
        _ build: (inout JSONObjectWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin()
        try JSONObjectWriter.write(to: output, build)
    }

    /// Writes an array.
    public mutating func array<Failure: Error>(
        _ build: (inout JSONArrayWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin()
        try JSONArrayWriter.write(to: output, build)
    }

    static func write<Failure: Error>(
        to output: JSONOutput, _ build: (inout JSONArrayWriter) throws(Failure) -> Void
    ) throws(Failure) {
        output.put(UInt8(ascii: "["))
        var writer = JSONArrayWriter(output: output)
        do {
            try build(&writer)
        } catch {
            output.fail(.abandoned)
            throw error
        }
        output.put(UInt8(ascii: "]"))
    }

    private init(output: JSONOutput) {
        self.output = output
    }

    private mutating func begin() {
        if !isEmpty { output.put(UInt8(ascii: ",")) }
        isEmpty = false
    }
}

/// The names written so far in one object, as ranges of the output: escaping is the same for the same name, so the
/// written bytes can be compared. Beyond a few names a set takes over, because metadata may be long.
private struct JSONNameLedger {
    private var ranges: [Range<Int>] = []
    private var set: Set<[UInt8]> = []

    var isEmpty: Bool { ranges.isEmpty }

    /// Whether the name is new.
    mutating func insert(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
        defer { ranges.append(range) }
        guard ranges.count >= 24 else {
            return !ranges.contains { $0.count == range.count && bytes[$0] == bytes[range] }
        }
        if set.isEmpty { set = Set(ranges.map { Array(bytes[$0]) }) }
        return set.insert(Array(bytes[range])).inserted
    }
}
