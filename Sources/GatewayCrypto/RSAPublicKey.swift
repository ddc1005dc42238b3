import COpenSSL

/// An RSA public key of 2048 to 8192 bits.
public struct RSAPublicKey: Sendable {
    let handle: RSAKeyHandle

    init(_ handle: RSAKeyHandle) {
        self.handle = handle
    }

    /// Reads a PEM block `PUBLIC KEY` (X.509 SubjectPublicKeyInfo) or `RSA PUBLIC KEY` (PKCS#1).
    ///
    /// Throws ``CryptoError/Kind-swift.struct/key`` for anything else, with words for the likely mistakes: a private key
    /// or a certificate in its place.
    public init(pem text: String) throws(CryptoError) {
        let block = try PEMText(text)
        switch block.label {
        case "PUBLIC KEY", "RSA PUBLIC KEY": break
        case "CERTIFICATE": throw CryptoError(.key, "a certificate stands where a public key is needed")
        case _ where block.label.hasSuffix("PRIVATE KEY"):
            throw CryptoError(.key, "a private key stands where a public key is needed")
        default: throw CryptoError(.key, "a PEM block that is no public key")
        }
        handle = try Library.run { () throws(CryptoError) in
            try RSAKeyHandle(taking: RSAKeyHandle.decoded(block, selection: gk_select_public()))
        }
    }

    /// A key from its two numbers, big-endian.
    public init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) {
        guard modulus.count <= 1025, exponent.count <= 8 else {
            throw CryptoError(.keyStrength, "an RSA modulus of more than 8192 bits or an exponent of more than 64")
        }
        handle = try Library.run { () throws(CryptoError) in
            let builder = try Library.made(OSSL_PARAM_BLD_new(), "OSSL_PARAM_BLD_new")
            defer { OSSL_PARAM_BLD_free(builder) }
            let n = try Library.made(BN_bin2bn(modulus, Int32(modulus.count), nil), "BN_bin2bn")
            defer { BN_free(n) }
            let e = try Library.made(BN_bin2bn(exponent, Int32(exponent.count), nil), "BN_bin2bn")
            defer { BN_free(e) }
            try Library.check(gk_push_rsa_public(builder, n, e), "OSSL_PARAM_BLD_push_BN")
            guard let parameters = OSSL_PARAM_BLD_to_param(builder) else {
                throw CryptoError(.library, "OSSL_PARAM_BLD_to_param")
            }
            defer { OSSL_PARAM_free(parameters) }
            let context = try Library.made(EVP_PKEY_CTX_new_from_name(nil, "RSA", nil), "EVP_PKEY_CTX_new_from_name")
            defer { EVP_PKEY_CTX_free(context) }
            try Library.check(EVP_PKEY_fromdata_init(context), "EVP_PKEY_fromdata_init")
            var key: OpaquePointer?
            guard EVP_PKEY_fromdata(context, &key, gk_select_public(), parameters) == 1, let key else {
                throw CryptoError(.key, "numbers that make no RSA key")
            }
            return try RSAKeyHandle(taking: key)
        }
    }

    /// A key from the members `n` and `e` of a JSON Web Key (RFC 7518, section 6.3.1): base64url without padding.
    ///
    /// Whoever reads the JWK checks its `kty` (`RSA`), and `use`, `alg` and `kid` where they matter. Leading zero bytes
    /// are accepted, because writers have produced them.
    public init(jwkModulus n: String, exponent e: String) throws(CryptoError) {
        guard n.utf8.count <= 1400, e.utf8.count <= 12 else {
            throw CryptoError(.keyStrength, "an RSA modulus of more than 8192 bits or an exponent of more than 64")
        }
        try self.init(modulus: Base64.url.decode(n), exponent: Base64.url.decode(e))
    }

    /// How long the modulus is.
    public var bitCount: Int { handle.bitCount }

    /// The members `n` and `e` of a JSON Web Key, in base64url.
    public func jwkNumbers() throws(CryptoError) -> (n: String, e: String) {
        try Library.run { () throws(CryptoError) in
            (
                Base64.url.encode(try handle.number(OSSL_PKEY_PARAM_RSA_N)),
                Base64.url.encode(try handle.number(OSSL_PKEY_PARAM_RSA_E))
            )
        }
    }

    /// The key as a PEM block `PUBLIC KEY`.
    public func pem() throws(CryptoError) -> String {
        try Library.run { () throws(CryptoError) in
            try handle.written("PEM_write_bio_PUBKEY") { PEM_write_bio_PUBKEY($0, handle.key) }
        }
    }
}

extension RSAPublicKey: CustomStringConvertible, CustomReflectable {
    /// The kind and the length.
    public var description: String { "RSA public key of \(bitCount) bits" }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
