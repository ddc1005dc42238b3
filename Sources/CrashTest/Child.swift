import GatewayKitCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A worker process.
final class Child: Sendable {
    let pid: pid_t
    private let ending = Locked<Int32?>(nil)

    /// Starts this same program as a worker.
    init(_ arguments: [String]) throws {
        var pid = pid_t()
        let texts = (["crash-test", "work"] + arguments).map { strdup($0) }
        defer { texts.forEach { free($0) } }
        let code = posix_spawn(&pid, "/proc/self/exe", nil, nil, texts + [nil], environ)
        guard code == 0 else { throw Trouble("a worker cannot start: \(String(cString: strerror(code)))") }
        self.pid = pid
    }

    /// Ends it at once, as a power switch would end it for the process.
    func kill() { _ = Glibc.kill(pid, SIGKILL) }

    /// Waits for its end: the signal, or 256 and its exit code.
    func wait() -> Int32 {
        if let known = ending.withLock({ $0 }) { return known }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let result = status & 0x7F == 0 ? 256 + ((status >> 8) & 0xFF) : status & 0x7F
        ending.withLock { $0 = result }
        return result
    }

    /// Whether it has ended.
    var isOver: Bool {
        if ending.withLock({ $0 }) != nil { return true }
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return false }
        let result = status & 0x7F == 0 ? 256 + ((status >> 8) & 0xFF) : status & 0x7F
        ending.withLock { $0 = result }
        return true
    }
}
