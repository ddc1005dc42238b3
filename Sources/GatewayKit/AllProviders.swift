import BlueSnapAdapter
public import GatewayKitCore
import GatewayTransport
import HellgateAdapter
import SafepayAdapter
import SpreedlyAdapter

extension ProviderRegistry {
    /// Every provider that GatewayKit has an adapter for. A new adapter joins here.
    public static let all = ProviderRegistry([
        SpreedlyProvider(), HellgateProvider(), BlueSnapProvider(), SafepayProvider(),
    ])
}
