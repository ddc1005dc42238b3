/// An instrument as a vault keeps it: everything that may be shown, nothing that can be charged without the account's
/// credentials.
///
/// Shopper and metadata are personal data of the shop's customers: descriptions of the shopper tell only which parts
/// are there.
public struct StoredInstrument: Sendable, Hashable {
    /// The provider's token.
    public var id: String
    /// The account that it belongs to.
    public var account: AccountName
    /// Where it stands, in GatewayKit's words.
    public var state: State
    /// The provider's own word for the state, untouched.
    public var providerState: String?
    /// The provider's own word for the kind of instrument, such as `credit_card`.
    public var providerKind: String?
    /// What may be shown of the card, if it is one or stands for one.
    public var card: CardSummary?
    /// What may be shown of the bank account, if it is one.
    public var bankAccount: BankAccountSummary?
    /// Who pays, as far as it was stored. What looks like card data in it is masked.
    public var shopper = Shopper()
    /// The caller's own data, in the provider's order. What looks like card data in a text is masked.
    public var metadata: [TokenizationRequest.Metadata] = []
    /// Whether the provider marks it as made from test data.
    public var isTest: Bool?
    /// Whether the provider still holds a security code for the next use.
    public var hasSecurityCode: Bool?
    /// A value that is equal for equal card numbers of the same account, if the provider gives one.
    public var fingerprint: String?
    /// When it was stored.
    public var createdAt: WallTime?
    /// When it was last changed.
    public var updatedAt: WallTime?
    /// The id of the transaction that this answer reports, if the provider records one.
    public var transactionID: String?
    /// The id of the request at the provider: quote it in support requests.
    public var requestID: String?

    /// Describes an instrument.
    public init(id: String, account: AccountName, state: State) {
        self.id = id
        self.account = account
        self.state = state
    }

    /// Where a stored instrument stands. A word that an adapter does not know reads as ``unknown``, and the word is in
    /// ``StoredInstrument/providerState``.
    public struct State: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String { case retained, cached, used, redacted, closed, unknown }
        private let name: Name

        /// Kept until it is removed: for any number of payments.
        public static let retained = State(name: .retained)
        /// Kept for a while and for one payment.
        public static let cached = State(name: .cached)
        /// Was kept for one payment, and that has been made.
        public static let used = State(name: .used)
        /// Its data has been removed for good.
        public static let redacted = State(name: .redacted)
        /// The account behind it is closed.
        public static let closed = State(name: .closed)
        /// A word that is not in the adapter's table, or no word at all.
        public static let unknown = State(name: .unknown)

        /// The stable spelling.
        public var description: String { name.rawValue }
    }
}
