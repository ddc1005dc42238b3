import GatewayKitCore

/// What the imitated vault holds.
struct SpreedlyVault: Sendable {
    var mint: TokenMint
    private(set) var methods: KeptObjects<SpreedlyMethod>
    private(set) var transactions: KeptObjects<SpreedlyTransaction>
    var listLimit = SpreedlyRateLimit()

    init(mint: TokenMint, limit: Int) {
        self.mint = mint
        methods = KeptObjects(limit: limit)
        transactions = KeptObjects(limit: limit)
    }

    mutating func removeAll() {
        methods.removeAll()
        transactions.removeAll()
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
