/// Points at a session of a provider, from any process that has the account.
public struct SessionReference: Sendable, Hashable, Codable {
    /// The account's name.
    public let accountName: String
    /// The provider's id of the session. At some providers knowing it is all the permission one needs: treat it as
    /// confidential.
    public let id: String

    /// Points at a session.
    public init(account: AccountName, id: String) {
        accountName = account.description
        self.id = id
    }
}

extension SessionReference: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The account, and of a long id the last four characters: enough to find the session again, not to use it.
    public var description: String {
        "session of \(accountName)" + (id.utf8.count >= 16 ? " ending \(id.suffix(4))" : "")
    }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Where a session stands.
public struct SessionStatus: Sendable, Hashable {
    /// The session.
    public var reference: SessionReference
    /// Where it stands, in GatewayKit's words.
    public var phase: Phase
    /// The provider's own word, untouched.
    public var providerWord: String?
    /// The token that the session ended with, where it did and the provider tells.
    public var token: PaymentToken?
    /// Why the session ended without a token, where it did and the provider tells.
    public var decline: Decline?
    /// The payment behind the session, where money is involved.
    public var payment: PaymentRecord?
    /// The id of the request at the provider: quote it in support requests.
    public var requestID: String?

    /// Describes a status.
    public init(reference: SessionReference, phase: Phase, providerWord: String? = nil) {
        self.reference = reference
        self.phase = phase
        self.providerWord = providerWord
    }

    /// Where a session stands. A word that an adapter does not know reads as ``unknown``.
    public struct Phase: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String { case open, processing, succeeded, failed, expired, unknown }
        private let name: Name

        /// Waits for card data.
        public static let open = Phase(name: .open)
        /// Card data came; no result yet.
        public static let processing = Phase(name: .processing)
        /// Finished with a token.
        public static let succeeded = Phase(name: .succeeded)
        /// Finished without a token.
        public static let failed = Phase(name: .failed)
        /// Too old or used up.
        public static let expired = Phase(name: .expired)
        /// A word that is not in the adapter's table, or no word at all.
        public static let unknown = Phase(name: .unknown)

        /// The stable spelling.
        public var description: String { name.rawValue }

        /// Whether nothing more will come of the session.
        public var isTerminal: Bool {
            switch name {
            case .succeeded, .failed, .expired: true
            case .open, .processing, .unknown: false
            }
        }
    }
}
