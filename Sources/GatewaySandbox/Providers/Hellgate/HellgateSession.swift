import GatewayKitCore

/// A session: opened by a backend, completed by whoever knows its id (dossier 1).
struct HellgateSession: Sendable {
    /// 15 minutes (dossier 1.1).
    static let lifetime: Int64 = 900

    /// How it wants the card: encrypted to itself (the newer protocol), or from one of two vaults (the older one).
    enum Kind: String, Sendable, CaseIterable {
        case encrypted, guardian
        case basisTheory = "basis_theory"

        var path: String { self == .basisTheory ? "basis-theory" : rawValue }
    }

    enum Result: Sendable {
        case token(String)
        case failure(HellgateVerdict.Failure)
    }

    enum State: Sendable {
        case open
        /// So many more looks show it at work.
        case working(looks: Int, Result)
        case finished(Result)
    }

    var id: String
    var kind: Kind
    var createdAt: WallTime
    /// The vault's key, for the older protocol.
    var vaultKey: String
    var state = State.open
    /// How long a token of this session lives, in seconds; `nil` means for ever.
    var tokenLifetime: Int64?

    /// That an open session is gone when its time is over, and a finished one stays, is a guess.
    func isGone(at now: WallTime) -> Bool {
        if case .open = state { return now >= createdAt.adding(seconds: Self.lifetime) }
        return false
    }

    /// What a look at it changes.
    mutating func look() {
        guard case .working(let looks, let result) = state else { return }
        state = looks > 0 ? .working(looks: looks - 1, result) : .finished(result)
    }

    func write(key: HellgateKey?, origin: String, to body: inout AnswerWriter) {
        switch state {
        case .open:
            body.set("next_action", "tokenize_card")
            body.object("data") { data in
                if let key {
                    data.object("jwk") { jwk in
                        jwk.set("kty", "RSA")
                        jwk.set("e", key.exponent)
                        jwk.set("n", key.modulus)
                    }
                } else {
                    data.set("provider", kind.rawValue)
                    data.set("base_url", "\(origin)/hellgate/\(kind.path)")
                    data.set("api_key", vaultKey)
                }
            }
        case .working:
            body.set("next_action", "wait")
        case .finished(.token(let id)):
            body.set("status", "success")
            body.object("data") { $0.set("token_id", id) }
        case .finished(.failure(let failure)):
            body.set("status", "failure")
            body.object("data") { data in
                data.set("reason", failure.reason)
                data.set("reason_code", failure.code)
            }
        }
    }
}

/// What becomes of a card. Which numbers succeed is this sandbox's own choice (dossier 5): the real list is not public.
enum HellgateVerdict: Sendable {
    case accepted
    case failed(Failure)

    struct Failure: Sendable {
        var reason: String
        var code: String
    }

    private static let good: Set<String> = [
        "4111111111111111", "4242424242424242", "5555555555554444", "378282246310005", "36227206271667",
        "3566002020360505", "6200000000000005",
    ]
    private static let bad = "4000000000000002"

    /// The code of a declined card is a guess; that of a card off the list is known.
    init(number: String) {
        switch number {
        case Self.bad: self = .failed(Failure(reason: "The card was declined", code: "card_declined"))
        case _ where Self.good.contains(number): self = .accepted
        default: self = .failed(Failure(reason: "Invalid test card", code: "invalid_test_card"))
        }
    }
}
