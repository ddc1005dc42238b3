/// What may be shown, logged and stored of a card: brand, last four and first six digits, expiry (PCI DSS 3.4.1), and
/// where it was issued.
public struct CardSummary: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The brand, `nil` when unknown.
    public let brand: CardBrand?
    /// The last four digits.
    public let lastFour: String?
    /// The first six digits.
    public let firstSix: String?
    /// The month of expiry.
    public let expiry: CardExpiry?
    /// Where it was issued, as ISO 3166-1 alpha-2 code in upper case, if the provider tells.
    public let issuingCountry: String?

    /// A summary from our own card or from a provider's answer.
    ///
    /// Digits count only when they are exactly four, respectively six, ASCII digits; anything else, a whole number
    /// above all, is dropped, so that a summary can never hold more than may be shown. A country counts only when it
    /// is two ASCII letters, in any case.
    public init(
        brand: CardBrand? = nil, lastFour: String? = nil, firstSix: String? = nil, expiry: CardExpiry? = nil,
        issuingCountry: String? = nil
    ) {
        self.brand = brand
        self.lastFour = Self.digits(lastFour, count: 4)
        self.firstSix = Self.digits(firstSix, count: 6)
        self.expiry = expiry
        self.issuingCountry = Self.country(issuingCountry)
    }

    private enum CodingKeys: String, CodingKey { case brand, lastFour, firstSix, expiry, issuingCountry }

    /// Reads what ``encode(to:)`` wrote; digits of another length are dropped as in the other initialiser.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            brand: try container.decodeIfPresent(CardBrand.self, forKey: .brand),
            lastFour: try container.decodeIfPresent(String.self, forKey: .lastFour),
            firstSix: try container.decodeIfPresent(String.self, forKey: .firstSix),
            expiry: try container.decodeIfPresent(CardExpiry.self, forKey: .expiry),
            issuingCountry: try container.decodeIfPresent(String.self, forKey: .issuingCountry))
    }

    private static func country(_ text: String?) -> String? {
        guard let text, text.utf8.count == 2,
            text.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
        else { return nil }
        return text.uppercased()
    }

    private static func digits(_ text: String?, count: Int) -> String? {
        guard let text, text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return text
    }

    /// `visa ending 1111, expires 02/2031`, as far as the parts are known.
    public var description: String {
        let ending = lastFour.map { " ending \($0)" } ?? ""
        let expires = expiry.map { ", expires \($0)" } ?? ""
        return (brand?.id ?? "card") + ending + expires
    }
}
