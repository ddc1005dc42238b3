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

    init(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) {
        self.account = account
        authentication = try SpreedlyAuthentication(account)
        baseURL = try account.baseURL(orStandard: SpreedlyEnvironments.standardBaseURL(account.environment))
        wallClock = runtime.wallClock
        pipeline = HTTPPipeline(
            account: account.name, secrets: account.secrets + authentication.derivedSecrets,
            allowedOrigins: [baseURL.origin], runtime: runtime, timeout: account.timeout)
    }

    /// The create call, authenticated in the configured way. It is sent at most once: a second one would make a second
    /// token, since Spreedly knows no idempotency key.
    func createPaymentMethod(
        _ writePaymentMethod: (inout JSONObjectWriter) -> Void
    ) throws(JSONError) -> WireRequest {
        var writer = JSONWriter()
        writer.object { root in
            if case .restricted(let key) = authentication { root.set("environment_key", key) }
            root.object("payment_method", writePaymentMethod)
        }
        let json = try writer.finish()
        var url = baseURL
        switch authentication {
        case .query(let key):
            url = url.appending("payment_methods.json").appending(query: "environment_key", .sensitive(key))
        case .restricted:
            url = url.appending("payment_methods").appending("restricted.json")
        case .secret:
            url = url.appending("payment_methods.json")
        }
        var request = WireRequest("spreedly.tokenize", .post, url, repeatability: .once)
        request.fields["accept"] = "application/json"
        if case .secret(_, let authorization) = authentication {
            request.fields.set("authorization", .sensitive(authorization))
        }
        request.body = WireBody(contentType: "application/json", bytes: json.bytes, secrets: json.secrets)
        return request
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
            // RFC 7617, section 2: the user ends at the first colon, so the key would be cut off there.
            guard !key.withExposed({ $0.contains(":") }) else {
                throw GatewayError(
                    .configuration, message: "The environmentKey of account \(account.name) contains a colon.",
                    advice: "Copy it again from Spreedly: keys are letters and digits.", account: account.name)
            }
            let authorization = key.withExposed { key in
                secret.map { "Basic " + Data("\(key):\($0)".utf8).base64EncodedString() }
            }
            self = .secret(key: key, authorization: authorization)
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

    /// What was made of the account's secrets and must be masked as they are.
    var derivedSecrets: [Sensitive<String>] {
        if case .secret(_, let authorization) = self { [authorization] } else { [] }
    }

    /// Whether Spreedly lets the call retain the card at once.
    var mayRetain: Bool {
        if case .secret = self { true } else { false }
    }
}
