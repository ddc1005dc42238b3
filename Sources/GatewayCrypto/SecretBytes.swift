import COpenSSL

/// Bytes that must not be shown: a content key, a decrypted message.
///
/// It prints, dumps and mirrors as `[FILTERED]`, compares in constant time, and overwrites its memory when the last copy
/// goes. Copies that a caller makes of what ``withExposed(_:)`` hands out are the caller's.
public struct SecretBytes: Sendable {
    private let storage: Storage

    /// Wraps `bytes`.
    public init(_ bytes: [UInt8]) {
        storage = Storage(bytes)
    }

    /// How many bytes there are; this is not secret.
    public var count: Int { storage.bytes.count }

    /// Hands the bytes to `body`, which must not let them reach a log, an error or a description.
    public func withExposed<Result, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.bytes)
    }

    private final class Storage: @unchecked Sendable {
        private(set) var bytes: [UInt8]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        // Where somebody else holds the array too, this overwrites a fresh copy and theirs stays.
        deinit {
            bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
        }
    }
}

extension SecretBytes: Equatable {
    /// Compares without telling by its duration where two values differ; a difference in length may show.
    public static func == (lhs: SecretBytes, rhs: SecretBytes) -> Bool {
        ConstantTime.areEqual(lhs.storage.bytes, rhs.storage.bytes)
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `[FILTERED]`.
    public var description: String { "[FILTERED]" }
    /// Always `[FILTERED]`.
    public var debugDescription: String { "[FILTERED]" }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
