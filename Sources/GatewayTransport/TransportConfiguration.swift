import GatewayKitCore

/// How ``CurlTransport`` connects and what it accepts. Values are checked when the configuration is made.
///
/// Nothing is read from the environment: `http_proxy`, `no_proxy` and `.netrc` have no effect unless the application
/// passes their values on.
public struct TransportConfiguration: Sendable {
    /// The longest time for name look-up, connecting and the TLS handshake together; the call's deadline ends them too.
    public let connectTimeout: Duration
    /// The most connections to one host at a time; further calls wait for one, inside their deadline.
    public let maxConnectionsPerHost: Int
    /// The most idle connections that are kept for reuse, over all hosts.
    public let maxIdleConnections: Int
    /// The longest body that is accepted, in bytes after decompression.
    public let maxBodyBytes: Int
    /// The longest head that is accepted, in bytes, interim answers (1xx) and trailers included.
    public let maxHeadBytes: Int
    /// The proxy for `https` calls. `nil`: none.
    public let proxy: Proxy?
    /// The hosts that are called directly although there is a proxy.
    public let noProxy: NoProxyList
    /// A PEM file with certificate authorities that are trusted besides the system's.
    ///
    /// Where the system's libcurl knows no certificate directory (Debian and Ubuntu do have one) the file takes the
    /// place of the system's authorities.
    public let extraCAFile: String?
    /// Whether HTTP/2 is negotiated with hosts that offer it. It saves handshakes; HTTP/1.1 with kept connections is
    /// the default because a lost connection then costs one call, not many.
    public let http2: Bool
    /// The value of the `User-Agent` field.
    public let userAgent: String
    /// Whether `http` (without TLS) is allowed to this machine itself; for the sandbox and tests.
    public let allowsPlainHTTPOnLoopback: Bool

    /// HTTPS with the system's authorities, no proxy, ten seconds to connect.
    public static let standard = TransportConfiguration(unchecked: ())

    /// `standard`, and plain `http` to this machine: for the sandbox and tests.
    public static let loopback = TransportConfiguration(unchecked: (), allowsPlainHTTPOnLoopback: true)

    /// Checks and keeps the values.
    ///
    /// - Parameters:
    ///   - connectTimeout: 1 millisecond to 5 minutes.
    ///   - maxConnectionsPerHost: 1 to 4096.
    ///   - maxIdleConnections: 1 to 4096.
    ///   - maxBodyBytes: 1 KiB to 1 GiB.
    ///   - maxHeadBytes: 1 KiB to 256 KiB (libcurl takes no more than 300 KB).
    ///   - userAgentSuffix: Added behind `GatewayKit/<version>`; printable ASCII.
    /// - Throws: ``TransportConfigurationProblem``, which names the option.
    public init(
        connectTimeout: Duration = .seconds(10),
        maxConnectionsPerHost: Int = 64,
        maxIdleConnections: Int = 64,
        maxBodyBytes: Int = 4 << 20,
        maxHeadBytes: Int = 64 << 10,
        proxy: Proxy? = nil,
        noProxy: NoProxyList = NoProxyList(),
        extraCAFile: String? = nil,
        http2: Bool = false,
        userAgentSuffix: String? = nil,
        allowsPlainHTTPOnLoopback: Bool = false
    ) throws(TransportConfigurationProblem) {
        try Self.check("connectTimeout", connectTimeout, .milliseconds(1)...Duration.seconds(300))
        try Self.check("maxConnectionsPerHost", maxConnectionsPerHost, 1...4096)
        try Self.check("maxIdleConnections", maxIdleConnections, 1...4096)
        try Self.check("maxBodyBytes", maxBodyBytes, (1 << 10)...(1 << 30))
        try Self.check("maxHeadBytes", maxHeadBytes, (1 << 10)...(256 << 10))
        if let extraCAFile {
            guard !extraCAFile.isEmpty, !extraCAFile.utf8.contains(0) else {
                throw TransportConfigurationProblem(option: "extraCAFile", reason: "the path is empty or contains NUL")
            }
        }
        var userAgent = Self.product
        if let userAgentSuffix {
            guard !userAgentSuffix.isEmpty, userAgentSuffix.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw TransportConfigurationProblem(
                    option: "userAgentSuffix", reason: "it must be printable ASCII and not empty")
            }
            userAgent += " " + userAgentSuffix
        }
        self.connectTimeout = connectTimeout
        self.maxConnectionsPerHost = maxConnectionsPerHost
        self.maxIdleConnections = maxIdleConnections
        self.maxBodyBytes = maxBodyBytes
        self.maxHeadBytes = maxHeadBytes
        self.proxy = proxy
        self.noProxy = noProxy
        self.extraCAFile = extraCAFile
        self.http2 = http2
        self.userAgent = userAgent
        self.allowsPlainHTTPOnLoopback = allowsPlainHTTPOnLoopback
    }

    private init(unchecked: Void, allowsPlainHTTPOnLoopback: Bool = false) {
        connectTimeout = .seconds(10)
        maxConnectionsPerHost = 64
        maxIdleConnections = 64
        maxBodyBytes = 4 << 20
        maxHeadBytes = 64 << 10
        proxy = nil
        noProxy = NoProxyList()
        extraCAFile = nil
        http2 = false
        userAgent = Self.product
        self.allowsPlainHTTPOnLoopback = allowsPlainHTTPOnLoopback
    }

    private static let product = "GatewayKit/" + CurlTransport.version

    private static func check<Value: Comparable & Sendable>(
        _ option: String, _ value: Value, _ range: ClosedRange<Value>
    ) throws(TransportConfigurationProblem) {
        guard range.contains(value) else {
            throw TransportConfigurationProblem(
                option: option,
                reason:
                    "it must be from \(String(describing: range.lowerBound)) to \(String(describing: range.upperBound))"
            )
        }
    }

    /// The proxy that a call to `origin` goes through. Plain `http` never does: it would leave this machine in clear.
    func proxy(for origin: WireURL.Origin) -> Proxy? {
        guard let proxy, origin.isSecure, !noProxy.matches(host: origin.host) else { return nil }
        return proxy
    }
}

/// A value of the configuration that cannot be used.
public struct TransportConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name of the option, as it is spelled in ``TransportConfiguration``.
    public let option: String
    /// What is wrong, and what is allowed.
    public let reason: SafeText

    init(option: String, reason: SafeText) {
        self.option = option
        self.reason = reason
    }

    /// Option and reason.
    public var description: String { "\(option): \(reason)" }
}

/// An HTTP proxy that `https` calls are tunnelled through (`CONNECT`, RFC 9110, section 9.3.6).
public struct Proxy: Sendable {
    /// Where it listens; an `https` proxy is itself spoken to over TLS.
    public let origin: WireURL.Origin
    /// The user name for Basic authentication.
    public let user: Sensitive<String>?
    /// The password that belongs to ``user``.
    public let password: Sensitive<String>?

    /// Reads the proxy's address.
    ///
    /// - Parameters:
    ///   - address: `http://host:port` or `https://host:port`. User and password do not belong in it.
    ///   - user: The user name; must have no colon, which Basic authentication (RFC 7617) cannot carry.
    ///   - password: The password.
    /// - Throws: ``TransportConfigurationProblem`` for the option `proxy`; the address is not repeated in it.
    public init(
        address: String, user: Sensitive<String>? = nil, password: Sensitive<String>? = nil
    ) throws(TransportConfigurationProblem) {
        let url: WireURL
        do {
            url = try WireURL(base: address)
        } catch {
            throw TransportConfigurationProblem(option: "proxy", reason: error.reason)
        }
        guard url.path.isEmpty else {
            throw TransportConfigurationProblem(option: "proxy", reason: "the address of a proxy must not have a path")
        }
        guard password == nil || user != nil else {
            throw TransportConfigurationProblem(option: "proxy", reason: "there is a password but no user name")
        }
        let isSendable = [user, password].allSatisfy { text in
            text?.withExposed { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } } ?? true
        }
        guard isSendable, user?.withExposed({ !$0.utf8.contains(0x3A) && !$0.isEmpty }) ?? true else {
            throw TransportConfigurationProblem(
                option: "proxy",
                reason: "user name or password has a control character, or the user name is empty or has a colon")
        }
        origin = url.origin
        self.user = user
        self.password = password
    }
}
