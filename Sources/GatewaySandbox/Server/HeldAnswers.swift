#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The connections that wait for somebody to let their answers go.
final class HeldAnswers: Sendable {
    /// The writing ends of the pipes on which they wait.
    private let waiting = Locked<Set<Int32>>([])

    /// How many wait.
    var count: Int { waiting.withLock { $0.count } }

    /// Lets all go that wait now.
    func release() {
        waiting.withLock { waiting in
            for descriptor in waiting { close(descriptor) }
            waiting = []
        }
    }

    /// Blocks until ``release()``; false when the peer went away or the server stopped first.
    func wait(on connection: Int32) -> Bool {
        var ends: (reading: Int32, writing: Int32) = (-1, -1)
        let isPiped = withUnsafeMutableBytes(of: &ends) { bytes in
            bytes.withMemoryRebound(to: Int32.self) { pipe($0.baseAddress) == 0 }
        }
        guard isPiped else { return false }
        let (reading, writing) = ends
        for descriptor in [reading, writing] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        waiting.withLock { _ = $0.insert(writing) }
        let isConnected = Socket.waitWhileConnected(connection, for: nil, wakeUp: reading)
        waiting.withLock { waiting in
            if waiting.remove(writing) != nil { close(writing) }
        }
        close(reading)
        return isConnected
    }
}
