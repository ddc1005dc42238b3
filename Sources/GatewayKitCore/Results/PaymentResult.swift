/// What came of a call that moves money: a payment, capture, void or refund.
public enum PaymentResult: Sendable, Equatable {
    /// It was done, with explicit proof. The record tells the amount: it may be less than was asked for.
    case approved(PaymentRecord)
    /// It goes on. The shopper has something to do, or, where the action is `nil`, the provider has: ask again later.
    case pending(NextAction?, PaymentRecord)
    /// A definite no, and no money moved. The record is `nil` where the provider kept none.
    case declined(Decline, PaymentRecord?)
    /// One or more fields are wrong; all that were found are listed. No money moved.
    case invalid([FieldIssue])
    /// Money may have moved. Look the reference up; do not send the payment again. `cause` tells what went wrong.
    case unknown(PaymentReference, cause: GatewayError)
}

extension PaymentResult {
    /// The name of the case, for events and metrics.
    public var outcomeName: String {
        switch self {
        case .approved: "approved"
        case .pending: "pending"
        case .declined: "declined"
        case .invalid: "invalid"
        case .unknown: "unknown"
        }
    }
}

/// Points at a payment, capture, void or refund from any process that has the account.
public struct PaymentReference: Sendable, Hashable, Codable {
    /// The account's name.
    public let accountName: String
    /// The reference that this one attempt sent to the provider, unique to it.
    public let ownReference: String
    /// The provider's id, once an answer told it.
    public var providerID: String?

    /// Points at a payment.
    public init(account: AccountName, ownReference: String, providerID: String? = nil) {
        accountName = account.description
        self.ownReference = ownReference
        self.providerID = providerID
    }
}
