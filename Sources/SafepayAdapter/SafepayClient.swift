import GatewayKitCore

/// The one place that authenticates to Safepay and sends.
struct SafepayClient: Sendable {
    let account: AccountSettings
    let pipeline: HTTPPipeline
    let wallClock: WallClock
    /// What Safepay calls the account's environment.
    let environment: String
    /// Below which hosted and embedded pages are. Nothing is sent there: it is for shoppers.
    let pageURL: WireURL
    let intent: SafepayIntent
    /// The generation of hosted payment pages.
    let hostedPages: SafepaySession.Generation
    /// Of sessions that have no amount.
    let currency: Currency
    private let baseURL: WireURL

    init(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) {
        self.account = account
        baseURL = try account.baseURL(orStandard: SafepayEnvironments.standardBaseURL(account.environment))
        environment = SafepayEnvironments.word(account.environment)
        pageURL = SafepayEnvironments.pageURL(account.environment, api: baseURL)
        intent = try Self.choice(SafepayProvider.intent, account) ?? .cybersource
        hostedPages = try Self.choice(SafepayProvider.hostedPages, account) ?? .order
        do throws(MoneyError) {
            currency =
                try account.text(SafepayProvider.currency).map { text throws(MoneyError) in try Currency(text) }
                ?? .pkr
        } catch {
            throw GatewayError(
                .configuration, message: "The currency of account \(account.name) is unusable: \(error.description)",
                advice: "Write a code of ISO 4217, such as PKR.", account: account.name)
        }
        wallClock = runtime.wallClock
        pipeline = HTTPPipeline(
            account: account.name, secrets: account.secrets, allowedOrigins: [baseURL.origin], runtime: runtime,
            timeout: account.timeout)
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ setting: SettingDescription, _ account: AccountSettings
    ) throws(GatewayError) -> Choice? where Choice.RawValue == String {
        guard let text = account.text(setting) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        throw GatewayError(
            .configuration, message: "The setting '\(setting.name)' of account \(account.name) is unusable.",
            advice: "It is one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).", account: account.name)
    }

    /// The public key that names the merchant.
    /// - Throws: ``GatewayError/Code/configuration`` when none is configured.
    func apiKey() throws(GatewayError) -> String {
        guard let key = account.text(SafepayProvider.apiKey), !key.isEmpty else {
            throw account.missing(SafepayProvider.apiKey)
        }
        return key
    }

    // MARK: - Requests

    /// How a request proves itself.
    enum Proof {
        /// Not at all, as v1 orders.
        case none
        /// By the secret key, or by a passport token where the account has that only.
        case merchantOrPassport
        /// By the secret key; Safepay refuses passport tokens.
        case merchant
    }

    /// - Parameters:
    ///   - endsWithSlash: Whether the path ends with a slash: without it some of Safepay's paths lead to its front end,
    ///     which answers 405.
    ///   - body: Writes the members of a JSON object; `nil` sends no body.
    /// - Throws: ``GatewayError/Code/configuration`` when the key is not configured, ``GatewayError/Code/invalidInput``
    ///   when the body cannot be written.
    func request(
        _ operation: WireRequest.Operation, _ method: HTTPMethod, _ segments: [String], endsWithSlash: Bool = false,
        _ proof: Proof, repeatability: WireRequest.Repeatability,
        body: ((inout JSONObjectWriter) -> Void)? = nil
    ) throws(GatewayError) -> WireRequest {
        var url = segments.reduce(baseURL) { $0.appending($1) }
        if endsWithSlash { url = url.appending("") }
        var request = WireRequest(operation, method, url, repeatability: repeatability)
        request.fields["accept"] = "application/json"
        switch proof {
        case .none: break
        case .merchantOrPassport where account.secret(SafepayProvider.secretKey) == nil:
            guard let token = account.secret(SafepayProvider.passportToken) else { fallthrough }
            request.fields.set("authorization", .sensitive(token.map { "Bearer " + $0 }))
        case .merchantOrPassport, .merchant:
            let key = try account.require(SafepayProvider.secretKey)
            guard !key.withExposed(\.isEmpty) else { throw account.missing(SafepayProvider.secretKey) }
            request.fields.set("x-sfpy-merchant-secret", .sensitive(key))
        }
        guard let body else { return request }
        do throws(JSONError) {
            var writer = JSONWriter()
            writer.object(body)
            let json = try writer.finish()
            request.body = WireBody(contentType: "application/json", bytes: json.bytes, secrets: json.secrets)
        } catch {
            throw invalid("The request cannot be written: \(error.message).", "Nothing was sent. Correct the input.")
        }
        return request
    }

    /// A time-based token for pages and apps, good for about an hour. Only the secret key opens this; it may be asked
    /// for again.
    func passport(in call: Call) async throws(GatewayError) -> Sensitive<String> {
        var request = try request(
            "safepay.passport", .post, ["client", "passport", "v1", "token"], .merchant, repeatability: .read
        ) { _ in }
        request.answerIsSecret = true
        let facts = try await read(request, in: call)
        if let refusal = facts.refusal() { throw refusal }
        let data = facts.envelope?.data
        // The PHP SDK wraps the text.
        let text = data?.nonEmptyText ?? data?["token"].nonEmptyText
        guard facts.isSuccess, let text, PaymentToken.isWellFormed(id: text) else {
            throw facts.unclear("Safepay's answer has no passport token.", "Nothing was changed: ask again.")
        }
        return Sensitive(text)
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

    /// Sends a request that changes nothing that matters, and gives its answer for reading.
    func read(_ request: WireRequest, in call: Call) async throws(GatewayError) -> SafepayAnswerFacts {
        switch await exchange(request, call) {
        case .success(let response): return facts(response, request, call, nothingHappened: "Nothing was changed.")
        case .failure(let error): throw GatewayError(ofRead: error, in: call)
        }
    }

    /// What every reader of an answer needs.
    func facts(
        _ response: WireResponse, _ request: WireRequest, _ call: Call, nothingHappened: SafeText
    ) -> SafepayAnswerFacts {
        SafepayAnswerFacts(
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

    // MARK: - Sessions

    /// The session that a reference names.
    /// - Throws: ``GatewayError/Code/invalidInput`` for another account's, another environment's, and for what is none.
    func session(_ reference: SessionReference) throws(GatewayError) -> SafepaySession {
        guard reference.accountName == account.name.description else {
            throw invalid(
                "This session belongs to another account or provider.",
                "Nothing was sent. Open a session on account \(account.name).")
        }
        guard let session = SafepaySession(id: reference.id) else {
            throw invalid("This is no session.", "Nothing was sent. Give the reference that opening it gave.")
        }
        guard session.environment == environment else {
            throw invalid(
                "This session belongs to another environment of Safepay's.",
                "Nothing was sent. Use an account in that environment.")
        }
        return session
    }

    func invalid(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(.invalidInput, message: message, advice: advice, account: account.name)
    }

    func notSupported(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(.notSupported, message: message, advice: advice, account: account.name)
    }
}
