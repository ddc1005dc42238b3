/// What a checkout can offer to this shopper in this session.
public struct CheckoutProfile: Sendable, Equatable {
    /// The methods, by the provider's own words, in its order.
    public var methods: [String] = []
    /// The card brands, in the provider's order, with the patterns by which it tells them from numbers.
    public var brands: [Brand] = []
    /// The kinds of cards taken (credit, debit, prepaid), by the provider's own words.
    public var cardTypes: [String] = []
    /// The currencies in which PayPal can be offered.
    public var payPalCurrencies: [Currency] = []
    /// The rates of exchange.
    public var rates: CurrencyRates?
    /// The shopper, where the session was opened for one.
    public var shopper: ReturningShopper?
    /// The merchant's name, for the shopper.
    public var merchantName: String?
    /// The merchant's id at the provider.
    public var merchantID: String?
    /// The merchant's id at the collector of device data (Kount), for the app.
    public var fraudMerchantID: String?
    /// Whether 3-D Secure is switched on at the provider.
    public var authenticates = false
    /// What 3-D Secure starts with, where it is switched on.
    public var authenticationToken: Sensitive<String>?
    /// The session that was used: another one than was given if it had to be renewed.
    public var session: PaymentSession

    /// Made by adapters.
    public init(session: PaymentSession) { self.session = session }

    /// A card brand that a checkout takes.
    public struct Brand: Sendable, Hashable {
        /// The provider's own word.
        public var providerWord: String
        /// The brand in GatewayKit's words, where it is known.
        public var brand: CardBrand?
        /// The provider's regular expression over the start of a number; unchecked text.
        public var pattern: String?

        /// Describes a brand.
        public init(providerWord: String, brand: CardBrand?, pattern: String? = nil) {
            self.providerWord = providerWord
            self.brand = brand
            self.pattern = pattern
        }
    }

    /// A shopper that the provider knows.
    public struct ReturningShopper: Sendable, Hashable {
        /// The provider's id.
        public var id: String
        /// Contact, billing and shipping: what fills in a form.
        public var shopper: Shopper
        /// The stored cards, expired ones included, in the provider's order.
        public var cards: [StoredCard]
        /// The method that the shopper has chosen, where it is one that can be charged.
        public var choice: ChosenMethod?
        /// The provider's word for the method that the shopper has chosen.
        public var chosenMethod: String?
        /// The card that the shopper has chosen.
        public var chosenCard: ShopperCard?
        /// The provider's word for the method last used.
        public var lastMethod: String?
        /// The shopper's currency.
        public var currency: Currency?

        /// Describes a shopper.
        public init(id: String, shopper: Shopper = Shopper(), cards: [StoredCard] = []) {
            self.id = id
            self.shopper = shopper
            self.cards = cards
        }
    }

    /// A card stored for the shopper.
    public struct StoredCard: Sendable, Hashable {
        /// What chooses it.
        public var card: ShopperCard
        /// The brand in GatewayKit's words, where it is known.
        public var brand: CardBrand?
        /// The name and address on it.
        public var billing: Shopper
        /// Whether it was over when the profile was read.
        public var isExpired: Bool

        /// Describes a card.
        public init(card: ShopperCard, brand: CardBrand?, billing: Shopper = Shopper(), isExpired: Bool) {
            self.card = card
            self.brand = brand
            self.billing = billing
            self.isExpired = isExpired
        }
    }
}
