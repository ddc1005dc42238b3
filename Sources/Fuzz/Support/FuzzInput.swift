#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The bytes that libFuzzer gives a target, taken from the front: first what decides how, the rest is what is read.
public struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    /// A copy of libFuzzer's memory, which is its own only during the call.
    public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
    }

    /// The next byte; 0 where there is none.
    public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Whether the next byte's lowest bit is set.
    public mutating func flag() -> Bool { byte() & 1 == 1 }

    /// A number from 0 to `limit` - 1, of two bytes.
    public mutating func number(below limit: Int) -> Int {
        let value = Int(byte()) << 8 | Int(byte())
        return value % max(1, limit)
    }

    /// One of these; the first where the input has ended.
    public mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(byte()) % elements.count]
    }

    /// The next bytes, as many as there are up to `count`.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Everything that is left.
    public mutating func remaining() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// Everything that is left, as text; what is no UTF-8 becomes replacement characters.
    public mutating func text() -> String { String(decoding: remaining(), as: UTF8.self) }

    /// The lines of what is left, at least `count`, the missing ones empty.
    public mutating func lines(_ count: Int) -> [String] {
        var lines = remaining().split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        while lines.count < count { lines.append("") }
        return lines
    }
}

/// Ends the process with a message when something that must hold does not: libFuzzer then keeps the input.
public func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if condition { return }
    let text = "\n==== finding: " + message() + "\n"
    _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    abort()
}

/// Everything that printing can show of a value.
public func everything<Value>(of value: Value) -> String {
    var text = "\(value)\n\(String(reflecting: value))\n"
    dump(value, to: &text)
    return text
}

/// Whether `text` has these bytes anywhere. Unlike `String.contains` it compares bytes, so that no combining character
/// hides a digit.
public func holds(_ text: String, _ value: String) -> Bool {
    let value = Array(value.utf8)
    guard let first = value.first else { return false }
    var rest = Array(text.utf8)[...]
    while let start = rest.firstIndex(of: first) {
        rest = rest[start...]
        if rest.starts(with: value) { return true }
        rest = rest.dropFirst()
    }
    return false
}
