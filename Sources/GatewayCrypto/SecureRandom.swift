import COpenSSL

/// Bytes that nobody can predict, from OpenSSL's generator, which the operating system seeds.
public enum SecureRandom {
    /// `count` bytes, at most 1 MiB. Throws ``CryptoError/Kind-swift.struct/library`` where the system has no entropy,
    /// and never gives weaker bytes instead.
    public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard (0...1_048_576).contains(count) else {
            throw CryptoError(.size, "random bytes are given from 0 to 1 MiB at once")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        let code = RAND_bytes(&bytes, Int32(count))
        guard code == 1 else {
            ERR_clear_error()
            throw CryptoError(.library, "RAND_bytes")
        }
        return bytes
    }
}
