import GatewayKitCore
import Synchronization

/// One call on its way: what was asked, how far it got, and what has come back.
///
/// The two atomic flags may be read and set from any thread; everything else is, once it has the order, the loop
/// thread's alone.
final class Transfer: @unchecked Sendable {
    /// Why a callback of ours, or the loop, ended the call. libcurl then reports only that it was ended.
    enum Stop: Equatable {
        case cancelled, deadline, closed
        case headTooLarge
        case body(AnswerBody.Fault)
        case secondSending
        case notLoopback
        case peerGone
    }

    let request: WireRequest
    let deadline: ContinuousClock.Instant
    let proxy: Proxy?
    let limits: (head: Int, body: Int)

    private let sent = Atomic<Bool>(false)
    private let cancelRequested = Atomic<Bool>(false)

    var memory: RequestMemory?
    var continuation: CheckedContinuation<Result<WireResponse, TransportError>, Never>?
    /// How the call ended, until its task is told.
    var outcome: Result<WireResponse, TransportError>?
    var easy: EasyHandle?
    var liveIndex = 0
    private(set) var stop: Stop?
    private(set) var head = AnswerHead()
    private(set) var fields = HTTPFields()
    private(set) var body = AnswerBody()

    init(
        _ request: WireRequest, memory: RequestMemory, deadline: ContinuousClock.Instant,
        configuration: TransportConfiguration
    ) {
        self.request = request
        self.memory = memory
        self.deadline = deadline
        proxy = configuration.proxy(for: request.url.origin)
        limits = (configuration.maxHeadBytes, configuration.maxBodyBytes)
    }

    /// Whether a byte of the request may have left: set before the first one can, and never taken back.
    var mayHaveBeenSent: Bool { sent.load(ordering: .acquiring) }

    /// Whether the calling task was cancelled.
    var isCancelled: Bool { cancelRequested.load(ordering: .acquiring) }

    func requestCancellation() {
        cancelRequested.store(true, ordering: .releasing)
    }

    /// How far the call got, as far as is known now.
    var reach: Reach {
        head.status != nil ? .answered : mayHaveBeenSent ? .sent : .notSent
    }

    /// Tells the calling task how the call ended; no effect the second time.
    func resume(_ outcome: Result<WireResponse, TransportError>) {
        let waiting = continuation
        continuation = nil
        waiting?.resume(returning: outcome)
    }

    /// Decides, with the connection ready and nothing written, whether the request may be written.
    ///
    /// libcurl asks once per connection that it tries: a second question for one call means that it is about to send
    /// the request again, on a new connection, because a reused one ended without an answer.
    func permitsSending(toAddress address: String) -> Bool {
        if mayHaveBeenSent && request.repeatability == .once { return refuse(.secondSending) }
        if isCancelled { return refuse(.cancelled) }
        if ContinuousClock.now >= deadline { return refuse(.deadline) }
        if !request.url.origin.isSecure {
            // A connection that was reset as soon as it stood has no address any more.
            if address.isEmpty { return refuse(.peerGone) }
            let isLoopback = address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
            if !isLoopback { return refuse(.notLoopback) }
        }
        sent.store(true, ordering: .releasing)
        return true
    }

    private func refuse(_ reason: Stop) -> Bool {
        if stop == nil { stop = reason }
        return false
    }

    /// Takes a line of a head; `false` ends the call.
    func takeHeadLine(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let wasComplete = head.isComplete
        guard head.take(line, limit: limits.head) else { return refuse(.headTooLarge) }
        if head.isComplete && !wasComplete { fields = head.fields() }
        return true
    }

    /// Takes a part of the body; `false` ends the call.
    func takeBody(_ chunk: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let fault = body.take(chunk, fields: fields, limit: limits.body) else { return true }
        return refuse(.body(fault))
    }
}
