// snippet.hide
// Shown in Docs/Testing.md: a test keeps the two alike.
// snippet.show
import GatewayKitCore
import GatewayTransport
import GatewayTransportSuite

// A transport of your own takes the place of CurlTransport here. What it cannot do is named, and skipped.
let subject = TransportSubject("CurlTransport", lacks: [], close: { await ($0 as? CurlTransport)?.shutdown() }) {
    options in
    CurlTransport(
        try TransportConfiguration(
            connectTimeout: options.connectTimeout ?? .seconds(10),
            maxConnectionsPerHost: options.maximumConnectionsPerHost ?? 64,
            maxBodyBytes: options.maximumBodyBytes ?? 4 << 20, maxHeadBytes: options.maximumHeadBytes ?? 64 << 10,
            proxy: options.proxy.map { try Proxy(address: $0.address, user: $0.user, password: $0.password) },
            noProxy: NoProxyList(options.noProxy.joined(separator: ",")), extraCAFile: options.caFile,
            http2: options.offersHTTP2, allowsPlainHTTPOnLoopback: true))
}

let outcomes = await TransportSuite.run(subject)
for outcome in outcomes { print(outcome) }
print(outcomes.filter(\.isFailure).count, "failed of", outcomes.count)
