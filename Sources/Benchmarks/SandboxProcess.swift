import GatewayKitCore

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// `gatewayctl sandbox serve` in a process of its own, so that its CPU is not counted as the client's.
struct SandboxProcess {
    let baseURL: String
    /// The credentials, by the names of the adapter's settings.
    let credentials: [String: String]
    private let process: ChildProcess

    /// - Parameter faults: Rules of what goes wrong, as `gatewayctl sandbox serve --fault` takes them.
    static func start(faults: [String] = []) throws(BenchmarkFailure) -> SandboxProcess {
        let path = try Neighbour.path("gatewayctl")
        let process = try ChildProcess(
            path, ["sandbox", "serve", "--seed", "1", "--output", "json"] + faults.flatMap { ["--fault", $0] },
            output: .pipe)
        Guarded.guards(process)
        do {
            return try SandboxProcess(process)
        } catch {
            Guarded.end()
            process.wait()
            throw error
        }
    }

    private init(_ process: ChildProcess) throws(BenchmarkFailure) {
        self.process = process
        let report = try Self.report(of: process)
        guard let provider = report["providers"].items.first(where: { (try? $0["id"].string()) == "spreedly" }),
            let baseURL = try? provider["baseURL"].string(), let members = try? provider.members()
        else { throw BenchmarkFailure("the sandbox does not tell its address") }
        self.baseURL = baseURL
        var credentials: [String: String] = [:]
        for member in members { credentials[member.name] = try? member.value.string() }
        credentials["id"] = nil
        credentials["baseURL"] = nil
        self.credentials = credentials
    }

    /// Reads standard output until it is one JSON object: the sandbox runs on, so there is no end to wait for.
    private static func report(of process: ChildProcess) throws(BenchmarkFailure) -> JSONValue {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(process.output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BenchmarkFailure("the sandbox ended before it told its address") }
            text += buffer[..<count]
            if let report = try? JSONValue(parsing: text) { return report }
        }
    }

    func stop() {
        Guarded.end()
        process.wait()
    }
}

/// Programs that were built together with this one.
enum Neighbour {
    static func path(_ name: String) throws(BenchmarkFailure) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { throw BenchmarkFailure("the path of this program is not known: \(lastError())") }
        let own = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = own.lastIndex(of: "/") else { throw BenchmarkFailure("the path of this program is odd") }
        let path = String(own[...slash]) + name
        guard access(path, X_OK) == 0 else {
            throw BenchmarkFailure(
                "\(name) does not stand beside this program; build it the same way: 'swift build -c release'")
        }
        return path
    }
}
