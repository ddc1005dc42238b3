/// Makes a shopper known to a provider, which then keeps cards under the shopper's id.
///
/// Moves no money.
public protocol CustomerCreating: Sendable {
    /// Stores the shopper under a new id. Sent at most once: providers let the same shopper be stored twice.
    /// - Throws: ``GatewayError`` when there is no usable answer *and* nobody was stored.
    func create(_ shopper: Shopper, _ call: CallContext) async throws(GatewayError) -> CustomerResult
}

extension CustomerCreating {
    /// ``create(_:_:)`` with the account's own time limit.
    public func create(_ shopper: Shopper) async throws(GatewayError) -> CustomerResult {
        try await create(shopper, CallContext())
    }
}

/// What came of making a shopper known.
public enum CustomerResult: Sendable, Equatable {
    /// The provider's id of the shopper: ``SessionRequest/shopperID``.
    case created(id: String)
    /// One or more fields are wrong. Nothing was stored. The issues' origin tells who found them.
    case invalid([FieldIssue])
    /// The shopper may have been stored, but no usable answer came.
    case unknown(cause: GatewayError)

    /// The name of the case, for events and metrics.
    public var outcomeName: String {
        switch self {
        case .created: "created"
        case .invalid: "invalid"
        case .unknown: "unknown"
        }
    }
}
