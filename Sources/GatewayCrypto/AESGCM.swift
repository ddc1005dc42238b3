import COpenSSL

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D) with a 12-byte nonce and a 16-byte tag: encrypts, and notices every
/// change.
///
/// A nonce must never be used twice with one key. ``seal(_:authenticating:)`` takes a random one, which is safe for some
/// billion messages per key; whoever passes a nonce answers for it.
public struct AESGCM: Sendable {
    /// How long a key is.
    public static let keyByteCount = 32
    /// How long a nonce is.
    public static let nonceByteCount = 12
    /// How long a tag is.
    public static let tagByteCount = 16

    private let key: SecretBytes

    /// Throws ``CryptoError/Kind-swift.struct/size`` unless the key has 32 bytes.
    public init(key: SecretBytes) throws(CryptoError) {
        guard key.count == Self.keyByteCount else { throw CryptoError(.size, "AES-256 takes a key of 32 bytes") }
        self.key = key
    }

    /// An encrypted message: nothing in it is secret.
    public struct Box: Sendable, Hashable {
        /// 12 bytes, used once.
        public var nonce: [UInt8]
        /// As long as the message.
        public var ciphertext: [UInt8]
        /// 16 bytes, the proof.
        public var tag: [UInt8]

        /// A box from its parts, as they came.
        public init(nonce: [UInt8], ciphertext: [UInt8], tag: [UInt8]) {
            self.nonce = nonce
            self.ciphertext = ciphertext
            self.tag = tag
        }
    }

    /// Encrypts `message` under a fresh random nonce, and binds it to `context`, which is not encrypted and must be given
    /// again to open it.
    public func seal(_ message: SecretBytes, authenticating context: [UInt8] = []) throws(CryptoError) -> Box {
        try seal(message, authenticating: context, nonce: SecureRandom.bytes(Self.nonceByteCount))
    }

    /// The same with the caller's nonce of 12 bytes.
    public func seal(
        _ message: SecretBytes, authenticating context: [UInt8] = [], nonce: [UInt8]
    ) throws(CryptoError) -> Box {
        guard nonce.count == Self.nonceByteCount else { throw CryptoError(.size, "a nonce has 12 bytes") }
        return try Library.run { () throws(CryptoError) in
            let cipher = try cipher(nonce, encrypts: 1)
            defer { EVP_CIPHER_CTX_free(cipher) }
            try authenticate(context, cipher)
            let ciphertext = try message.withExposed { message throws(CryptoError) in
                try update(cipher, message)
            }
            var none: [UInt8] = [0]
            var count: Int32 = 0
            try Library.check(EVP_CipherFinal_ex(cipher, &none, &count), "EVP_CipherFinal_ex")
            var tag = [UInt8](repeating: 0, count: Self.tagByteCount)
            try Library.check(
                EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag), "EVP_CIPHER_CTX_ctrl")
            return Box(nonce: nonce, ciphertext: ciphertext, tag: tag)
        }
    }

    /// Decrypts a box, and gives nothing unless key, context, nonce, ciphertext and tag all belong together:
    /// ``CryptoError/Kind-swift.struct/authentication`` otherwise.
    public func open(_ box: Box, authenticating context: [UInt8] = []) throws(CryptoError) -> SecretBytes {
        guard box.nonce.count == Self.nonceByteCount else { throw CryptoError(.size, "a nonce has 12 bytes") }
        guard box.tag.count == Self.tagByteCount else { throw CryptoError(.size, "a tag has 16 bytes") }
        return try Library.run { () throws(CryptoError) in
            let cipher = try cipher(box.nonce, encrypts: 0)
            defer { EVP_CIPHER_CTX_free(cipher) }
            try authenticate(context, cipher)
            let message = SecretBytes(try update(cipher, box.ciphertext))
            var tag = box.tag
            try Library.check(
                EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag), "EVP_CIPHER_CTX_ctrl")
            var none: [UInt8] = [0]
            var count: Int32 = 0
            guard EVP_CipherFinal_ex(cipher, &none, &count) == 1 else {
                throw CryptoError(.authentication, "not sealed with this key, or changed")
            }
            return message
        }
    }

    private func cipher(_ nonce: [UInt8], encrypts: Int32) throws(CryptoError) -> OpaquePointer {
        let cipher = try Library.made(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
        let code = key.withExposed { EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, $0, nonce, encrypts) }
        guard code == 1 else {
            EVP_CIPHER_CTX_free(cipher)
            throw CryptoError(.library, "EVP_CipherInit_ex")
        }
        return cipher
    }

    private func authenticate(_ context: [UInt8], _ cipher: OpaquePointer) throws(CryptoError) {
        guard !context.isEmpty else { return }
        var count: Int32 = 0
        try Library.check(
            EVP_CipherUpdate(cipher, nil, &count, context, try Library.length(context)), "EVP_CipherUpdate")
    }

    private func update(_ cipher: OpaquePointer, _ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        var result = [UInt8](repeating: 0, count: bytes.count)
        var count: Int32 = 0
        try Library.check(
            EVP_CipherUpdate(cipher, &result, &count, bytes, try Library.length(bytes)), "EVP_CipherUpdate")
        return result
    }
}
