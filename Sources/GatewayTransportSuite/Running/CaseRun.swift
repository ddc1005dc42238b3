import GatewayKitCore
import GatewaySandbox

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One case being run: makes what it needs, collects what it finds.
final class CaseRun: Sendable {
    /// Ends a case: it cannot be run here.
    struct Skip: Error {
        let reason: String
    }
    /// Ends a case whose finding is noted already.
    struct Stop: Error {}

    private struct State {
        var findings: [String] = []
        var transports: [any HTTPTransport] = []
        var sandboxes: [Sandbox] = []
        var files: [String] = []
    }
    let subject: TransportSubject
    var tolerance: Duration { subject.tolerance }
    private let thread: OwnThread
    private let state = Locked(State())

    init(_ subject: TransportSubject, _ thread: OwnThread) {
        self.subject = subject
        self.thread = thread
    }

    func verdict(_ body: @Sendable (CaseRun) async throws -> Void) async -> TransportSuite.Verdict {
        var skipped: String?
        do {
            try await body(self)
        } catch let skip as Skip {
            skipped = skip.reason
        } catch is Stop {
        } catch {
            note("\(error)")
        }
        let left = state.withLock { state in
            let left = state
            state.transports = []
            return left
        }
        if let close = subject.close { for transport in left.transports { await close(transport) } }
        for sandbox in left.sandboxes { sandbox.stop() }
        for file in left.files { unlink(file) }
        if !left.findings.isEmpty { return .failed(left.findings) }
        return skipped.map { .skipped($0) } ?? .passed
    }

    // MARK: - What a case needs

    /// A transport with these options.
    func transport(_ change: (inout TransportOptions) -> Void = { _ in }) throws -> any HTTPTransport {
        var options = TransportOptions()
        change(&options)
        let made = try subject.make(options)
        state.withLock { $0.transports.append(made) }
        return made
    }

    /// A sandbox under TLS, and the file of its authority.
    func sandbox(_ tls: SandboxTLS) throws -> (Sandbox, caFile: String) {
        var configuration = SandboxConfiguration()
        configuration.tls = tls
        let sandbox = Sandbox(configuration)
        try sandbox.start()
        state.withLock { $0.sandboxes.append(sandbox) }
        let file = try sandbox.writeCertificateAuthority()
        state.withLock { $0.files.append(file) }
        return (sandbox, file)
    }

    /// A temporary file.
    func file(_ text: String) throws -> String {
        var template = Array("/tmp/gatewaykit-suite-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Skip(reason: "no file can be made in /tmp") }
        let name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        state.withLock { $0.files.append(name) }
        let bytes = Array(text.utf8)
        let count = write(descriptor, bytes, bytes.count)
        closeDescriptor(descriptor)
        guard count == bytes.count else { throw Skip(reason: "no file can be written in /tmp") }
        return name
    }

    /// A task on the case's own thread.
    func start<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        Task(executorPreference: thread) { await body() }
    }

    /// A task on the case's own thread that fires `signal` at its end too, so that who waits for the signal does not wait
    /// for ever where what fires it does not come about: on a transport that sends nothing, or on a starved machine.
    func start<Value: Sendable>(
        firing signal: Signal, _ body: @escaping @Sendable () async -> Value
    ) -> Task<Value, Never> {
        start {
            let value = await body()
            signal.fire()
            return value
        }
    }

    // MARK: - What a case finds

    func note(_ finding: String) {
        state.withLock { $0.findings.append(finding) }
    }

    func expect(_ isSo: Bool, _ words: @autoclosure () -> String) {
        if !isSo { note(words()) }
    }

    func equal<Value: Equatable>(_ what: String, _ found: Value, _ wanted: Value) {
        if found != wanted { note("\(what): \(found) instead of \(wanted)") }
    }

    /// The answer of a call that must have one.
    func answer(_ outcome: CallOutcome) throws -> WireResponse {
        switch outcome {
        case .success(let answer): return answer
        case .failure(let error):
            note("there is no answer: \(error)")
            throw Stop()
        }
    }

    /// The error of a call that must not have a complete answer; kind, reach and status are checked.
    @discardableResult
    func failure(
        _ outcome: CallOutcome, _ kinds: [TransportError.Kind], reach: Reach, status: Int? = nil
    ) throws -> TransportError {
        switch outcome {
        case .success(let answer):
            note("an answer with status \(answer.status) was delivered, where there must be an error")
            throw Stop()
        case .failure(let error):
            expect(kinds.contains(error.kind), "kind: \(error.kind) instead of \(kinds) (\(error))")
            expect(error.reach == reach, "reach: \(error.reach) instead of \(reach) (\(error))")
            expect(
                error.partialStatus == status,
                "status of the partial answer: \(String(describing: error.partialStatus)) instead of "
                    + "\(String(describing: status)) (\(error))")
            expect(!error.detail.isEmpty, "the error says nothing")
            equal("tries", error.tries, 1)
            return error
        }
    }

    /// Calls `attempt` with longer and longer time limits until it says that the limit was long enough: a crowded machine
    /// may not even begin within a short one, and a longer one shows the same.
    func growing(_ attempt: (_ limit: Duration, _ isLast: Bool) async throws -> Bool) async throws {
        let limits = [Duration.milliseconds(200), .seconds(1), .seconds(6)]
        for limit in limits where try await attempt(limit, limit == limits.last) { return }
    }

    /// Runs a call that must end by itself soon after `limit`; afterwards its peer is stopped, so that a transport which
    /// waits for ever is caught and the case ends.
    func bounded<Value: Sendable>(
        _ limit: Duration, _ peer: TestPeer, _ call: () async -> Value
    ) async -> Value {
        let watchdog = start {
            try? await Task.sleep(for: limit + self.tolerance)
            if !Task.isCancelled { peer.stop() }
        }
        defer { watchdog.cancel() }
        let begin = ContinuousClock.now
        let value = await call()
        let taken = begin.duration(to: .now)
        expect(taken < limit + tolerance, "it took \(taken), and the limit is \(limit)")
        return value
    }
}
