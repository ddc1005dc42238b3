import Foundation
import Glibc

/// The `openssl` program, an independent way through the command line to what the module does in memory.
struct OpenSSLTool {
    static let path = "/usr/bin/openssl"
    static var isThere: Bool { access(path, X_OK) == 0 }

    let folder = FileManager.default.temporaryDirectory.appending(path: "gatewaycrypto-" + UUID().uuidString)

    struct Failure: Error {
        let status: Int32
        let arguments: [String]
    }

    init() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    /// Runs it in the folder; words that start with `@` are files there.
    func run(_ arguments: String..., options: [String] = []) throws {
        let words = (arguments + options.flatMap { ["-pkeyopt", $0] }).map {
            $0.hasPrefix("@") ? folder.appending(path: String($0.dropFirst())).path : $0
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let copies = ([Self.path] + words).map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var child = pid_t()
        let code = posix_spawn(&child, Self.path, &actions, nil, copies + [nil], environ)
        guard code == 0 else { throw Failure(status: code, arguments: arguments) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(status: status, arguments: arguments) }
    }
}
