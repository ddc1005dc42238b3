public import GatewayKitCore

/// How an intent is to be paid this time: the instrument and what goes with it.
public struct PaymentInstruction: Sendable, Hashable {
    /// What to do.
    public var kind: PaymentRequest.Kind
    /// The provider's token of the instrument to charge. It is not written into the journal.
    public var token: String
    /// The caller's key of this try, such as an id that the checkout page was given. The same key gets the same payment
    /// back. 1 to 128 ASCII letters, digits and `-_.:/`; a new one is made where it is `nil`.
    public var key: String?
    /// What is paid for, for people.
    public var description: String?
    /// Who pays, as far as it is known. It is not written into the journal.
    public var shopper = Shopper()
    /// The address of the shopper's device.
    public var shopperIPAddress: String?
    /// Whether the instrument is to be kept if the payment succeeds, with the shopper's consent.
    public var retainOnSuccess: Bool?
    /// The use of credentials on file, where it is one.
    public var storedCredential: PaymentRequest.StoredCredential?
    /// Where the provider sends the shopper after a next action.
    public var returnURL: String?
    /// Options that only one provider knows.
    public var options: [String: OptionValue] = [:]

    /// Describes a try.
    public init(_ kind: PaymentRequest.Kind, token: String, key: String? = nil) {
        self.kind = kind
        self.token = token
        self.key = key
    }

    func request(_ attempt: PaymentAttempt, _ intent: PaymentIntent) -> PaymentRequest {
        var request = PaymentRequest(
            kind, attempt.amount, token: token, ownReference: attempt.id.description)
        request.orderReference = intent.orderReference
        request.description = description
        request.shopper = shopper
        request.shopperIPAddress = shopperIPAddress
        request.retainOnSuccess = retainOnSuccess
        request.storedCredential = storedCredential
        request.returnURL = returnURL
        request.options = options
        return request
    }
}

/// A capture, void or refund of a payment.
public struct ChildInstruction: Sendable, Hashable {
    /// How much; `nil` is all of the rest, which is computed and sent as an amount. Not used by voids.
    public var amount: Money?
    /// The id of this one operation. Two equal partial refunds are two only if their keys differ; the same key gets the
    /// same operation back.
    public var key: String
    /// Who asks for it, for the journal.
    public var requestedBy: String?
    /// Why, for the journal and the provider.
    public var reason: String?

    /// Describes an operation.
    public init(key: String, amount: Money? = nil, requestedBy: String? = nil, reason: String? = nil) {
        self.key = key
        self.amount = amount
        self.requestedBy = requestedBy
        self.reason = reason
    }
}

/// What came of a call of ``PaymentService``.
public struct PaymentOutcome: Sendable, Equatable {
    /// The answer.
    public let result: PaymentResult
    /// The attempt, as the journal has it. Keep its id.
    public let attempt: PaymentAttempt
    /// Whether the journal has the answer. Where it has not, the answer is true all the same; the reconciler will find
    /// it again.
    public let isRecorded: Bool
    /// Whether the attempt was there already: nothing was sent by this call.
    public let isJoined: Bool

    /// Whether less was approved than was asked for.
    public var isPartial: Bool {
        guard case .approved(let record) = result, let amount = record.amount else { return false }
        return amount.currency == attempt.amount.currency && amount.minorUnits < attempt.amount.minorUnits
    }

    /// Whether somebody has to look at the payment before goods are sent.
    public var needsReview: Bool {
        switch result {
        case .approved(let record), .pending(_, let record): record.needsReview
        case .declined, .invalid, .unknown: false
        }
    }
}
