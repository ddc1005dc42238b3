/// JSON Web Encryption in its compact form (RFC 7516) for one pair of algorithms: `RSA-OAEP-256` for the content key,
/// `A256GCM` for the content. Every other pair is refused, whatever a header says.
public struct CompactJWE: Sendable, Hashable {
    /// The `alg` that is written and accepted.
    public static let algorithm = "RSA-OAEP-256"
    /// The `enc` that is written and accepted.
    public static let encryption = "A256GCM"
    /// The longest text that is read, in bytes.
    public static let byteLimit = 1_048_576

    /// What the header says. Until the message is opened, anybody may have written it.
    public let header: JOSEHeader
    private let protectedHeader: [UInt8]
    private let encryptedKey: [UInt8]
    private let box: AESGCM.Box

    /// Reads the five parts without decrypting: the header strict JSON, every part strict base64url, nonce and tag of
    /// their exact lengths.
    ///
    /// Throws ``CryptoError/Kind-swift.struct/structure``, ``CryptoError/Kind-swift.struct/encoding``,
    /// ``CryptoError/Kind-swift.struct/algorithm`` or ``CryptoError/Kind-swift.struct/size``.
    public init(reading text: String) throws(CryptoError) {
        guard text.utf8.count <= Self.byteLimit else { throw CryptoError(.size, "a JWE of more than 1 MiB") }
        let parts = Array(text.utf8).split(separator: 0x2E, maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 5 else { throw CryptoError(.structure, "a compact JWE has five parts") }
        guard parts[0].count <= JOSEHeader.byteLimit * 4 / 3 + 2 else {
            throw CryptoError(.size, "a JOSE header of more than 8 KiB")
        }
        header = try JOSEHeader(json: Base64.url.decode(parts[0]))
        guard header.algorithm == Self.algorithm else {
            throw CryptoError(.algorithm, "a JWE whose key encryption is not RSA-OAEP-256")
        }
        guard header.encryption == Self.encryption else {
            throw CryptoError(.algorithm, "a JWE whose content encryption is not A256GCM")
        }
        protectedHeader = Array(parts[0])
        guard parts[1].count <= 1400 else { throw CryptoError(.size, "an encrypted key longer than any RSA key here") }
        encryptedKey = try Base64.url.decode(parts[1])
        box = AESGCM.Box(
            nonce: try Base64.url.decode(parts[2]), ciphertext: try Base64.url.decode(parts[3]),
            tag: try Base64.url.decode(parts[4]))
        guard box.nonce.count == AESGCM.nonceByteCount else {
            throw CryptoError(.structure, "an initialization vector that has not 12 bytes")
        }
        guard box.tag.count == AESGCM.tagByteCount else {
            throw CryptoError(.structure, "an authentication tag that has not 16 bytes")
        }
    }

    /// Decrypts the content.
    ///
    /// Throws ``CryptoError/Kind-swift.struct/authentication``, with the same words and after the same work, for a wrong
    /// key and for a change in any part: a key that does not decrypt is replaced by a random one (RFC 7516, section
    /// 11.5).
    public func open(with key: RSAPrivateKey) throws(CryptoError) -> SecretBytes {
        var contentKey = SecretBytes(try SecureRandom.bytes(AESGCM.keyByteCount))
        do throws(CryptoError) {
            let decrypted = try key.decrypt(encryptedKey)
            if decrypted.count == AESGCM.keyByteCount { contentKey = decrypted }
        } catch {
            guard error.kind == .authentication else { throw error }
        }
        do throws(CryptoError) {
            return try AESGCM(key: contentKey).open(box, authenticating: protectedHeader)
        } catch {
            guard error.kind == .authentication else { throw error }
            throw CryptoError(.authentication, "a JWE that is not for this key, or was changed")
        }
    }

    /// Encrypts `content` for the owner of `key`, under a content key and a nonce of its own, and gives the compact text.
    ///
    /// `keyID`, `type` and `contentType` become the header's `kid`, `typ` and `cty`, which everybody can read. Throws
    /// ``CryptoError/Kind-swift.struct/size`` where the text would be longer than ``byteLimit``.
    public static func encrypt(
        _ content: SecretBytes, for key: RSAPublicKey, keyID: String? = nil, type: String? = nil,
        contentType: String? = nil
    ) throws(CryptoError) -> String {
        let header = JOSEHeader(
            algorithm: algorithm, encryption: encryption, keyID: keyID, type: type, contentType: contentType
        ).json
        guard header.count <= JOSEHeader.byteLimit else {
            throw CryptoError(.size, "a JOSE header of more than 8 KiB")
        }
        let contentKey = SecretBytes(try SecureRandom.bytes(AESGCM.keyByteCount))
        let protectedHeader = Base64.url.encode(header)
        let encryptedKey = try key.encrypt(contentKey)
        let box = try AESGCM(key: contentKey).seal(content, authenticating: Array(protectedHeader.utf8))
        let text = ([protectedHeader] + [encryptedKey, box.nonce, box.ciphertext, box.tag].map(Base64.url.encode))
            .joined(separator: ".")
        guard text.utf8.count <= byteLimit else { throw CryptoError(.size, "a JWE of more than 1 MiB") }
        return text
    }
}

extension CompactJWE: CustomStringConvertible, CustomReflectable {
    /// The algorithms only.
    public var description: String { "compact JWE, \(Self.algorithm), \(Self.encryption)" }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
