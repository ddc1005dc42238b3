/// What an app or a page asks Apple Pay for: the parts of `PKPaymentRequest` and of `ApplePayPaymentRequest`.
public struct ApplePayRequest: Sendable, Hashable {
    /// The merchant's identifier at Apple, such as `merchant.example.shop`.
    public var merchantID: String
    /// The merchant's country, ISO 3166-1 alpha-2.
    public var countryCode: String
    /// The networks of the cards taken, in Apple's words.
    public var networks: [String]
    /// What is asked for.
    public var price: Price
    /// What stands before the total on the sheet: Apple writes `Pay` in front of it.
    public var payLine: String

    /// A request.
    ///
    /// - Parameter payLine: `nil` means the merchant's name, and without one `PAY`.
    public init(
        merchantID: String, countryCode: String, networks: [String], price: Price, payLine: String? = nil,
        merchantName: String? = nil
    ) {
        self.merchantID = merchantID
        self.countryCode = countryCode.uppercased()
        self.networks = networks
        self.price = price
        self.payLine = [payLine, merchantName].compactMap { $0 }.first { !$0.isEmpty } ?? "PAY"
    }

    /// A request for what a profile offers: its merchant's name, and those of its brands that Apple Pay knows.
    public init(
        merchantID: String, countryCode: String, profile: CheckoutProfile, price: Price, payLine: String? = nil
    ) {
        self.init(
            merchantID: merchantID, countryCode: countryCode, networks: Self.networks(of: profile.brands.map(\.brand)),
            price: price, payLine: payLine, merchantName: profile.merchantName)
    }

    /// A line of the sheet.
    public struct Item: Sendable, Hashable {
        /// What the shopper reads.
        public var label: String
        /// The amount.
        public var amount: Money
    }

    /// The lines of the sheet: subtotal and tax where there is a tax, and the total under the pay line, last, as Apple
    /// wants it.
    public var items: [Item] {
        let total = Item(label: payLine, amount: price.total)
        guard !price.tax.isZero else { return [total] }
        return [
            Item(label: "SUBTOTAL", amount: price.amount), Item(label: "TAX", amount: price.tax), total,
        ]
    }

    /// What is missing or wrong for Apple, all at once.
    public var issues: [FieldIssue] {
        var found: [FieldIssue] = []
        if !merchantID.hasPrefix("merchant.") || merchantID.contains(where: \.isWhitespace) {
            found.append(
                FieldIssue(
                    .option, merchantID.isEmpty ? .missing : .malformed,
                    message: "The merchant's identifier at Apple is of the form merchant.example.shop."))
        }
        if networks.isEmpty {
            found.append(
                FieldIssue(.brand, .missing, message: "There is no card network that Apple Pay could offer."))
        }
        if price.total.isZero {
            found.append(FieldIssue(.amount, .notAccepted, message: "Apple Pay takes no total of nothing."))
        }
        return found + Address(country: countryCode).issues
    }

    /// Apple's words for networks (`PKPaymentNetwork` on the web), by brand; each once, unknown brands left out.
    public static func networks(of brands: [CardBrand?]) -> [String] {
        var found: [String] = []
        for case let brand? in brands {
            guard let word = words[brand], !found.contains(word) else { continue }
            found.append(word)
        }
        return found
    }

    private static let words: [CardBrand: String] = [
        .visa: "visa", .mastercard: "masterCard", .americanExpress: "amex", .discover: "discover", .jcb: "jcb",
        .unionPay: "chinaUnionPay", .maestro: "maestro", .elo: "elo", .cartesBancaires: "cartesBancaires",
        .mada: "mada", .mir: "mir", .dankort: "dankort",
    ]
}
