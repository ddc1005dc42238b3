import GatewayKitCore
import Glibc

/// A server on a loopback port that gives every connection the same bytes, whatever it is asked, and then closes: for
/// answers that the sandbox, which imitates a working provider, never gives. It keeps what it was sent.
final class AnswerPeer: Sendable {
    /// A request as it came.
    struct Received: Sendable {
        let head: String
        let body: [UInt8]

        var requestLine: String { head.prefix { $0 != "\r\n" }.description }

        /// The values of a header field, its name in lower case.
        func values(of name: String) -> [String] {
            head.split(separator: "\r\n").dropFirst().compactMap { line in
                guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { return nil }
                return String(line[line.index(after: colon)...].drop { $0 == " " })
            }
        }
    }

    struct Failure: Error {}

    private struct State {
        var received: [Received] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let port: Int
    private let listener: Int32
    private let state = Locked(State())

    /// - Parameter answer: what each connection gets; `nil` stalls until the client goes away.
    init(_ answer: [UInt8]?) throws {
        (listener, port) = try Self.bindLoopback()
        guard listen(listener, 64) == 0 else { throw Failure() }
        let (listener, state) = (listener, state)
        Self.startThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                Self.startThread { Self.serve(connection, answer, state) }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The base URL to configure, like the real one's `/v1`.
    var baseURL: String { "http://127.0.0.1:\(port)/v1" }

    /// What came, in order.
    var received: [Received] { state.withLock { $0.received } }

    /// Waits until a whole request has been read.
    func waitForRequest() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.received.isEmpty { state.waiting.append(continuation) }
                return !state.received.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    private static func serve(_ connection: Int32, _ answer: [UInt8]?, _ state: Locked<State>) {
        defer { close(connection) }
        guard let request = read(connection) else { return }
        let waiting = state.withLock { state in
            state.received.append(request)
            let waiting = state.waiting
            state.waiting = []
            return waiting
        }
        for continuation in waiting { continuation.resume() }
        guard let answer else {
            _ = receive(connection)
            return
        }
        var rest = answer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func read(_ connection: Int32) -> Received? {
        var bytes: [UInt8] = []
        var headEnd: Int?
        while true {
            if headEnd == nil { headEnd = end(of: bytes) }
            if let headEnd {
                let head = String(decoding: bytes[..<headEnd], as: UTF8.self)
                let length = Received(head: head, body: []).values(of: "content-length").first.flatMap { Int($0) } ?? 0
                if bytes.count >= headEnd + length {
                    return Received(head: head, body: Array(bytes[headEnd..<(headEnd + length)]))
                }
            }
            guard let more = receive(connection) else { return nil }
            bytes += more
        }
    }

    private static func end(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 4...bytes.count where bytes[(index - 4)..<index].elementsEqual([13, 10, 13, 10]) { return index }
        return nil
    }

    private static func receive(_ connection: Int32) -> [UInt8]? {
        var room = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(connection, &room, room.count, 0)
        return count > 0 ? Array(room[..<count]) : nil
    }

    /// A socket that is bound and does not listen: connecting to it is refused for as long as it is open.
    static func bindLoopback() throws -> (socket: Int32, port: Int) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(socket, generic, length) == 0 && getsockname(socket, generic, &length) == 0
            }
        }
        guard socket >= 0, isBound else { throw Failure() }
        return (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
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
}

extension AnswerPeer {
    /// A peer that answers with this status, header and body, with the right length.
    convenience init(
        status: Int, _ body: String = "", type: String? = "application/json; charset=utf-8", fields: [String] = []
    ) throws {
        try self.init(status: status, bytes: Array(body.utf8), type: type, fields: fields)
    }

    /// As above, for a body that is no UTF-8.
    convenience init(status: Int, bytes: [UInt8], type: String?, fields: [String] = []) throws {
        var lines = ["HTTP/1.1 \(status) Scripted"] + fields
        if let type { lines.append("content-type: \(type)") }
        if status != 204 { lines.append("content-length: \(bytes.count)") }
        try self.init(Array((lines + ["connection: close", "", ""]).joined(separator: "\r\n").utf8) + bytes)
    }
}
