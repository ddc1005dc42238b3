/// What a provider's public test data do, in GatewayKit's words: for the contract suite, which asks every provider the
/// same questions without knowing any of them.
///
/// The sandbox's part of a provider gives it. What nobody has filled in stays ``Fact/owed`` and is reported as such.
public struct ProviderTestData: Sendable {
    /// A public test card that becomes a token, by its name in ``TestCard``.
    public var approvedCard: Fact<String> = .owed
    /// A public test card that is refused where it should become a token, by its name in ``TestCard``.
    public var declinedCard: Fact<String> = .owed
    /// Input whose fault only the provider finds, because our own checks are left out.
    public var invalidInput: Fact<InvalidInput> = .owed
    /// What becomes of a card that is to be kept: a token for more than one payment, unless something else is said.
    public var retention: Fact<String> = .known("its token is for more than one payment")
    /// What is to be known of sessions in which an instrument is sent.
    public var sessions: Fact<Sessions> = .owed
    /// That a token which was just made is an instrument of the vault.
    public var tokensAreStored: Fact<Bool> = .known(true)
    /// The well-formed id of a stored instrument that does not exist.
    public var unknownInstrument: Fact<String> = .owed
    /// The well-formed id of a session that does not exist.
    public var unknownSession: Fact<String> = .owed
    /// The id of a shopper that the provider has, with whom a choice can be written down.
    public var returningShopper: Fact<String> = .owed
    /// What payments do.
    public var payments: Fact<Payments> = .owed

    /// All of it owed, until it is set.
    public init() {}

    /// Something to be known about a provider.
    public enum Fact<Value: Sendable>: Sendable {
        /// It is so.
        case known(Value)
        /// The provider has no such thing, and why.
        case none(SafeText)
        /// Nobody has said so far.
        case owed

        /// What is known.
        public var value: Value? {
            if case .known(let value) = self { value } else { nil }
        }
    }

    /// Input that the provider finds wrong.
    public struct InvalidInput: Sendable, Hashable {
        /// The card, by its name in ``TestCard``.
        public var card: String
        /// Whether its date of expiry is in the past.
        public var isExpired: Bool
        /// The security code that is sent; `nil` for one that is right.
        public var securityCode: String?
        /// The fields of which the provider must name one.
        public var fields: [FieldIssue.Field]

        /// Describes input.
        public init(
            card: String, isExpired: Bool = false, securityCode: String? = nil, fields: [FieldIssue.Field]
        ) {
            self.card = card
            self.isExpired = isExpired
            self.securityCode = securityCode
            self.fields = fields
        }
    }

    /// What is to be known of sessions.
    public struct Sessions: Sendable, Hashable {
        /// How long a session takes an instrument; `nil` where it does not expire.
        public var lifetime: Duration?
        /// Whether a session that has its token takes no other instrument.
        public var isForOneToken: Bool
        /// Whether a session that has its token is told as such.
        public var tellsItsToken: Bool
        /// Whether a session has succeeded when its token is made; otherwise the shopper is authenticated first, or pays.
        public var endsWithToken: Bool

        /// Describes sessions.
        public init(
            lifetime: Duration?, isForOneToken: Bool, tellsItsToken: Bool = true, endsWithToken: Bool = true
        ) {
            self.lifetime = lifetime
            self.isForOneToken = isForOneToken
            self.tellsItsToken = tellsItsToken
            self.endsWithToken = endsWithToken
        }
    }

    /// What payments do.
    public struct Payments: Sendable, Hashable {
        /// An amount that is approved.
        public var amount: Money
        /// A card whose payments are declined, by its name in ``TestCard``; `nil` where the amount decides.
        public var declinedCard: String?
        /// An amount that is declined; `nil` where the card decides.
        public var declinedAmount: Money?

        /// Describes payments.
        public init(amount: Money, declinedCard: String? = nil, declinedAmount: Money? = nil) {
            self.amount = amount
            self.declinedCard = declinedCard
            self.declinedAmount = declinedAmount
        }
    }
}
