import GatewayTransport

/// The transport as an application has it: no plain HTTP anywhere.
enum StrictTransport {
    static let shared = CurlTransport(.standard)
}
