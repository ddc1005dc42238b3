import GatewayKitCore

/// Everything that is kept: sessions, what the vaults behind them hold, tokens.
struct HellgateStore: Sendable {
    /// A card in a vault, for the session whose key stored it.
    struct VaultEntry: Sendable {
        var session: String
        var card: HellgateCard
    }

    private var mint: TokenMint
    private var sessions: KeptObjects<HellgateSession>
    private var entries: KeptObjects<VaultEntry>
    private var tokens: KeptObjects<HellgateToken>
    private var deleted: Set<String> = []
    private var sessionOfKey: [String: String] = [:]

    init(mint: TokenMint, limit: Int) {
        self.mint = mint
        sessions = KeptObjects(limit: limit)
        entries = KeptObjects(limit: limit)
        tokens = KeptObjects(limit: limit)
    }

    mutating func removeAll() {
        sessions.removeAll()
        entries.removeAll()
        tokens.removeAll()
        deleted = []
        sessionOfKey = [:]
    }

    // MARK: - Sessions

    mutating func open(_ kind: HellgateSession.Kind, tokenLifetime: Int64?, at now: WallTime) -> HellgateSession {
        var session = HellgateSession(
            id: mint.uuid(), kind: kind, createdAt: now, vaultKey: "pk_sndbx_" + mint.secret(24))
        session.tokenLifetime = tokenLifetime
        if kind != .encrypted { sessionOfKey[session.vaultKey] = session.id }
        sessions.add(session, token: session.id)
        return session
    }

    mutating func look(at id: String, now: WallTime) throws(HellgateRefusal) -> HellgateSession {
        guard var session = sessions[id], !session.isGone(at: now) else { throw .unknownSession }
        session.look()
        sessions.replace(session, token: id)
        return session
    }

    /// A session that can still be completed.
    func openSession(_ id: String, now: WallTime) throws(HellgateRefusal) -> HellgateSession {
        guard let session = sessions[id], !session.isGone(at: now) else { throw .unknownContext }
        guard case .open = session.state else { throw .completed }
        return session
    }

    /// Completes a session; the token, if one was made.
    ///
    /// - Parameter looks: How many looks still show the session at work.
    mutating func complete(
        _ id: String, _ card: HellgateCard, looks: Int, at now: WallTime
    ) throws(HellgateRefusal) -> (HellgateSession, HellgateToken?) {
        var session = try openSession(id, now: now)
        var token: HellgateToken?
        let result: HellgateSession.Result
        switch card.verdict {
        case .failed(let failure):
            result = .failure(failure)
        case .accepted:
            let made = HellgateToken(
                id: mint.uuid(), createdAt: now, summary: card.summary, issuer: card.issuer, length: card.length,
                cardholderName: card.additional["cardholder_name"],
                expiresAt: session.tokenLifetime.map { now.adding(seconds: $0) })
            tokens.add(made, token: made.id)
            token = made
            result = .token(made.id)
        }
        session.state = looks > 0 ? .working(looks: looks, result) : .finished(result)
        sessions.replace(session, token: id)
        return (session, token)
    }

    // MARK: - Vaults

    mutating func store(
        _ card: HellgateCard, key: String, kind: HellgateSession.Kind, at now: WallTime
    ) throws(HellgateRefusal) -> String {
        let id = mint.uuid()
        entries.add(VaultEntry(session: try session(key: key, kind: kind, at: now), card: card), token: id)
        return id
    }

    /// Whose key it is. That a key is good for its own open session only is a guess.
    func session(key: String, kind: HellgateSession.Kind, at now: WallTime) throws(HellgateRefusal) -> String {
        guard let id = sessionOfKey[key], let session = try? openSession(id, now: now), session.kind == kind else {
            throw .keyRefused
        }
        return id
    }

    func card(_ vaultToken: String, of session: String) -> HellgateCard? {
        guard let entry = entries[vaultToken], entry.session == session else { return nil }
        return entry.card
    }

    // MARK: - Tokens

    func token(_ id: String, at now: WallTime) throws(HellgateRefusal) -> HellgateToken {
        guard let token = tokens[id], !deleted.contains(id), token.expiresAt.map({ now < $0 }) ?? true else {
            throw .unknownToken
        }
        return token
    }

    /// Oldest first.
    func tokens(at now: WallTime) -> [HellgateToken] {
        tokens.tokens.compactMap { try? token($0, at: now) }
    }

    mutating func delete(_ id: String, at now: WallTime) throws(HellgateRefusal) -> HellgateToken {
        let token = try token(id, at: now)
        deleted.insert(id)
        return token
    }
}
