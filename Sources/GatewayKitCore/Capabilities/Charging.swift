/// Starts payments: takes money, reserves it, or checks an instrument.
///
/// For adapters and for the payment service. Application code pays through `PaymentService`, which writes down what it
/// is about to do before it does it.
public protocol Charging: Sendable {
    /// Sends one attempt, at most once.
    ///
    /// Moves money. Must not be repeated after ``PaymentResult/unknown(_:cause:)``.
    /// - Throws: ``NothingMoved``: no usable answer, and certainly no money moved.
    func charge(_ request: PaymentRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult

    /// Goes on with a payment whose next action has been done. A money call like ``charge(_:_:)``: where the payment is
    /// over already, it answers with what came of it.
    /// - Throws: ``NothingMoved``.
    func resume(_ payment: PaymentReference, _ call: CallContext) async throws(NothingMoved) -> PaymentResult
}

/// Takes what an authorization reserved.
public protocol Capturing: Sendable {
    /// Sends one capture, at most once; the amount is always sent.
    /// - Throws: ``NothingMoved``.
    func capture(_ request: ChildRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult
}

/// Cancels payments that are not settled.
public protocol Voiding: Sendable {
    /// Sends one void, at most once. ``ChildRequest/amount`` is not used.
    /// - Throws: ``NothingMoved``.
    func void(_ request: ChildRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult
}

/// Gives back what was taken.
public protocol Refunding: Sendable {
    /// Sends one refund, at most once; the amount is always sent. Two equal refunds differ by their own references.
    /// - Throws: ``NothingMoved``.
    func refund(_ request: ChildRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult
}

/// Gives money without an earlier payment.
public protocol Crediting: Sendable {
    /// Sends one credit, at most once. ``PaymentRequest/kind`` is not used.
    /// - Throws: ``NothingMoved``.
    func credit(_ request: PaymentRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult
}

/// What an account can do with money. What is `nil` is not supported.
public struct PaymentCapabilities: Sendable {
    /// Starting payments.
    public var charging: (any Charging)?
    /// Taking what was reserved.
    public var capturing: (any Capturing)?
    /// Cancelling.
    public var voiding: (any Voiding)?
    /// Giving back.
    public var refunding: (any Refunding)?
    /// Giving without an earlier payment.
    public var crediting: (any Crediting)?
    /// Finding payments again.
    public var lookup: (any PaymentLookup)?

    /// None, until they are set.
    public init() {}
}
