import GatewayKitCore
import GatewayTransport
import GatewayTransportSuite

/// A read without a body.
func get(_ url: WireURL) -> WireRequest { .read(url) }

/// A creation that must not be repeated.
func post(_ url: WireURL, repeatability: WireRequest.Repeatability = .once) -> WireRequest {
    .creation(url, repeatability: repeatability)
}
