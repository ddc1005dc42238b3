#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A loopback HTTP/1.1 server with one thread per connection: faults need the socket to themselves, and may block it.
final class HTTPServer: Sendable {
    struct Settings: Sendable {
        var maximumConnections = 1024
        var idleTimeout = Duration.seconds(30)
        var limits = RequestParser.Limits()
        /// Replaces the wait of ``WirePlan/Step/pause(_:)``; `nil` waits in real time.
        var pause: (@Sendable (Duration) -> Void)?
        var atPoint: (@Sendable (SandboxPoint, [String]?) -> Void)?
    }

    /// What the server asks when something arrives.
    protocol Responder: Sendable {
        /// Whether the connection that has just been accepted is to be reset before anything is read from it.
        func refusesConnection() -> Bool
        func plan(for request: ReceivedRequest) -> WirePlan
        func plan(for refusal: RequestRefusal) -> WirePlan
    }

    private struct State {
        var listener: Int32?
        var port: UInt16 = 0
        var tls: TLSContext?
        /// Keeps the port while nobody listens on it.
        var placeholder: Int32?
        var isAccepting = false
        var connections: Set<Int32> = []
        var threads = 0
    }

    private let settings: Settings
    private let responder: any Responder
    private let state = Locked(State())
    private let holds = HeldAnswers()

    init(settings: Settings, responder: any Responder) {
        self.settings = settings
        self.responder = responder
    }

    /// The port, while started.
    var port: UInt16? { state.withLock { $0.placeholder == nil ? nil : $0.port } }

    /// How many connections are open.
    var connectionCount: Int { state.withLock { $0.connections.count } }

    func start(port: UInt16, tls: TLSContext? = nil) throws(SandboxError) {
        guard self.port == nil else { throw .alreadyRunning }
        let placeholder = try Socket.bound(to: port)
        let isFirst = state.withLock { state in
            if state.placeholder != nil { return false }
            state.placeholder = placeholder.descriptor
            state.port = placeholder.port
            state.tls = tls
            return true
        }
        guard isFirst else {
            close(placeholder.descriptor)
            throw .alreadyRunning
        }
        do throws(SandboxError) {
            try listen()
        } catch {
            stop()
            throw error
        }
    }

    /// Accepts connections (again).
    func listen() throws(SandboxError) {
        guard let port else { return }
        if state.withLock({ $0.listener != nil }) { return }
        let listener = try Socket.bound(to: port).descriptor
        guard Socket.listen(on: listener) else {
            close(listener)
            throw .portUnavailable(port)
        }
        state.withLock { state in
            state.listener = listener
            state.isAccepting = true
            state.threads += 1
        }
        do throws(SandboxError) {
            try startThread { [self] in accept(on: listener) }
        } catch {
            state.signal { $0.isAccepting = false }
            throw error
        }
    }

    /// Accepts no more connections, so that the system refuses them; open ones live on.
    func stopListening() {
        let listener = state.withLock { state in
            let listener = state.listener
            state.listener = nil
            if let listener { shutdown(listener, Int32(SHUT_RDWR)) }
            return listener
        }
        guard let listener else { return }
        state.wait { !$0.isAccepting }
        close(listener)
    }

    /// Ends every connection, whatever it waits for, and returns when no thread of the server is left.
    func stop() {
        stopListening()
        state.withLock { state in
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
            if let placeholder = state.placeholder { close(placeholder) }
            state.placeholder = nil
        }
        state.wait { $0.threads == 0 }
    }

    /// Lets the answers go that wait at ``WirePlan/Step/hold``.
    func releaseHeld() {
        holds.release()
    }

    // MARK: - Threads

    /// Starts a thread that is counted already; when there is none, counts it down.
    private func startThread(_ body: @escaping @Sendable () -> Void) throws(SandboxError) {
        let counted: @Sendable () -> Void = { [state] in
            body()
            state.signal { $0.threads -= 1 }
        }
        guard Thread.start(counted) else {
            state.signal { $0.threads -= 1 }
            throw .noThread
        }
    }

    private func accept(on listener: Int32) {
        defer { state.signal { $0.isAccepting = false } }
        while true {
            let descriptor = Socket.accept(on: listener)
            guard descriptor >= 0 else {
                if [EINTR, ECONNABORTED, EAGAIN].contains(errno) { continue }
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
                    sched_yield()
                    continue
                }
                return
            }
            admit(descriptor, from: listener)
        }
    }

    private func admit(_ descriptor: Int32, from listener: Int32) {
        if responder.refusesConnection() {
            Socket.makeCloseReset(descriptor)
            close(descriptor)
            return
        }
        Socket.prepareConnection(descriptor, timeout: settings.idleTimeout)
        let isAdmitted = state.withLock { state in
            guard state.listener == listener, state.connections.count < settings.maximumConnections else {
                return false
            }
            state.connections.insert(descriptor)
            state.threads += 1
            return true
        }
        guard isAdmitted else {
            close(descriptor)
            return
        }
        do throws(SandboxError) {
            try startThread { [self] in
                serve(descriptor)
                release(descriptor)
            }
        } catch {
            release(descriptor)
        }
    }

    private func release(_ descriptor: Int32) {
        // Inside the lock, so that `stop` cannot shut down a descriptor that the system has given away again.
        state.withLock { state in
            state.connections.remove(descriptor)
            close(descriptor)
        }
    }

    // MARK: - One connection

    private func serve(_ descriptor: Int32) {
        let tls = state.withLock { $0.tls }
        guard let connection = Connection(descriptor, tls), connection.open() else {
            Socket.closeGently(descriptor)
            return
        }
        settings.atPoint?(.accepted, nil)
        var parser = RequestParser(limits: settings.limits)
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
            while true {
                switch parser.next() {
                case .request(let request):
                    settings.atPoint?(.requestRead, request.path)
                    let plan = responder.plan(for: request)
                    settings.atPoint?(.committed, request.path)
                    guard perform(plan, on: connection, path: request.path) else { return }
                    if !request.keepsAlive {
                        connection.closeGently()
                        return
                    }
                case .refused(let refusal):
                    _ = perform(responder.plan(for: refusal), on: connection)
                    return
                case .needMore:
                    if parser.takeContinue(),
                        !connection.sendAll(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                    {
                        return
                    }
                    switch connection.receive(into: buffer) {
                    case .bytes(let count):
                        settings.atPoint?(.requestBegan, nil)
                        parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    case .timedOut where parser.isInsideRequest:
                        let refusal = RequestRefusal(408, "The request did not arrive in time.")
                        _ = perform(responder.plan(for: refusal), on: connection)
                        return
                    case .ended, .timedOut:
                        return
                    }
                }
            }
        }
    }

    /// Does the steps. True when the connection can take another request.
    private func perform(_ plan: WirePlan, on connection: Connection, path: [String]? = nil) -> Bool {
        let descriptor = connection.descriptor
        var hasSent = false
        var isUndisturbed = true
        var isOpen = true
        for step in plan.steps {
            switch step {
            case .send(let bytes):
                if let atPoint = settings.atPoint, !hasSent, !bytes.isEmpty {
                    isUndisturbed = connection.sendAll(Array(bytes.prefix(1)))
                    atPoint(.firstByteSent, path)
                    isUndisturbed = isUndisturbed && connection.sendAll(Array(bytes.dropFirst()))
                } else {
                    isUndisturbed = connection.sendAll(bytes)
                }
                hasSent = true
            case .pause(let duration):
                if let pause = settings.pause {
                    pause(duration)
                } else {
                    isUndisturbed = Socket.waitWhileConnected(descriptor, for: duration)
                }
            case .stall:
                isUndisturbed = Socket.waitWhileConnected(descriptor, for: nil)
            case .hold:
                isUndisturbed = holds.wait(on: descriptor)
            case .reset:
                Socket.makeCloseReset(descriptor)
                isOpen = false
            case .close:
                connection.closeGently()
                isOpen = false
            }
            if !isUndisturbed || !isOpen { break }
        }
        plan.completion?(isUndisturbed)
        if hasSent, isUndisturbed { settings.atPoint?(.lastByteSent, path) }
        return isUndisturbed && isOpen
    }
}
