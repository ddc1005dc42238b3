import GatewayKitCore

/// The one place that authenticates to Hellgate and sends.
struct HellgateClient: Sendable {
    let account: AccountSettings
    let pipeline: HTTPPipeline
    let wallClock: WallClock
    let clock: any GatewayClock
    let random: RandomSource
    private let baseURL: WireURL
    /// Where card data may go.
    private let allowed: Set<WireURL.Origin>

    init(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) {
        self.account = account
        baseURL = try account.baseURL(orStandard: HellgateEnvironments.standardBaseURL(account.environment))
        allowed = try HellgateEnvironments.vaultOrigins(account).union([baseURL.origin])
        wallClock = runtime.wallClock
        clock = runtime.clock
        random = runtime.random
        pipeline = HTTPPipeline(
            account: account.name, secrets: account.secrets, allowedOrigins: allowed, runtime: runtime,
            timeout: account.timeout)
    }

    /// Whether card data may go there.
    func allows(_ origin: WireURL.Origin) -> Bool { allowed.contains(origin) }

    /// Opens a session. It may be sent again: a session that nobody uses expires by itself.
    func openSession() throws(GatewayError) -> WireRequest {
        try keyed("hellgate.open-session", .post, ["tokens", "session"], repeatability: .read)
    }

    /// Asks a session. No credential: knowing its id is the permission.
    func status(_ id: String) -> WireRequest {
        request("hellgate.status", .get, ["sessions", id], repeatability: .read)
    }

    /// Hands the result of an action to a session. Sent at most once.
    func completeAction(
        _ id: String, _ writeResult: (inout JSONObjectWriter) -> Void
    ) throws(JSONError) -> WireRequest {
        var writer = JSONWriter()
        writer.object { root in
            root.set("action", HellgateSessionBody.tokenizeCard)
            root.object("result", writeResult)
        }
        var request = request("hellgate.tokenize", .post, ["sessions", id, "complete-action"], repeatability: .once)
        request.body = Self.body(try writer.finish())
        return request
    }

    /// Stores a card in the vault that a session names. Sent at most once.
    func storeCard(
        _ vault: HellgateVaultAccess, _ write: (inout JSONObjectWriter) -> Void
    ) throws(JSONError) -> WireRequest {
        var writer = JSONWriter()
        writer.object(write)
        var request = WireRequest(
            "hellgate.store-card", .post, vault.url.appending("tokenize"), repeatability: .once)
        request.fields["accept"] = "application/json"
        request.fields.set(vault.kind.keyField, .sensitive(vault.key))
        request.body = Self.body(try writer.finish())
        return request
    }

    /// A call with the API key.
    /// - Throws: ``GatewayError/Code/configuration`` when none is configured.
    func keyed(
        _ operation: WireRequest.Operation, _ method: HTTPMethod, _ segments: [String],
        query: [(name: String, value: String)] = [], repeatability: WireRequest.Repeatability
    ) throws(GatewayError) -> WireRequest {
        guard let key = account.secret(HellgateProvider.apiKey), !key.withExposed(\.isEmpty) else {
            throw account.missing(HellgateProvider.apiKey)
        }
        var request = request(operation, method, segments, query: query, repeatability: repeatability)
        request.fields.set("x-api-key", .sensitive(key))
        return request
    }

    private func request(
        _ operation: WireRequest.Operation, _ method: HTTPMethod, _ segments: [String],
        query: [(name: String, value: String)] = [], repeatability: WireRequest.Repeatability
    ) -> WireRequest {
        var url = segments.reduce(baseURL) { $0.appending($1) }
        for item in query { url = url.appending(query: item.name, .plain(item.value)) }
        var request = WireRequest(operation, method, url, repeatability: repeatability)
        request.fields["accept"] = "application/json"
        return request
    }

    private static func body(_ json: JSONBody) -> WireBody {
        WireBody(contentType: "application/json", bytes: json.bytes, secrets: json.secrets)
    }

    // MARK: - Exchanges

    /// Sends a request as a part of a call.
    func exchange(_ request: WireRequest, _ call: Call) async -> Result<WireResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await pipeline.send(request, in: call))
        } catch {
            return .failure(error)
        }
    }

    /// What every reader of an answer needs.
    func facts(
        _ response: WireResponse, _ request: WireRequest, _ call: Call, nothingHappened: SafeText
    ) -> HellgateAnswerFacts {
        HellgateAnswerFacts(
            response: response, call: call, account: account.name, redactor: call.redactor.adding(request.secrets),
            now: wallClock.now(), longSecrets: account.secrets + request.secrets, nothingHappened: nothingHappened)
    }

    /// One call from its first event to its last.
    func call<Outcome: Sendable>(
        _ operation: WireRequest.Operation, _ context: CallContext, secrets: [Sensitive<String>] = [],
        outcome: (Outcome) -> (name: String, detail: SafeText?),
        _ body: (Call) async throws(GatewayError) -> Outcome
    ) async throws(GatewayError) -> Outcome {
        var call = pipeline.begin(operation, context)
        if !secrets.isEmpty { call.redactor = call.redactor.adding(secrets) }
        do throws(GatewayError) {
            let result = try await body(call)
            let end = outcome(result)
            pipeline.end(call, outcome: end.name, detail: end.detail)
            return result
        } catch {
            pipeline.end(call, outcome: error.code.description, detail: error.message)
            throw error
        }
    }

    func invalid(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(.invalidInput, message: message, advice: advice, account: account.name)
    }

    func notSupported(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(.notSupported, message: message, advice: advice, account: account.name)
    }
}
