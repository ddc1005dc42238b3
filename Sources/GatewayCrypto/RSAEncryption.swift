import COpenSSL

extension RSAPublicKey {
    /// Encrypts a short secret with RSAES-OAEP, SHA-256 for both the label's hash and the mask (RFC 8017, section 7.1;
    /// `RSA-OAEP-256` in JOSE). The label is empty.
    ///
    /// At most the modulus' length less 66 bytes; ``CryptoError/Kind-swift.struct/size`` beyond. Two calls give two
    /// different texts.
    public func encrypt(_ secret: SecretBytes) throws(CryptoError) -> [UInt8] {
        guard secret.count <= handle.byteCount - 66 else {
            throw CryptoError(.size, "more than RSA-OAEP can encrypt with this key")
        }
        return try Library.run { () throws(CryptoError) in
            let context = try handle.context()
            defer { EVP_PKEY_CTX_free(context) }
            try Library.check(EVP_PKEY_encrypt_init(context), "EVP_PKEY_encrypt_init")
            try setOAEP(context)
            var encrypted = [UInt8](repeating: 0, count: handle.byteCount)
            var count = encrypted.count
            let code = secret.withExposed { EVP_PKEY_encrypt(context, &encrypted, &count, $0, $0.count) }
            try Library.check(code, "EVP_PKEY_encrypt")
            return Array(encrypted.prefix(count))
        }
    }
}

extension RSAPrivateKey {
    /// Decrypts what ``RSAPublicKey/encrypt(_:)`` made.
    ///
    /// Throws ``CryptoError/Kind-swift.struct/authentication`` whatever the reason: telling the reasons apart would help
    /// somebody who sends guesses.
    public func decrypt(_ encrypted: [UInt8]) throws(CryptoError) -> SecretBytes {
        try Library.run { () throws(CryptoError) in
            let context = try handle.context()
            defer { EVP_PKEY_CTX_free(context) }
            try Library.check(EVP_PKEY_decrypt_init(context), "EVP_PKEY_decrypt_init")
            try setOAEP(context)
            var secret = [UInt8](repeating: 0, count: handle.byteCount)
            defer { OPENSSL_cleanse(&secret, secret.count) }
            var count = secret.count
            guard EVP_PKEY_decrypt(context, &secret, &count, encrypted, encrypted.count) == 1 else {
                throw CryptoError(.authentication, "not encrypted for this key, or damaged")
            }
            return SecretBytes(Array(secret.prefix(count)))
        }
    }
}

private func setOAEP(_ context: OpaquePointer) throws(CryptoError) {
    let hash = HashFunction.sha256.algorithm
    try Library.check(
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING), "EVP_PKEY_CTX_set_rsa_padding")
    try Library.check(EVP_PKEY_CTX_set_rsa_oaep_md(context, hash), "EVP_PKEY_CTX_set_rsa_oaep_md")
    try Library.check(EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash), "EVP_PKEY_CTX_set_rsa_mgf1_md")
}
