@testable import GatewayKitCore

/// Sources in memory: two files, an environment, and whatever other files are named.
struct ConfigurationBench {
    static let registry = ProviderRegistry([TestProvider("acme"), TestProvider("zeta")])

    var explicit: [String: String] = [:]
    var environment: [String: String] = [:]
    var project: String?
    var user: String?
    var mode = 0o600
    var files: [String: (text: String, mode: Int)] = [:]

    var sources: ConfigurationSources {
        var all = files.mapValues { (Array($0.text.utf8), $0.mode) }
        if let project { all["/p/gatewaykit.json"] = (Array(project.utf8), mode) }
        if let user { all["/u/config.json"] = (Array(user.utf8), mode) }
        return ConfigurationSources(
            explicit: explicit, environment: environment, projectFile: ConfigurationFileName("/p/gatewaykit.json"),
            userFile: ConfigurationFileName("/u/config.json"),
            files: FileAccess { [all] path in
                all[path].map { .file($0.0, permissions: $0.1) } ?? .nothing
            })
    }

    func load() throws(GatewayError) -> Configuration {
        try Configuration.load(sources, for: Self.registry)
    }

    func account(_ name: String? = nil) throws(GatewayError) -> AccountSettings {
        try load().account(name.flatMap { AccountName($0) }, Self.registry)
    }

    /// The error that loading, and if it loads the account, ends in.
    func failure(_ account: String? = nil) -> GatewayError? {
        do throws(GatewayError) {
            _ = try self.account(account)
            return nil
        } catch {
            return error
        }
    }

    static func file(_ account: String, _ settings: String) -> String {
        #"{"accounts": {"\#(account)": {"provider": "acme", \#(settings)}}}"#
    }
}

extension AccountSettings {
    func plain(_ name: String) -> String? {
        text(SettingDescription(name, environmentVariable: "", isSecret: false, help: ""))
    }

    func exposed(_ name: String) -> String? {
        secret(SettingDescription(name, environmentVariable: "", isSecret: true, help: ""))?.withExposed { $0 }
    }
}

extension Configuration {
    func origin(_ key: String) -> String? { entries.first { $0.key == key }?.origin.description }
    func shown(_ key: String) -> String? { entries.first { $0.key == key }?.value.description }
}
