/// A definite no: the provider, the issuer or a network refused, and nothing was charged or stored.
public struct Decline: Sendable, Hashable {
    /// Why, in GatewayKit's words.
    public var reason: Reason
    /// The provider's own code, untouched; keep it beside the reason.
    public var providerCode: String?
    /// The provider's words, scrubbed.
    public var message: SafeText
    /// The id of the request at the provider.
    public var requestID: String?

    /// Describes a decline.
    public init(_ reason: Reason, providerCode: String?, message: SafeText, requestID: String? = nil) {
        self.reason = reason
        self.providerCode = providerCode
        self.message = message
        self.requestID = requestID
    }

    /// Why something was declined. More reasons may be added in any release.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case cardDeclined, accountNotActive, unlisted
        }
        private let name: Name

        /// Declined without a more specific reason.
        public static let cardDeclined = Reason(name: .cardDeclined)
        /// The provider account may not handle real cards yet; a card outside the provider's public test list was sent.
        public static let accountNotActive = Reason(name: .accountNotActive)
        /// The provider gave a reason that has no row in the adapter's table: read its code and message.
        public static let unlisted = Reason(name: .unlisted)

        /// The stable spelling.
        public var description: String { name.rawValue }
        /// Reads the stable spelling.
        public init?(_ text: String) {
            guard let name = Name(rawValue: text) else { return nil }
            self.name = name
        }
        private init(name: Name) { self.name = name }
    }
}
