import GatewayKitCore
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The process's own stdin, stdout and stderr.
final class SystemDevice: TerminalDevice {
    /// The input could not be read.
    struct ReadError: Error {
        /// The system's error number.
        let number: Int32
    }

    private struct State {
        var closed: Set<TerminalStream> = []
        var hasLostOutput = false
        /// How the terminal was before its echo was switched off.
        var before: termios?
    }

    private let state = Locked(State())

    init() {}

    /// Once the reader of a stream has gone nothing more is written to it, and the command goes on to its end: its exit
    /// code stays true, and nothing that is under way with a provider is cut off.
    func write(_ bytes: [UInt8], to stream: TerminalStream) {
        state.withLock { state in
            guard !state.closed.contains(stream) else { return }
            let failure = Self.writeAll(bytes, to: stream.descriptor)
            guard failure != 0 else { return }
            state.closed.insert(stream)
            if stream == .output, failure != EPIPE { state.hasLostOutput = true }
        }
    }

    var hasLostOutput: Bool { state.withLock { $0.hasLostOutput } }

    /// The error number that ended the writing; 0 when all bytes are out.
    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, 1000)
            } else if count == 0 || errno != EINTR {
                return count == 0 ? EIO : errno
            }
        }
        return 0
    }

    func isTerminal(_ stream: TerminalStream) -> Bool { isatty(stream.descriptor) == 1 }

    var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    var width: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    func read(atMost count: Int) throws -> [UInt8] {
        while true {
            if Task.isCancelled { throw CancellationError() }
            var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            // The wait is cut in pieces to notice a cancellation.
            let ready = poll(&waiting, 1, 100)
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            if ready < 0 { throw ReadError(number: errno) }
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let got = systemRead(STDIN_FILENO, buffer.baseAddress, count)
                if got < 0 { failure = errno }
                filled = max(got, 0)
            }
            if failure == 0 { return bytes }
            if failure != EINTR, failure != EAGAIN { throw ReadError(number: failure) }
        }
    }

    func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw ReadError(number: errno) }
        let before = settings
        state.withLock { $0.before = before }
        settings.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) == 0 else {
            restore()
            throw ReadError(number: errno)
        }
        defer { restore() }
        return try body()
    }

    /// Shows typed characters again, if they were switched off. Called on the way out of the process as well.
    func restore() {
        state.withLock { state in
            guard var before = state.before else { return }
            _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            state.before = nil
        }
    }
}

extension TerminalStream {
    fileprivate var descriptor: Int32 {
        switch self {
        case .output: STDOUT_FILENO
        case .talk: STDERR_FILENO
        }
    }
}

/// The class has methods of these names, which hide the system's.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
