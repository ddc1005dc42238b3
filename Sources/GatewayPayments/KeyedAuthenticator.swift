public import GatewayCrypto
public import GatewayKitCore

/// HMAC-SHA-256 for the journal.
public struct KeyedAuthenticator: MessageAuthenticator {
    private let authentication: MessageAuthentication

    /// - Parameter key: 32 random bytes, the same for every process on the journal and for as long as it lives. Losing it
    ///   loses no payment: keys that were used before are then refused instead of recognised.
    public init(key: SecretBytes) {
        authentication = MessageAuthentication(.sha256, key: key)
    }

    /// See ``MessageAuthenticator``.
    public func authenticationCode(of message: [UInt8]) throws(GatewayError) -> [UInt8] {
        do {
            return try authentication.code(for: message)
        } catch {
            throw GatewayError(
                .configuration, message: "The journal's key cannot be used.",
                advice: "Nothing was sent. Check the key, and that OpenSSL works.")
        }
    }
}
