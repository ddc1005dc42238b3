/// How this machine reaches the outside.
public struct NetworkSettings: Sendable {
    /// The proxy's address, such as `http://proxy.example:3128`.
    public var proxy: String?
    /// The proxy's user name.
    public var proxyUser: String?
    /// The proxy's password.
    public var proxyPassword: Sensitive<String>?
    /// Hosts that are reached without the proxy: names, `.suffixes`, or `*`.
    public var noProxy: [String]
    /// A PEM file with further certificate authorities.
    public var caFile: String?
    /// How long connecting may take.
    public var connectTimeout: Duration
    /// The time limit of calls that bring none of their own.
    public var timeout: Duration
    /// Whether HTTP/2 is offered.
    public var http2: Bool

    /// The defaults: no proxy, the system's trust store, 10 seconds to connect, 30 seconds altogether, HTTP/1.1.
    public init() {
        noProxy = []
        connectTimeout = .seconds(10)
        timeout = .seconds(30)
        http2 = false
    }
}
