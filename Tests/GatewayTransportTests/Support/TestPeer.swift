import GatewayKitCore
import Glibc

/// A server on a loopback port whose every connection is served by a script in a thread of its own.
final class TestPeer: Sendable {
    private struct State {
        var requests: [PeerRequest] = []
        var connections = 0
        var open: [Int32] = []
        var isStopped = false
        var isListening = true
    }

    struct Failure: Error {
        let what: String
    }

    let port: Int
    private let listener: Int32
    private let state = Locked(State())

    init(backlog: Int32 = 512, _ script: @escaping @Sendable (PeerConnection) -> Void) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failure(what: "socket") }
        var address = Self.loopback(port: 0)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) == 0 }
        }
        guard isBound, listen(socket, backlog) == 0 else { throw Failure(what: "bind") }
        var actual = length
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(socket, $0, &actual) }
        }
        listener = socket
        port = Int(UInt16(bigEndian: address.sin_port))
        let state = self.state
        startThread {
            while true {
                let accepted = accept(socket, nil, nil)
                guard accepted >= 0 else { break }
                let number = state.withLock { state -> Int? in
                    guard !state.isStopped else { return nil }
                    state.connections += 1
                    state.open.append(accepted)
                    return state.connections
                }
                guard let number else {
                    Glibc.close(accepted)
                    break
                }
                let connection = PeerConnection(
                    accepted, number: number,
                    note: { request in state.withLock { $0.requests.append(request) } },
                    close: {
                        // Under the lock, so that stop() never meets a number that stands for another socket by now.
                        state.withLock { state in
                            state.open.removeAll { $0 == accepted }
                            close(accepted)
                        }
                    })
                startThread {
                    script(connection)
                    connection.close()
                }
            }
            // Closed here and nowhere else: another thread's close could give this number to a new socket under accept.
            state.withLock { state in
                state.isListening = false
                Glibc.close(socket)
            }
        }
    }

    deinit { stop() }

    /// Closes the port and ends every script that waits for its client.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            if state.isListening { shutdown(listener, Int32(SHUT_RDWR)) }
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return address
    }

    /// What has been read from all connections, in order.
    var requests: [PeerRequest] { state.withLock { $0.requests } }

    /// How many connections were accepted.
    var connections: Int { state.withLock { $0.connections } }

    /// The address of this peer.
    func url(_ path: String = "", scheme: String = "http") throws -> WireURL {
        try WireURL(base: "\(scheme)://127.0.0.1:\(port)\(path)")
    }
}

/// A request as the peer saw it.
struct PeerRequest: Sendable {
    var head: String
    var body: [UInt8]
    var connection: Int

    var requestLine: String { lines.first ?? "" }
    var lines: [String] { head.split(separator: "\r\n").map(String.init) }

    func values(of name: String) -> [String] {
        lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { return nil }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
    }
}

/// The peer's end of one connection.
final class PeerConnection: @unchecked Sendable {
    let number: Int
    private var socket: Int32
    private var unread: [UInt8] = []
    private let note: @Sendable (PeerRequest) -> Void
    private let closeSocket: @Sendable () -> Void

    init(
        _ socket: Int32, number: Int, note: @escaping @Sendable (PeerRequest) -> Void,
        close: @escaping @Sendable () -> Void
    ) {
        closeSocket = close
        self.socket = socket
        self.number = number
        self.note = note
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads a request with its body, or `nil` when the client is gone.
    func readRequest() -> PeerRequest? {
        while true {
            if let end = headEnd() {
                let head = String(decoding: unread[..<end], as: UTF8.self)
                var request = PeerRequest(head: head, body: [], connection: number)
                let length = request.values(of: "content-length").first.flatMap { Int($0) } ?? 0
                while unread.count < end + length {
                    guard receive() else { return nil }
                }
                request.body = Array(unread[end..<(end + length)])
                unread.removeFirst(end + length)
                note(request)
                return request
            }
            guard receive() else { return nil }
        }
    }

    private func headEnd() -> Int? {
        unread.withUnsafeBufferPointer { bytes in
            var state = 0
            for (index, byte) in bytes.enumerated() {
                state = byte == (state % 2 == 0 ? 13 : 10) ? state + 1 : byte == 13 ? 1 : 0
                if state == 4 { return index + 1 }
            }
            return nil
        }
    }

    private func receive() -> Bool {
        var room = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(socket, &room, room.count, 0)
        guard count > 0 else { return false }
        unread.append(contentsOf: room[..<count])
        return true
    }

    /// Reads whatever comes first, or nothing when the client is gone.
    func readSome() -> [UInt8] {
        _ = receive()
        defer { unread = [] }
        return unread
    }

    /// Waits until bytes of the client are there, and leaves them unread.
    func waitForBytes() {
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        _ = Glibc.poll(&poll, 1, -1)
    }

    /// Writes; `false` when the client is gone.
    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Answers with a length, so that the connection can be kept.
    @discardableResult
    func respond(_ status: String = "200 OK", fields: [String] = [], body: [UInt8] = Array("ok".utf8)) -> Bool {
        let head = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.count)"]
        return write(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    /// Waits until the client closes.
    func waitForClose() {
        while receive() {}
    }

    /// Tells the client that nothing more comes, and makes a reader in another thread stop.
    func endBothWays() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Ends the connection with RST.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func close() {
        guard socket >= 0 else { return }
        socket = -1
        closeSocket()
    }
}

/// Runs `body` in a thread of its own.
func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Box(body)).toOpaque()
    pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, context)
    pthread_detach(thread)
}
