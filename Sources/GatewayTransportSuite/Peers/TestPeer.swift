import GatewayKitCore
import GatewaySandbox

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A server on a loopback port whose every connection is served by a script in a thread of its own.
package final class TestPeer: Sendable {
    private struct State {
        var requests: [PeerRequest] = []
        var connections = 0
        var open: [Int32] = []
        var isStopped = false
        var isListening = true
    }

    package let port: Int
    private let listener: Int32
    private let state = Locked(State())

    /// - Parameter tls: What every connection speaks; the script runs once the handshake is done.
    package init(tls: TLSContext? = nil, _ script: @escaping @Sendable (PeerConnection) -> Void) throws {
        let (socket, port) = try Socket.bound(to: 0)
        guard Socket.listen(on: socket) else { throw SandboxError.portUnavailable(port) }
        listener = socket
        self.port = Int(port)
        let state = self.state
        startThread {
            while true {
                let accepted = Socket.accept(on: socket)
                guard accepted >= 0 else { break }
                let number = state.withLock { state -> Int? in
                    guard !state.isStopped else { return nil }
                    state.connections += 1
                    state.open.append(accepted)
                    return state.connections
                }
                guard let number else {
                    closeDescriptor(accepted)
                    break
                }
                let connection = PeerConnection(
                    accepted, tls, number: number,
                    note: { request in state.withLock { $0.requests.append(request) } },
                    close: {
                        // Under the lock, so that stop() never meets a number that stands for another socket by now.
                        state.withLock { state in
                            state.open.removeAll { $0 == accepted }
                            closeDescriptor(accepted)
                        }
                    })
                startThread {
                    if connection.open() { script(connection) }
                    connection.close()
                }
            }
            // Closed here and nowhere else: another thread's close could give this number to a new socket under accept.
            state.withLock { state in
                state.isListening = false
                closeDescriptor(socket)
            }
        }
    }

    deinit { stop() }

    /// Closes the port and ends every script that waits for its client.
    package func stop() {
        state.withLock { state in
            state.isStopped = true
            if state.isListening { shutdown(listener, Int32(SHUT_RDWR)) }
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// A peer that answers every request with 200 and `ok`.
    package static func answering() throws -> TestPeer {
        try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
    }

    /// A peer that reads one request and then says nothing.
    package static func stalling(_ arrived: Signal = Signal()) throws -> TestPeer {
        try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            arrived.fire()
            connection.waitForClose()
        }
    }

    /// What has been read from all connections, in order.
    package var requests: [PeerRequest] { state.withLock { $0.requests } }

    /// How many connections were accepted.
    package var connections: Int { state.withLock { $0.connections } }

    /// The address of this peer.
    package func url(_ path: String = "", scheme: String = "http") throws -> WireURL {
        try WireURL(base: "\(scheme)://127.0.0.1:\(port)\(path)")
    }
}

/// A request as the peer saw it.
package struct PeerRequest: Sendable {
    package var head: String
    package var body: [UInt8]
    package var connection: Int

    package var requestLine: String { lines.first ?? "" }
    package var lines: [String] { head.split(separator: "\r\n").map(String.init) }

    package func values(of name: String) -> [String] {
        lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { return nil }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
    }
}
