import GatewayKitCore

/// Refuses header fields that would not arrive as they are written, or that would write another message.
enum FieldCheck {
    /// Fields that the transport writes, or that would change how the message is framed or where it goes.
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "keep-alive",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
    ]

    /// Checks a name, in lower case.
    static func name(_ name: String) throws(TransportError) {
        guard !reserved.contains(name) else {
            throw refusal("the header field \(name) is written by the transport and cannot be set")
        }
        guard isToken(name) else {
            throw refusal("the name of a header field, \(visible(name)), is not a token of RFC 9110")
        }
    }

    /// Checks the value of the field `name`, which is not repeated in the error.
    static func value(_ value: String, of name: String) throws(TransportError) {
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            throw refusal("the value of the header field \(name) has a line break, NUL or another control character")
        }
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A: true
                case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
                default: false
                }
            }
    }

    private static func visible(_ name: String) -> String {
        let shown = name.unicodeScalars.prefix(40).map { (0x21...0x7E).contains($0.value) ? Character($0) : "?" }
        return "\"" + String(shown) + "\""
    }

    private static func refusal(_ detail: SafeText) -> TransportError {
        TransportError(.invalidRequest, reach: .notSent, detail: detail)
    }
}
