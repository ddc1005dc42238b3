/// Lays the sources over each other, the strongest last, and checks what comes out.
struct ConfigurationLoader {
    let sources: ConfigurationSources
    let registry: ProviderRegistry
    private var values: [String: (value: ConfigurationFile.RawValue, origin: ConfigurationEntry.Origin)] = [:]
    private var permissions: [String: Int] = [:]

    init(sources: ConfigurationSources, registry: ProviderRegistry) {
        self.sources = sources
        self.registry = registry
    }

    mutating func load() throws(GatewayError) -> Configuration {
        try takeFiles()
        try takeExplicit(onlyProviders: true)
        takeImplicitAccounts()
        try takeNetworkVariables()
        try takeAccountVariables()
        try takeExplicit(onlyProviders: false)
        var entries: [ConfigurationEntry] = []
        for (key, found) in values.sorted(by: { $0.key < $1.key }) {
            entries.append(try resolve(key, found.value, found.origin))
        }
        return Configuration(entries: entries)
    }

    private mutating func takeFiles() throws(GatewayError) {
        for name in [sources.userFile, sources.projectFile].compactMap({ $0 }) {
            guard let file = try ConfigurationFile.read(name, sources.files) else { continue }
            permissions[file.path] = file.permissions
            for (key, value) in file.values {
                if key.hasSuffix(".provider"), let before = values[key], case .text(let old) = before.value,
                    case .text(let new) = value, old != new
                {
                    throw ConfigurationFile.failure(
                        file.path, "\(key) is '\(new)', but '\(old)' in \(before.origin)",
                        "Give one of the two accounts another name: their credentials must not mix.")
                }
                values[key] = (value, .file(file.path))
            }
        }
    }

    private mutating func takeExplicit(onlyProviders: Bool) throws(GatewayError) {
        for (key, text) in sources.explicit.sorted(by: { $0.key < $1.key })
        where !onlyProviders || key.hasSuffix(".provider") {
            let parts = key.split(separator: ".", omittingEmptySubsequences: false)
            let isWellFormed =
                key == "defaultAccount" || (parts.count == 2 && parts[0] == "network")
                || (parts.count == 3 && parts[0] == "accounts" && AccountName(String(parts[1])) != nil)
            guard isWellFormed else {
                throw ConfigurationFile.unknownKey(
                    key, "explicit values", among: ["defaultAccount", "network.…", "accounts.NAME.…"])
            }
            values[key] = (.text(text), .explicit)
        }
    }

    /// A provider has an account of its own name as soon as one of its variables is set.
    private mutating func takeImplicitAccounts() {
        for provider in registry.providers {
            let key = "accounts.\(provider.id).provider"
            guard values[key] == nil else { continue }
            let names = provider.settings.flatMap { [$0.environmentVariable, $0.environmentVariable + "_FILE"] }
            if let name = names.first(where: { variable($0) != nil }) {
                values[key] = (.text(provider.id.description), .variable(name))
            }
        }
        if let name = variable("GATEWAYKIT_ACCOUNT") {
            values["defaultAccount"] = (.text(name), .variable("GATEWAYKIT_ACCOUNT"))
        }
    }

    private mutating func takeNetworkVariables() throws(GatewayError) {
        for (name, _, variable) in ConfigurationKeys.network { try take("network.\(name)", from: variable) }
    }

    private mutating func takeAccountVariables() throws(GatewayError) {
        var owners = ["GATEWAYKIT_ACCOUNT": "defaultAccount", "GATEWAYKIT_CONFIG": "the configuration file's name"]
        for (name, _, variable) in ConfigurationKeys.network { owners[variable] = "network.\(name)" }
        for account in accountNames {
            let provider = try provider(of: account)
            for (name, _) in ConfigurationKeys(registry: registry).account(provider) {
                let key = "accounts.\(account).\(name)"
                var variables = [EnvironmentName.of(name, account: account)]
                if account.description == provider.id.description,
                    let setting = provider.settings.first(where: { $0.name == name })
                {
                    variables.insert(setting.environmentVariable, at: 0)
                }
                for variable in variables {
                    try claim(variable, for: key, &owners)
                    try take(key, from: variable)
                }
            }
        }
    }

    /// One variable must not set two keys: which account it was meant for could not be told.
    private func claim(
        _ variable: String, for key: String, _ owners: inout [String: String]
    ) throws(GatewayError) {
        for name in [variable, variable + "_FILE"] {
            guard let owner = owners.updateValue(key, forKey: name), owner != key else { continue }
            throw GatewayError(
                .configuration, message: "\(owner) and \(key) would have the same environment variable \(name).",
                advice: "Rename one of the accounts.")
        }
    }

    /// Takes a variable, or the file that the variable of the same name with `_FILE` points to.
    private mutating func take(_ key: String, from name: String) throws(GatewayError) {
        let direct = variable(name)
        let file = variable(name + "_FILE")
        if direct != nil, file != nil {
            throw GatewayError(
                .configuration, message: "Both \(SafeText(alreadyScrubbed: name)) and its _FILE form are set.",
                advice: "Unset one of them.")
        }
        if let direct { values[key] = (.text(direct), .variable(name)) }
        if let file { values[key] = (.file(file), .variable(name + "_FILE")) }
    }

    private func variable(_ name: String) -> String? {
        sources.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private var accountNames: [AccountName] {
        let names = values.keys.compactMap { key -> AccountName? in
            let parts = key.split(separator: ".")
            return parts.count == 3 && parts[0] == "accounts" ? AccountName(String(parts[1])) : nil
        }
        return Set(names).sorted { $0.description < $1.description }
    }

    /// The provider of an account. It must be written out: without it nobody knows which of the settings are secret.
    private func provider(of account: AccountName) throws(GatewayError) -> any GatewayProvider {
        guard let found = values["accounts.\(account).provider"] else {
            throw GatewayError(
                .configuration, message: "Account \(account) has no \"provider\".",
                advice: "Set it to one of: \(registry.providers.map(\.id.description).joined(separator: ", ")).",
                account: account)
        }
        guard case .text(let id) = found.value else {
            throw GatewayError(
                .configuration, message: "accounts.\(account).provider must be a plain text.",
                advice: "It is set by: \(SafeText(alreadyScrubbed: found.origin.description)).", account: account)
        }
        return try registry.provider(ProviderID(reading: id))
    }

    /// The kind of a key's value.
    private func kind(
        of key: String, _ origin: ConfigurationEntry.Origin
    ) throws(GatewayError) -> ConfigurationKeys.Kind {
        if key == "defaultAccount" { return .account }
        let parts = key.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        let known: [(name: String, kind: ConfigurationKeys.Kind)]
        let name: String
        if parts.count > 1, parts[0] == "network" {
            known = ConfigurationKeys.network.map { ($0.name, $0.kind) }
            name = parts.dropFirst().joined(separator: ".")
        } else if parts.count == 3, parts[0] == "accounts", let account = AccountName(parts[1]) {
            known = [("provider", .text)] + ConfigurationKeys(registry: registry).account(try provider(of: account))
            name = parts[2]
        } else {
            throw ConfigurationFile.unknownKey(key, origin.description, among: ConfigurationFile.topLevel)
        }
        guard let match = known.first(where: { $0.name == name }) else {
            throw ConfigurationFile.unknownKey(key, origin.description, among: known.map(\.name))
        }
        return match.kind
    }

    private mutating func resolve(
        _ key: String, _ raw: ConfigurationFile.RawValue, _ origin: ConfigurationEntry.Origin
    ) throws(GatewayError) -> ConfigurationEntry {
        let kind = try kind(of: key, origin)
        let text: String
        let declaredIn: String? = if case .file(let path) = origin { path } else { nil }
        var origin = origin
        switch raw {
        case .text(let value):
            text = value
            if kind == .secret { try checkPermissions(key, origin) }
        case .flag(let value):
            guard kind == .flag else { throw unusable(key, "it must not be true or false", origin) }
            text = value
        case .list(let parts):
            guard kind == .list else { throw unusable(key, "it must be one value, not a list", origin) }
            text = parts.joined(separator: ",")
        case .variable(let name):
            guard let value = variable(name) else {
                return try unresolved(
                    key, "the environment variable \(SafeText(alreadyScrubbed: name)) is not set", origin)
            }
            text = value
            origin = .variable(name)
        case .file(let path):
            let path = absolute(path, origin)
            switch sources.files.read(path) {
            case .file(let bytes, let permissions):
                if permissions & 0o002 != 0 {
                    return try unresolved(key, "everybody may write to \(SafeText(alreadyScrubbed: path))", origin)
                }
                guard let value = trimmed(bytes), !value.isEmpty else {
                    return try unresolved(key, "\(SafeText(alreadyScrubbed: path)) is empty or no UTF-8 text", origin)
                }
                text = value
            case .nothing:
                return try unresolved(key, "there is no file \(SafeText(alreadyScrubbed: path))", origin)
            case .unreadable(let reason):
                return try unresolved(key, "\(SafeText(alreadyScrubbed: path)): \(reason)", origin)
            }
            origin = .secretFile(path, namedIn: origin.description)
        }
        if let complaint = ConfigurationKeys.complaint(about: text, kind: kind) {
            throw unusable(key, complaint, origin)
        }
        let value: ConfigurationEntry.Value = kind == .secret ? .secret(Sensitive(text)) : .plain(text)
        return ConfigurationEntry(key: key, value: value, origin: origin, declaredIn: declaredIn)
    }

    private func unusable(
        _ key: String, _ complaint: SafeText, _ origin: ConfigurationEntry.Origin
    ) -> GatewayError {
        GatewayError(
            .configuration, message: "\(SafeText(alreadyScrubbed: key)) is unusable: \(complaint).",
            advice: "It is set by: \(SafeText(alreadyScrubbed: origin.description)).")
    }

    /// What belongs to an account may wait until that account is used. Anything else is used at once, and a proxy that
    /// is not found must not be left out silently.
    private func unresolved(
        _ key: String, _ reason: SafeText, _ origin: ConfigurationEntry.Origin
    ) throws(GatewayError) -> ConfigurationEntry {
        guard key.hasPrefix("accounts.") else { throw unusable(key, reason, origin) }
        return ConfigurationEntry(key: key, value: .unresolved(reason), origin: origin)
    }

    /// A file that holds a secret itself must be the owner's alone.
    private func checkPermissions(_ key: String, _ origin: ConfigurationEntry.Origin) throws(GatewayError) {
        guard case .file(let path) = origin, let bits = permissions[path], bits & 0o077 != 0 else { return }
        throw ConfigurationFile.failure(
            path, "it holds the secret \(key), and others than its owner may read or write it",
            """
            Run 'chmod 600' on it, or refer to the secret by {"env": "NAME"} or {"file": "PATH"}.
            """)
    }

    private func absolute(_ path: String, _ origin: ConfigurationEntry.Origin) -> String {
        guard !path.hasPrefix("/"), case .file(let parent) = origin, let slash = parent.lastIndex(of: "/") else {
            return path
        }
        return parent[...slash] + path
    }

    private func trimmed(_ bytes: [UInt8]) -> String? {
        var bytes = bytes[...]
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes = bytes.dropLast() }
        return String(validating: bytes, as: UTF8.self)
    }
}
