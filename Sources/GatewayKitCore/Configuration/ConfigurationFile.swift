/// A configuration file, read and flattened, but not yet checked against providers.
struct ConfigurationFile {
    let path: String
    let permissions: Int
    var values: [(key: String, value: RawValue)] = []

    /// A value as it stands in a source.
    enum RawValue {
        case text(String)
        /// `true` or `false` without quotes.
        case flag(String)
        case list([String])
        case variable(String)
        case file(String)
    }

    static let topLevel = ["defaultAccount", "accounts", "network"]

    /// Reads the file at `name`, or gives `nil` when there is none and none is needed.
    static func read(
        _ name: ConfigurationFileName, _ files: FileAccess
    ) throws(GatewayError) -> ConfigurationFile? {
        switch files.read(name.path) {
        case .nothing where !name.mustExist:
            return nil
        case .nothing:
            throw failure(name.path, "there is no such file", "Create it, or unset GATEWAYKIT_CONFIG.")
        case .unreadable(let reason):
            throw failure(name.path, reason, "Check its permissions.")
        case .file(let bytes, let permissions):
            var file = ConfigurationFile(path: name.path, permissions: permissions)
            do {
                try file.flatten(JSONValue(parsing: bytes))
            } catch let error as JSONError {
                let line = error.offset.map { offset in bytes.prefix(offset).count { $0 == 0x0A } + 1 }
                let place: SafeText = line.map { "line \(count: $0): " } ?? ""
                throw failure(name.path, "\(place)\(error.message)", "Correct the file: it must be JSON.")
            } catch let error as GatewayError {
                throw error
            } catch {
                throw failure(name.path, "it cannot be read", "It must be JSON.")
            }
            return file
        }
    }

    private mutating func flatten(_ root: JSONValue) throws {
        for member in try root.members() {
            switch member.name {
            case "defaultAccount":
                try add("defaultAccount", member.value)
            case "network":
                for setting in try member.value.members() { try add("network.\(setting.name)", setting.value) }
            case "accounts":
                for account in try member.value.members() {
                    guard AccountName(account.name) != nil else {
                        throw Self.failure(
                            path, "'\(account.name)' is no account name",
                            "Use up to 64 lower-case letters, digits, hyphens and underscores, beginning with a letter."
                        )
                    }
                    for setting in try account.value.members() {
                        try add("accounts.\(account.name).\(setting.name)", setting.value)
                    }
                }
            default:
                throw Self.unknownKey(member.name, path, among: Self.topLevel)
            }
        }
    }

    private mutating func add(_ key: String, _ value: JSONValue) throws {
        switch value.kind {
        case .object:
            let members = try value.members()
            guard members.count == 1, let only = members.first, ["env", "file"].contains(only.name) else {
                throw Self.failure(
                    path, "\(key) must be a value, {\"env\": \"NAME\"} or {\"file\": \"PATH\"}", "Correct the file.")
            }
            let text = try only.value.string()
            values.append((key, only.name == "env" ? .variable(text) : .file(text)))
        case .array:
            let parts = try value.elements().map { $0.kind == .string ? try $0.string() : nil }
            guard !parts.contains(nil) else {
                throw Self.failure(path, "\(key) must be a list of texts", "Correct the file.")
            }
            values.append((key, .list(parts.compactMap { $0 })))
        case .bool:
            values.append((key, .flag(try value.scalarText())))
        case .null:
            throw Self.failure(path, "\(key) is null", "Leave the key out instead.")
        default:
            values.append((key, .text(try value.scalarText())))
        }
    }

    static func failure(_ path: String, _ what: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(.configuration, message: "\(SafeText(alreadyScrubbed: path)): \(what).", advice: advice)
    }

    static func unknownKey(_ key: String, _ place: String, among known: [String]) -> GatewayError {
        let advice: SafeText
        let name = key.split(separator: ".").last.map(String.init) ?? key
        if let near = ConfigurationKeys.suggestion(for: name, among: known) {
            advice = "Did you mean '\(SafeText(alreadyScrubbed: near))'?"
        } else {
            advice = "Known keys: \(SafeText(alreadyScrubbed: known.joined(separator: ", ")))."
        }
        return failure(place, "there is no setting '\(key)'", advice)
    }
}
