import CBareCurl
import GatewayKitCore
import GatewayTransport

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The yardstick: the same exchange by a bare libcurl loop in C, on the calling thread.
final class BareLoop {
    private let loop: OpaquePointer

    /// Prepares handles for `inFlight` calls that send exactly what `CurlTransport` sends for `request`.
    init(_ request: WireRequest, inFlight: Int) throws(BenchmarkFailure) {
        var lines: [String] = []
        for field in request.fields.list {
            field.value.withExposed { lines.append(Self.capitalised(field.name.description) + ": " + $0) }
        }
        if let body = request.body { lines.append("Content-Type: " + body.contentType) }
        lines.append("Expect:")
        lines.append("Accept-Encoding: gzip, deflate")
        lines.append("User-Agent: " + TransportConfiguration.loopback.userAgent)
        let texts = lines.map { strdup($0) }
        defer { for text in texts { free(text) } }
        let made = request.url.wireText.withExposed { url in
            (request.body?.bytes ?? Sensitive([])).withExposed { body in
                texts.map { UnsafePointer($0) }.withUnsafeBufferPointer { lines in
                    gk_bare_loop_new(url, lines.baseAddress, lines.count, body, body.count, inFlight, 201)
                }
            }
        }
        guard let made else { throw BenchmarkFailure("the bare libcurl loop cannot be set up") }
        loop = made
    }

    deinit {
        gk_bare_loop_free(loop)
    }

    /// Exchanges for `nanoseconds`.
    func run(nanoseconds: UInt64) -> Slice {
        var latencies = [UInt64](repeating: 0, count: 400_000)
        let cpu = Meter.cpu
        let start = Meter.now
        let result = gk_bare_loop_run(loop, nanoseconds, &latencies, latencies.count)
        var slice = Slice()
        slice.elapsed = Meter.now - start
        slice.cpu = Meter.cpu - cpu
        slice.exchanges = Int(result.exchanges)
        slice.failures = Int(result.failures)
        slice.latencies = Array(latencies.prefix(result.latencies))
        slice.connections = Int(result.connections_opened)
        return slice
    }

    private static func capitalised(_ name: String) -> String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }
}
