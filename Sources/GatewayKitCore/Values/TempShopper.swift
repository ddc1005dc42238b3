public struct Address: Sendable, Hashable {
    public var line1: String?, line2: String?, city: String?, region: String?, postalCode: String?, country: String?
}
public struct Shopper: Sendable, Hashable {
    public var name: String?, email: String?, phone: String?, company: String?
    public var billing: Address?
    public struct Shipping: Sendable, Hashable { public var address: Address?, phone: String?, name: String? }
    public var shipping: Shipping?
    public init() {}
}
