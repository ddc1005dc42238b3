import COpenSSL

/// The SHA-2 functions of FIPS 180-4 that payment protocols use.
public enum HashFunction: Sendable, Hashable, CaseIterable {
    /// 32 bytes.
    case sha256
    /// 48 bytes.
    case sha384
    /// 64 bytes.
    case sha512

    /// How long a digest is.
    public var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The digest of all of `message`.
    public func digest(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try Library.run { () throws(CryptoError) in
            var digest = [UInt8](repeating: 0, count: byteCount)
            try Library.check(EVP_Digest(message, message.count, &digest, nil, algorithm, nil), "EVP_Digest")
            return digest
        }
    }

    var algorithm: OpaquePointer? {
        switch self {
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }
}
