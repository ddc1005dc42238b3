import GatewayKitCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a create call proves itself (Spreedly API V1, "Authentication"; the query form is that of the first iOS SDK).
enum SpreedlyAuthentication: Sendable {
    case query(Sensitive<String>)
    case restricted(Sensitive<String>)
    case secret(key: Sensitive<String>, authorization: Sensitive<String>)
    case signed(SpreedlySigner)

    enum Mode: String, CaseIterable {
        case secret, restricted, query, signed
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
        case .signed:
            self = .signed(try SpreedlySigner(account))
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

    static func secret(
        _ setting: SettingDescription, of account: AccountSettings
    ) throws(GatewayError) -> Sensitive<String> {
        let secret = try account.require(setting)
        guard !secret.withExposed(\.isEmpty) else { throw account.missing(setting) }
        return secret
    }

    var environmentKey: Sensitive<String> {
        switch self {
        case .query(let key), .restricted(let key), .secret(let key, _): key
        case .signed(let signer): signer.environmentKey
        }
    }

    /// Whether a call carries a set that Spreedly takes once.
    var isSigned: Bool {
        if case .signed = self { true } else { false }
    }

    /// Whether Spreedly lets the call retain the card at once.
    var mayRetain: Bool {
        if case .secret = self { true } else { false }
    }
}
