/// Money that an imitated provider really moved, reserved, released or gave back: the truth that tests compare with what
/// callers were told. What was declined, and what still waits for the shopper, is no movement.
public struct LedgerMovement: Sendable, Hashable {
    /// What was done: `purchase`, `authorization`, `verification`, `capture`, `void`, `refund` or `credit`.
    public let kind: String
    /// How much, in minor units; `nil` for a void and a verification.
    public let amount: Int64?
    /// The currency's alphabetic code; `nil` where there is no amount.
    public let currency: String?
    /// The transaction that was captured, voided or refunded.
    public let parent: String?

    init(kind: String, amount: Int64? = nil, currency: String? = nil, parent: String? = nil) {
        self.kind = kind
        self.amount = amount
        self.currency = currency
        self.parent = parent
    }
}
