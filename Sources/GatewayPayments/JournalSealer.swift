public import GatewayCrypto
public import GatewayKitCore

/// Seals what the journal must keep and must not show: what a shopper has to do next, and pages that take money. Who has
/// such an address may go on with somebody else's payment.
///
/// ``KeyedSealer``, or an application's own, such as one whose key never leaves a hardware module.
public protocol JournalSealer: Sendable {
    /// Encrypts, so that only ``open(_:for:)`` with the same key and the same context reads it.
    ///
    /// - Parameter context: What the content belongs to: it is not encrypted, and a sealed content that is moved to
    ///   another attempt does not open.
    /// - Throws: `GatewayError` when it cannot be sealed; then it is not kept.
    func seal(_ content: [UInt8], for context: [UInt8]) throws(GatewayError) -> [UInt8]

    /// Gives the content back.
    /// - Throws: `GatewayError` unless key, context and bytes all belong together.
    func open(_ sealed: [UInt8], for context: [UInt8]) throws(GatewayError) -> [UInt8]
}

/// AES-256-GCM under a key that is derived from the journal's, with a random nonce for each content.
public struct KeyedSealer: JournalSealer {
    private static let form: UInt8 = 1
    private static let label = Array("GatewayKit journal: sealing 1".utf8)

    private let cipher: AESGCM?

    /// - Parameter key: 32 random bytes, the same for every process on the journal; the key of ``KeyedAuthenticator`` may
    ///   be used, for what is used here is derived from it. Losing it loses no payment: what was sealed is asked of the
    ///   provider again, and an open page is left for a person to resolve.
    public init(key: SecretBytes) {
        let derived = try? MessageAuthentication(.sha256, key: key).code(for: Self.label)
        cipher = derived.flatMap { try? AESGCM(key: SecretBytes($0)) }
    }

    /// See ``JournalSealer``.
    public func seal(_ content: [UInt8], for context: [UInt8]) throws(GatewayError) -> [UInt8] {
        guard let box = try? cipher?.seal(SecretBytes(content), authenticating: context) else { throw unusable }
        return [Self.form] + box.nonce + box.tag + box.ciphertext
    }

    /// See ``JournalSealer``.
    public func open(_ sealed: [UInt8], for context: [UInt8]) throws(GatewayError) -> [UInt8] {
        let head = AESGCM.nonceByteCount + AESGCM.tagByteCount
        guard sealed.first == Self.form, sealed.count > head else { throw unusable }
        let rest = sealed.dropFirst()
        let box = AESGCM.Box(
            nonce: Array(rest.prefix(AESGCM.nonceByteCount)), ciphertext: Array(rest.dropFirst(head)),
            tag: Array(rest.dropFirst(AESGCM.nonceByteCount).prefix(AESGCM.tagByteCount)))
        guard let content = try? cipher?.open(box, authenticating: context) else { throw unusable }
        return content.withExposed { $0 }
    }

    private var unusable: GatewayError {
        GatewayError(
            .configuration, message: "The journal's key does not seal or open this.",
            advice: "Nothing was sent. Check that all processes on the journal have the same key.")
    }
}
