import Glibc

@testable import GatewaySandbox

/// A client that knows only sockets, so that a test sees exactly what is on the wire.
final class RawClient {
    enum Ending: Equatable { case closed, reset, timedOut, refused }

    private var descriptor: Int32
    private(set) var received: [UInt8] = []
    private(set) var ending: Ending?
    /// A reset is told once: when sending saw it, receiving sees the plain end.
    private var sendFailed = false

    init(port: UInt16?, timeoutMilliseconds: Int = 60_000) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        setTimeout(milliseconds: timeoutMilliseconds)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (port ?? 1).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let outcome = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if outcome != 0 { ending = .refused }
    }

    deinit { hangUp() }

    func setTimeout(milliseconds: Int) {
        var timeout = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    func forgetTimeout() {
        if ending == .timedOut { ending = nil }
    }

    func hangUp() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 {
                sendFailed = true
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Reads once; false when the connection is over or silent.
    @discardableResult
    func receiveMore() -> Bool {
        guard ending == nil || ending == .timedOut else { return false }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            received += buffer[..<count]
            ending = nil
            return true
        }
        ending = count == 0 ? (sendFailed ? .reset : .closed) : errno == EAGAIN ? .timedOut : .reset
        return false
    }

    /// Reads until one whole answer is there or nothing more comes.
    func answer() -> RawAnswer? {
        while true {
            if let (answer, length) = RawAnswer.parse(received, isOver: ending == .closed) {
                received.removeFirst(length)
                return answer
            }
            guard receiveMore() else { return RawAnswer.parse(received, isOver: ending == .closed)?.0 }
        }
    }

    /// Reads until the connection is over or silent.
    func readToEnd() -> Ending? {
        while receiveMore() {}
        return ending
    }
}

/// An answer as a simple client reads it.
struct RawAnswer: Equatable {
    var status: Int
    var header: [(name: String, value: String)]
    var body: [UInt8]

    static func == (left: RawAnswer, right: RawAnswer) -> Bool {
        left.status == right.status && left.body == right.body
            && left.header.map(\.name) == right.header.map(\.name)
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func value(_ name: String) -> String? {
        header.first { $0.name == name }?.value
    }

    /// The first answer in the bytes and its length; `nil` when it is not whole.
    static func parse(_ bytes: [UInt8], isOver: Bool = false) -> (RawAnswer, Int)? {
        guard let headEnd = find(Array("\r\n\r\n".utf8), in: bytes[...]) else { return nil }
        let lines = String(decoding: bytes[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count >= 2, first[0] == "HTTP/1.1",
            let status = Int(first[1])
        else { return nil }
        let header = lines.dropFirst().map { line -> (name: String, value: String) in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        var answer = RawAnswer(status: status, header: header, body: [])
        let start = headEnd + 4
        if answer.value("transfer-encoding") == "chunked" {
            guard let (body, end) = dechunk(bytes, from: start) else { return nil }
            answer.body = body
            return (answer, end)
        }
        let length = answer.value("content-length").flatMap { Int($0) } ?? 0
        guard bytes.count >= start + length else { return nil }
        answer.body = Array(bytes[start..<start + length])
        return (answer, start + length)
    }

    private static func dechunk(_ bytes: [UInt8], from start: Int) -> ([UInt8], Int)? {
        var body: [UInt8] = []
        var at = start
        while let end = find([13, 10], in: bytes[at...]) {
            let line = String(decoding: bytes[at..<end], as: UTF8.self).prefix { $0 != ";" }
            guard let size = Int(line, radix: 16) else { return nil }
            at = end + 2
            if size == 0 {
                guard let trailerEnd = find([13, 10, 13, 10], in: bytes[(at - 2)...]) else { return nil }
                return (body, trailerEnd + 4)
            }
            guard bytes.count >= at + size + 2 else { return nil }
            body += bytes[at..<at + size]
            at += size + 2
        }
        return nil
    }

    private static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (bytes.startIndex...bytes.endIndex - pattern.count).first {
            bytes[$0] == pattern[0] && bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
        }
    }
}

/// Runs blocking work on a thread of its own: the tests' own threads are few.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    await withCheckedContinuation { continuation in
        let isStarted = Thread.start { continuation.resume(returning: body()) }
        if !isStarted { continuation.resume(returning: nil) }
    }
}

/// Gives other threads the processor until the condition holds; false after a minute.
func eventually(_ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
        if ContinuousClock.now > end { return false }
        sched_yield()
    }
    return true
}

/// The same as ``onThread(_:)`` with a running sandbox around.
func withSandbox<Value: Sendable>(
    _ configuration: SandboxConfiguration = .init(), _ body: @escaping @Sendable (Sandbox) throws -> Value
) async throws -> Value {
    let sandbox = Sandbox(configuration)
    try sandbox.start()
    let result = await onThread { Result { try body(sandbox) } }
    await onThread { sandbox.stop() }
    guard let result else { throw SandboxError.noThread }
    return try result.get()
}
