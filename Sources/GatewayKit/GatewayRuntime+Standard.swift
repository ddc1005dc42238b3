public import GatewayKitCore
import GatewayTransport

extension GatewayRuntime {
    /// The surroundings of an ordinary program that works with this configuration. Plain HTTP to this machine is
    /// allowed if one of the accounts is in the environment `sandbox`.
    ///
    /// Make one per program and share it: its transport keeps connections open.
    ///
    /// - Throws: ``GatewayError/Code/configuration``, naming the setting.
    public static func standard(
        _ configuration: Configuration, observer: (any GatewayObserver)? = nil
    ) throws(GatewayError) -> GatewayRuntime {
        let usesSandbox = configuration.accountNames.contains { name in
            (try? configuration.account(name, .all))?.environment.kind == .sandbox
        }
        return try standard(configuration.network, reachesSandbox: usesSandbox, observer: observer)
    }

    /// The surroundings of an ordinary program: libcurl as the transport, the system's clocks and randomness.
    ///
    /// - Parameters:
    ///   - network: Proxy, certificate authorities and time limits, as configured.
    ///   - reachesSandbox: Whether plain HTTP to this machine is allowed, for accounts in the environment `sandbox`.
    ///   - observer: Is told what happens.
    /// - Throws: ``GatewayError/Code/configuration``, naming the setting.
    public static func standard(
        _ network: NetworkSettings, reachesSandbox: Bool = false, observer: (any GatewayObserver)? = nil
    ) throws(GatewayError) -> GatewayRuntime {
        do throws(TransportConfigurationProblem) {
            let proxy: Proxy? =
                if let address = network.proxy {
                    try Proxy(
                        address: address, user: network.proxyUser.map { Sensitive($0) },
                        password: network.proxyPassword)
                } else {
                    nil
                }
            let transport = CurlTransport(
                try TransportConfiguration(
                    connectTimeout: network.connectTimeout, proxy: proxy,
                    noProxy: NoProxyList(network.noProxy.joined(separator: ",")), extraCAFile: network.caFile,
                    http2: network.http2, allowsPlainHTTPOnLoopback: reachesSandbox))
            return GatewayRuntime(transport: transport, observer: observer)
        } catch {
            throw GatewayError(
                .configuration, message: "The network setting \(error.option) is unusable: \(error.reason).",
                advice: "Correct it under \"network\" in the configuration file, or in its GATEWAYKIT_ variable.")
        }
    }
}
