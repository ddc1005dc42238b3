#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where configuration comes from, the strongest first: explicit values, environment variables, the project's file,
/// the user's file, defaults.
public struct ConfigurationSources: Sendable {
    /// Values that the program sets itself, by key: `defaultAccount`, `network.proxy`, `accounts.eu.environmentKey`.
    public var explicit: [String: String]
    /// The environment variables. A variable that is set to nothing counts as not set.
    public var environment: [String: String]
    /// The project's file. `nil` when there is none to look for.
    public var projectFile: ConfigurationFileName?
    /// The user's file.
    public var userFile: ConfigurationFileName?
    /// Reads files.
    public var files: FileAccess

    /// Gathers sources.
    public init(
        explicit: [String: String] = [:], environment: [String: String] = [:],
        projectFile: ConfigurationFileName? = nil, userFile: ConfigurationFileName? = nil, files: FileAccess = .system
    ) {
        self.explicit = explicit
        self.environment = environment
        self.projectFile = projectFile
        self.userFile = userFile
        self.files = files
    }

    /// The usual places: the file that `GATEWAYKIT_CONFIG` names (it must exist) or else `gatewaykit.json` in the
    /// working directory; and `gatewaykit/config.json` below `XDG_CONFIG_HOME` or `~/.config`.
    public static func standard(
        explicit: [String: String] = [:], environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> ConfigurationSources {
        func variable(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let named = variable("GATEWAYKIT_CONFIG").map { ConfigurationFileName($0, mustExist: true) }
        let home = variable("XDG_CONFIG_HOME") ?? variable("HOME").map { $0 + "/.config" }
        return ConfigurationSources(
            explicit: explicit, environment: environment,
            projectFile: named ?? ConfigurationFileName("gatewaykit.json"),
            userFile: home.map { ConfigurationFileName($0 + "/gatewaykit/config.json") })
    }
}

/// A configuration file to look for.
public struct ConfigurationFileName: Sendable, Hashable {
    /// The path.
    public var path: String
    /// Whether it is an error that there is no such file.
    public var mustExist: Bool

    /// Names a file.
    public init(_ path: String, mustExist: Bool = false) {
        self.path = path
        self.mustExist = mustExist
    }
}

extension ConfigurationSources: CustomStringConvertible, CustomReflectable {
    /// The files and how many values there are; no value, because any of them may be a secret.
    public var description: String {
        let files = [projectFile, userFile].compactMap { $0?.path }.joined(separator: ", ")
        return "\(explicit.count) explicit values, \(environment.count) environment variables, files: \(files)"
    }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
