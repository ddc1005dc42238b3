/// A value that must never be shown: a card number, a CVV, a one-time code, an access token, a key.
///
/// `Sensitive` prints, dumps and mirrors as `[FILTERED]` and has no `Codable` conformance, so a type that holds one
/// cannot be encoded by accident. Only ``withExposed(_:)`` hands the value out: search for that name to find every
/// place where a secret is read.
///
/// It guards against showing, not against reading memory: see `Docs/Security.md` for the copies that Swift and
/// libcurl may leave behind.
public struct Sensitive<Value: Sendable>: Sendable {
    private let value: Value

    /// Wraps `value`.
    public init(_ value: Value) {
        self.value = value
    }

    /// Hands the value to `body`, which must not let it reach a log, an error or a description.
    @inlinable
    public func withExposed<Result, Failure: Error>(
        _ body: (Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(exposed)
    }

    @usableFromInline var exposed: Value { value }

    /// Derives another guarded value, for example the last four digits of a number before they are released.
    public func map<Other: Sendable, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Sensitive<Other> {
        Sensitive<Other>(try transform(value))
    }
}

extension Sensitive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `[FILTERED]`.
    public var description: String { "[FILTERED]" }
    /// Always `[FILTERED]`.
    public var debugDescription: String { "[FILTERED]" }
    /// An empty mirror: `dump` shows nothing of the value.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Sensitive: Equatable where Value: ConstantTimeComparable {
    /// Compares without telling by its duration where two values differ (their lengths may show).
    public static func == (lhs: Sensitive, rhs: Sensitive) -> Bool {
        lhs.value.equalsInConstantTime(rhs.value)
    }
}

/// A value whose equality can be decided in a time that depends on its length only.
public protocol ConstantTimeComparable {
    /// Whether both values are the same; takes equally long wherever they differ.
    func equalsInConstantTime(_ other: Self) -> Bool
}

extension Array: ConstantTimeComparable where Element == UInt8 {
    /// Compares every byte, whether or not an earlier one differed.
    public func equalsInConstantTime(_ other: [UInt8]) -> Bool {
        var difference: UInt8 = count == other.count ? 0 : 1
        for (left, right) in zip(self, other) { difference |= left ^ right }
        return difference == 0
    }
}

extension String: ConstantTimeComparable {
    /// Compares the UTF-8 bytes; canonically equivalent spellings count as different, as they do on the wire.
    public func equalsInConstantTime(_ other: String) -> Bool {
        Array(utf8).equalsInConstantTime(Array(other.utf8))
    }
}
