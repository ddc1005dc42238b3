import GatewayKitCore

/// The transport that the suite is run on: how to make one for given options, and what it cannot do.
///
/// Plain `http` to `127.0.0.1` has to be allowed by every transport that is made here: most peers of the suite speak
/// it, since they misbehave on the bare socket.
public struct TransportSubject: Sendable {
    /// What to call it in reports.
    public var name: String
    /// Makes a transport that obeys the options. Called once or more per case, from any thread.
    public var make: @Sendable (TransportOptions) throws -> any HTTPTransport
    /// Ends a transport that the suite made and needs no more. `nil`: it ends with its last reference.
    public var close: (@Sendable (any HTTPTransport) async -> Void)?
    /// What it cannot do. Cases that need it are skipped and say so.
    public var lacks: Set<TransportFeature>
    /// By how much a call may miss its deadline, or take after it was cancelled. The suite asks for punctuality only
    /// roughly, so that it holds on a crowded machine; give it more under a sanitizer.
    public var tolerance = Duration.seconds(5)
    /// Starts the transport's own threads as children of the calling thread.
    ///
    /// Only for the case of a silent name server, which it needs because Linux gives a name server to a thread and its
    /// children. `nil`: that case is skipped.
    public var startThreads: (@Sendable (any HTTPTransport) -> Void)?

    /// Describes a transport.
    public init(
        _ name: String, lacks: Set<TransportFeature> = [],
        startThreads: (@Sendable (any HTTPTransport) -> Void)? = nil,
        close: (@Sendable (any HTTPTransport) async -> Void)? = nil,
        make: @escaping @Sendable (TransportOptions) throws -> any HTTPTransport
    ) {
        self.name = name
        self.lacks = lacks
        self.startThreads = startThreads
        self.close = close
        self.make = make
    }
}

/// What a transport may be able to do beyond sending and reading.
public enum TransportFeature: String, Sendable, Hashable, CaseIterable {
    /// Trusting the authorities of a PEM file.
    case caFile
    /// Tunnelling `https` through an HTTP proxy.
    case proxy
    /// Calling some hosts directly although there is a proxy.
    case noProxy
    /// A time limit for connecting.
    case connectTimeout
    /// Limits for the size of head and body.
    case sizeLimits
    /// A limit for connections to one host.
    case connectionLimit
    /// Asking for and decoding compressed answers. (A transport that lacks it must not ask for them.)
    case compression
    /// Offering HTTP/2.
    case http2
}

/// What a case wants of the transport that it is given. What is `nil` is left to the transport.
public struct TransportOptions: Sendable {
    /// A PEM file of authorities to trust besides the system's.
    public var caFile: String?
    /// The proxy for `https`.
    public var proxy: TransportProxy?
    /// Hosts to call directly although there is a proxy, as names or IPv4 addresses.
    public var noProxy: [String] = []
    /// The longest time for connecting.
    public var connectTimeout: Duration?
    /// The most connections to one host; further calls wait.
    public var maximumConnectionsPerHost: Int?
    /// The longest head of an answer in bytes, interim answers included.
    public var maximumHeadBytes: Int?
    /// The longest body of an answer in bytes, after decoding.
    public var maximumBodyBytes: Int?
    /// Whether HTTP/2 is offered in the TLS handshake.
    public var offersHTTP2 = false

    /// Nothing is asked for.
    public init() {}
}

/// A proxy for the transport to use.
public struct TransportProxy: Sendable {
    /// `http://host:port` or `https://host:port`.
    public var address: String
    /// The user for Basic authentication.
    public var user: Sensitive<String>?
    /// The password for Basic authentication.
    public var password: Sensitive<String>?

    /// Describes a proxy.
    public init(_ address: String, user: Sensitive<String>? = nil, password: Sensitive<String>? = nil) {
        self.address = address
        self.user = user
        self.password = password
    }
}
