import COpenSSL

/// OpenSSL's object for one RSA key. Immutable after its creation, and OpenSSL 3 lets many threads use one at once.
final class RSAKeyHandle: @unchecked Sendable {
    let key: OpaquePointer
    let bitCount: Int

    /// Takes the object over, and frees it too where it is refused.
    init(taking key: OpaquePointer) throws(CryptoError) {
        self.key = key
        bitCount = Int(EVP_PKEY_get_bits(key))
        // All stored properties are set, so a refusal from here on runs deinit.
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else { throw CryptoError(.key, "the key is not an RSA key") }
        guard bitCount >= 2048 else { throw CryptoError(.keyStrength, "an RSA key of fewer than 2048 bits") }
        guard bitCount <= 8192 else { throw CryptoError(.keyStrength, "an RSA key of more than 8192 bits") }
        let modulus = try number(OSSL_PKEY_PARAM_RSA_N)
        let exponent = try number(OSSL_PKEY_PARAM_RSA_E)
        guard let last = modulus.last, last & 1 == 1 else { throw CryptoError(.key, "an even RSA modulus") }
        guard let low = exponent.last, low & 1 == 1, exponent.count > 1 || low >= 3 else {
            throw CryptoError(.key, "an RSA exponent that is even or one")
        }
        guard exponent.count <= 8 else { throw CryptoError(.key, "an RSA exponent of more than 64 bits") }
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// How many bytes a signature or an encrypted message has.
    var byteCount: Int { (bitCount + 7) / 8 }

    /// One of the key's public numbers, big-endian without leading zeros.
    func number(_ name: String) throws(CryptoError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else {
            throw CryptoError(.key, "the key lacks one of its numbers")
        }
        defer { BN_clear_free(number) }
        var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)
        BN_bn2bin(number, &bytes)
        return bytes
    }

    var hasPrivatePart: Bool {
        var number: OpaquePointer?
        defer { BN_clear_free(number) }
        return EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_D, &number) == 1
    }

    /// Reads a block whose label was checked. OpenSSL gets no way to ask a person for a passphrase.
    static func decoded(_ text: PEMText, selection: Int32) throws(CryptoError) -> OpaquePointer {
        var key: OpaquePointer?
        let context = try Library.made(
            OSSL_DECODER_CTX_new_for_pkey(&key, "PEM", nil, nil, selection, nil, nil), "OSSL_DECODER_CTX_new_for_pkey")
        defer { OSSL_DECODER_CTX_free(context) }
        let code = text.bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            var count = buffer.count
            return OSSL_DECODER_from_data(context, &start, &count)
        }
        guard code == 1, let key else {
            EVP_PKEY_free(key)
            throw CryptoError(.key, "a PEM block that holds no readable key")
        }
        return key
    }

    /// A context for one operation with the key; the caller frees it.
    func context() throws(CryptoError) -> OpaquePointer {
        try Library.made(EVP_PKEY_CTX_new_from_pkey(nil, key, nil), "EVP_PKEY_CTX_new_from_pkey")
    }

    func written(_ call: StaticString, _ write: (OpaquePointer) -> Int32) throws(CryptoError) -> String {
        let memory = try Library.made(BIO_new(BIO_s_secmem()), "BIO_new")
        defer { BIO_free(memory) }
        try Library.check(write(memory), call)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = BIO_read(memory, &buffer, Int32(buffer.count))
            guard count > 0 else { break }
            bytes += buffer.prefix(Int(count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
