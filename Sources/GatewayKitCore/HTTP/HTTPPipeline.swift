/// What comes after a middleware: the next one, and in the end the transport.
public typealias HTTPNext = @Sendable (WireRequest, Call) async throws(TransportError) -> WireResponse

/// Something that wraps every exchange of an account.
public protocol HTTPMiddleware: Sendable {
    /// Does its part and calls `next` once, several times or not at all.
    func send(
        _ request: WireRequest, _ call: Call, next: HTTPNext
    ) async throws(TransportError) -> WireResponse
}

/// The way of every request of one account: from outside to inside, the middlewares and then the transport.
///
/// Adapters send through it and through nothing else.
public struct HTTPPipeline: Sendable {
    private let account: AccountName
    private let secrets: Redactor
    private let defaultTimeout: Duration
    private let runtime: GatewayRuntime
    private let entry: HTTPNext

    /// Builds the way for an account.
    ///
    /// - Parameters:
    ///   - account: Whose requests these are.
    ///   - secrets: The account's credentials, to be masked wherever they turn up.
    ///   - allowedOrigins: Where requests may go. Any other address is refused before a byte is sent.
    ///   - runtime: Transport, clocks, observer and retry policy.
    ///   - timeout: The time limit of calls that bring none of their own.
    public init(
        account: AccountName, secrets: [Sensitive<String>], allowedOrigins: Set<WireURL.Origin>,
        runtime: GatewayRuntime, timeout: Duration
    ) {
        self.account = account
        self.secrets = Redactor(secrets: secrets)
        self.runtime = runtime
        defaultTimeout = timeout
        let transport = runtime.transport
        let middlewares: [any HTTPMiddleware] = [
            RetryMiddleware(
                policy: runtime.retry, clock: runtime.clock, wallClock: runtime.wallClock, random: runtime.random,
                observer: runtime.observer),
            ObservationMiddleware(observer: runtime.observer, clock: runtime.clock),
            HostGuard(allowed: allowedOrigins),
        ]
        var next: HTTPNext = { (request, call) async throws(TransportError) in
            try await transport.send(request, deadline: call.deadline)
        }
        for middleware in middlewares.reversed() {
            let inner = next
            next = { (request, call) async throws(TransportError) in
                try await middleware.send(request, call, next: inner)
            }
        }
        entry = next
    }

    /// Starts the clock for a call.
    public func begin(_ operation: WireRequest.Operation, _ context: CallContext) -> Call {
        let now = runtime.clock.now
        let call = Call(
            operation: operation, account: account, id: runtime.random.nextID(),
            correlationID: context.correlationID, started: now,
            deadline: now.advanced(by: context.timeout ?? defaultTimeout), redactor: secrets)
        runtime.observer?.record(GatewayEvent(.callStarted, call))
        return call
    }

    /// Sends a request as a part of `call`.
    ///
    /// - Throws: ``TransportError`` when there is no complete answer.
    public func send(_ request: WireRequest, in call: Call) async throws(TransportError) -> WireResponse {
        guard !Task.isCancelled else {
            var error = TransportError(.cancelled, reach: .notSent, detail: "The call was cancelled before it began.")
            error.tries = 0
            throw error
        }
        return try await entry(request, call)
    }

    /// Tells the observer how the call ended; `outcome` is a name of low cardinality.
    public func end(_ call: Call, outcome: String, detail: SafeText? = nil) {
        guard let observer = runtime.observer else { return }
        var event = GatewayEvent(.callFinished, call)
        event.outcome = outcome
        event.detail = detail
        event.duration = call.started.duration(to: runtime.clock.now)
        observer.record(event)
    }
}

/// Refuses every address that is not on the account's allow list, whoever built it.
struct HostGuard: HTTPMiddleware {
    let allowed: Set<WireURL.Origin>

    func send(
        _ request: WireRequest, _ call: Call, next: HTTPNext
    ) async throws(TransportError) -> WireResponse {
        guard allowed.contains(request.url.origin) else {
            throw TransportError(
                .refusedHost, reach: .notSent,
                detail: "\(request.url.origin) is not on the allow list of account \(call.account).")
        }
        return try await next(request, call)
    }
}

/// Tells the observer of every try.
struct ObservationMiddleware: HTTPMiddleware {
    let observer: (any GatewayObserver)?
    let clock: any GatewayClock

    func send(
        _ request: WireRequest, _ call: Call, next: HTTPNext
    ) async throws(TransportError) -> WireResponse {
        guard let observer else { return try await next(request, call) }
        let redactor = call.redactor.adding(request.secrets)
        var event = GatewayEvent(.requestStarted, call)
        event.tryNumber = call.tryNumber
        if observer.wantsTranscripts { event.transcript = Transcript.text(of: request, redactor) }
        observer.record(event)

        let started = clock.now
        do {
            let response = try await next(request, call)
            event.kind = .answerReceived
            event.status = response.status
            event.requestID = response.fields["x-request-id"].map(redactor.redact(_:))
            event.duration = started.duration(to: clock.now)
            if observer.wantsTranscripts {
                let shown =
                    request.answerIsSecret
                    ? WireResponse(status: response.status, fields: response.fields, body: Array("[FILTERED]".utf8))
                    : response
                event.transcript = Transcript.text(of: shown, redactor)
            } else {
                event.transcript = nil
            }
            observer.record(event)
            return response
        } catch {
            event.kind = .requestFailed
            event.reach = error.reach
            event.outcome = error.kind.description
            event.detail = redactor.scrub(error.detail.description)
            event.status = error.partialStatus
            event.duration = started.duration(to: clock.now)
            event.transcript = nil
            observer.record(event)
            throw error
        }
    }
}
