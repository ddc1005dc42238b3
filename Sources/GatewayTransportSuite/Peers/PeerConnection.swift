import GatewayKitCore
import GatewaySandbox

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The peer's end of one connection.
package final class PeerConnection: @unchecked Sendable {
    package let number: Int
    private var socket: Int32
    private let wire: Connection?
    private var unread: [UInt8] = []
    private let note: @Sendable (PeerRequest) -> Void
    private let closeSocket: @Sendable () -> Void

    init(
        _ socket: Int32, _ tls: TLSContext?, number: Int, note: @escaping @Sendable (PeerRequest) -> Void,
        close: @escaping @Sendable () -> Void
    ) {
        closeSocket = close
        self.socket = socket
        self.number = number
        self.note = note
        wire = Connection(socket, tls)
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Does the TLS handshake, if the peer speaks TLS.
    func open() -> Bool { wire?.open() ?? false }

    /// Reads a request with its body, or `nil` when the client is gone.
    package func readRequest() -> PeerRequest? {
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
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { room in
            guard let wire, case .bytes(let count) = wire.receive(into: room) else { return false }
            unread.append(contentsOf: room[..<count])
            return true
        }
    }

    /// Reads whatever comes first, or nothing when the client is gone.
    package func readSome() -> [UInt8] {
        if unread.isEmpty { _ = receive() }
        defer { unread = [] }
        return unread
    }

    /// Reads that many bytes, or `nil` when the client is gone before.
    package func read(_ count: Int) -> [UInt8]? {
        while unread.count < count {
            guard receive() else { return nil }
        }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    /// Waits until bytes of the client are there, and leaves them unread; `false` when it is gone. Without TLS only.
    @discardableResult
    package func waitForBytes() -> Bool {
        var byte: UInt8 = 0
        return !unread.isEmpty || recv(socket, &byte, 1, Int32(MSG_PEEK)) > 0
    }

    /// Writes; `false` when the client is gone.
    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool { wire?.sendAll(bytes) ?? false }

    /// Answers with a length, so that the connection can be kept.
    @discardableResult
    package func respond(
        _ status: String = "200 OK", fields: [String] = [], body: [UInt8] = Array("ok".utf8)
    ) -> Bool {
        let head = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.count)"]
        return write(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    /// Waits until the client closes.
    package func waitForClose() {
        while receive() { unread = [] }
    }

    /// Tells the client that nothing more comes, and makes a reader in another thread stop.
    func endBothWays() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Ends the connection with RST.
    package func reset() {
        Socket.makeCloseReset(socket)
        close()
    }

    package func close() {
        guard socket >= 0 else { return }
        socket = -1
        closeSocket()
    }
}
