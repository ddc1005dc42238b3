import Glibc

/// A child process and what it wrote. Not `Foundation.Process`, in whose start the address sanitizer finds a fault.
enum SpawnedProcess {
    struct Ending {
        let status: Int32
        let output: String
        let talk: String
    }

    struct Failure: Error {
        let code: Int32
    }

    /// Runs a program to its end. Its outputs must be smaller than a pipe's buffer (64 KiB) together, unless `talk` is
    /// thrown away.
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String], keepsTalk: Bool = true
    ) throws -> Ending {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var output: [Int32] = [-1, -1]
        var talk: [Int32] = [-1, -1]
        guard pipe(&output) == 0, pipe(&talk) == 0 else { throw Failure(code: errno) }
        for end in output + talk { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO)
        if keepsTalk {
            posix_spawn_file_actions_adddup2(&actions, talk[1], STDERR_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        var child = pid_t()
        let code = withStrings([path] + arguments) { arguments in
            withStrings(environment.map { $0.key + "=" + $0.value }) { environment in
                posix_spawn(&child, path, &actions, nil, arguments, environment)
            }
        }
        close(output[1])
        close(talk[1])
        let texts = [output[0], talk[0]].map(readAll)
        guard code == 0 else { throw Failure(code: code) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return Ending(status: signal == 0 ? (status >> 8) & 0xFF : signal, output: texts[0], talk: texts[1])
    }

    private static func withStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }

    private static func readAll(_ descriptor: Int32) -> String {
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[0..<count]
        }
    }
}
