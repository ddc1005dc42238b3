import Synchronization

/// What a transport has done so far: a look at one moment.
public struct TransportStatistics: Sendable, Equatable {
    /// Calls that were given to the loop since the transport was made.
    public let calls: Int
    /// Calls that are under way or wait for a connection.
    public let inFlight: Int
    /// Connections that were opened by calls that have ended. Far fewer than ``calls`` means that they are reused.
    public let connectionsOpened: Int
}

/// The counters behind ``TransportStatistics``.
final class TransportCounters: Sendable {
    private let started = Atomic<Int>(0)
    private let finished = Atomic<Int>(0)
    private let connections = Atomic<Int>(0)

    func callStarted() {
        started.add(1, ordering: .relaxed)
    }

    func callFinished(connectionsOpened: Int) {
        connections.add(connectionsOpened, ordering: .relaxed)
        finished.add(1, ordering: .releasing)
    }

    /// Reads `finished` first, so that calls in flight are never negative.
    var snapshot: TransportStatistics {
        let finished = finished.load(ordering: .acquiring)
        let connections = connections.load(ordering: .relaxed)
        let started = started.load(ordering: .relaxed)
        return TransportStatistics(calls: started, inFlight: started - finished, connectionsOpened: connections)
    }
}
