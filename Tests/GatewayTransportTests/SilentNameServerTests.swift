import GatewayKitCore
import Glibc
import Testing

@testable import GatewayTransport

/// Runs only where the test may give a thread its own view of `/etc/resolv.conf` (as root on Linux); the fault suite of
/// the sandbox does the same by other means.
@Suite("A name server that never answers", .enabled(if: SilentNameServer.isPossible))
struct SilentNameServerTests {
    @Test("N2: its call ends on time and delays no other; giving it up does not block", .timeLimit(.minutes(1)))
    func silent() async throws {
        let silence = try SilentNameServer()
        let peer = try TestPeer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        let transport = CurlTransport(.loopback)
        #expect(await silence.enter { transport.loop.startNow() })
        let url = try peer.url()
        let unknown = try WireURL(base: "https://gateway.example")

        async let first = OwnThread.run {
            let start = ContinuousClock.now
            return (await transport.failure(post(unknown), within: .milliseconds(400)), start.duration(to: .now))
        }
        let doomed = Task { await transport.failure(post(unknown)) }
        // These calls go on while both look-ups hang, and after one of them was given up.
        for index in 0..<40 {
            #expect(try await transport.outcome(get(url)).get().status == 200)
            if index == 20 { doomed.cancel() }
        }
        let cancelled = try #require(await doomed.value)
        #expect(cancelled.kind == .cancelled)
        #expect(cancelled.reach == .notSent)
        let (found, duration) = await first
        let error = try #require(found)
        #expect(duration < .seconds(5))
        #expect(error.kind == .connectTimeout)
        #expect(error.reach == .notSent)
        #expect(error.detail.description.contains("name look-up"))
        #expect(silence.wasAsked)
        let beforeShutdown = ContinuousClock.now
        await transport.shutdown()
        #expect(beforeShutdown.duration(to: .now) < .seconds(3))
    }
}

/// A UDP port 53 that takes questions and answers none, and threads that believe in it.
final class SilentNameServer: Sendable {
    private static let address = "127.53.0.53"
    private let server: Int32
    private let file: String

    struct Failure: Error {}

    /// Whether this process may bind port 53 and make mount namespaces.
    static let isPossible: Bool = {
        guard geteuid() == 0, let probe = try? SilentNameServer() else { return false }
        return probe.probe()
    }()

    init() throws {
        let server = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
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
        var template = Array("/tmp/gk-resolv-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        file = template.withUnsafeBufferPointer {
            String(decoding: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        let text = Array("nameserver \(Self.address)\n".utf8)
        let isWritten = descriptor >= 0 && write(descriptor, text, text.count) == text.count
        close(descriptor)
        guard isBound, isWritten else { throw Failure() }
    }

    deinit {
        close(server)
        unlink(file)
    }

    /// Whether a question has come.
    var wasAsked: Bool {
        var byte: UInt8 = 0
        return recv(server, &byte, 1, Int32(MSG_DONTWAIT)) > 0
    }

    /// Runs `body` in a thread in which, and in whose child threads, names are looked up here.
    func enter(_ body: @escaping @Sendable () -> Void) async -> Bool {
        let file = self.file
        return await withCheckedContinuation { continuation in
            startThread {
                let isIn = Self.hideNameServer(behind: file)
                if isIn { body() }
                continuation.resume(returning: isIn)
            }
        }
    }

    private func probe() -> Bool {
        let file = self.file
        let result = Locked<Bool?>(nil)
        startThread {
            let isIn = Self.hideNameServer(behind: file)
            result.withLock { $0 = isIn }
        }
        while true {
            if let isIn = result.withLock({ $0 }) { return isIn }
            usleep(500)
        }
    }

    /// A mount namespace belongs to a thread and is inherited by the threads that it starts.
    private static func hideNameServer(behind file: String) -> Bool {
        // Glibc's module does not show `unshare` and CLONE_NEWNS.
        guard let symbol = dlsym(nil, "unshare") else { return false }
        let unshare = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
        guard unshare(0x0002_0000) == 0 else { return false }
        guard mount(nil, "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0 else { return false }
        return mount(file, "/etc/resolv.conf", nil, UInt(MS_BIND), nil) == 0
    }
}
