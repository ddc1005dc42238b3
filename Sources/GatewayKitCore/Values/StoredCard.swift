/// A card that a provider has stored, with a security code that the shopper has just typed: providers forget the code
/// after its first use, and may not keep it (PCI DSS 3.3.1).
public struct StoredCard: Sendable, Equatable {
    /// The provider's token of the card.
    public var token: String
    /// The security code.
    public var securityCode: SecurityCode

    /// A stored card and its code.
    public init(token: String, securityCode: SecurityCode) {
        self.token = token
        self.securityCode = securityCode
    }

    /// What is wrong: a token that is missing, or that is no token (see ``PaymentToken/isWellFormed(id:)``).
    public var issues: [FieldIssue] {
        if token.allSatisfy(\.isWhitespace) {
            return [FieldIssue(.token, .missing, message: "The token of the stored card is missing.")]
        }
        guard PaymentToken.isWellFormed(id: token) else {
            return [
                FieldIssue(
                    .token, .malformed, message: "This is no token: it has spaces, odd characters or too many of them.")
            ]
        }
        return []
    }
}

extension StoredCard: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `stored card`: neither token nor code.
    public var description: String { "stored card" }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension PaymentToken {
    /// Whether a text can be a token at all: 1 to 256 visible ASCII characters. Which tokens exist is the provider's
    /// to say.
    public static func isWellFormed(id: String) -> Bool {
        (1...256).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
