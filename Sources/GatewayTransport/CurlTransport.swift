import GatewayKitCore

/// GatewayKit's own ``HTTPTransport``, over libcurl.
///
/// One thread drives all calls of a transport; make one for the whole application and share it, so that connections are
/// reused. Redirects are returned and never followed, cookies are neither kept nor sent, nothing is read from the
/// environment, TLS 1.2 is the least, and the system's certificate authorities are trusted.
///
/// Request fields and body are copied once, into memory that is wiped when the call ends. Copies that remain: libcurl's
/// copy of the address and its send buffer, the buffers of the TLS library and the kernel, and the request as long as
/// the caller keeps it. The body of an answer is an ordinary array.
///
/// Needs libcurl 7.87 or newer (`CURLOPT_QUICK_EXIT`, and `CURLOPT_PREREQFUNCTION` of 7.80).
public final class CurlTransport: HTTPTransport {
    /// GatewayKit's version, as it stands in the `User-Agent` field.
    public static let version = "0.1.0"

    /// How this transport connects.
    public let configuration: TransportConfiguration

    let loop: EventLoop

    /// Makes a transport. Its thread starts with the first call.
    public init(_ configuration: TransportConfiguration = .standard) {
        self.configuration = configuration
        loop = EventLoop(configuration)
    }

    /// Ends the thread; calls cannot be under way, because they keep the transport alive.
    deinit { loop.close() }

    /// Sends `request` once and reads the whole answer, whatever its status.
    ///
    /// A request that is `.read` or `.keyed` may be written a second time when a reused connection turns out to have
    /// ended; one that is `.once` never is: the call then fails with ``TransportError/Kind/connectionLost`` and
    /// ``Reach/sent``.
    ///
    /// - Parameter deadline: When the call ends at the latest, waiting for a free connection included. One that has
    ///   passed already means that nothing is sent.
    /// - Throws: ``TransportError``; `refusedHost` for plain `http` to anywhere but this machine, or if the
    ///   configuration does not allow it even there.
    public func send(
        _ request: WireRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> WireResponse {
        let origin = request.url.origin
        guard origin.isSecure || (configuration.allowsPlainHTTPOnLoopback && origin.isLoopback) else {
            throw TransportError(
                .refusedHost, reach: .notSent,
                detail: "plain http to \(origin) is not allowed; use https. Nothing was sent")
        }
        let memory = try RequestMemory.make(request)
        let transfer = Transfer(request, memory: memory, deadline: deadline, configuration: configuration)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in loop.start(transfer, continuation) }
        } onCancel: {
            loop.cancel(transfer)
        }
        return try outcome.get()
    }

    /// Ends the transport: calls under way end with ``TransportError/Kind/closed`` and their true reach, and so does
    /// every later call. Returns when the thread and all connections are gone. May be called more than once.
    public func shutdown() async {
        await loop.closeAndWait()
    }

    /// What this transport has done so far.
    public var statistics: TransportStatistics { loop.counters.snapshot }
}
