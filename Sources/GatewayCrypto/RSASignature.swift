import COpenSSL

extension RSAPrivateKey {
    /// Signs `message` with RSASSA-PKCS1-v1_5 over SHA-256 (RFC 8017, section 8.2; `RS256` in JOSE).
    ///
    /// The same key and message always give the same signature, as long as the key's modulus.
    public func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try Library.run { () throws(CryptoError) in
            let context = try Library.made(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
            defer { EVP_MD_CTX_free(context) }
            var keyContext: OpaquePointer?
            try Library.check(
                EVP_DigestSignInit(context, &keyContext, HashFunction.sha256.algorithm, nil, handle.key),
                "EVP_DigestSignInit")
            try Library.check(
                EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PADDING), "EVP_PKEY_CTX_set_rsa_padding")
            var signature = [UInt8](repeating: 0, count: handle.byteCount)
            var count = signature.count
            try Library.check(
                EVP_DigestSign(context, &signature, &count, message, message.count), "EVP_DigestSign")
            return Array(signature.prefix(count))
        }
    }
}

extension RSAPublicKey {
    /// Whether `signature` is the one that ``RSAPrivateKey/signature(for:)`` gives for `message`. Everything else,
    /// also a signature of a wrong length, is false.
    public func isValid(_ signature: [UInt8], for message: [UInt8]) throws(CryptoError) -> Bool {
        try Library.run { () throws(CryptoError) in
            let context = try Library.made(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
            defer { EVP_MD_CTX_free(context) }
            var keyContext: OpaquePointer?
            try Library.check(
                EVP_DigestVerifyInit(context, &keyContext, HashFunction.sha256.algorithm, nil, handle.key),
                "EVP_DigestVerifyInit")
            try Library.check(
                EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PADDING), "EVP_PKEY_CTX_set_rsa_padding")
            return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        }
    }
}
