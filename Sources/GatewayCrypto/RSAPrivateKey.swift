import COpenSSL

/// An RSA private key of 2048 to 8192 bits. Nothing that prints shows more of it than its length.
public struct RSAPrivateKey: Sendable {
    let handle: RSAKeyHandle

    /// Reads a PEM block `PRIVATE KEY` (PKCS#8) or `RSA PRIVATE KEY` (PKCS#1).
    ///
    /// Throws ``CryptoError/Kind-swift.struct/keyPassphrase`` for an encrypted key and
    /// ``CryptoError/Kind-swift.struct/key`` for anything else, with words for the likely mistakes.
    public init(pem text: String) throws(CryptoError) {
        let block = try PEMText(text)
        guard !block.isEncrypted else { throw CryptoError(.keyPassphrase, "the private key is encrypted") }
        switch block.label {
        case "PRIVATE KEY", "RSA PRIVATE KEY": break
        case "PUBLIC KEY", "RSA PUBLIC KEY":
            throw CryptoError(.key, "a public key stands where a private key is needed")
        case "CERTIFICATE": throw CryptoError(.key, "a certificate stands where a private key is needed")
        case "OPENSSH PRIVATE KEY":
            throw CryptoError(.key, "a key in OpenSSH's own format; ssh-keygen -p -m PEM rewrites it")
        default: throw CryptoError(.key, "a PEM block that is no RSA private key")
        }
        handle = try Library.run { () throws(CryptoError) in
            let handle = try RSAKeyHandle(taking: RSAKeyHandle.decoded(block, selection: gk_select_pair()))
            guard handle.hasPrivatePart else { throw CryptoError(.key, "the key has no private part") }
            return handle
        }
    }

    private init(_ handle: RSAKeyHandle) {
        self.handle = handle
    }

    /// A new key of 2048, 3072 or 4096 bits, with 65537 as its exponent. Takes from a tenth of a second to some seconds.
    public static func generate(bits: Int = 2048) throws(CryptoError) -> RSAPrivateKey {
        guard [2048, 3072, 4096].contains(bits) else {
            throw CryptoError(.keyStrength, "RSA keys are made of 2048, 3072 or 4096 bits")
        }
        return try Library.run { () throws(CryptoError) in
            let context = try Library.made(EVP_PKEY_CTX_new_from_name(nil, "RSA", nil), "EVP_PKEY_CTX_new_from_name")
            defer { EVP_PKEY_CTX_free(context) }
            try Library.check(EVP_PKEY_keygen_init(context), "EVP_PKEY_keygen_init")
            try Library.check(
                EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)), "EVP_PKEY_CTX_set_rsa_keygen_bits")
            var key: OpaquePointer?
            guard EVP_PKEY_generate(context, &key) == 1, let key else {
                throw CryptoError(.library, "EVP_PKEY_generate")
            }
            return RSAPrivateKey(try RSAKeyHandle(taking: key))
        }
    }

    /// The public half, for others. It shares the object and gives nothing private away.
    public var publicKey: RSAPublicKey { RSAPublicKey(handle) }

    /// How long the modulus is.
    public var bitCount: Int { handle.bitCount }

    /// The key as an unencrypted PEM block `PRIVATE KEY` (PKCS#8).
    public func pem() throws(CryptoError) -> SecretBytes {
        try Library.run { () throws(CryptoError) in
            let text = try handle.written("PEM_write_bio_PrivateKey") {
                PEM_write_bio_PrivateKey($0, handle.key, nil, nil, 0, nil, nil)
            }
            return SecretBytes(Array(text.utf8))
        }
    }
}

extension RSAPrivateKey: CustomStringConvertible, CustomReflectable {
    /// The kind and the length.
    public var description: String { "RSA private key of \(bitCount) bits" }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
