import GatewayKitCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The one place that authenticates to Spreedly, sends, and opens the envelope.
struct SpreedlyClient: Sendable {
    let account: AccountSettings
    let authentication: SpreedlyAuthentication
    let pipeline: HTTPPipeline
    let wallClock: WallClock
    private let baseURL: WireURL
    /// Basic credentials for the calls that Spreedly takes with the access secret only; `nil` where none is configured.
    private let authorization: Sensitive<String>?

    init(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) {
        self.account = account
        authentication = try SpreedlyAuthentication(account)
        baseURL = try account.baseURL(orStandard: SpreedlyEnvironments.standardBaseURL(account.environment))
        wallClock = runtime.wallClock
        // Whether it is needed shows when a call wants it.
        authorization = (try? SpreedlyAuthentication.authorization(account)) ?? nil
        pipeline = HTTPPipeline(
            account: account.name, secrets: account.secrets + [authorization].compactMap { $0 },
            allowedOrigins: [baseURL.origin], runtime: runtime, timeout: account.timeout)
    }

    /// The create call, authenticated in the configured way. It is sent at most once: a second one would make a second
    /// token, since Spreedly knows no idempotency key.
    func createPaymentMethod(
        _ writePaymentMethod: (inout JSONObjectWriter) -> Void
    ) throws(JSONError) -> WireRequest {
        var url = baseURL
        var bodyKey: Sensitive<String>?
        switch authentication {
        case .query(let key):
            url = url.appending("payment_methods.json").appending(query: "environment_key", .sensitive(key))
        case .restricted(let key):
            url = url.appending("payment_methods").appending("restricted.json")
            bodyKey = key
        case .secret:
            url = url.appending("payment_methods.json")
        }
        return try submission("spreedly.tokenize", url, bodyKey, writePaymentMethod)
    }

    /// The call that gives a stored card a fresh security code. Without the access secret the environment key goes in
    /// the body, also where it goes in the query of a create call: no client is known that sends it so here. Sent at
    /// most once.
    func recache(
        _ token: String, _ writePaymentMethod: (inout JSONObjectWriter) -> Void
    ) throws(JSONError) -> WireRequest {
        let url = baseURL.appending("payment_methods").appending(token).appending("recache.json")
        var bodyKey: Sensitive<String>?
        switch authentication {
        case .query(let key), .restricted(let key): bodyKey = key
        case .secret: break
        }
        return try submission("spreedly.recache", url, bodyKey, writePaymentMethod)
    }

    /// A call that an app or page may make too.
    private func submission(
        _ operation: WireRequest.Operation, _ url: WireURL, _ bodyKey: Sensitive<String>?,
        _ writePaymentMethod: (inout JSONObjectWriter) -> Void
    ) throws(JSONError) -> WireRequest {
        var writer = JSONWriter()
        writer.object { root in
            root.set("environment_key", bodyKey)
            root.object("payment_method", writePaymentMethod)
        }
        var request = WireRequest(operation, .post, url, repeatability: .once)
        request.fields["accept"] = "application/json"
        if case .secret(_, let authorization) = authentication {
            request.fields.set("authorization", .sensitive(authorization))
        }
        request.body = Self.body(try writer.finish())
        return request
    }

    /// A call that needs the access secret: everything but what an app or page may do too.
    /// - Throws: ``GatewayError/Code/configuration`` when none is configured.
    func vaultRequest(
        _ operation: WireRequest.Operation, _ method: HTTPMethod, _ segments: [String],
        query: [(name: String, value: String)] = [], body: JSONBody? = nil
    ) throws(GatewayError) -> WireRequest {
        guard let authorization else { throw account.missing(SpreedlyProvider.accessSecret) }
        var url = segments.reduce(baseURL) { $0.appending($1) }
        for item in query { url = url.appending(query: item.name, .plain(item.value)) }
        var request = WireRequest(operation, method, url, repeatability: method == .get ? .read : .once)
        request.fields["accept"] = "application/json"
        request.fields.set("authorization", .sensitive(authorization))
        request.body = body.map(Self.body)
        return request
    }

    private static func body(_ json: JSONBody) -> WireBody {
        WireBody(contentType: "application/json", bytes: json.bytes, secrets: json.secrets)
    }

    /// What the shopper's browser must send to choose an offsite method ("transparent redirect"): the environment key
    /// goes there too, as Spreedly wants it.
    func offsiteForm(_ method: OffsiteMethod) -> NextAction {
        let key = authentication.environmentKey.withExposed { $0 }
        return .redirect(
            method: .post, url: baseURL.appending("payment_methods").wireText.withExposed { $0 },
            fields: [
                .init(name: "environment_key", value: key), .init(name: "redirect_url", value: method.returnURL),
                .init(name: "payment_method_type", value: method.kind),
            ])
    }
}

/// How a create call proves itself (Spreedly API V1, "Authentication"; the query form is that of the first iOS SDK).
enum SpreedlyAuthentication: Sendable {
    case query(Sensitive<String>)
    case restricted(Sensitive<String>)
    case secret(key: Sensitive<String>, authorization: Sensitive<String>)

    enum Mode: String, CaseIterable {
        case secret, restricted, query
    }

    init(_ account: AccountSettings) throws(GatewayError) {
        let key = try Self.secret(SpreedlyProvider.environmentKey, of: account)
        switch try Self.mode(account) {
        case .query:
            self = .query(key)
        case .restricted:
            self = .restricted(key)
        case .secret:
            let secret = try Self.secret(SpreedlyProvider.accessSecret, of: account)
            self = .secret(key: key, authorization: try Self.basic(key, secret, account))
        }
    }

    /// Key and secret as the field `Authorization` has them, or `nil` where no secret is configured.
    static func authorization(_ account: AccountSettings) throws(GatewayError) -> Sensitive<String>? {
        guard let secret = account.secret(SpreedlyProvider.accessSecret), !secret.withExposed(\.isEmpty) else {
            return nil
        }
        return try basic(try Self.secret(SpreedlyProvider.environmentKey, of: account), secret, account)
    }

    private static func basic(
        _ key: Sensitive<String>, _ secret: Sensitive<String>, _ account: AccountSettings
    ) throws(GatewayError) -> Sensitive<String> {
        // RFC 7617, section 2: the user ends at the first colon, so the key would be cut off there.
        guard !key.withExposed({ $0.contains(":") }) else {
            throw GatewayError(
                .configuration, message: "The environmentKey of account \(account.name) contains a colon.",
                advice: "Copy it again from Spreedly: keys are letters and digits.", account: account.name)
        }
        return key.withExposed { key in
            secret.map { "Basic " + Data("\(key):\($0)".utf8).base64EncodedString() }
        }
    }

    private static func mode(_ account: AccountSettings) throws(GatewayError) -> Mode {
        guard let text = account.text(SpreedlyProvider.authentication) else {
            return account.secret(SpreedlyProvider.accessSecret) == nil ? .restricted : .secret
        }
        guard let mode = Mode(rawValue: text) else {
            throw GatewayError(
                .configuration, message: "Account \(account.name) has an unknown authentication: '\(text)'.",
                advice: "Use one of: \(Mode.allCases.map(\.rawValue).joined(separator: ", ")).", account: account.name)
        }
        return mode
    }

    private static func secret(
        _ setting: SettingDescription, of account: AccountSettings
    ) throws(GatewayError) -> Sensitive<String> {
        let secret = try account.require(setting)
        guard !secret.withExposed(\.isEmpty) else { throw account.missing(setting) }
        return secret
    }

    var environmentKey: Sensitive<String> {
        switch self {
        case .query(let key), .restricted(let key), .secret(let key, _): key
        }
    }

    /// Whether Spreedly lets the call retain the card at once.
    var mayRetain: Bool {
        if case .secret = self { true } else { false }
    }
}
