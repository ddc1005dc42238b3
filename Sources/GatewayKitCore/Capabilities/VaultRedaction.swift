/// What is to go with an instrument's data when it is redacted.
public struct VaultRedaction: Sendable, Hashable {
    /// A gateway or acquirer behind the provider, by the provider's id for it, at which the instrument was stored too:
    /// it is asked to remove it there.
    public var gateway: String?
    /// Whether names, addresses and metadata go too, where the provider otherwise keeps them.
    public var removesPersonalData: Bool

    /// Describes a redaction; by default only the instrument's own data goes.
    public init(gateway: String? = nil, removesPersonalData: Bool = false) {
        self.gateway = gateway
        self.removesPersonalData = removesPersonalData
    }
}
