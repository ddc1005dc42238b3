import Foundation
import Glibc

/// A certificate authority, and TLS servers with its certificates: made by the `openssl` command when a test needs them.
final class Authority: Sendable {
    /// What kind of server to run.
    struct Server: Sendable {
        var hosts = "IP:127.0.0.1"
        var isExpired = false
        var options: [String] = []
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") }

    private let directory: URL
    var file: String { directory.appendingPathComponent("ca.pem").path }

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("gk-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=Test authority", "-keyout", "ca.key", "-out", "ca.pem",
        ])
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "openssl \(arguments)") }
    }

    /// A running server that answers every request with 200.
    final class Running: @unchecked Sendable {
        let port: Int
        private let process: Process

        init(port: Int, process: Process) {
            self.port = port
            self.process = process
        }

        deinit {
            // Not SIGTERM: the child may have inherited a mask that blocks it.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    func run(_ server: Server) throws -> Running {
        let name = UUID().uuidString
        try openssl([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=peer",
            "-addext", "subjectAltName=\(server.hosts)", "-keyout", "\(name).key", "-out", "\(name).csr",
        ])
        // A certificate that ends before it begins has expired, whatever the time is.
        try openssl([
            "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-copy_extensions", "copy",
            "-set_serial", "2", "-out", "\(name).pem", "-days", server.isExpired ? "-1" : "1",
        ])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments =
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "\(name).pem", "-key", "\(name).key", "-www"]
            + server.options
        process.currentDirectoryURL = directory
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var seen = ""
        while true {
            if let port = Self.port(in: seen) { return Running(port: port, process: process) }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            seen += String(decoding: more, as: UTF8.self)
        }
        kill(process.processIdentifier, SIGKILL)
        throw Failure(description: "openssl s_server did not start: \(seen)")
    }

    /// The server prints `ACCEPT 127.0.0.1:12345` once it listens.
    private static func port(in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix("ACCEPT ") {
            return line.split(separator: ":").last.flatMap { Int($0) }
        }
        return nil
    }
}
