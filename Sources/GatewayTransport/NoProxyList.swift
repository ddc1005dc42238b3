import GatewayKitCore

/// The hosts that are called directly although a proxy is configured.
///
/// Items are host names, which include their subdomains, literal addresses, IPv4 ranges such as `10.0.0.0/8`, or `*`
/// for every host. The list is evaluated here and not by libcurl, whose reading of `no_proxy` has changed between
/// releases, so that an error can say with certainty whether the proxy or the provider failed.
public struct NoProxyList: Sendable, Equatable {
    private enum Item: Sendable, Equatable {
        case everything
        case name(String)
        case range(base: UInt32, mask: UInt32)
    }
    private let items: [Item]

    /// An empty list: every call goes through the proxy.
    public init() {
        items = []
    }

    /// Reads a list in the usual spelling of `no_proxy`: items separated by commas or spaces.
    ///
    /// - Throws: ``TransportConfigurationProblem`` for the option `noProxy`.
    public init(_ text: String) throws(TransportConfigurationProblem) {
        var items: [Item] = []
        for word in text.lowercased().split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
            items.append(try Self.read(word))
        }
        self.items = items
    }

    private static func read(_ word: Substring) throws(TransportConfigurationProblem) -> Item {
        if word == "*" { return .everything }
        if let slash = word.firstIndex(of: "/") {
            guard let base = address(word[..<slash]), let length = Int(word[word.index(after: slash)...]),
                (0...32).contains(length)
            else {
                throw TransportConfigurationProblem(
                    option: "noProxy", reason: "an address range must look like 10.0.0.0/8")
            }
            let mask: UInt32 = length == 0 ? 0 : ~0 << UInt32(32 - length)
            return .range(base: base & mask, mask: mask)
        }
        var name = word.hasPrefix("*.") ? word.dropFirst(2) : word.hasPrefix(".") ? word.dropFirst() : word
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        let isAllowed = name.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x3A
        }
        guard isAllowed, !name.isEmpty, !name.hasPrefix(".") else {
            throw TransportConfigurationProblem(
                option: "noProxy", reason: "an item is no host name, address or address range")
        }
        return .name(String(name))
    }

    private static func address(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard let byte = UInt8(part) else { return nil }
            value = value << 8 | UInt32(byte)
        }
        return value
    }

    /// Whether `host`, in lower case and in brackets if it is an IPv6 address, is called directly.
    func matches(host: String) -> Bool {
        guard !items.isEmpty else { return false }
        let bare = host.hasPrefix("[") ? host.dropFirst().dropLast() : host[...]
        let number = Self.address(bare)
        return items.contains { item in
            switch item {
            case .everything: true
            case .name(let name): bare == name || (number == nil && bare.hasSuffix("." + name))
            case .range(let base, let mask): number.map { $0 & mask == base } ?? false
            }
        }
    }
}
