import COpenSSL

/// Calls into OpenSSL leave its thread's error queue as they found it: libcurl shares it and would report our errors as
/// its own.
enum Library {
    static func run<Result>(_ body: () throws(CryptoError) -> Result) throws(CryptoError) -> Result {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        return try body()
    }

    static func made(_ object: OpaquePointer?, _ call: StaticString) throws(CryptoError) -> OpaquePointer {
        guard let object else { throw CryptoError(.library, call) }
        return object
    }

    static func check(_ code: Int32, _ call: StaticString) throws(CryptoError) {
        guard code == 1 else { throw CryptoError(.library, call) }
    }

    /// A length for a C interface that counts in `int`.
    static func length(_ bytes: [UInt8]) throws(CryptoError) -> Int32 {
        guard let length = Int32(exactly: bytes.count) else {
            throw CryptoError(.size, "an input of more than 2 GiB")
        }
        return length
    }
}
