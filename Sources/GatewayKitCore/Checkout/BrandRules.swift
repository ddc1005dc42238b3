/// Tells a card's brand as the provider would: by its own patterns in its own order, the first that fits.
///
/// For a form that shows the brand before the number is sent. What the provider answers about the number goes before it.
public struct BrandRules: Sendable {
    private let rules: [(brand: CheckoutProfile.Brand, pattern: BrandPattern)]
    /// The brands whose pattern is missing or not understood (``BrandPattern``): numbers of them are not detected, or are
    /// taken for those of a later brand that fits too.
    public let undetected: [CheckoutProfile.Brand]

    /// The rules of a profile's brands, read once.
    public init(_ brands: [CheckoutProfile.Brand]) {
        var rules: [(brand: CheckoutProfile.Brand, pattern: BrandPattern)] = []
        var undetected: [CheckoutProfile.Brand] = []
        for brand in brands {
            if let pattern = brand.pattern.flatMap(BrandPattern.init) {
                rules.append((brand, pattern))
            } else {
                undetected.append(brand)
            }
        }
        self.rules = rules
        self.undetected = undetected
    }

    /// The brand of a number, or of the beginning of one that is being typed; `nil` when no pattern fits (yet).
    public func brand(of number: Sensitive<String>) -> CheckoutProfile.Brand? {
        rules.first { $0.pattern.matches(number) }?.brand
    }

    /// The brand of a number.
    public func brand(of number: CardNumber) -> CheckoutProfile.Brand? { brand(of: number.sensitive) }
}
