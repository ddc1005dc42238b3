/// One configured value, with the place that it came from.
public struct ConfigurationEntry: Sendable {
    /// The key, such as `accounts.eu.environmentKey`.
    public let key: String
    /// The value.
    public let value: Value
    /// Where it came from.
    public let origin: Origin
    /// The configuration file in which the key stands, also where its value is a reference.
    let declaredIn: String?

    init(key: String, value: Value, origin: Origin, declaredIn: String? = nil) {
        self.key = key
        self.value = value
        self.origin = origin
        self.declaredIn = declaredIn
    }

    /// A value, shown or guarded.
    public enum Value: Sendable, CustomStringConvertible {
        /// May be shown.
        case plain(String)
        /// Must not be shown.
        case secret(Sensitive<String>)
        /// Points to a variable or file that gave nothing, and why. It is an error only where the value is needed.
        case unresolved(SafeText)

        /// The value, `[FILTERED]`, or why there is none.
        public var description: String {
            switch self {
            case .plain(let text): text
            case .secret: "[FILTERED]"
            case .unresolved(let reason): "(\(reason))"
            }
        }
    }

    /// Where a value came from.
    public enum Origin: Sendable, Hashable, CustomStringConvertible {
        /// Set by the program.
        case explicit
        /// An environment variable.
        case variable(String)
        /// A configuration file.
        case file(String)
        /// A file that a configuration file or a variable points to.
        case secretFile(String, namedIn: String)
        /// Nobody set it.
        case standard

        /// For people.
        public var description: String {
            switch self {
            case .explicit: "set by the program"
            case .variable(let name): "environment variable \(name)"
            case .file(let path): path
            case .secretFile(let path, let place): "\(path), named in \(place)"
            case .standard: "default"
            }
        }

        var isConfigurationFile: Bool {
            if case .file = self { true } else { false }
        }
    }
}
