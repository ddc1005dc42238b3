import CCurl
import CCurlShim
import GatewayKitCore
import Synchronization

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The thread that owns libcurl's multi handle, and the box in which other threads leave it orders.
///
/// Nothing but the box and the counters is shared. The thread starts with the first call; it and all its file
/// descriptors are gone soon after ``close()``.
final class EventLoop: @unchecked Sendable {
    /// An order to the loop's thread.
    enum Order: Sendable {
        case start(Transfer)
        case cancel(Transfer)
    }

    private enum Phase {
        case idle, running, closing, closed
    }

    private struct Multi: @unchecked Sendable {
        let raw: UnsafeMutableRawPointer
    }

    private struct Box {
        var phase = Phase.idle
        var multi: Multi?
        var orders: [Order] = []
        /// Whether the thread waits in poll and must be woken for an order.
        var isAsleep = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let configuration: TransportConfiguration
    private let box = Locked(Box())
    /// How many threads are about to wake the loop's thread: while there is one, the multi handle must live.
    private let wakers = Atomic<Int>(0)
    let counters = TransportCounters()

    init(_ configuration: TransportConfiguration) {
        self.configuration = configuration
    }

    // MARK: Any thread

    /// Leaves an order to start; the answer comes through `continuation`, which is resumed exactly once.
    func start(
        _ transfer: Transfer, _ continuation: CheckedContinuation<Result<WireResponse, TransportError>, Never>
    ) {
        counters.callStarted()
        // Before the order, which hands the transfer over to the loop's thread.
        transfer.continuation = continuation
        let (refusal, sleeper) = box.withLock { box -> (TransportError?, Multi?) in
            if box.phase == .idle {
                if let refusal = startThread(&box) { return (refusal, nil) }
            }
            guard box.phase == .running else { return (Self.closedError, nil) }
            box.orders.append(.start(transfer))
            return (nil, takeSleeper(&box))
        }
        wake(sleeper)
        guard let refusal else { return }
        counters.callFinished(connectionsOpened: 0)
        transfer.continuation = nil
        continuation.resume(returning: .failure(refusal))
    }

    /// Leaves an order to end a call; no effect when it has ended.
    func cancel(_ transfer: Transfer) {
        transfer.requestCancellation()
        let sleeper = box.withLock { box -> Multi? in
            guard box.phase == .running else { return nil }
            box.orders.append(.cancel(transfer))
            return takeSleeper(&box)
        }
        wake(sleeper)
    }

    /// Starts the thread now instead of with the first call, so that it inherits the caller's namespaces.
    func startNow() {
        box.withLock { box in
            if box.phase == .idle { _ = startThread(&box) }
        }
    }

    /// Lets the thread end all calls and itself; returns at once.
    func close() {
        let sleeper = box.withLock { box -> Multi? in
            switch box.phase {
            case .idle:
                box.phase = .closed
                return nil
            case .running:
                box.phase = .closing
                return takeSleeper(&box)
            case .closing, .closed: return nil
            }
        }
        wake(sleeper)
    }

    /// ``close()``, and waits until the thread has given back everything.
    func closeAndWait() async {
        close()
        await withCheckedContinuation { continuation in
            let isClosed = box.withLock { box in
                if box.phase != .closed { box.waiters.append(continuation) }
                return box.phase == .closed
            }
            if isClosed { continuation.resume() }
        }
    }

    /// The handle to wake, if the thread waits in poll; who gets it must pass it to ``wake(_:)``. Called under the lock.
    private func takeSleeper(_ box: inout Box) -> Multi? {
        guard box.isAsleep, let multi = box.multi else { return nil }
        box.isAsleep = false
        wakers.add(1, ordering: .relaxed)
        return multi
    }

    /// Called without the lock, so that the thread does not wake up only to wait for it.
    private func wake(_ sleeper: Multi?) {
        guard let sleeper else { return }
        curl_multi_wakeup(sleeper.raw)
        wakers.subtract(1, ordering: .releasing)
    }

    private static let closedError = TransportError(
        .closed, reach: .notSent, detail: "the transport has been shut down; nothing was sent")

    private static let libraryIsReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private func startThread(_ box: inout Box) -> TransportError? {
        guard Self.libraryIsReady, let multi = curl_multi_init() else {
            return TransportError(.other, reach: .notSent, detail: "libcurl could not be started")
        }
        gk_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maxConnectionsPerHost)
        gk_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.maxIdleConnections)
        gk_multi_set_long(
            multi, CURLMOPT_PIPELINING, Int(configuration.http2 ? CURLPIPE_MULTIPLEX : CURLPIPE_NOTHING))
        box.multi = Multi(raw: multi)
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            curl_multi_cleanup(multi)
            box.multi = nil
            return TransportError(.other, reach: .notSent, detail: "the thread of the transport could not be started")
        }
        pthread_detach(thread)
        box.phase = .running
        return nil
    }

    // MARK: The loop's thread

    private func run() {
        blockPipeSignal()
        guard let multi = box.withLock({ $0.multi }) else { return }
        var work = Workload(multi: multi.raw, configuration: configuration, counters: counters)
        var orders: [Order] = []
        while true {
            let isClosing = box.withLock { box in
                box.isAsleep = false
                swap(&orders, &box.orders)
                return box.phase == .closing
            }
            for order in orders {
                switch order {
                case .start(let transfer): work.start(transfer)
                case .cancel(let transfer): work.cancel(transfer)
                }
            }
            orders.removeAll(keepingCapacity: true)
            if isClosing { break }
            work.advance()
            let mayWait = box.withLock { box in
                box.isAsleep = box.orders.isEmpty && box.phase == .running
                return box.isAsleep
            }
            if mayWait { work.wait() }
        }
        work.endAll()
        // From here on no other thread finds the multi handle.
        box.withLock { $0.multi = nil }
        while wakers.load(ordering: .acquiring) > 0 { sched_yield() }
        work.releaseHandles()
        curl_multi_cleanup(multi.raw)
        let waiters = box.withLock { box in
            box.phase = .closed
            let waiters = box.waiters
            box.waiters = []
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Writing to a connection that the peer has closed must not end the process; the application's own handling of
    /// SIGPIPE is none of a library's business, so the signal is blocked in this thread alone.
    private func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
