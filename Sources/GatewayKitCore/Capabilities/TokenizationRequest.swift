/// What to tokenize, for whom, and how.
public struct TokenizationRequest: Sendable {
    /// What the shopper pays with.
    public var instrument: PaymentInstrument
    /// Who pays, as far as it is known.
    public var shopper: Shopper
    /// Whether the token is to outlive one payment, with the shopper's consent. `nil` leaves the provider's default.
    public var retain: Bool?
    /// The caller's own data to store beside the token, in the order given. Limits are the provider's.
    public var metadata: [Metadata]
    /// The id of the fraud session in which the shopper's device was looked at, for providers that take one.
    public var fraudSessionID: String?
    /// Options that only one provider knows, by the names that its adapter lists in
    /// ``GatewayProvider/tokenizationOptions``. An unknown name is refused before anything is sent.
    public var options: [String: OptionValue]
    /// Whether our own checks run before anything is sent. Without them the provider's answer decides alone; card data
    /// rules hold either way.
    public var checksLocally: Bool

    /// Describes a request.
    public init(
        _ instrument: PaymentInstrument, shopper: Shopper = Shopper(), retain: Bool? = nil, metadata: [Metadata] = [],
        options: [String: OptionValue] = [:], checksLocally: Bool = true, fraudSessionID: String? = nil
    ) {
        self.instrument = instrument
        self.shopper = shopper
        self.retain = retain
        self.metadata = metadata
        self.options = options
        self.checksLocally = checksLocally
        self.fraudSessionID = fraudSessionID
    }

    /// An entry of the metadata.
    public struct Metadata: Sendable, Hashable {
        /// The key.
        public var key: String
        /// The value.
        public var value: OptionValue

        /// Makes an entry.
        public init(key: String, value: OptionValue) {
            self.key = key
            self.value = value
        }
    }
}

/// A value of an option or of metadata.
public enum OptionValue: Sendable, Hashable {
    /// Yes or no.
    case flag(Bool)
    /// A whole number.
    case integer(Int)
    /// A text.
    case text(String)

    /// Reads `true`, `false`, a whole number, or otherwise a text.
    public init(reading text: String) {
        self =
            switch text {
            case "true": .flag(true)
            case "false": .flag(false)
            default: Int(text).flatMap { String($0) == text ? .integer($0) : nil } ?? .text(text)
            }
    }
}

/// An option that an adapter offers, for help texts and checks.
public struct OptionDescription: Sendable, Hashable {
    /// The name, in camel case.
    public var name: String
    /// What kind of value it takes.
    public var kind: Kind
    /// What it does, in one sentence.
    public var help: SafeText

    /// Describes an option.
    public init(_ name: String, _ kind: Kind, help: SafeText) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// The kind of an option's value.
    public enum Kind: String, Sendable, Hashable {
        /// `true` or `false`.
        case flag
        /// A whole number.
        case integer
        /// A text.
        case text
    }
}
