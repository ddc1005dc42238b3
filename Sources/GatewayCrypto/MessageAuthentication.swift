import COpenSSL

/// HMAC (RFC 2104) over one of the SHA-2 functions: proves that a message comes from somebody who has the key.
public struct MessageAuthentication: Sendable {
    private let hash: HashFunction
    private let key: SecretBytes

    /// A key of any length, as RFC 2104 has it; one shorter than the digest weakens the proof.
    public init(_ hash: HashFunction, key: SecretBytes) {
        self.hash = hash
        self.key = key
    }

    /// The code for all of `message`, as long as the hash's digest.
    public func code(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try Library.run { () throws(CryptoError) in
            var code = [UInt8](repeating: 0, count: hash.byteCount)
            let result = try key.withExposed { key throws(CryptoError) in
                HMAC(hash.algorithm, key, try Library.length(key), message, message.count, &code, nil)
            }
            guard result != nil else { throw CryptoError(.library, "HMAC") }
            return code
        }
    }

    /// Whether `code` is the one for `message`, compared in constant time. A shortened code is not accepted.
    public func isValid(_ code: [UInt8], for message: [UInt8]) throws(CryptoError) -> Bool {
        ConstantTime.areEqual(try self.code(for: message), code)
    }
}
