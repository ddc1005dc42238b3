#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The few socket calls that the server makes, by file descriptor.
package enum Socket {
    /// `POLLRDHUP` of Linux, which the C library shows to GNU sources only.
    private static let peerHungUp: Int16 = 0x2000

    /// A bound socket of 127.0.0.1, not listening yet; port 0 lets the system choose one.
    package static func bound(to port: UInt16) throws(SandboxError) -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .socket(call: "socket", errno: errno) }
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let outcome = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> Int32 in
                if bind(descriptor, generic, size) != 0 { return errno }
                return getsockname(descriptor, generic, &size) == 0 ? 0 : errno
            }
        }
        guard outcome == 0 else {
            close(descriptor)
            throw outcome == EADDRINUSE || outcome == EACCES
                ? .portUnavailable(port) : .socket(call: "bind", errno: outcome)
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    package static func listen(on descriptor: Int32) -> Bool {
        #if canImport(Glibc)
            Glibc.listen(descriptor, 512) == 0
        #else
            Musl.listen(descriptor, 512) == 0
        #endif
    }

    /// The next connection; negative with `errno` set when there is none.
    package static func accept(on listener: Int32) -> Int32 {
        #if canImport(Glibc)
            let descriptor = Glibc.accept(listener, nil, nil)
        #else
            let descriptor = Musl.accept(listener, nil, nil)
        #endif
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }

    static func prepareConnection(_ descriptor: Int32, timeout: Duration) {
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        let (seconds, attoseconds) = timeout.components
        let value = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        set(descriptor, SOL_SOCKET, SO_RCVTIMEO, value)
        set(descriptor, SOL_SOCKET, SO_SNDTIMEO, value)
    }

    /// Makes the coming `close` a reset: the peer gets RST instead of FIN.
    package static func makeCloseReset(_ descriptor: Int32) {
        set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: some BitwiseCopyable) {
        withUnsafeBytes(of: value) { bytes in
            _ = setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    /// Sends everything; false when the peer is gone, does not read for too long, or the server stops.
    package static func sendAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
                let count = send(descriptor, start, rest.count, Int32(MSG_NOSIGNAL))
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    package enum Arrival { case bytes(Int), ended, timedOut }

    static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Arrival {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .timedOut : .ended
        }
    }

    /// Blocks until the peer goes away, the server shuts the socket down, `wakeUp` becomes readable, or the time is
    /// over (`nil`: never). Input that arrives meanwhile does not end the wait. True when the peer is still there.
    static func waitWhileConnected(_ descriptor: Int32, for time: Duration?, wakeUp: Int32 = -1) -> Bool {
        let end = time.map { ContinuousClock.now + $0 }
        while true {
            var milliseconds: Int32 = -1
            if let end {
                let left = (end - ContinuousClock.now).components
                let whole = left.seconds * 1000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
                if whole <= 0 { return true }
                milliseconds = Int32(clamping: whole)
            }
            var waits = [
                pollfd(fd: descriptor, events: peerHungUp, revents: 0),
                pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waits, nfds_t(waits.count), milliseconds)
            if count < 0 && errno != EINTR { return false }
            if count <= 0 { continue }
            return waits.first?.revents == 0
        }
    }

    /// Ends a connection so that what was sent arrives: an unread input would turn `close` into a reset.
    static func closeGently(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_WR))
        var drained = 0
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            while drained < 4 << 20, case .bytes(let count) = receive(descriptor, into: buffer) { drained += count }
        }
    }
}
