import GatewayKitCore

/// Everything that is kept.
struct SafepayStore: Sendable {
    /// How long a time-based token is good for (dossier 1.2).
    static let passportLifetime: Int64 = 3_600

    var mint: TokenMint
    var orders: KeptObjects<SafepayOrder>
    var trackers: KeptObjects<SafepayTracker>
    /// Until when each is good.
    private var passports: KeptObjects<WallTime>
    /// Whose challenge an access token opens: an order or a tracker.
    var challenges: KeptObjects<String>
    var customers: KeptObjects<SafepayCustomer>
    var plans: KeptObjects<SafepayPlan>
    var subscriptions: KeptObjects<SafepaySubscription>
    private var orderCount = 0

    init(mint: TokenMint, limit: Int) {
        self.mint = mint
        orders = KeptObjects(limit: limit)
        trackers = KeptObjects(limit: limit)
        passports = KeptObjects(limit: limit)
        challenges = KeptObjects(limit: limit)
        customers = KeptObjects(limit: limit)
        plans = KeptObjects(limit: limit)
        subscriptions = KeptObjects(limit: limit)
    }

    mutating func removeAll() {
        orders.removeAll()
        trackers.removeAll()
        passports.removeAll()
        challenges.removeAll()
        customers.removeAll()
        plans.removeAll()
        subscriptions.removeAll()
        orderCount = 0
    }

    /// A name with its prefix, such as `track_…`.
    mutating func name(_ prefix: String) -> String { prefix + "_" + mint.uuid() }

    // MARK: - Time-based tokens

    mutating func passport(at now: WallTime) -> String {
        let token = mint.secret(54) + "=="
        passports.add(now.adding(seconds: Self.passportLifetime), token: token)
        return token
    }

    func isValid(passport: String, at now: WallTime) -> Bool { passports[passport].map { now < $0 } ?? false }

    // MARK: - Orders and trackers

    mutating func order(_ money: SafepayMoney, at now: WallTime) -> SafepayOrder {
        orderCount += 1
        let order = SafepayOrder(
            token: name("track"), id: orderCount, money: money, createdAt: now, updatedAt: now)
        orders.add(order, token: order.token)
        return order
    }

    mutating func tracker(
        _ terms: SafepayTracker.Terms, _ metadata: [String: String], at now: WallTime
    ) -> SafepayTracker {
        var tracker = SafepayTracker(token: name("track"), terms: terms, createdAt: now, updatedAt: now)
        tracker.metadata = metadata
        trackers.add(tracker, token: tracker.token)
        return tracker
    }

    func tracker(_ token: String) throws(SafepayRefusal) -> SafepayTracker {
        guard let tracker = trackers[token] else { throw .unknownTracker }
        return tracker
    }

    mutating func keep(_ tracker: SafepayTracker, at now: WallTime) {
        var tracker = tracker
        tracker.updatedAt = now
        trackers.replace(tracker, token: tracker.token)
    }

    mutating func keep(_ order: SafepayOrder, at now: WallTime) {
        var order = order
        order.updatedAt = now
        orders.replace(order, token: order.token)
    }

    /// Ends what was not paid in time. How long a payment really lives is not known.
    mutating func expire(madeBefore time: WallTime, at now: WallTime) {
        for token in orders.tokens {
            guard var order = orders[token], order.state == .started, order.createdAt <= time else { continue }
            order.state = .expired
            keep(order, at: now)
        }
        for token in trackers.tokens {
            guard var tracker = trackers[token], tracker.state == .started || tracker.state == .enrolled,
                tracker.createdAt <= time
            else { continue }
            tracker.state = .expired
            keep(tracker, at: now)
        }
    }

    // MARK: - Challenges

    mutating func challenge(for card: SafepayCard, of owner: String) -> SafepayChallenge {
        let accessToken = [mint.secret(20), mint.secret(60), mint.secret(43)].joined(separator: ".")
        let validation = [mint.secret(20), mint.secret(60), mint.secret(43)].joined(separator: ".")
        challenges.add(owner, token: accessToken)
        return SafepayChallenge(accessToken: accessToken, card: card, validation: validation)
    }
}
