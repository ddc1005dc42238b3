import Synchronization

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A program that was started by its path, and its standard output if that is wanted.
struct ChildProcess {
    /// Where the child's standard output goes.
    enum Output {
        case pipe, discarded
    }

    let id: pid_t
    /// The reading end of its standard output, or -1.
    let output: Int32

    init(_ path: String, _ arguments: [String], output: Output) throws(BenchmarkFailure) {
        var ends: [Int32] = [-1, -1]
        if output == .pipe, pipe(&ends) != 0 { throw BenchmarkFailure("there is no pipe: \(lastError())") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        switch output {
        case .pipe:
            posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
            posix_spawn_file_actions_addclose(&actions, ends[0])
            posix_spawn_file_actions_addclose(&actions, ends[1])
        case .discarded:
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        let words = ([path] + arguments).map { strdup($0) }
        let environment = Self.environment.map { strdup($0) }
        defer { for text in words + environment { free(text) } }
        var child = pid_t()
        let code = posix_spawn(&child, path, &actions, nil, words + [nil], environment + [nil])
        if output == .pipe { close(ends[1]) }
        guard code == 0 else {
            if output == .pipe { close(ends[0]) }
            throw BenchmarkFailure("\(path) cannot be started: \(String(cString: strerror(code)))")
        }
        id = child
        self.output = ends[0]
    }

    /// Only what a program needs to start, so that no setting of the surroundings has a say in the figures.
    private static var environment: [String] {
        ["PATH", "HOME", "LD_LIBRARY_PATH"].compactMap { name in
            getenv(name).map { name + "=" + String(cString: $0) }
        }
    }

    /// Waits for its end; the exit status as `waitpid` gives it.
    @discardableResult
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        if output >= 0 { close(output) }
        return status
    }
}

/// Why there are no figures.
struct BenchmarkFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// The system's words for the last failed call.
func lastError() -> String {
    String(cString: strerror(errno))
}

/// The one child that must not outlive this program, whatever ends it.
enum Guarded {
    private static let child = Atomic<pid_t>(0)

    /// Ends `process` together with this program, should a signal end that.
    static func guards(_ process: ChildProcess) {
        child.store(process.id, ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                Guarded.end()
                _exit(128 + number)
            }
        }
    }

    /// Ends the child, if there is one. Safe in a signal handler.
    static func end() {
        let id = child.exchange(0, ordering: .sequentiallyConsistent)
        if id > 0 { kill(id, SIGKILL) }
    }
}
