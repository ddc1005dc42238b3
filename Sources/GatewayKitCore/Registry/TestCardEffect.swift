/// What a public test card does at one provider, as far as the provider's documents tell.
public struct TestCardEffect: Sendable, Hashable {
    /// The card, by its name in ``TestCard``.
    public var card: String
    /// What it does, in GatewayKit's words.
    public var kind: Kind
    /// More, where one word is not enough.
    public var detail: SafeText?

    /// Describes an effect.
    public init(_ card: String, _ kind: Kind, detail: SafeText? = nil) {
        self.card = card
        self.kind = kind
        self.detail = detail
    }

    /// What a test card does. More kinds may come.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case approved, declined, storingRefused, challenge, frictionless, authenticationFailed, authenticates
        }
        private let name: Name

        /// Payments with it are approved.
        public static let approved = Kind(name: .approved)
        /// Payments with it are declined; storing it works.
        public static let declined = Kind(name: .declined)
        /// Storing it at a gateway is refused.
        public static let storingRefused = Kind(name: .storingRefused)
        /// 3-D Secure asks the shopper.
        public static let challenge = Kind(name: .challenge)
        /// 3-D Secure succeeds without asking.
        public static let frictionless = Kind(name: .frictionless)
        /// 3-D Secure fails.
        public static let authenticationFailed = Kind(name: .authenticationFailed)
        /// Takes part in 3-D Secure; something else, such as the amount, decides how it goes.
        public static let authenticates = Kind(name: .authenticates)

        /// The stable spelling.
        public var description: String { name.rawValue }
    }
}
