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

/// Reads whole files and their permissions. Injected, so that tests need no files.
public struct FileAccess: Sendable {
    private let readFile: @Sendable (String) -> Found

    /// What was found at a path.
    public enum Found: Sendable {
        /// A file, with its permission bits (`0o600`).
        case file([UInt8], permissions: Int)
        /// Nothing.
        case nothing
        /// Something that cannot be read, and why.
        case unreadable(SafeText)
    }

    /// File access that asks `read`.
    public init(_ read: @escaping @Sendable (String) -> Found) {
        readFile = read
    }

    /// The system's files.
    public static let system = FileAccess { path in
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            return FileManager.default.fileExists(atPath: path)
                ? .unreadable("its permissions cannot be read") : .nothing
        }
        guard attributes[.type] as? FileAttributeType != .typeDirectory else { return .unreadable("it is a directory") }
        guard let data = FileManager.default.contents(atPath: path) else {
            return .unreadable("this process may not read it")
        }
        return .file([UInt8](data), permissions: (attributes[.posixPermissions] as? UInt).map { Int($0) } ?? 0o777)
    }

    /// Looks at a path.
    public func read(_ path: String) -> Found { readFile(path) }
}
