import GatewayKitCore
import GatewayTransportSuite

@testable import GatewayTransport

extension TransportSubject {
    /// `CurlTransport`, with nothing left out.
    static let curl = TransportSubject(
        "CurlTransport",
        startThreads: { ($0 as? CurlTransport)?.loop.startNow() },
        close: { await ($0 as? CurlTransport)?.shutdown() },
        make: { CurlTransport(try TransportConfiguration($0)) })
}

extension TransportConfiguration {
    init(_ options: TransportOptions) throws {
        let standard = TransportConfiguration.standard
        try self.init(
            connectTimeout: options.connectTimeout ?? standard.connectTimeout,
            maxConnectionsPerHost: options.maximumConnectionsPerHost ?? standard.maxConnectionsPerHost,
            maxBodyBytes: options.maximumBodyBytes ?? standard.maxBodyBytes,
            maxHeadBytes: options.maximumHeadBytes ?? standard.maxHeadBytes,
            proxy: options.proxy.map { try Proxy(address: $0.address, user: $0.user, password: $0.password) },
            noProxy: NoProxyList(options.noProxy.joined(separator: ",")), extraCAFile: options.caFile,
            http2: options.offersHTTP2, allowsPlainHTTPOnLoopback: true)
    }
}
