import GatewayCrypto
import GatewayKitCore

/// The one place that authenticates to BlueSnap and sends: with the API user's Basic credentials for what a backend
/// does, with the token itself (`Token-Authentication`) for what anybody does who knows it.
struct BlueSnapClient: Sendable {
    let account: AccountSettings
    let pipeline: HTTPPipeline
    let wallClock: WallClock
    let random: RandomSource
    /// Where calls with the API user go.
    let baseURL: WireURL
    private let authorization: Sensitive<String>?
    /// What `bluesnap-version` says; `nil` leaves it to the merchant account.
    private let version: String?

    init(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) {
        self.account = account
        baseURL = try account.baseURL(orStandard: BlueSnapEnvironments.standardBaseURL(account.environment))
        authorization = try Self.authorization(account)
        version = try Self.version(account)
        wallClock = runtime.wallClock
        random = runtime.random
        var origins: Set<WireURL.Origin> = [baseURL.origin]
        if account.baseURL == nil {
            let servers = BlueSnapEnvironments.servers(account.environment)
            origins.formUnion(servers.compactMap { BlueSnapEnvironments.tokenBaseURLs[$0]?.origin })
        }
        pipeline = HTTPPipeline(
            account: account.name, secrets: account.secrets + [authorization].compactMap { $0 },
            allowedOrigins: origins, runtime: runtime, timeout: account.timeout)
    }

    /// The Basic credentials; `nil` where the account has none.
    private static func authorization(_ account: AccountSettings) throws(GatewayError) -> Sensitive<String>? {
        guard let user = account.text(BlueSnapProvider.username), !user.isEmpty,
            let password = account.secret(BlueSnapProvider.password), !password.withExposed(\.isEmpty)
        else { return nil }
        // RFC 7617, section 2: the user ends at the first colon.
        guard !user.contains(":") else {
            throw GatewayError(
                .configuration, message: "The username of account \(account.name) contains a colon.",
                advice: "Copy the API user's name again from BlueSnap.", account: account.name)
        }
        return password.map { "Basic " + Base64.standard.encode(Array("\(user):\($0)".utf8)) }
    }

    private static func version(_ account: AccountSettings) throws(GatewayError) -> String? {
        guard let version = account.text(BlueSnapProvider.apiVersion) else { return nil }
        guard ["1.0", "2.0", "3.0"].contains(version) else {
            throw GatewayError(
                .configuration, message: "Account \(account.name) has an unknown apiVersion: '\(version)'.",
                advice: "Use 1.0, 2.0 or 3.0, or leave it out.", account: account.name)
        }
        return version
    }

    /// A call that a backend makes, with the API user.
    ///
    /// - Parameter segments: The path below `services/2`.
    /// - Throws: ``GatewayError/Code/configuration`` when the account has no API user or password.
    func serverRequest(
        _ operation: WireRequest.Operation, _ method: HTTPMethod, _ segments: [String],
        query: [(name: String, value: String)] = [], body: JSONBody? = nil,
        repeatability: WireRequest.Repeatability
    ) throws(GatewayError) -> WireRequest {
        guard let authorization else {
            let user = account.text(BlueSnapProvider.username) ?? ""
            throw account.missing(user.isEmpty ? BlueSnapProvider.username : BlueSnapProvider.password)
        }
        var request = request(baseURL, operation, method, segments, query, body, repeatability)
        request.fields.set("authorization", .sensitive(authorization))
        request.fields["bluesnap-version"] = version
        return request
    }

    /// A call that whoever knows the token makes. It goes to the server that the token names, unless the account has an
    /// address of its own.
    ///
    /// - Parameter segments: The path below `services/2`.
    func tokenRequest(
        _ operation: WireRequest.Operation, _ method: HTTPMethod, _ segments: [String], _ token: BlueSnapToken,
        query: [(name: String, value: String)] = [], body: JSONBody? = nil,
        repeatability: WireRequest.Repeatability
    ) -> WireRequest {
        let standard = BlueSnapEnvironments.tokenBaseURLs[token.server]
        let url = account.baseURL ?? standard ?? baseURL
        var request = request(url, operation, method, segments, query, body, repeatability)
        request.fields.set("token-authentication", .sensitive(token.sensitive))
        return request
    }

    private func request(
        _ base: WireURL, _ operation: WireRequest.Operation, _ method: HTTPMethod, _ segments: [String],
        _ query: [(name: String, value: String)], _ body: JSONBody?, _ repeatability: WireRequest.Repeatability
    ) -> WireRequest {
        var url = (["services", "2"] + segments).reduce(base) { $0.appending($1) }
        for item in query { url = url.appending(query: item.name, .plain(item.value)) }
        var request = WireRequest(operation, method, url, repeatability: repeatability)
        request.fields["accept"] = "application/json"
        request.body = body.map {
            WireBody(contentType: "application/json", bytes: $0.bytes, secrets: $0.secrets)
        }
        return request
    }

    /// Writes a body.
    /// - Throws: ``GatewayError/Code/invalidInput`` when it cannot be written.
    func body(_ write: (inout JSONObjectWriter) -> Void) throws(GatewayError) -> JSONBody {
        var writer = JSONWriter()
        writer.object(write)
        do throws(JSONError) {
            return try writer.finish()
        } catch {
            throw invalid("The request cannot be written: \(error.message).", "Nothing was sent. Correct the input.")
        }
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
    ) -> BlueSnapAnswerFacts {
        BlueSnapAnswerFacts(
            response: response, call: call, account: account.name, redactor: call.redactor.adding(request.secrets),
            now: wallClock.now(), nothingHappened: nothingHappened)
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
