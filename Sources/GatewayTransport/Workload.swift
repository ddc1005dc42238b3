import CCurl
import CCurlShim
import GatewayKitCore

/// The calls that the loop's thread has in hand. Only that thread touches it.
struct Workload {
    private let multi: UnsafeMutableRawPointer
    private let configuration: TransportConfiguration
    private let counters: TransportCounters
    private var live: [Transfer] = []
    private var spares: [EasyHandle] = []
    /// Calls that have ended but whose tasks do not know yet. They are told together: waking tasks one by one makes the
    /// threads behind them fall asleep in between, which costs more than a call's own work.
    private var untold: [Transfer] = []
    /// No live call has an earlier deadline; a call that has ended may have had this one.
    private var nextDeadline: ContinuousClock.Instant?

    private static let sparesKept = 128

    init(multi: UnsafeMutableRawPointer, configuration: TransportConfiguration, counters: TransportCounters) {
        self.multi = multi
        self.configuration = configuration
        self.counters = counters
    }

    mutating func start(_ transfer: Transfer) {
        // A task may be cancelled before its order arrives: its cancel order found nothing then.
        if transfer.isCancelled { return refuse(transfer, .stopped(.cancelled)) }
        if ContinuousClock.now >= transfer.deadline { return refuse(transfer, .stopped(.deadline)) }
        guard let memory = transfer.memory, let easy = spares.popLast() ?? EasyHandle() else {
            return refuse(transfer, .code(CURLE_OUT_OF_MEMORY))
        }
        guard easy.prepare(transfer, memory, configuration) else {
            return refuse(transfer, .code(CURLE_FAILED_INIT))
        }
        guard curl_multi_add_handle(multi, easy.raw) == CURLM_OK else {
            return refuse(transfer, .code(CURLE_FAILED_INIT))
        }
        transfer.easy = easy
        transfer.liveIndex = live.count
        live.append(transfer)
        nextDeadline = nextDeadline.map { min($0, transfer.deadline) } ?? transfer.deadline
    }

    mutating func cancel(_ transfer: Transfer) {
        if transfer.easy != nil { finish(transfer, .stopped(.cancelled)) }
        tell()
    }

    /// Lets libcurl do what it can, and ends what has finished or run out of time.
    mutating func advance() {
        guard !live.isEmpty else { return }
        defer { tell() }
        var running: Int32 = 0
        guard curl_multi_perform(multi, &running) == CURLM_OK else {
            while let transfer = live.last { finish(transfer, .code(CURLE_FAILED_INIT)) }
            return
        }
        var code = CURLE_OK
        while let raw = gk_multi_next_done(multi, &code) {
            guard let context = gk_easy_get_private(raw) else { continue }
            finish(Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue(), .code(code))
        }
        endOverdue()
    }

    private mutating func endOverdue() {
        guard let earliest = nextDeadline else { return }
        let now = ContinuousClock.now
        guard now >= earliest else { return }
        for transfer in live where now >= transfer.deadline { finish(transfer, .stopped(.deadline)) }
        nextDeadline = live.lazy.map(\.deadline).min()
    }

    /// Waits for traffic, for the next deadline or to be woken.
    func wait() {
        var milliseconds: Int64 = 60_000
        if !live.isEmpty, let nextDeadline {
            let left = (nextDeadline - ContinuousClock.now).wholeMilliseconds
            milliseconds = max(0, min(left, milliseconds))
        }
        curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil)
    }

    /// Ends every call because the transport is closed.
    mutating func endAll() {
        while let transfer = live.last { finish(transfer, .stopped(.closed)) }
        tell()
    }

    mutating func releaseHandles() {
        spares.removeAll()
    }

    private func refuse(_ transfer: Transfer, _ end: TransferEnd) {
        transfer.memory = nil
        let outcome = Outcome.of(transfer, end, nil)
        counters.callFinished(connectionsOpened: 0)
        transfer.resume(outcome)
    }

    private mutating func finish(_ transfer: Transfer, _ end: TransferEnd) {
        guard let easy = transfer.easy else { return }
        let outcome = Outcome.of(transfer, end, easy)
        let connections = gk_easy_get_long(easy.raw, CURLINFO_NUM_CONNECTS)
        curl_multi_remove_handle(multi, easy.raw)
        easy.release()
        if spares.count < Self.sparesKept { spares.append(easy) }
        transfer.easy = nil
        transfer.memory = nil
        let last = live.removeLast()
        if last !== transfer {
            last.liveIndex = transfer.liveIndex
            live[transfer.liveIndex] = last
        }
        counters.callFinished(connectionsOpened: connections)
        transfer.outcome = outcome
        untold.append(transfer)
    }

    private mutating func tell() {
        for transfer in untold {
            guard let outcome = transfer.outcome else { continue }
            transfer.outcome = nil
            transfer.resume(outcome)
        }
        untold.removeAll(keepingCapacity: true)
    }
}
