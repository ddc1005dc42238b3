/// The accounts and the network settings of a program, each value with the place that it came from.
///
/// ```swift
/// let configuration = try Configuration.load(.standard(), for: registry)
/// let gateway = try registry.gateway(AccountName("eu"), in: configuration, runtime)
/// ```
public struct Configuration: Sendable {
    /// The effective values, ordered by key. Secrets are guarded.
    public let entries: [ConfigurationEntry]
    private let byKey: [String: ConfigurationEntry]

    init(entries: [ConfigurationEntry]) {
        self.entries = entries.sorted { $0.key < $1.key }
        byKey = Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }
    }

    /// Reads all sources and checks every key and value.
    ///
    /// A reference of an account to a variable or file that gives nothing is an error only once that account is used.
    /// - Throws: ``GatewayError/Code/configuration``, naming file, key and what to do.
    public static func load(
        _ sources: ConfigurationSources = .standard(), for registry: ProviderRegistry
    ) throws(GatewayError) -> Configuration {
        var loader = ConfigurationLoader(sources: sources, registry: registry)
        return try loader.load()
    }

    /// The names of all accounts.
    public var accountNames: [AccountName] {
        let names = entries.compactMap { entry -> AccountName? in
            let parts = entry.key.split(separator: ".")
            guard parts.count == 3, parts[0] == "accounts", parts[2] == "provider" else { return nil }
            return AccountName(String(parts[1]))
        }
        return names.sorted { $0.description < $1.description }
    }

    /// The account that is meant when none is named: the configured one, or the only one there is.
    public var defaultAccount: AccountName? {
        if let named = text("defaultAccount") { return AccountName(named) }
        let names = accountNames
        return names.count == 1 ? names.first : nil
    }

    /// The settings of an account; `nil` means the default account.
    /// - Throws: ``GatewayError/Code/configuration``.
    public func account(_ name: AccountName?, _ registry: ProviderRegistry) throws(GatewayError) -> AccountSettings {
        guard let name = name ?? defaultAccount else { throw noAccountNamed }
        let prefix = "accounts.\(name)."
        guard let providerID = text(prefix + "provider") else { throw unknownAccount(name) }
        let provider = try registry.provider(ProviderID(reading: providerID))
        for entry in entries where entry.key.hasPrefix(prefix) {
            // Also what is no credential: without its address or environment the account would be another one.
            guard case .unresolved(let reason) = entry.value else { continue }
            let setting = SafeText(alreadyScrubbed: String(entry.key.dropFirst(prefix.count)))
            throw GatewayError(
                .configuration, message: "Account \(name): \(setting) cannot be read: \(reason).",
                advice: "It is configured in \(entry.origin).", account: name)
        }
        var values: [String: ConfigurationEntry.Value] = [:]
        for setting in provider.settings { values[setting.name] = byKey[prefix + setting.name]?.value }
        let environmentName = text(prefix + "environment")
        guard
            let environment = provider.environments.first(where: { $0.name == environmentName })
                ?? (environmentName == nil ? provider.environments.first : nil)
        else {
            throw GatewayError(
                .configuration, message: "Account \(name) has no environment.",
                advice: "The adapter of \(provider.id) must offer one.", account: name)
        }
        let baseURL = try baseURL(of: name, environment)
        return AccountSettings(
            name: name, provider: provider.id, environment: environment, baseURL: baseURL,
            acceptsRawCardData: text(prefix + "acceptsRawCardData") == "true",
            timeout: seconds(prefix + "timeoutSeconds") ?? network.timeout, values: values)
    }

    /// The address of an account, refused where a live account's was changed outside the configuration file: a stray
    /// variable must not be able to send live credentials elsewhere.
    private func baseURL(
        of name: AccountName, _ environment: EnvironmentDescription
    ) throws(GatewayError) -> WireURL? {
        guard let entry = byKey["accounts.\(name).baseURL"], case .plain(let text) = entry.value else { return nil }
        guard environment.kind != .live || entry.origin.isConfigurationFile else {
            throw GatewayError(
                .configuration, message: "Account \(name) is live, but its address is overridden by \(entry.origin).",
                advice: "The address of a live account can be changed only in the configuration file itself.",
                account: name)
        }
        try checkSameFile(name, entry, environment)
        do {
            return try WireURL(base: text)
        } catch {
            throw GatewayError(
                .configuration, message: "The baseURL of account \(name) is unusable: \(error.reason).",
                advice: "It is set in \(entry.origin).", account: name)
        }
    }

    /// A file that changes an account's address must be the one that holds or names its credentials: otherwise the file
    /// in some project's folder could lead the credentials of the user's file elsewhere.
    private func checkSameFile(
        _ name: AccountName, _ address: ConfigurationEntry, _ environment: EnvironmentDescription
    ) throws(GatewayError) {
        guard environment.kind != .sandbox, let file = address.declaredIn else { return }
        for entry in entries where entry.key.hasPrefix("accounts.\(name).") {
            guard case .secret = entry.value, let other = entry.declaredIn, other != file else { continue }
            throw GatewayError(
                .configuration,
                message: """
                    The baseURL of account \(name) is set in \(SafeText(alreadyScrubbed: file)), but its credentials in \
                    \(SafeText(alreadyScrubbed: other)).
                    """,
                advice: "Set both in the same file, so that no other file can lead the credentials elsewhere.",
                account: name)
        }
    }

    /// The network settings.
    public var network: NetworkSettings {
        var settings = NetworkSettings()
        settings.proxy = text("network.proxy")
        settings.proxyUser = text("network.proxyUser")
        if case .secret(let password)? = byKey["network.proxyPassword"]?.value { settings.proxyPassword = password }
        settings.noProxy =
            text("network.noProxy")?.split { $0 == "," || $0 == " " }.map(String.init) ?? settings.noProxy
        settings.caFile = text("network.caFile")
        settings.connectTimeout = seconds("network.connectTimeoutSeconds") ?? settings.connectTimeout
        settings.timeout = seconds("network.timeoutSeconds") ?? settings.timeout
        settings.http2 = text("network.http2") == "true"
        return settings
    }

    /// Every secret of the configuration, to be masked wherever it turns up.
    public var secrets: [Sensitive<String>] {
        entries.compactMap { if case .secret(let secret) = $0.value { secret } else { nil } }
    }

    private func text(_ key: String) -> String? {
        guard case .plain(let text)? = byKey[key]?.value else { return nil }
        return text
    }

    private func seconds(_ key: String) -> Duration? {
        text(key).flatMap(Int64.init).map { .seconds($0) }
    }

    private var namesForPeople: SafeText {
        let names = accountNames.map(\.description).joined(separator: ", ")
        return names.isEmpty ? "No account is configured." : "Configured accounts: \(names)."
    }

    private var noAccountNamed: GatewayError {
        GatewayError(
            .configuration, message: "No account is named, and there is no default account.",
            advice: "Name one, or set \"defaultAccount\". \(namesForPeople)")
    }

    private func unknownAccount(_ name: AccountName) -> GatewayError {
        GatewayError(
            .configuration, message: "There is no account '\(name)'.", advice: namesForPeople, account: name)
    }
}
