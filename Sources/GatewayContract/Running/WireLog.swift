import GatewayKitCore

/// Writes down every request that is handed to the network, and how far it got.
final class WireLog: Sendable {
    /// One try of one request.
    struct Entry: Sendable {
        let operation: WireRequest.Operation
        let repeatability: WireRequest.Repeatability
        /// ``Reach/answered`` for a complete answer; for one under way, ``Reach/sent``.
        var reach = Reach.sent
        var isAnsweredInFull = false

        var isRead: Bool { repeatability == .read }
        /// It can have done something.
        var mayHaveDoneSomething: Bool { !isRead && reach != .notSent }
    }

    private let list = Locked<[Entry]>([])

    var entries: [Entry] { list.withLock { $0 } }
    func forget() { list.withLock { $0 = [] } }

    fileprivate func begin(_ request: WireRequest) -> Int {
        list.withLock { list in
            list.append(Entry(operation: request.operation, repeatability: request.repeatability))
            return list.count - 1
        }
    }

    fileprivate func end(_ index: Int, _ reach: Reach, isAnsweredInFull: Bool) {
        list.withLock { list in
            // A call that outlives its case ends after the log was emptied.
            guard list.indices.contains(index) else { return }
            list[index].reach = reach
            list[index].isAnsweredInFull = isAnsweredInFull
        }
    }
}

/// The stage's transport, watched.
struct WatchedTransport: HTTPTransport {
    let inner: any HTTPTransport
    let log: WireLog

    func send(
        _ request: WireRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> WireResponse {
        let index = log.begin(request)
        do {
            let response = try await inner.send(request, deadline: deadline)
            log.end(index, .answered, isAnsweredInFull: true)
            return response
        } catch {
            log.end(index, error.reach, isAnsweredInFull: false)
            throw error
        }
    }
}

/// Sends nothing: every request ends as "not sent, on purpose".
struct SendsNothing: HTTPTransport {
    func send(
        _ request: WireRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> WireResponse {
        throw TransportError(.dryRun, reach: .notSent, detail: "The contract suite sends nothing in this case.")
    }
}

/// Keeps events, with transcripts: the most talkative setting.
final class EventLog: GatewayObserver {
    private let list = Locked<[GatewayEvent]>([])
    let wantsTranscripts = true

    var events: [GatewayEvent] { list.withLock { $0 } }
    func forget() { list.withLock { $0 = [] } }

    func record(_ event: GatewayEvent) {
        var event = event
        // Its digits are those of the clock: they could look like a security code by chance.
        event.duration = nil
        list.withLock { [event] in $0.append(event) }
    }

    func count(_ kind: GatewayEvent.Kind) -> Int { events.count { $0.kind == kind } }

    /// Everything that printing can show of the events.
    var shown: String {
        var text = ""
        for event in events { dump(event, to: &text) }
        return text
    }
}
