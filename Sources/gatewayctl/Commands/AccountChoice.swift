import GatewayKit
import GatewayKitCore
import GatewaySandbox

/// The options by which a command learns which account it works for, and what comes of them.
enum AccountChoice {
    static let provider = Option.value(
        "provider", short: "p", "P", reading: .oneOf(ProviderRegistry.all.providers.map(\.id.description)),
        help: "Use the one configured account of this provider.")
    static let account = Option.value(
        "account", short: "a", "NAME", reading: .text, help: "Use this configured account.")
    static let sandbox = Option.flag(
        "sandbox", help: "Start the built-in sandbox inside this process and use it. Real credentials are not read.")
    static let fault = Option.list(
        "sandbox-fault", "RULE", reading: .text,
        help: "With --sandbox: what goes wrong, such as spreedly.tokenize=answer-lost.")
    static let set = Option.list(
        "set", "NAME=VALUE", reading: .text,
        help: "Override a setting of the account that is no secret. Secrets have no option.")

    static let all: [any OptionDeclaration] = [provider, account, sandbox, fault, set]
    static let rules = [OptionRule.atMostOne(account, provider), OptionRule.atMostOne(account, sandbox)]

    /// An account with all that a call needs.
    struct Opened: Sendable {
        let gateway: Gateway
        let runtime: GatewayRuntime
        let provider: any GatewayProvider
        let settings: AccountSettings
        /// Runs as long as this value lives.
        let sandbox: RunningSandbox?
    }

    /// Finds the account, starts the sandbox if asked to, and builds the gateway. Secrets are protected before
    /// anything else is done with them.
    ///
    /// - Parameters:
    ///   - transport: Replaces the real transport, for a dry run.
    ///   - fallback: The account to use when none is named, such as that of a payment.
    static func open(
        _ invocation: Invocation, observer: (any GatewayObserver)?, transport: (any HTTPTransport)? = nil,
        orElse fallback: AccountName? = nil
    ) throws -> Opened {
        let overrides = try overrides(invocation)
        if invocation[sandbox] {
            return try openSandbox(invocation, overrides, observer, transport)
        }
        guard invocation[fault].isEmpty else {
            throw invocation.usageError("'--sandbox-fault' needs '--sandbox'")
        }
        let registry = ProviderRegistry.all
        let configuration = try configuration(invocation)
        invocation.terminal.protect(configuration.secrets)
        let isNamed = invocation[account] != nil || invocation[provider] != nil
        let name = fallback != nil && !isNamed ? fallback : try accountName(invocation, configuration)
        let settings = try configuration.account(name, registry).overriding(overrides, registry)
        var runtime = try GatewayRuntime.standard(
            configuration.network, reachesSandbox: settings.environment.kind == .sandbox, observer: observer)
        if let transport { runtime.transport = transport }
        return Opened(
            gateway: try registry.gateway(settings, runtime), runtime: runtime,
            provider: try registry.provider(settings.provider), settings: settings, sandbox: nil)
    }

    /// The configuration of this run, from the usual places.
    static func configuration(_ invocation: Invocation) throws(GatewayError) -> Configuration {
        try Configuration.load(.standard(environment: invocation.terminal.environment), for: .all)
    }

    private static func accountName(
        _ invocation: Invocation, _ configuration: Configuration
    ) throws -> AccountName? {
        if let text = invocation[account] {
            guard let name = AccountName(text) else {
                throw invocation.usageError("'--account' takes lower-case letters, digits, hyphens and underscores")
            }
            return name
        }
        let all = configuration.accountNames
        guard let wanted = invocation[provider] else {
            if configuration.defaultAccount == nil, all.isEmpty { throw nothingConfigured(nil) }
            return nil
        }
        let matching = all.filter { name in
            (try? configuration.account(name, .all))?.provider.description == wanted
                || name.description == wanted
        }
        if let named = matching.first(where: { $0.description == wanted }) { return named }
        guard let first = matching.first else { throw nothingConfigured(wanted) }
        guard matching.count == 1 else {
            let names = matching.map(\.description).joined(separator: ", ")
            throw invocation.usageError(
                "there are several accounts of \(wanted) (\(names)): choose one with '--account'")
        }
        return first
    }

    private static func nothingConfigured(_ provider: String?) -> Failure {
        let wanted = provider ?? "any provider"
        let settings = ProviderRegistry.all.providers.first { provider == nil || $0.id.description == provider }?
            .settings
        let variables = (settings ?? []).filter(\.isSecret).map(\.environmentVariable).joined(separator: " and ")
        return Failure(
            .configuration, "no account of \(wanted) is configured, and --sandbox is not given",
            advice: [
                "To try it without an account, add --sandbox: it runs against the built-in sandbox.",
                "For a real account, set \(variables), or name one in a configuration file:",
                "'gatewayctl help configuration' tells how, 'gatewayctl config show' what is configured.",
            ])
    }

    private static func overrides(_ invocation: Invocation) throws -> [String: String] {
        var found: [String: String] = [:]
        for text in invocation[set] {
            guard let split = text.firstIndex(of: "="), split != text.startIndex else {
                throw invocation.usageError("'--set' takes NAME=VALUE, such as authentication=restricted")
            }
            found[String(text[..<split])] = String(text[text.index(after: split)...])
        }
        return found
    }

    private static func openSandbox(
        _ invocation: Invocation, _ overrides: [String: String], _ observer: (any GatewayObserver)?,
        _ transport: (any HTTPTransport)?
    ) throws -> Opened {
        let registry = ProviderRegistry.all
        guard let id = invocation[provider] else {
            throw invocation.usageError("'--sandbox' needs '--provider P'")
        }
        let provider = try registry.provider(ProviderID(reading: id))
        let running = try RunningSandbox(faults: invocation[fault], port: 0, seed: nil)
        let settings = try running.account(provider).overriding(overrides, registry)
        invocation.terminal.protect(settings.secrets)
        var runtime = try GatewayRuntime.standard(NetworkSettings(), reachesSandbox: true, observer: observer)
        if let transport { runtime.transport = transport }
        return Opened(
            gateway: try registry.gateway(settings, runtime), runtime: runtime, provider: provider, settings: settings,
            sandbox: running)
    }
}

extension AccountSettings {
    /// The same account with settings that the command line changes.
    fileprivate func overriding(
        _ overrides: [String: String], _ registry: ProviderRegistry
    ) throws -> AccountSettings {
        guard !overrides.isEmpty else { return self }
        let described = try registry.provider(provider).settings
        var values: [String: ConfigurationEntry.Value] = [:]
        for setting in described {
            if let secret = secret(setting) { values[setting.name] = .secret(secret) }
            if let text = text(setting) { values[setting.name] = .plain(text) }
        }
        for (name, value) in overrides {
            guard let setting = described.first(where: { $0.name == name }), !setting.isSecret else {
                let known = described.filter { !$0.isSecret }.map(\.name).joined(separator: ", ")
                throw Failure(
                    .usage, "'\(name)' cannot be set on the command line",
                    advice: ["Settings of \(provider) that are no secrets: \(known)."])
            }
            guard setting.choices.isEmpty || setting.choices.contains(value) else {
                throw Failure(
                    .usage, "'--set \(name)' takes one of \(setting.choices.joined(separator: ", "))")
            }
            values[name] = .plain(value)
        }
        return AccountSettings(
            name: self.name, provider: provider, environment: environment, baseURL: baseURL,
            acceptsRawCardData: acceptsRawCardData, timeout: timeout, values: values)
    }
}
