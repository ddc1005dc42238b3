/// Something that was encrypted and authenticated by a ``Sealer``: it may be stored, and given back in another process.
///
/// A seal proves that nobody changed it, not that it is fresh: the same one can be opened again and again, until its key is
/// withdrawn.
public struct Sealed: Sendable, Hashable, Codable {
    /// The sealed text, visible ASCII without spaces. Not secret by itself.
    public let text: String

    /// Takes up a text that a sealer gave.
    public init(text: String) {
        self.text = text
    }

    /// Reads the text.
    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Sealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `sealed`.
    public var description: String { "sealed" }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: a long text that nobody can read is of no use in a log.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Seals what adapters must hand to callers although callers must not see it: tokens of a 3-D Secure session, for example.
///
/// `GatewayKit` has one with configured keys; an application may bring its own, such as one whose key never leaves a
/// hardware module.
public protocol Sealer: Sendable {
    /// Encrypts and authenticates `content`, bound to `context`, which must be given again to open it.
    /// - Throws: ``GatewayError/Code/configuration`` when the key cannot be used.
    func seal(_ content: Sensitive<[UInt8]>, context: [UInt8]) throws(GatewayError) -> Sealed

    /// What was sealed.
    /// - Throws: ``GatewayError/Code/invalidInput`` when it was changed, belongs to another context, or was sealed with a
    ///   key that is not known any more.
    func open(_ sealed: Sealed, context: [UInt8]) throws(GatewayError) -> Sensitive<[UInt8]>
}
