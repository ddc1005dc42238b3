import GatewayKitCore

/// Transactions of the vault, found again (dossier 2.1, 2.6).
extension SpreedlySandbox {
    private static let states: Set = [
        "succeeded", "failed", "gateway_processing_failed", "gateway_processing_result_unknown",
    ]

    func listTransactions(_ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        if let seconds = vault.withLock({ $0.listLimit.admit(at: call.now) }) {
            // A body may be missing (dossier 2.5), and that is what clients stumble over.
            var reply = withHeader(SandboxReply(status: 429))
            reply.set("retry-after", "\(seconds)")
            return SandboxOutcome(reply: reply, outcome: .refused)
        }
        return try list(call) { _ in true }
    }

    /// That this list is not limited, while the whole one is, is a guess.
    func methodTransactions(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        _ = try vault.withLock { (vault) throws(SpreedlyRefusal) in try vault.method(token) }
        return try list(call) { $0.methodToken == token }
    }

    private func list(
        _ call: SandboxCall, where isMeant: (SpreedlyTransaction) -> Bool
    ) throws(SpreedlyRefusal) -> SandboxOutcome {
        let page = try SpreedlyPage(call.request.query, states: Self.states)
        let chosen = try vault.withLock { (vault) throws(SpreedlyRefusal) in
            let transactions = try page.select(from: vault.transactions) {
                isMeant($0) && (page.state ?? $0.state) == $0.state
            }
            return transactions.map { ($0, vault.methods[$0.methodToken]) }
        }
        let body = AnswerWriter.object { root in
            root.array("transactions") { list in
                for (transaction, method) in chosen { list.appendObject { transaction.write(method, to: &$0) } }
            }
        }
        return SandboxOutcome(reply: withHeader(.json(200, body)), outcome: .read)
    }

    /// A transaction that failed is shown with 200 (a guess), its method as it is now (a guess too).
    func showTransaction(_ token: String) throws(SpreedlyRefusal) -> SandboxOutcome {
        let (transaction, method) = try found(token)
        let body = AnswerWriter.object { $0.object("transaction") { transaction.write(method, to: &$0) } }
        return SandboxOutcome(
            reply: withHeader(.json(200, body)), outcome: .read, token: token, card: method?.summary)
    }

    /// The reduced view for browsers and apps. Its members are those that the dossier names (10, point 6); that they
    /// are wrapped, and null where they mean nothing, is a guess.
    func transactionStatus(_ token: String) throws(SpreedlyRefusal) -> SandboxOutcome {
        let (transaction, _) = try found(token)
        let body = AnswerWriter.object { root in
            root.object("transaction") { body in
                body.set("token", transaction.token)
                body.set("succeeded", transaction.succeeded)
                body.set("state", transaction.state)
                for name in Self.statusMembers { body.setNull(name) }
            }
        }
        return SandboxOutcome(reply: withHeader(.json(200, body)), outcome: .read, token: token)
    }

    private static let statusMembers = [
        "required_action", "gateway_type", "challenge_form", "challenge_form_embed_url", "challenge_url",
        "device_fingerprint_form", "device_fingerprint_form_embed_url", "managed_order_token", "context",
    ]

    private func found(_ token: String) throws(SpreedlyRefusal) -> (SpreedlyTransaction, SpreedlyMethod?) {
        try vault.withLock { (vault) throws(SpreedlyRefusal) in
            guard let transaction = vault.transactions[token] else { throw .unknownTransaction(token) }
            return (transaction, vault.methods[transaction.methodToken])
        }
    }
}
