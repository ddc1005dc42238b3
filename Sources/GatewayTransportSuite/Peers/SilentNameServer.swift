import GatewayKitCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A UDP port 53 that takes questions and answers none, and threads that believe in it.
final class SilentNameServer: Sendable {
    private static let address = "127.53.0.53"
    private let server: Int32
    private let file: String

    /// - Parameter file: The text of a resolver configuration that names this server is written there.
    init(_ run: CaseRun) throws {
        guard geteuid() == 0 else { throw CaseRun.Skip(reason: "it needs root, to give a thread another name server") }
        let server = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        inet_pton(AF_INET, Self.address, &address.sin_addr)
        var on: Int32 = 1
        setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        self.server = server
        file = try run.file("nameserver \(Self.address)\n")
        guard isBound else { throw CaseRun.Skip(reason: "port 53 of \(Self.address) cannot be had") }
    }

    deinit { closeDescriptor(server) }

    /// Whether a question has come.
    var wasAsked: Bool {
        var byte: UInt8 = 0
        return recv(server, &byte, 1, Int32(MSG_DONTWAIT)) > 0
    }

    /// Runs `body` in a thread in which, and in whose child threads, names are looked up here.
    func enter(_ body: @escaping @Sendable () -> Void) async throws {
        let file = self.file
        let isIn = await withCheckedContinuation { continuation in
            startThread {
                let isIn = Self.hideNameServer(behind: file)
                if isIn { body() }
                continuation.resume(returning: isIn)
            }
        }
        guard isIn else { throw CaseRun.Skip(reason: "this process may not make mount namespaces") }
    }

    /// A mount namespace belongs to a thread and is inherited by the threads that it starts.
    private static func hideNameServer(behind file: String) -> Bool {
        // The C library's module does not show `unshare` and CLONE_NEWNS.
        guard let symbol = dlsym(nil, "unshare") else { return false }
        let unshare = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
        guard unshare(0x0002_0000) == 0 else { return false }
        guard mount(nil, "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0 else { return false }
        return mount(file, "/etc/resolv.conf", nil, UInt(MS_BIND), nil) == 0
    }
}
