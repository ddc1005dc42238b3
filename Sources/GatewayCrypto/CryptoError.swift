/// Why a cryptographic operation gave nothing.
///
/// Its texts are literals of this module: no key, plaintext, token or other input can be part of an error. The same
/// input fails the same way, so repeating a call helps only where the kind is ``Kind-swift.struct/library``.
public struct CryptoError: Error, Sendable, Hashable {
    /// What kind of thing went wrong. More kinds may come.
    public let kind: Kind
    /// What exactly, in fixed words.
    public let detail: String

    /// Only literals, so that no input gets in.
    init(_ kind: Kind, _ detail: StaticString) {
        self.kind = kind
        self.detail = "\(detail)"
    }

    /// The kinds of failure.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private let word: Word

        private enum Word: String {
            case encoding, key, keyStrength, keyPassphrase, size, authentication, structure, algorithm, library
        }

        /// Text that is not base64, or not in its one canonical spelling.
        public static let encoding = Kind(word: .encoding)
        /// Not a key, damaged, or a key of another kind than needed.
        public static let key = Kind(word: .key)
        /// A key that is too short to be safe, or so long that using it would block a thread for seconds.
        public static let keyStrength = Kind(word: .keyStrength)
        /// A private key that is itself encrypted with a passphrase; this module takes none.
        public static let keyPassphrase = Kind(word: .keyPassphrase)
        /// An input outside the range of lengths that the operation accepts.
        public static let size = Kind(word: .size)
        /// The input does not belong to this key, or was changed on the way. Nothing of it may be used.
        public static let authentication = Kind(word: .authentication)
        /// A message whose form breaks its standard.
        public static let structure = Kind(word: .structure)
        /// A message that asks for an algorithm or an extension that is not on the list here.
        public static let algorithm = Kind(word: .algorithm)
        /// OpenSSL refused for a reason of its own, such as no memory or no entropy.
        public static let library = Kind(word: .library)

        /// The kind's name.
        public var description: String { word.rawValue }
    }
}

extension CryptoError: CustomStringConvertible {
    /// The kind and the detail.
    public var description: String { "\(kind): \(detail)" }
}
