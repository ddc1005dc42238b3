import GatewayCrypto
import GatewayKitCore

/// The signature on redirects of v1 pages: `lowercase_hex(HMAC-SHA256(secret key as text, tracker))`, as Safepay's Node,
/// PHP and Python SDKs define it.
///
/// It proves that whoever made the redirect knows the secret key, and nothing else: amount, order and time are not in it,
/// so it never expires and fits every page of the same tracker. v3 redirects carry none.
struct SafepaySignature: Sendable {
    private let authentication: MessageAuthentication

    /// - Parameter secretKey: The account's secret key; its characters are the key, not what they mean in hexadecimal.
    init(secretKey: Sensitive<String>) {
        authentication = MessageAuthentication(
            .sha256, key: SecretBytes(secretKey.withExposed { Array($0.utf8) }))
    }

    /// Whether `text` is the signature for `tracker`: exactly 64 hexadecimal digits, in either case, compared in constant
    /// time. `false` for everything else, and where the library fails.
    func isValid(_ text: String, for tracker: String) -> Bool {
        guard let code = Self.bytes(text) else { return false }
        return (try? authentication.isValid(code, for: Array(tracker.utf8))) ?? false
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count == 64 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            let digit: UInt8
            switch character {
            case 0x30...0x39: digit = character - 0x30
            case 0x41...0x46: digit = character - 0x37
            case 0x61...0x66: digit = character - 0x57
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
