import GatewayKitCore

/// Spreedly's vault (API V1, "Payment methods"). Every call needs the access secret.
struct SpreedlyVault: Vault {
    let client: SpreedlyClient

    func show(_ id: String, _ context: CallContext) async throws(GatewayError) -> VaultResult {
        try check(id)
        return try await send(
            client.vaultRequest("spreedly.show", .get, ["payment_methods", id + ".json"]), id, context)
    }

    func update(
        _ id: String, _ change: VaultUpdate, _ context: CallContext
    ) async throws(GatewayError) -> VaultResult {
        try check(id)
        guard !change.isEmpty else { throw invalid("There is nothing to change.", "Name what is to be changed.") }
        let issues =
            change.shopper.issues + (change.expiry?.issues(at: client.wallClock.now()) ?? [])
            + SpreedlyMetadata.issues(change.metadata)
        guard issues.isEmpty else { return .invalid(issues) }
        let body = try write { root in
            root.object("payment_method") { SpreedlyPaymentMethod.write(change, into: &$0) }
        }
        return try await send(
            client.vaultRequest("spreedly.update", .put, ["payment_methods", id + ".json"], body: body), id, context)
    }

    func retain(_ id: String, _ context: CallContext) async throws(GatewayError) -> VaultResult {
        try check(id)
        return try await send(
            client.vaultRequest("spreedly.retain", .put, ["payment_methods", id, "retain.json"]), id, context)
    }

    func redact(_ id: String, _ context: CallContext) async throws(GatewayError) -> VaultResult {
        try await redact(id, VaultRedaction(), context)
    }

    func redact(
        _ id: String, _ redaction: VaultRedaction, _ context: CallContext
    ) async throws(GatewayError) -> VaultResult {
        try check(id)
        if let gateway = redaction.gateway, !PaymentToken.isWellFormed(id: gateway) {
            throw invalid("This is no token of a gateway.", "Nothing was sent. Correct it.")
        }
        var body: JSONBody?
        if redaction != VaultRedaction() {
            body = try write { root in
                root.object("transaction") { json in
                    json.set("remove_from_gateway", redaction.gateway)
                    json.set("remove_personal_data", redaction.removesPersonalData ? true : nil)
                }
            }
        }
        return try await send(
            client.vaultRequest("spreedly.redact", .put, ["payment_methods", id, "redact.json"], body: body), id,
            context)
    }

    func deleteMetadata(
        _ keys: [String], of id: String, _ context: CallContext
    ) async throws(GatewayError) -> VaultResult {
        try check(id)
        guard !keys.isEmpty, !keys.contains("") else {
            throw invalid("There is no metadata key to delete, or an empty one.", "Name the keys.")
        }
        let body = try write { root in
            root.array("keys") { list in
                for key in keys { list.append(key) }
            }
        }
        return try await send(
            client.vaultRequest(
                "spreedly.delete-metadata", .delete, ["payment_methods", id, "metadata.json"], body: body),
            id, context)
    }

    func page(
        _ query: VaultQuery, after cursor: String?, _ context: CallContext
    ) async throws(GatewayError) -> VaultPage {
        try query.refuseShopper(of: client.account.name)
        if let cursor { try check(cursor) }
        let count = min(max(query.pageSize ?? Self.standardPageSize, 1), Self.largestPageSize)
        var items: [(name: String, value: String)] = []
        if let cursor { items.append(("since_token", cursor)) }
        items.append(("order", query.order == .oldestFirst ? "asc" : "desc"))
        items.append(("count", String(count)))
        if let state = query.providerState { items.append(("state", state)) }
        for entry in query.metadata { items.append(("metadata[\(entry.key)]", entry.value.queryText)) }
        let request = try client.vaultRequest("spreedly.list", .get, ["payment_methods.json"], query: items)
        return try await exchange(request, nil, context, outcome: { _ in "page" }) { answer throws(GatewayError) in
            try answer.readPage(count)
        } lost: { error throws(GatewayError) in
            throw error
        }
    }

    /// API V1, "List": 20 unless asked, at most 100.
    private static let standardPageSize = 20
    private static let largestPageSize = 100

    private func send(
        _ request: WireRequest, _ id: String, _ context: CallContext
    ) async throws(GatewayError) -> VaultResult {
        let isRead = request.repeatability == .read
        return try await exchange(request, id, context, outcome: \.outcomeName) { answer throws(GatewayError) in
            switch try answer.read() {
            case .result(let result): return result
            case .unclear(let cause):
                guard !isRead else { throw cause }
                return .unknown(cause: cause)
            }
        } lost: { error throws(GatewayError) in
            guard !isRead, error.reach != .notSent else { throw error }
            return .unknown(cause: error)
        }
    }

    /// One call from its first event to its last.
    private func exchange<Outcome: Sendable>(
        _ request: WireRequest, _ id: String?, _ context: CallContext, outcome: (Outcome) -> String,
        read: (SpreedlyVaultAnswer) throws(GatewayError) -> Outcome,
        lost: (GatewayError) throws(GatewayError) -> Outcome
    ) async throws(GatewayError) -> Outcome {
        let call = client.pipeline.begin(request.operation, context)
        do throws(GatewayError) {
            let result: Outcome
            switch await answer(request, call) {
            case .success(let response):
                result = try read(
                    SpreedlyVaultAnswer(
                        facts: SpreedlyAnswerFacts(
                            response: response, call: call, account: client.account.name,
                            redactor: call.redactor.adding(request.secrets), now: client.wallClock.now(),
                            nothingHappened: "Nothing was changed."),
                        id: id, isRead: request.repeatability == .read))
            case .failure(let error):
                let isRead = request.repeatability == .read
                result = try lost(isRead ? GatewayError(ofRead: error, in: call) : GatewayError(error, in: call))
            }
            client.pipeline.end(call, outcome: outcome(result))
            return result
        } catch {
            client.pipeline.end(call, outcome: error.code.description, detail: error.message)
            throw error
        }
    }

    private func answer(_ request: WireRequest, _ call: Call) async -> Result<WireResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await client.pipeline.send(request, in: call))
        } catch {
            return .failure(error)
        }
    }

    /// The id becomes a part of the address: it must be a token, and an empty one would name the list.
    private func check(_ id: String) throws(GatewayError) {
        guard PaymentToken.isWellFormed(id: id) else {
            throw invalid("This is no token.", "Nothing was sent. Give the token of a stored instrument.")
        }
    }

    private func write(_ build: (inout JSONObjectWriter) -> Void) throws(GatewayError) -> JSONBody {
        var writer = JSONWriter()
        writer.object(build)
        do throws(JSONError) {
            return try writer.finish()
        } catch {
            throw invalid("The request cannot be written: \(error.message).", "Nothing was sent. Correct the input.")
        }
    }

    private func invalid(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(.invalidInput, message: message, advice: advice, account: client.account.name)
    }
}

extension OptionValue {
    fileprivate var queryText: String {
        switch self {
        case .flag(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .text(let value): value
        }
    }
}
