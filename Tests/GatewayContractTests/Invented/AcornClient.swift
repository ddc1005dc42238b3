import GatewayKitCore

/// The one place that authenticates to Acorn and sends.
struct AcornClient: Sendable {
    let account: AccountSettings
    let pipeline: HTTPPipeline
    let wallClock: WallClock
    private let baseURL: WireURL
    private let key: Sensitive<String>

    init(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) {
        self.account = account
        key = try account.require(AcornProvider.apiKey)
        baseURL = try account.baseURL(orStandard: AcornEnvironments.standardBaseURL(account.environment))
        wallClock = runtime.wallClock
        pipeline = HTTPPipeline(
            account: account.name, secrets: account.secrets, allowedOrigins: [baseURL.origin], runtime: runtime,
            timeout: account.timeout)
    }

    /// Stores a card. Acorn knows no idempotency key, so it is sent at most once.
    func storeCard(_ json: JSONBody) -> WireRequest {
        var request = WireRequest("acorn.tokenize", .post, baseURL.appending("cards"), repeatability: .once)
        request.fields["accept"] = "application/json"
        request.fields.set("x-acorn-key", .sensitive(key))
        request.body = WireBody(contentType: "application/json", bytes: json.bytes, secrets: json.secrets)
        return request
    }
}
