import GatewayKitCore

/// What the imitated vault holds: instruments, gateways, transactions.
struct SpreedlyVault: Sendable {
    var mint: TokenMint
    private(set) var methods: KeptObjects<SpreedlyMethod>
    private(set) var transactions: KeptObjects<SpreedlyTransaction>
    private(set) var gateways: KeptObjects<SpreedlyGateway>
    var listLimit = SpreedlyRateLimit()
    /// The gateway that is there from the start.
    private let standardGateway: SpreedlyGateway

    init(mint: TokenMint, limit: Int, standardGateway: String) {
        self.mint = mint
        self.standardGateway = SpreedlyGateway(
            token: standardGateway, description: "There from the start.", createdAt: WallTime(secondsSince1970: 0))
        gateways = KeptObjects(limit: limit)
        gateways.add(self.standardGateway, token: standardGateway)
        methods = KeptObjects(limit: limit)
        transactions = KeptObjects(limit: limit)
    }

    mutating func removeAll() {
        methods.removeAll()
        transactions.removeAll()
        gateways.removeAll()
        gateways.add(standardGateway, token: standardGateway.token)
        listLimit = SpreedlyRateLimit()
    }

    func method(_ token: String) throws(SpreedlyRefusal) -> SpreedlyMethod {
        guard let method = methods[token] else { throw .unknownMethod }
        return method
    }

    mutating func create(_ new: SpreedlyMethod, at now: WallTime) -> (SpreedlyMethod, SpreedlyTransaction) {
        var method = new
        method.token = mint.ulid(at: now)
        method.createdAt = now
        method.updatedAt = now
        methods.add(method, token: method.token)
        return (method, record(.add, method, at: now))
    }

    mutating func replace(_ method: SpreedlyMethod) {
        methods.replace(method, token: method.token)
    }

    mutating func replace(_ transaction: SpreedlyTransaction) {
        transactions.replace(transaction, token: transaction.token)
    }

    mutating func add(_ transaction: SpreedlyTransaction) {
        transactions.add(transaction, token: transaction.token)
    }

    mutating func createGateway(_ description: String?, at now: WallTime) -> SpreedlyGateway {
        let gateway = SpreedlyGateway(token: mint.secret(27), description: description, createdAt: now)
        gateways.add(gateway, token: gateway.token)
        return gateway
    }

    /// Retaining what is retained succeeds again (a guess).
    mutating func retain(_ token: String, at now: WallTime) throws(SpreedlyRefusal) -> (
        SpreedlyMethod, SpreedlyTransaction
    ) {
        var method = try method(token)
        switch method.storage {
        case .redacted: return (method, record(.retain, method, failure: .redacted, at: now))
        case .used: return (method, record(.retain, method, failure: .used, at: now))
        case .cached, .retained: method.storage = .retained
        }
        method.updatedAt = now
        replace(method)
        return (method, record(.retain, method, at: now))
    }

    /// Redacting what is redacted succeeds again (a guess).
    mutating func redact(
        _ token: String, removingPersonalData: Bool, at now: WallTime
    ) throws(SpreedlyRefusal) -> (SpreedlyMethod, SpreedlyTransaction) {
        var method = try method(token)
        method.redact(removingPersonalData: removingPersonalData)
        method.updatedAt = now
        replace(method)
        return (method, record(.redact, method, at: now))
    }

    /// A new security code for a card that is retained; it is kept until it is used.
    mutating func recache(
        _ token: String, codeLength: Int, at now: WallTime
    ) throws(SpreedlyRefusal) -> (SpreedlyMethod, SpreedlyTransaction) {
        var method = try method(token)
        guard method.storage == .retained, case .creditCard = method.instrument else {
            return (method, record(.recache, method, failure: .notRetained, at: now))
        }
        method.codeLength = codeLength
        method.updatedAt = now
        replace(method)
        return (method, record(.recache, method, at: now))
    }

    private mutating func record(
        _ kind: SpreedlyTransaction.Kind, _ method: SpreedlyMethod, failure: SpreedlyTransaction.Failure? = nil,
        at now: WallTime
    ) -> SpreedlyTransaction {
        var transaction = SpreedlyTransaction(
            createdAt: now, kind: kind, failure: failure, methodToken: method.token,
            isRetained: method.storage == .retained)
        transaction.token = mint.unorderedToken()
        transactions.add(transaction, token: transaction.token)
        return transaction
    }
}
