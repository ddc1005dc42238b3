/// A card that a provider has stored for a shopper, chosen by what may be shown of it.
public struct ShopperCard: Sendable, Hashable, Codable {
    /// The provider's own word for the brand, as its list of the shopper's cards tells it.
    public var providerBrand: String
    /// The last four digits of the number.
    public var lastFour: String
    /// The month of expiry.
    public var expiry: CardExpiry

    /// Chooses a card.
    public init(providerBrand: String, lastFour: String, expiry: CardExpiry) {
        self.providerBrand = providerBrand
        self.lastFour = lastFour
        self.expiry = expiry
    }

    /// What is wrong at `now`, all at once: a missing brand, digits that are not four, an expired card.
    public func issues(at now: WallTime) -> [FieldIssue] {
        var issues: [FieldIssue] = []
        if providerBrand.isEmpty || !PaymentToken.isWellFormed(id: providerBrand) {
            issues.append(FieldIssue(.brand, .missing, message: "The brand of the stored card is missing or no word."))
        }
        if lastFour.utf8.count != 4 || !lastFour.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            issues.append(FieldIssue(.number, .malformed, message: "The last four digits are not four digits."))
        }
        return issues + expiry.issues(at: now)
    }
}
