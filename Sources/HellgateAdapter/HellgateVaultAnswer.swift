import GatewayKitCore

/// Reads the answers of the vault's reads.
struct HellgateVaultAnswer {
    let facts: HellgateAnswerFacts

    /// One token, which must be the one asked for.
    func read(_ id: String) throws(GatewayError) -> VaultResult {
        if facts.saysNotFound { return .notFound(id: id) }
        if let refusal = facts.refusal() { throw refusal }
        guard facts.isSuccess, let token = facts.json.flatMap({ HellgateStoredToken($0) }), token.id == id else {
            throw facts.unclear(
                "Hellgate's answer is not about the token asked for, or could not be understood.",
                "Nothing was changed: it is safe to ask again.")
        }
        var stored = token.instrument(facts.account, facts.redactor)
        stored.requestID = facts.requestID
        return .done(stored)
    }

    /// A page of the list. A list must not lose anybody's token in silence, so an entry that cannot be read is an error.
    func readPage(number: Int) throws(GatewayError) -> VaultPage {
        if let refusal = facts.refusal() { throw refusal }
        let json = facts.isSuccess ? facts.json : nil
        // That the list is called `data` is a guess.
        guard let list = [json?["data"], json?["tokens"]].lazy.compactMap({ $0 }).first(where: { $0.kind == .array })
        else {
            throw facts.unclear(
                "Hellgate's list could not be understood.", "Nothing was changed: it is safe to ask again.")
        }
        var instruments: [StoredInstrument] = []
        for item in list.items {
            guard let token = HellgateStoredToken(item), facts.id(token.id) != nil else {
                throw facts.failure(
                    .unreadableAnswer, "An entry of Hellgate's list has no token that can be read.",
                    "Nothing was changed. Ask Hellgate's support.")
            }
            var stored = token.instrument(facts.account, facts.redactor)
            stored.requestID = facts.requestID
            instruments.append(stored)
        }
        let total = try? json?["pagination"]["total_pages"].present?.integer()
        guard let total else {
            throw facts.failure(
                .unreadableAnswer, "Hellgate's list does not tell how many pages there are.",
                "Nothing was changed. Ask Hellgate's support.")
        }
        return VaultPage(instruments: instruments, next: number < total ? String(number + 1) : nil)
    }
}
