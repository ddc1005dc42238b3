/// An absolute `http` or `https` address that was split by one strict reading.
///
/// Addresses decide where card data goes, so nothing is repaired here: user information, fragments, backslashes,
/// control characters, spaces, non-ASCII text, bad percent-encoding, dot segments and odd ports are refused.
/// (`Foundation.URL` repairs several of these, and reads others differently from browsers.)
public struct WireURL: Sendable, Equatable {
    /// Scheme, host and port: what card data is sent to.
    public struct Origin: Sendable, Hashable, CustomStringConvertible {
        /// Whether the scheme is `https`.
        public let isSecure: Bool
        /// The host in its one spelling: lower case, an IPv6 address in brackets and as short as it can be.
        public let host: String
        /// The port, by default 443 or 80.
        public let port: Int

        /// Whether the host is this machine by its spelling: `localhost` and names below it (RFC 6761, section 6.3),
        /// 127.0.0.0/8 or `[::1]`. No name is looked up.
        public var isLoopback: Bool {
            if host.utf8.starts(with: "127.".utf8) { return host.utf8.allSatisfy { $0 == 0x2E || 0x30...0x39 ~= $0 } }
            return host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
        }

        /// The usual spelling, without a default port.
        public var description: String {
            let standard = isSecure ? 443 : 80
            return (isSecure ? "https://" : "http://") + host + (port == standard ? "" : ":\(port)")
        }
    }

    /// An item of the query. Its value prints as ``WireText`` does.
    public struct QueryItem: Sendable, Equatable {
        /// The name.
        public let name: String
        /// The value, which may be a credential.
        public let value: WireText
    }

    /// Where the request goes.
    public let origin: Origin
    /// The path as it is sent, percent-encoded, beginning with a slash or empty.
    public private(set) var path: String
    /// The query items, not yet percent-encoded.
    public private(set) var query: [QueryItem] = []

    /// Why a text is no usable address.
    public struct Refusal: Error, Sendable, Equatable {
        /// What is wrong, and what to do; the address itself is not repeated.
        public let reason: SafeText
    }

    /// Reads an address without query: a provider's base URL, for example.
    public init(base text: String) throws(Refusal) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw Refusal(reason: "the address is empty") }
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }) else {
            throw Refusal(reason: "the address has a space, a backslash, a control or a non-ASCII character")
        }
        let lowered = text.lowercased()
        let isSecure: Bool
        let rest: Substring
        if lowered.hasPrefix("https://") {
            (isSecure, rest) = (true, text.dropFirst(8))
        } else if lowered.hasPrefix("http://") {
            (isSecure, rest) = (false, text.dropFirst(7))
        } else {
            throw Refusal(reason: "the address must begin with https:// (or http:// in the sandbox)")
        }
        guard !rest.contains("?"), !rest.contains("#") else {
            throw Refusal(reason: "a base address must not have a query or a fragment")
        }
        let authority = rest.prefix { $0 != "/" }
        var path = String(rest.dropFirst(authority.count))
        if path.hasSuffix("/") { path.removeLast() }
        origin = try Self.readAuthority(authority, isSecure: isSecure)
        try Self.checkPath(path)
        self.path = path
    }

    /// Reads the part between the scheme and the path; no default is assumed but the port's.
    static func readAuthority(_ authority: Substring, isSecure: Bool) throws(Refusal) -> Origin {
        guard !authority.contains("@") else {
            throw Refusal(reason: "the address must not carry a user name or password")
        }
        var host = authority
        var port = isSecure ? 443 : 80
        let isBracketed = authority.hasPrefix("[")
        let portSearch = isBracketed ? authority.drop { $0 != "]" }.dropFirst() : authority[...]
        if let colon = portSearch.firstIndex(of: ":") {
            host = authority[..<colon]
            let digits = authority[authority.index(after: colon)...]
            guard let number = UInt16(digits), number > 0, String(number) == digits else {
                throw Refusal(reason: "the port of the address must be a number from 1 to 65535")
            }
            port = Int(number)
        }
        guard let name = HostText.canonical(host) else {
            throw Refusal(reason: "the host of the address is missing or not a plain host name or address")
        }
        return Origin(isSecure: isSecure, host: name, port: port)
    }

    private static func checkPath(_ path: String) throws(Refusal) {
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard segment != ".", segment != "..", !segment.isEmpty, !segment.contains("%") else {
                throw Refusal(reason: "the path of a base address must not have empty, dot or percent-encoded segments")
            }
            guard !segment.utf8.contains(where: { Array("\"<>[]^`{|}".utf8).contains($0) }) else {
                throw Refusal(reason: "the path of the address has a character that no address may have")
            }
        }
    }

    /// The address one segment deeper. The segment is percent-encoded as a whole, so a token with a slash or dots in
    /// it cannot lead elsewhere. `.` and `..`, which are nobody's token, are encoded twice, because clients and servers
    /// resolve `%2E%2E` too. Refuse an empty token before it comes here: it would name the collection.
    public func appending(_ segment: String) -> WireURL {
        var copy = self
        let isDots = segment == "." || segment == ".."
        copy.path += "/" + (isDots ? segment.replacing(".", with: "%252E") : PercentEncoding.encode(segment))
        return copy
    }

    /// The address with one more query item.
    public func appending(query name: String, _ value: WireText) -> WireURL {
        var copy = self
        copy.query.append(QueryItem(name: name, value: value))
        return copy
    }

    /// The text that goes on the wire, guarded because a query may carry a credential.
    public var wireText: Sensitive<String> {
        var text = origin.description + (path.isEmpty ? "/" : path)
        for (index, item) in query.enumerated() {
            text += index == 0 ? "?" : "&"
            text += PercentEncoding.encode(item.name) + "="
            text += item.value.withExposed { PercentEncoding.encode($0) }
        }
        return Sensitive(text)
    }

    /// The address with credentials masked, for people.
    public func shown(by redactor: Redactor = .standard) -> SafeText {
        var text = origin.description + (path.isEmpty ? "/" : path)
        for (index, item) in query.enumerated() {
            text += (index == 0 ? "?" : "&") + PercentEncoding.encode(item.name) + "="
            switch item.value {
            case .plain(let value): text += PercentEncoding.encode(value)
            case .sensitive: text += "[FILTERED]"
            }
        }
        return redactor.scrub(text)
    }
}

extension WireURL: CustomStringConvertible, CustomReflectable {
    /// As ``shown(by:)``, with the patterns of ``Redactor/standard``.
    public var description: String { shown().description }
    /// An empty mirror, because the query may hold a credential.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Percent-encoding of RFC 3986: everything but unreserved characters.
enum PercentEncoding {
    static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                bytes.append(byte)
            default:
                bytes.append(0x25)
                bytes.append(hexDigit(byte >> 4))
                bytes.append(hexDigit(byte & 15))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x37 + value
    }
}
