import Dispatch
import GatewayKitCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension PeerConnection {
    /// Grants a tunnel and carries bytes both ways until one side closes.
    func relay(toPort port: Int) {
        write("HTTP/1.1 200 OK\r\nProxy-Agent: test\r\n\r\n")
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { closeDescriptor(far) }
        var address = Loopback.address(port: port)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return }
        let isDone = DispatchSemaphore(value: 0)
        startThread { [self] in
            var room = [UInt8](repeating: 0, count: 16 << 10)
            while true {
                let count = recv(far, &room, room.count, 0)
                guard count > 0, write(Array(room[..<count])) else { break }
            }
            endBothWays()
            isDone.signal()
        }
        while true {
            let bytes = readSome()
            guard !bytes.isEmpty else { break }
            guard bytes.withUnsafeBytes({ send(far, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 else { break }
        }
        shutdown(far, Int32(SHUT_RDWR))
        isDone.wait()
    }
}

enum Loopback {
    static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        return address
    }
}

/// A listening port whose queue is full, so that connecting to it takes for ever.
final class FullBacklog: Sendable {
    let port: Int
    private let sockets: [Int32]

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var sockets = [listener]
        var address = Loopback.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw CaseRun.Skip(reason: "no port can be had") }
        port = Int(UInt16(bigEndian: address.sin_port))
        for _ in 0..<4 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
            }
            sockets.append(client)
        }
        self.sockets = sockets
    }

    deinit { for socket in sockets { closeDescriptor(socket) } }
}
