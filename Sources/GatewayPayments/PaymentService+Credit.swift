public import GatewayKitCore

/// How a credit is to be given: money that the shop gives without an earlier payment. What belongs to a payment is given
/// back with a refund, which the payment bounds; a credit is bounded by nothing but its intent.
public struct CreditInstruction: Sendable, Hashable {
    /// The provider's token of the instrument that gets the money. It is not written into the journal.
    public var token: String
    /// The caller's key of this try, as ``PaymentInstruction/key``.
    public var key: String?
    /// Who asks for it, for the journal.
    public var requestedBy: String?
    /// Why, for the journal.
    public var reason: String?
    /// What it is for, for people.
    public var description: String?
    /// Who gets it, as far as it is known. It is not written into the journal.
    public var shopper = Shopper()
    /// Options that only one provider knows.
    public var options: [String: OptionValue] = [:]

    /// Describes a credit.
    public init(token: String, key: String? = nil, requestedBy: String? = nil, reason: String? = nil) {
        self.token = token
        self.key = key
        self.requestedBy = requestedBy
        self.reason = reason
    }

    func request(_ attempt: PaymentAttempt, _ intent: PaymentIntent) -> PaymentRequest {
        var request = PaymentRequest(.purchase, attempt.amount, token: token, ownReference: attempt.id.description)
        request.orderReference = intent.orderReference
        request.description = description
        request.shopper = shopper
        request.options = options
        return request
    }
}

extension PaymentService {
    /// Gives money without an earlier payment, once for an intent: the intent names what the shop owes, and is another
    /// one than what the shop is owed.
    ///
    /// Journaled like a payment, and may be repeated like ``start(_:_:_:)``: by any thread or process, under the same key
    /// or another, it is given once. Only after a decline, or when nothing moved, does another key begin another attempt.
    /// A credit is neither voided nor refunded.
    /// - Throws: ``NothingMoved``.
    public func credit(
        _ intent: PaymentIntent, _ instruction: CreditInstruction, _ call: CallContext = CallContext()
    ) async throws(NothingMoved) -> PaymentOutcome {
        guard let crediting = gateway.payments.crediting else { throw unsupported("give credits") }
        let key = try key(instruction.key)
        try checked { () throws(PaymentInputProblem) in
            if let name = instruction.requestedBy { _ = try PaymentInputProblem.checkText(name, "the operator") }
            if let reason = instruction.reason { _ = try PaymentInputProblem.checkText(reason, "the reason") }
        }
        let (fingerprint, ofToken) = try authenticated { () throws(GatewayError) in
            (
                try instruction.fingerprint(intent, authenticator),
                try authenticator.tokenFingerprint(instruction.token, key: key)
            )
        }
        var new = NewAttempt(id: .make(random), kind: .credit, key: key, fingerprint: fingerprint)
        new.tokenFingerprint = ofToken
        new.requestedBy = instruction.requestedBy
        new.reason = instruction.reason
        return try await begin(intent, new, call) { (attempt, call) async throws(NothingMoved) in
            let result = try await crediting.credit(instruction.request(attempt, intent), call)
            return await record(result, attempt)
        }
    }
}
