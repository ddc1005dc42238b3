import COpenSSL

/// Comparing what an attacker must not be able to guess byte by byte.
public enum ConstantTime {
    /// Whether both are the same. How long it takes depends on the length only; different lengths are told at once.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
