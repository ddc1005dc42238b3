/// Text that has passed the redactor and may be shown to a person or written to a log.
///
/// Errors, events and results carry their words as `SafeText`, so that a provider's message is scrubbed when the value
/// that carries it is built, not when somebody remembers to. There is no way to make one from a run-time string that
/// goes round the redactor: literals are taken as they are, interpolated values are scrubbed one by one, and
/// ``Redactor/scrub(_:)`` knows the secrets of the call at hand.
public struct SafeText: Sendable, Hashable, CustomStringConvertible {
    /// The scrubbed text.
    public let description: String

    init(alreadyScrubbed text: String) {
        description = text
    }

    /// Both texts one after the other.
    public static func + (left: SafeText, right: SafeText) -> SafeText {
        SafeText(alreadyScrubbed: left.description + right.description)
    }

    /// Whether there is no text.
    public var isEmpty: Bool { description.isEmpty }
}

extension SafeText: ExpressibleByStringInterpolation {
    /// Takes a literal from the source code as it is.
    public init(stringLiteral value: StaticString) {
        description = value.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    }

    /// Joins literal parts with scrubbed values.
    public init(stringInterpolation: StringInterpolation) {
        description = stringInterpolation.text
    }

    /// Collects literal parts as they are and values scrubbed.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        /// Reserves room.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// A part of the source code's literal.
        public mutating func appendLiteral(_ literal: StaticString) {
            literal.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) }
        }

        /// Text that is scrubbed already.
        public mutating func appendInterpolation(_ value: SafeText) {
            text += value.description
        }

        /// Any value: its description is scrubbed by the patterns of ``Redactor/standard``.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += Redactor.standard.redact(value.description)
        }

        /// A number, which the redactor leaves alone because counts, durations and status codes must stay readable.
        public mutating func appendInterpolation(count value: Int) {
            text += String(value)
        }
    }
}
