import GatewayKitCore

/// Everything that is kept.
struct BlueSnapStore: Sendable {
    var mint: TokenMint
    var tokens: KeptObjects<BlueSnapToken>
    var shoppers: KeptObjects<BlueSnapShopper>
    var pages: KeptObjects<BlueSnapPayPalPage>
    var transactions: KeptObjects<BlueSnapTransaction>
    /// Which transactions were made under a merchant's own id: there may be several (dossier 4.6).
    private var byOwnReference: KeptObjects<[String]>
    var plans: KeptObjects<BlueSnapPlan>
    var subscriptions: KeptObjects<BlueSnapSubscription>
    var replays: BlueSnapReplays
    // The last number of each kind; never reset, so that what is made later has a number of its own.
    private var lastTransaction: Int
    private var lastShopper: Int
    private var lastPlan: Int
    private var lastSubscription: Int

    init(mint: TokenMint, limit: Int) {
        var mint = mint
        lastTransaction = 1_010_000_000 + 7 * mint.number(below: 100_000)
        lastShopper = 31_020_000 + 3 * mint.number(below: 1_000)
        lastPlan = 2_300_000 + mint.number(below: 1_000)
        lastSubscription = 40_500_000 + 3 * mint.number(below: 1_000)
        self.mint = mint
        tokens = KeptObjects(limit: limit)
        shoppers = KeptObjects(limit: limit)
        pages = KeptObjects(limit: limit)
        transactions = KeptObjects(limit: limit)
        byOwnReference = KeptObjects(limit: limit)
        plans = KeptObjects(limit: limit)
        subscriptions = KeptObjects(limit: limit)
        replays = BlueSnapReplays(limit: limit)
    }

    mutating func removeAll() {
        tokens.removeAll()
        shoppers.removeAll()
        pages.removeAll()
        transactions.removeAll()
        byOwnReference.removeAll()
        plans.removeAll()
        subscriptions.removeAll()
        replays.removeAll()
    }

    /// A number of a transaction, ten digits.
    mutating func transactionNumber() -> String {
        lastTransaction += 7
        return "\(lastTransaction)"
    }

    /// A number of a shopper, eight digits.
    mutating func shopperNumber() -> String {
        lastShopper += 3
        return "\(lastShopper)"
    }

    // MARK: - Transactions

    mutating func add(_ transaction: BlueSnapTransaction) {
        transactions.add(transaction, token: transaction.id)
        guard let reference = transaction.ownReference else { return }
        if let ids = byOwnReference[reference] {
            byOwnReference.replace(ids + [transaction.id], token: reference)
        } else {
            byOwnReference.add([transaction.id], token: reference)
        }
    }

    func transactions(ownReference: String) -> [String] { byOwnReference[ownReference] ?? [] }

    mutating func planNumber() -> String {
        lastPlan += 1
        return "\(lastPlan)"
    }

    mutating func subscriptionNumber() -> String {
        lastSubscription += 3
        return "\(lastSubscription)"
    }

    /// Ends the subscriptions that a payment belongs to.
    mutating func cancelSubscriptions(paidBy transaction: String) {
        for name in Array(subscriptions.tokens) {
            guard var found = subscriptions[name], found.charges.contains(transaction) else { continue }
            found.isActive = false
            subscriptions.replace(found, token: name)
        }
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
