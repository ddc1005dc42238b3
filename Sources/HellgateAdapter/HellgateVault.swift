import GatewayKitCore

/// Hellgate's tokens (Commerce API 2.0, "Tokens"): show, list and delete. Every call needs the API key.
struct HellgateVault: Vault {
    let client: HellgateClient

    let operations: Set<VaultOperation> = [.show, .list, .redact]

    func show(_ id: String, _ context: CallContext) async throws(GatewayError) -> VaultResult {
        let request = try tokenRequest("hellgate.show", .get, id)
        return try await call(request, context) { call async throws(GatewayError) in
            try await read(request, id, call)
        }
    }

    /// Deletes the token. How Hellgate answers is not documented, so that it is gone is proven by asking for it; that
    /// settles an answer that was lost, too.
    func redact(_ id: String, _ context: CallContext) async throws(GatewayError) -> VaultResult {
        let request = try tokenRequest("hellgate.redact", .delete, id)
        let look = try tokenRequest("hellgate.show", .get, id)
        return try await call(request, context) { call async throws(GatewayError) in
            let cause: GatewayError
            switch await client.exchange(request, call) {
            case .success(let response):
                let facts = client.facts(response, request, call, nothingHappened: "Nothing was deleted.")
                if facts.saysNotFound { return .notFound(id: id) }
                if let refusal = facts.refusal() { throw refusal }
                cause = facts.unclear("Hellgate's answer does not tell whether the token is deleted.", Self.showIt)
            case .failure(let error):
                var failure = GatewayError(error, in: call)
                guard error.reach != .notSent else { throw failure }
                failure.advice = Self.showIt
                cause = failure
            }
            guard case .notFound? = try? await read(look, id, call) else { return .unknown(cause: cause) }
            return .done(StoredInstrument(id: id, account: client.account.name, state: .redacted))
        }
    }

    private static let showIt: SafeText = "The token may have been deleted: show it to find out."

    func page(
        _ query: VaultQuery, after cursor: String?, _ context: CallContext
    ) async throws(GatewayError) -> VaultPage {
        try query.refuseShopper(of: client.account.name)
        guard query.metadata.isEmpty else {
            throw client.notSupported(
                "Hellgate stores no metadata to choose tokens by.", "Nothing was sent. Leave the filter out.")
        }
        // The cursor of a page is its number; what is none is a token, behind which Hellgate's list cannot begin.
        guard let page = cursor.map({ text in text.utf8.count <= 9 ? Int(text) : nil }) ?? 1, page > 0 else {
            throw client.notSupported(
                "Hellgate's list cannot begin behind a token.", "Nothing was sent. List from the beginning.")
        }
        let count = min(max(query.pageSize ?? Self.standardPageSize, 1), Self.largestPageSize)
        var items: [(name: String, value: String)] = [
            ("limit", String(count)), ("page", String(page)),
            ("sort", query.order == .oldestFirst ? "created_at asc" : "created_at desc"),
        ]
        if let state = query.providerState { items.append(("network_token_status", state)) }
        let request = try client.keyed("hellgate.list", .get, ["tokens"], query: items, repeatability: .read)
        return try await client.call(
            request.operation, context, outcome: { (_: VaultPage) in ("page", nil) }
        ) { call async throws(GatewayError) in
            try answer(await client.exchange(request, call), request, call).readPage(number: page)
        }
    }

    /// Commerce API 2.0, "Pagination": 50 unless asked, at most 500.
    private static let standardPageSize = 50
    private static let largestPageSize = 500

    // MARK: - What Hellgate cannot do

    func update(_ id: String, _ change: VaultUpdate, _ call: CallContext) async throws(GatewayError) -> VaultResult {
        throw client.notSupported(
            "Hellgate's tokens cannot be changed.", "Nothing was sent. Tokenize the card anew with what has changed.")
    }

    func retain(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult {
        throw client.notSupported(
            "Hellgate keeps every token until it is deleted: there is no retaining.", "Nothing was sent. Leave it out.")
    }

    func deleteMetadata(
        _ keys: [String], of id: String, _ call: CallContext
    ) async throws(GatewayError) -> VaultResult {
        throw client.notSupported(
            "Hellgate stores no metadata beside a token.", "Nothing was sent. Leave it out.")
    }

    // MARK: - Parts

    private func call(
        _ request: WireRequest, _ context: CallContext, _ body: (Call) async throws(GatewayError) -> VaultResult
    ) async throws(GatewayError) -> VaultResult {
        try await client.call(
            request.operation, context, outcome: { (result: VaultResult) in (result.outcomeName, nil) }, body)
    }

    private func read(_ request: WireRequest, _ id: String, _ call: Call) async throws(GatewayError) -> VaultResult {
        try answer(await client.exchange(request, call), request, call).read(id)
    }

    private func answer(
        _ exchange: Result<WireResponse, TransportError>, _ request: WireRequest, _ call: Call
    ) throws(GatewayError) -> HellgateVaultAnswer {
        switch exchange {
        case .success(let response):
            return HellgateVaultAnswer(
                facts: client.facts(response, request, call, nothingHappened: "Nothing was changed."))
        case .failure(let error):
            throw GatewayError(ofRead: error, in: call)
        }
    }

    /// The id becomes a part of the address: it must be a token, and an empty one would name the list.
    private func tokenRequest(
        _ operation: WireRequest.Operation, _ method: HTTPMethod, _ id: String
    ) throws(GatewayError) -> WireRequest {
        guard PaymentToken.isWellFormed(id: id) else {
            throw client.invalid("This is no token.", "Nothing was sent. Give the token of a stored card.")
        }
        return try client.keyed(
            operation, method, ["tokens", id], repeatability: method == .get ? .read : .once)
    }
}
