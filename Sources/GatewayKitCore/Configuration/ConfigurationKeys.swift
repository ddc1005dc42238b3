/// Which keys there are, and which of them are secret.
struct ConfigurationKeys {
    let registry: ProviderRegistry

    enum Kind: Equatable {
        case text
        case secret
        case flag
        case seconds
        case list
        case choice([String])
        case address
        case account
    }

    static let network: [(name: String, kind: Kind, variable: String)] = [
        ("proxy", .address, "GATEWAYKIT_PROXY"),
        ("proxyUser", .text, "GATEWAYKIT_PROXY_USER"),
        ("proxyPassword", .secret, "GATEWAYKIT_PROXY_PASSWORD"),
        ("noProxy", .list, "GATEWAYKIT_NO_PROXY"),
        ("caFile", .text, "GATEWAYKIT_CA_FILE"),
        ("connectTimeoutSeconds", .seconds, "GATEWAYKIT_CONNECT_TIMEOUT"),
        ("timeoutSeconds", .seconds, "GATEWAYKIT_TIMEOUT"),
        ("http2", .flag, "GATEWAYKIT_HTTP2"),
    ]

    /// The keys of an account of that provider, `provider` itself left out.
    func account(_ provider: any GatewayProvider) -> [(name: String, kind: Kind)] {
        let settings = provider.settings.map { setting in
            (setting.name, setting.isSecret ? Kind.secret : setting.choices.isEmpty ? .text : .choice(setting.choices))
        }
        return [
            ("environment", .choice(provider.environments.map(\.name))),
            ("baseURL", .address),
            ("acceptsRawCardData", .flag),
            ("timeoutSeconds", .seconds),
        ] + settings
    }

    /// What is wrong with a value of that kind, or `nil`.
    static func complaint(about text: String, kind: Kind) -> SafeText? {
        switch kind {
        case .text, .list:
            return nil
        case .secret:
            let isClean =
                !text.isEmpty
                && text.unicodeScalars.allSatisfy {
                    ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                }
            return isClean ? nil : "a secret must not be empty or contain a line break or control character"
        case .flag:
            return text == "true" || text == "false" ? nil : "it must be true or false"
        case .seconds:
            return (Int(text).map { (1...3_600).contains($0) } ?? false)
                ? nil : "it must be a whole number of seconds from 1 to 3600"
        case .choice(let choices):
            let list = SafeText(alreadyScrubbed: choices.joined(separator: ", "))
            return choices.contains(text) ? nil : "it must be one of: \(list)"
        case .account:
            return AccountName(text) == nil ? "it must be the name of an account" : nil
        case .address:
            do {
                _ = try WireURL(base: text)
                return nil
            } catch {
                return error.reason
            }
        }
    }

    /// The nearest of `candidates`, where it is near enough to be meant.
    static func suggestion(for text: String, among candidates: [String]) -> String? {
        let lowered = text.lowercased()
        let near = candidates.map { ($0, distance(lowered, $0.lowercased())) }.min { $0.1 < $1.1 }
        guard let near, near.1 <= 2 else { return nil }
        return near.0
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours between two texts.
    private static func distance(_ left: String, _ right: String) -> Int {
        let a = Array(left.utf8)
        let b = Array(right.utf8)
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var current = [i + 1]
            for j in 0..<b.count {
                var best = min(last[j + 1] + 1, current[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[b.count]
    }
}
