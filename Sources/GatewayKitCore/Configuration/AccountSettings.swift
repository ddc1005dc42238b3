/// The settings of one account, checked against what its provider describes.
public struct AccountSettings: Sendable {
    /// The account.
    public let name: AccountName
    /// Its provider.
    public let provider: ProviderID
    /// Its environment.
    public let environment: EnvironmentDescription
    /// The address that replaces the environment's own.
    public let baseURL: WireURL?
    /// Whether raw card numbers may be sent for a live account.
    public let acceptsRawCardData: Bool
    /// The time limit of calls that bring none of their own.
    public let timeout: Duration
    private let values: [String: ConfigurationEntry.Value]

    /// Settings that are at hand, for programs that keep configuration elsewhere, and for tests.
    public init(
        name: AccountName, provider: ProviderID, environment: EnvironmentDescription, baseURL: WireURL? = nil,
        acceptsRawCardData: Bool = false, timeout: Duration = .seconds(30),
        values: [String: ConfigurationEntry.Value]
    ) {
        self.name = name
        self.provider = provider
        self.environment = environment
        self.baseURL = baseURL
        self.acceptsRawCardData = acceptsRawCardData
        self.timeout = timeout
        self.values = values
    }

    /// A setting that may be shown, if it is set.
    public func text(_ setting: SettingDescription) -> String? {
        guard case .plain(let text)? = values[setting.name] else { return nil }
        return text
    }

    /// A setting that must not be shown, if it is set.
    public func secret(_ setting: SettingDescription) -> Sensitive<String>? {
        guard case .secret(let secret)? = values[setting.name] else { return nil }
        return secret
    }

    /// A setting that must not be shown and must be set.
    /// - Throws: ``GatewayError/Code/configuration``, telling the ways to set it.
    public func require(_ setting: SettingDescription) throws(GatewayError) -> Sensitive<String> {
        if let secret = secret(setting) { return secret }
        throw missing(setting)
    }

    /// The error for a setting that is needed but not set.
    public func missing(_ setting: SettingDescription) -> GatewayError {
        let variable =
            name.description == provider.description
            ? setting.environmentVariable : EnvironmentName.of(setting.name, account: name)
        return GatewayError(
            .configuration, message: "Account \(name) has no \(SafeText(alreadyScrubbed: setting.name)).",
            advice: """
                Set the environment variable \(SafeText(alreadyScrubbed: variable)), or \
                "\(SafeText(alreadyScrubbed: setting.name))" for this account in the configuration file \
                ({"env": …} or {"file": …} keep it out of the file).
                """, account: name)
    }

    /// Every secret of the account, to be masked wherever it turns up.
    public var secrets: [Sensitive<String>] {
        values.values.compactMap { if case .secret(let secret) = $0 { secret } else { nil } }
    }

    /// Where requests of this account go: the configured address, or `standard` where there is none.
    ///
    /// Outside the sandbox only HTTPS is allowed, and no address of this machine; in the sandbox nothing else is.
    /// - Throws: ``GatewayError/Code/configuration``.
    public func baseURL(orStandard standard: WireURL?) throws(GatewayError) -> WireURL {
        guard let url = baseURL ?? standard else {
            throw GatewayError(
                .configuration, message: "Account \(name) is in the sandbox, but no sandbox address is configured.",
                advice: "Start one with 'gatewayctl sandbox serve' and set \"baseURL\" for this account.",
                account: name)
        }
        let isSandbox = environment.kind == .sandbox
        guard url.origin.isLoopback == isSandbox, url.origin.isSecure || isSandbox else {
            throw GatewayError(
                .configuration, message: "Account \(name) may not use the address \(url.origin).",
                advice: isSandbox
                    ? "In the environment 'sandbox' the address must be one of this machine, such as http://127.0.0.1:8080."
                    : "Card data and credentials go only to HTTPS hosts; for this machine use the environment 'sandbox'.",
                account: name)
        }
        return url
    }
}

/// How keys are spelled as environment variables.
enum EnvironmentName {
    static func of(_ setting: String, account: AccountName) -> String {
        "GATEWAYKIT_" + upper(account.description) + "_" + upper(setting)
    }

    /// `environmentKey` and `environment-key` both give `ENVIRONMENT_KEY`; `baseURL` gives `BASE_URL`.
    static func upper(_ name: String) -> String {
        var text = ""
        var previousWasLower = false
        for character in name {
            if character == "-" {
                text += "_"
                previousWasLower = false
                continue
            }
            if character.isUppercase, previousWasLower { text += "_" }
            previousWasLower = character.isLowercase || character.isNumber
            text += character.uppercased()
        }
        return text
    }
}
