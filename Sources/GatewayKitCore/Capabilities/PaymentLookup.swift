/// Finds payments again: the only way to settle what is unknown. All reads; they may be repeated.
public protocol PaymentLookup: Sendable {
    /// Finds one payment by the provider's id where the reference has it, and by the attempt's own reference otherwise,
    /// together with what was done to it afterwards as far as the provider tells.
    ///
    /// - Parameter since: No later than when the attempt was begun: how far back a list must be read.
    /// - Throws: ``GatewayError`` when there is no usable answer.
    func find(
        _ reference: PaymentReference, since: WallTime, _ call: CallContext
    ) async throws(GatewayError) -> PaymentFinding

    /// One page of what the account did, newest first.
    ///
    /// - Parameter cursor: ``PaymentPage/next`` of the page before; `nil` for the first one.
    /// - Throws: ``GatewayError`` when there is no usable answer.
    func page(after cursor: String?, _ call: CallContext) async throws(GatewayError) -> PaymentPage

    /// How long after it was sent a payment can still turn up at the provider. Absence proves nothing earlier.
    var longestProcessingTime: Duration { get }
}

/// What came of looking for a payment.
public enum PaymentFinding: Sendable, Equatable {
    /// There it is.
    case found(PaymentRecord)
    /// It is not there, and reading went far enough back. Whether that proves anything is a question of time
    /// (``PaymentLookup/longestProcessingTime``) and of `witnesses`: ids of payments that the same reading showed. With
    /// none, an empty list may be a fault of the list.
    case absent(witnesses: [String])
}

/// A page of what an account did.
public struct PaymentPage: Sendable, Hashable {
    /// The transactions, newest first; children are beside their parents, not in them.
    public var records: [PaymentRecord]
    /// Where the next page begins; `nil` when this is the last one.
    public var next: String?

    /// Describes a page.
    public init(records: [PaymentRecord], next: String?) {
        self.records = records
        self.next = next
    }
}
