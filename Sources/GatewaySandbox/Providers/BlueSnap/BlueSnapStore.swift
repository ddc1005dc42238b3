import GatewayKitCore

/// Everything that is kept.
struct BlueSnapStore: Sendable {
    var mint: TokenMint
    var tokens: KeptObjects<BlueSnapToken>
    var shoppers: KeptObjects<BlueSnapShopper>
    var pages: KeptObjects<BlueSnapPayPalPage>
    /// The next of each kind of number; never reset, so that what is made later has a number of its own.
    private var numbers: [Int]

    init(mint: TokenMint, limit: Int) {
        var mint = mint
        numbers = [1_010_000_000 + 7 * mint.number(below: 100_000), 31_020_000 + 3 * mint.number(below: 1_000)]
        self.mint = mint
        tokens = KeptObjects(limit: limit)
        shoppers = KeptObjects(limit: limit)
        pages = KeptObjects(limit: limit)
    }

    mutating func removeAll() {
        tokens.removeAll()
        shoppers.removeAll()
        pages.removeAll()
    }

    /// A number of a transaction, ten digits.
    mutating func transactionNumber() -> String {
        numbers[0] += 7
        return "\(numbers[0])"
    }

    /// A number of a shopper, eight digits.
    mutating func shopperNumber() -> String {
        numbers[1] += 3
        return "\(numbers[1])"
    }

    // MARK: - Tokens

    mutating func openToken(shopper: String?, at now: WallTime) -> BlueSnapToken {
        var token = BlueSnapToken(text: mint.hex(64) + "_", createdAt: now)
        token.shopper = shopper
        tokens.add(token, token: token.text)
        return token
    }

    /// A token that still takes details.
    func openToken(_ text: String, at now: WallTime) throws(BlueSnapRefusal) -> BlueSnapToken {
        let token = try livingToken(text, at: now)
        if let method = token.usedFor { throw .usedToken(for: method) }
        return token
    }

    /// A token that is known and not too old. That age is told before use is a guess.
    func livingToken(_ text: String, at now: WallTime) throws(BlueSnapRefusal) -> BlueSnapToken {
        guard let token = tokens[text] else { throw .unknownToken }
        guard !token.isExpired(at: now) else { throw .expiredToken }
        return token
    }

    // MARK: - Shoppers

    /// Lets the shopper be there whom every sandbox has.
    mutating func welcome(at now: WallTime) {
        if shoppers[BlueSnapShopper.returning] == nil {
            shoppers.add(.returning(at: now), token: BlueSnapShopper.returning)
        }
    }

    func shopper(_ id: String) throws(BlueSnapRefusal) -> BlueSnapShopper {
        guard let shopper = shoppers[id] else { throw .unknownShopper }
        return shopper
    }
}
