/// The one seam to the network: a request and a deadline in, a complete answer out.
///
/// GatewayKit ships `CurlTransport` (module `GatewayTransport`). An application that has a client of its own conforms a
/// type to this protocol. What a transport owes:
///
/// - The answer is handed out whatever its status; redirects are returned, never followed. No cookies.
/// - A request whose ``WireRequest/repeatability`` is `.once` reaches the network at most once, whatever happens.
/// - ``TransportError/reach`` is ``Reach/notSent`` only when no byte of the request can have reached the provider.
/// - Cancellation of the calling task ends the call at once with ``TransportError/Kind/cancelled`` and the true reach.
/// - The deadline bounds the whole call: name look-up, connecting, sending and reading.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and reads the whole answer.
    ///
    /// - Parameter deadline: When the call must have ended, on the continuous clock.
    /// - Throws: ``TransportError`` when there is no complete answer.
    func send(
        _ request: WireRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> WireResponse
}

/// How far a request got: the fact that decides whether it may be sent again.
public enum Reach: String, Sendable, Hashable, CaseIterable {
    /// No byte of the request reached the provider: nothing can have happened.
    case notSent
    /// The request, or a part of it, may have reached the provider, and no complete answer came: anything may have
    /// happened.
    case sent
    /// The provider answered.
    case answered
}

/// Why there is no complete answer.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What failed.
    public var kind: Kind
    /// How far the request got: ``Reach/notSent`` or ``Reach/sent``. It is ``Reach/answered`` when the answer began (a
    /// status line was read) but could not be read to its end or was refused for its size.
    public var reach: Reach
    /// What happened, for a person; scrubbed.
    public var detail: SafeText
    /// The status of an answer that broke off after its status line.
    public var partialStatus: Int?
    /// How many times the request was tried. Transports leave it at 1.
    public var tries = 1

    /// Describes a failure.
    public init(_ kind: Kind, reach: Reach, detail: SafeText, partialStatus: Int? = nil) {
        self.kind = kind
        self.reach = reach
        self.detail = detail
        self.partialStatus = partialStatus
    }

    /// Kind, reach and detail.
    public var description: String { "\(kind) (\(reach.rawValue)): \(detail)" }

    /// What failed. More kinds may be added in any release.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case nameLookup, connect, connectTimeout, tls, proxy, timeout, cancelled, connectionLost, truncated
            case malformedAnswer, answerTooLarge, invalidRequest, refusedHost, dryRun, closed, other
        }
        private let name: Name

        /// The host name could not be resolved.
        public static let nameLookup = Kind(name: .nameLookup)
        /// The connection was refused or the host is unreachable.
        public static let connect = Kind(name: .connect)
        /// No connection within the connect time limit or the deadline.
        public static let connectTimeout = Kind(name: .connectTimeout)
        /// The TLS handshake or the certificate check failed.
        public static let tls = Kind(name: .tls)
        /// The proxy, not the provider, failed or refused.
        public static let proxy = Kind(name: .proxy)
        /// The deadline passed while sending or waiting for the answer.
        public static let timeout = Kind(name: .timeout)
        /// The calling task was cancelled.
        public static let cancelled = Kind(name: .cancelled)
        /// The connection ended before a complete answer.
        public static let connectionLost = Kind(name: .connectionLost)
        /// The answer was shorter than announced.
        public static let truncated = Kind(name: .truncated)
        /// What came was no HTTP, or its compression was broken.
        public static let malformedAnswer = Kind(name: .malformedAnswer)
        /// Head or body exceeded the configured limit.
        public static let answerTooLarge = Kind(name: .answerTooLarge)
        /// The request itself cannot be sent (a header with a line break, for example).
        public static let invalidRequest = Kind(name: .invalidRequest)
        /// The request was about to go to a host that is not on the account's allow list.
        public static let refusedHost = Kind(name: .refusedHost)
        /// Nothing was sent on purpose.
        public static let dryRun = Kind(name: .dryRun)
        /// The transport has been shut down.
        public static let closed = Kind(name: .closed)
        /// Anything else.
        public static let other = Kind(name: .other)

        /// The stable spelling.
        public var description: String { name.rawValue }
    }
}
