public import GatewayCrypto
public import GatewayKitCore

/// A ``GatewayKitCore/Sealer`` with configured keys: AES-256 in Galois/Counter Mode, a fresh random nonce for each seal.
///
/// Keys are rotated by putting a new one first and keeping the old ones as long as what they sealed is needed:
///
/// ```swift
/// runtime.sealer = try KeyedSealer(current: .init(id: "2030-06", key), earlier: [.init(id: "2030-01", oldKey)])
/// ```
public struct KeyedSealer: Sealer {
    /// A key and its name, which is part of what it seals.
    public struct Key: Sendable {
        let id: String
        let key: SecretBytes

        /// - Parameters:
        ///   - id: 1 to 32 ASCII letters, digits, hyphens and underscores.
        ///   - key: 32 random bytes.
        public init(id: String, _ key: SecretBytes) {
            self.id = id
            self.key = key
        }
    }

    private let currentID: String
    private let ciphers: [String: AESGCM]

    /// A sealer that seals with the current key and opens with all.
    /// - Throws: `configuration` for a key that has not 32 bytes, and for an id that is malformed or there twice.
    public init(current: Key, earlier: [Key] = []) throws(GatewayError) {
        var ciphers: [String: AESGCM] = [:]
        for key in [current] + earlier {
            guard Self.isName(key.id), ciphers[key.id] == nil else {
                throw Self.unusable("Ids of sealing keys are words of letters, digits, - and _, each there once.")
            }
            do throws(CryptoError) {
                ciphers[key.id] = try AESGCM(key: key.key)
            } catch {
                throw Self.unusable("A sealing key cannot be used: it must have 32 bytes.")
            }
        }
        currentID = current.id
        self.ciphers = ciphers
    }

    /// See `Sealer`.
    public func seal(_ content: Sensitive<[UInt8]>, context: [UInt8]) throws(GatewayError) -> Sealed {
        let message = content.withExposed { SecretBytes($0) }
        guard let cipher = ciphers[currentID],
            let box = try? cipher.seal(message, authenticating: Self.bound(currentID, context))
        else { throw Self.unusable("The sealing key cannot be used.") }
        let bytes = box.nonce + box.tag + box.ciphertext
        return Sealed(text: [Self.version, currentID, Base64.url.encode(bytes)].joined(separator: "."))
    }

    /// See `Sealer`.
    public func open(_ sealed: Sealed, context: [UInt8]) throws(GatewayError) -> Sensitive<[UInt8]> {
        let parts = sealed.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let head = AESGCM.nonceByteCount + AESGCM.tagByteCount
        guard parts.count == 3, parts[0] == Self.version, let cipher = ciphers[parts[1]],
            let bytes = try? Base64.url.decode(parts[2]), bytes.count >= head
        else { throw Self.refused }
        let box = AESGCM.Box(
            nonce: Array(bytes[..<AESGCM.nonceByteCount]), ciphertext: Array(bytes[head...]),
            tag: Array(bytes[AESGCM.nonceByteCount..<head]))
        guard let message = try? cipher.open(box, authenticating: Self.bound(parts[1], context)) else {
            throw Self.refused
        }
        return message.withExposed { Sensitive($0) }
    }

    private static let version = "s1"

    /// The context, behind version and key: neither can be exchanged either.
    private static func bound(_ id: String, _ context: [UInt8]) -> [UInt8] {
        Array((version + "." + id + ".").utf8) + context
    }

    private static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F || $0 == 0x2D
            }
    }

    private static func unusable(_ message: SafeText) -> GatewayError {
        GatewayError(.configuration, message: message, advice: "Nothing was sent. Correct the keys.")
    }

    private static let refused = GatewayError(
        .invalidInput, message: "This was not sealed here, was changed, or belongs to something else.",
        advice: "Nothing was sent. Keep earlier keys for as long as what they sealed is needed.")
}
