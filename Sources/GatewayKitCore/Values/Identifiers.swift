/// The name that an operator gave to an account at a provider, such as `eu`. Configuration, journals and events name
/// accounts, not providers, because one provider may have several.
public struct AccountName: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let description: String

    /// Takes a name of 1 to 64 lower-case ASCII letters, digits, hyphens and underscores that begins with a letter.
    /// Anything else gives `nil`.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count), let first = bytes.first, (0x61...0x7A).contains(first),
            bytes.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
            })
        else { return nil }
        description = text
    }

    /// The implicit account of a provider: it has the provider's id for a name.
    public init(_ provider: ProviderID) {
        description = provider.description
    }
}

/// The id of a payment provider, such as `spreedly`.
public struct ProviderID: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The id: lower-case ASCII letters and digits.
    public let description: String

    /// Takes an id from the source code of an adapter.
    public init(stringLiteral value: StaticString) {
        description = value.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    }

    /// An id as it was read; whether such a provider exists is the registry's to say.
    public init(reading text: String) {
        description = text
    }
}
