import GatewayKitCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How a sandbox runs. The defaults suit tests: a free port, the same credentials and tokens in every run.
public struct SandboxConfiguration: Sendable {
    /// The port on 127.0.0.1; 0 takes any free one.
    public var port: UInt16 = 0
    /// Whether it speaks TLS. Faults work under TLS as they do without.
    public var tls = SandboxTLS.off
    /// Where credentials, tokens, fingerprints and the dice of faults come from. The same seed gives the same ones.
    public var seed: UInt64 = 1
    /// The wall clock: what is expired, and what time stamps say.
    public var now: @Sendable () -> WallTime = { Self.systemTime() }
    /// Replaces the waits of the faults `slow` and `drip`; called on the connection's thread. `nil` waits in real
    /// time, and no longer when the client goes away or the sandbox stops.
    public var pause: (@Sendable (Duration) -> Void)?
    /// Is told as soon as an exchange reaches a point, on the connection's thread, which waits for it: a crash test ends
    /// the client's process there. The path is `nil` before the request was read.
    public var atPoint: (@Sendable (SandboxPoint, [String]?) -> Void)?
    /// Faults from the start.
    public var faults: [FaultRule] = []
    /// How providers behave where they can behave in several ways, by name: see ``Sandbox/choices``.
    public var choices: [String: String] = [:]
    /// How many connections may be open; one more is closed at once.
    public var maximumConnections = 1024
    /// How long a connection may be silent, before and inside a request.
    public var idleTimeout = Duration.seconds(30)
    /// The largest head of a request in bytes; more is answered 431.
    public var maximumHeadBytes = 64 << 10
    /// The largest body of a request in bytes; more is answered 413.
    public var maximumBodyBytes = 1 << 20
    /// How many ledger entries, and how many objects of each kind a provider, keeps; the oldest go first.
    public var keptEntries = 100_000

    /// The defaults.
    public init() {}

    private static func systemTime() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(secondsSince1970: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }
}
