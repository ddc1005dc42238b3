/// What a session is wanted for.
///
/// A provider takes what it has a place for. What it cannot do without is refused by name before anything is sent; what
/// it cannot honour although the caller demands it (``authentication``) is ``GatewayError/Code/notSupported``.
public struct SessionRequest: Sendable, Hashable {
    /// What will be done in the session.
    public var purpose: Purpose
    /// How the instrument will come.
    public var entry: Entry?
    /// The amount, where the provider fixes it when the session is opened.
    public var amount: Money?
    /// The shop's own number of the order.
    public var orderReference: String?
    /// The provider's id of a shopper that it has stored.
    public var shopperID: String?
    /// Whether the shopper must be authenticated (3-D Secure).
    public var authentication: Authentication?

    /// A session for a token, without an amount.
    public init(
        _ purpose: Purpose = .token, entry: Entry? = nil, amount: Money? = nil, orderReference: String? = nil,
        shopperID: String? = nil, authentication: Authentication? = nil
    ) {
        self.purpose = purpose
        self.entry = entry
        self.amount = amount
        self.orderReference = orderReference
        self.shopperID = shopperID
        self.authentication = authentication
    }

    /// For adapters of providers whose sessions take no wish for authentication: what the caller demands is never left
    /// out in silence.
    /// - Throws: ``GatewayError/Code/notSupported`` when the caller demands it.
    public func refuseAuthentication(of account: AccountName) throws(GatewayError) {
        guard authentication != nil else { return }
        throw GatewayError(
            .notSupported, message: "The provider's sessions take no wish for the shopper's authentication.",
            advice: "Nothing was sent. Ask for authentication with the payment, or leave the wish out.",
            account: account)
    }

    /// What is done in a session. More kinds may be added in any release.
    public struct Purpose: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String, CaseIterable { case token, payment, storeInstrument, subscription, unscheduled }
        private let name: Name

        /// An instrument becomes a token.
        public static let token = Purpose(name: .token)
        /// A payment of ``SessionRequest/amount``.
        public static let payment = Purpose(name: .payment)
        /// An instrument is kept for later; no money moves.
        public static let storeInstrument = Purpose(name: .storeInstrument)
        /// The first payment of a subscription.
        public static let subscription = Purpose(name: .subscription)
        /// A payment with an instrument on file, without the shopper.
        public static let unscheduled = Purpose(name: .unscheduled)

        /// The stable spelling: `token`, `payment`, `storeInstrument`, `subscription`, `unscheduled`.
        public var description: String { name.rawValue }
        /// Every purpose that this release knows.
        public static let all: [Purpose] = Name.allCases.map(Purpose.init(name:))

        private init(name: Name) { self.name = name }
        /// The purpose with this spelling; `nil` when there is none.
        public init?(_ spelling: String) {
            guard let name = Name(rawValue: spelling) else { return nil }
            self.name = name
        }
    }

    /// How an instrument comes into a session. More ways may be added in any release.
    public struct Entry: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String, CaseIterable { case hostedPage, embeddedPage, cardData, storedInstrument }
        private let name: Name

        /// The shopper types it on a page of the provider's.
        public static let hostedPage = Entry(name: .hostedPage)
        /// The shopper types it in a part of the shop's page that the provider serves.
        public static let embeddedPage = Entry(name: .embeddedPage)
        /// The caller sends it.
        public static let cardData = Entry(name: .cardData)
        /// The provider has it already.
        public static let storedInstrument = Entry(name: .storedInstrument)

        /// The stable spelling: `hostedPage`, `embeddedPage`, `cardData`, `storedInstrument`.
        public var description: String { name.rawValue }
        /// Every way that this release knows.
        public static let all: [Entry] = Name.allCases.map(Entry.init(name:))

        private init(name: Name) { self.name = name }
        /// The way with this spelling; `nil` when there is none.
        public init?(_ spelling: String) {
            guard let name = Name(rawValue: spelling) else { return nil }
            self.name = name
        }
    }

    /// Whether the shopper must be authenticated.
    public enum Authentication: String, Sendable, Hashable, CaseIterable {
        /// The issuer decides how.
        case required
        /// The issuer is asked to challenge the shopper.
        case challenge
    }
}

/// Gets a new session in place of one that the provider will not take any more.
///
/// Where sessions are opened with a server's key, an app has its own backend do it: this is the way there.
public protocol SessionRenewal: Sendable {
    /// A fresh session of the same account. Called at most once per call of an adapter.
    ///
    /// - Parameter old: The session that cannot be used any more.
    /// - Throws: ``GatewayError``: there is none; the caller gets this error's cause told.
    func session(insteadOf old: SessionReference) async throws(GatewayError) -> PaymentSession
}
