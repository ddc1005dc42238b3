import GatewayKitCore

/// A network that plays one step of a script per request and remembers what it was given.
final class ScriptedTransport: HTTPTransport {
    enum Step: Sendable {
        case answer(Int, [String: String] = [:], String = "")
        case fail(TransportError.Kind, Reach)
        /// Never answers: ends with the task's cancellation only.
        case hang
    }

    struct Seen: Sendable {
        let request: WireRequest
        let deadline: ContinuousClock.Instant
    }

    private let state: Locked<(steps: [Step], seen: [Seen])>

    init(_ steps: [Step]) {
        state = Locked((steps, []))
    }

    var seen: [Seen] { state.withLock { $0.seen } }
    var count: Int { seen.count }

    func send(
        _ request: WireRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> WireResponse {
        let step = state.withLock { state -> Step? in
            state.seen.append(Seen(request: request, deadline: deadline))
            return state.steps.isEmpty ? nil : state.steps.removeFirst()
        }
        switch step {
        case .answer(let status, let fields, let body)?:
            var answer = HTTPFields()
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                answer.append(HTTPFieldName(name), .plain(value))
            }
            return WireResponse(status: status, fields: answer, body: Array(body.utf8))
        case .fail(let kind, let reach)?:
            throw TransportError(kind, reach: reach, detail: "scripted")
        case .hang?:
            do { try await Task.sleep(for: .seconds(3_600)) } catch {}
            throw TransportError(.cancelled, reach: .sent, detail: "cancelled while waiting")
        case nil:
            throw TransportError(.other, reach: .notSent, detail: "the script is at its end")
        }
    }
}

/// Keeps all events.
final class EventRecorder: GatewayObserver {
    let wantsTranscripts: Bool
    private let recorded = Locked<[GatewayEvent]>([])

    init(wantsTranscripts: Bool = false) {
        self.wantsTranscripts = wantsTranscripts
    }

    var events: [GatewayEvent] { recorded.withLock { $0 } }
    var kinds: [GatewayEvent.Kind] { events.map(\.kind) }

    func record(_ event: GatewayEvent) {
        recorded.withLock { $0.append(event) }
    }
}

/// Everything that printing, debugging and dumping show of a value.
func everythingShown(_ value: some Any) -> String {
    var text = "\(value)\n" + String(reflecting: value) + "\n"
    dump(value, to: &text)
    return text
}

/// A pipeline with everything around it under control.
struct Workbench {
    static let base = WireURL.known("https://api.provider.example/v1")

    let transport: ScriptedTransport
    let clock = ManualClock()
    let observer: EventRecorder?
    let pipeline: HTTPPipeline

    init(
        _ steps: [ScriptedTransport.Step], observer: EventRecorder? = nil, retry: RetryPolicy = RetryPolicy(),
        secrets: [Sensitive<String>] = [Sensitive("account-secret-1")],
        now: WallTime = WallTime(secondsSince1970: 1_903_867_200)
    ) {
        transport = ScriptedTransport(steps)
        self.observer = observer
        let runtime = GatewayRuntime(
            transport: transport, clock: clock, wallClock: .fixed(now), random: RandomSource { 0 },
            observer: observer, retry: retry)
        pipeline = HTTPPipeline(
            account: .known("eu"), secrets: secrets, allowedOrigins: [Self.base.origin], runtime: runtime,
            timeout: .seconds(30))
    }

    func request(_ repeatability: WireRequest.Repeatability, _ url: WireURL = Workbench.base) -> WireRequest {
        WireRequest("test.call", .post, url, repeatability: repeatability)
    }

    /// Sends and lets every wait pass. Gives the result and the waits.
    func run(
        _ request: WireRequest, timeout: Duration? = nil
    ) async -> (result: Result<WireResponse, TransportError>, waits: [Duration]) {
        let call = pipeline.begin("test.call", CallContext(timeout: timeout))
        let pipeline = pipeline
        let sending = Task { () -> Result<WireResponse, TransportError> in
            do throws(TransportError) {
                return .success(try await pipeline.send(request, in: call))
            } catch {
                return .failure(error)
            }
        }
        let waking = Task { [clock] () -> [Duration] in
            var waits: [Duration] = []
            while !Task.isCancelled {
                let wait = await clock.wakeNext()
                if wait > .zero { waits.append(wait) }
            }
            return waits
        }
        let result = await sending.value
        waking.cancel()
        return (result, await waking.value)
    }
}

extension WireURL {
    /// An address of the test's own source.
    static func known(_ text: String) -> WireURL {
        do { return try WireURL(base: text) } catch { preconditionFailure("a test's own address is refused: \(error)") }
    }
}

extension AccountName {
    /// A name of the test's own source.
    static func known(_ text: String) -> AccountName {
        AccountName(text) ?? AccountName("invalid" as ProviderID)
    }
}

extension TransportError.Kind {
    /// Every kind there is today.
    static let known: [TransportError.Kind] = [
        .nameLookup, .connect, .connectTimeout, .tls, .proxy, .timeout, .cancelled, .connectionLost, .truncated,
        .malformedAnswer, .answerTooLarge, .invalidRequest, .refusedHost, .dryRun, .closed, .other,
    ]
}
