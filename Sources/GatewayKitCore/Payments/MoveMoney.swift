/// What an adapter reads from a complete answer to a call that moves money.
public enum MoneyAnswer: Sendable {
    /// The answer proves this result.
    case result(PaymentResult)
    /// The request was refused as such, with a body of this shape. Whether it proves that nothing happened is the list's
    /// to say.
    case refused(GatewayError, shape: String)
    /// The answer proves nothing. The id is the provider's, where the answer tells one.
    case unclear(GatewayError, providerID: String? = nil)
}

/// The only way through for a call that moves money: sends it, and lets nothing out that is not one of the ends that the
/// promise allows.
///
/// Approved and pending stand as the adapter read them. A decline, an invalid field or a refusal stands only when no
/// earlier try of the same request may have arrived, and a refusal is thrown only with a row of `proofs` for its status
/// and shape. Every other end, an exchange that broke off after the first byte left included, is
/// ``PaymentResult/unknown(_:cause:)``.
///
/// - Parameters:
///   - money: Which payment this is, on whose account, under which call, and what proves that nothing moved.
///   - request: What to send.
///   - read: Makes of a complete answer what it proves. It must not throw: what it cannot read is unclear.
public func moveMoney(
    _ money: MoneyCall, _ request: WireRequest, _ read: (WireResponse) -> MoneyAnswer
) async throws(NothingMoved) -> PaymentResult {
    var request = request
    // A request that moves money is never a read, whatever an adapter says: reads are sent again.
    if request.repeatability == .read { request.repeatability = .once }
    let response: WireResponse
    do {
        response = try await money.pipeline.send(request, in: money.call)
    } catch {
        let failure = GatewayError(error, in: money.call)
        guard let nothing = NothingMoved(notSent: failure) else { return money.unknown(failure) }
        throw nothing
    }
    return try money.judge(read(response), status: response.status, isOnlyTry: response.earlierReach == .notSent)
}

/// A call that moves money, while it is under way.
public struct MoneyCall: Sendable {
    let reference: PaymentReference
    let pipeline: HTTPPipeline
    let call: Call
    let proofs: [NoMovementProof]

    /// Describes a call.
    public init(
        _ reference: PaymentReference, pipeline: HTTPPipeline, call: Call, proofs: [NoMovementProof]
    ) {
        self.reference = reference
        self.pipeline = pipeline
        self.call = call
        self.proofs = proofs
    }

    func unknown(_ cause: GatewayError, providerID: String? = nil) -> PaymentResult {
        var reference = reference
        reference.providerID = providerID ?? reference.providerID
        return .unknown(reference, cause: cause)
    }

    func judge(
        _ answer: MoneyAnswer, status: Int, isOnlyTry: Bool
    ) throws(NothingMoved) -> PaymentResult {
        switch answer {
        case .result(let result):
            switch result {
            case .approved, .pending, .unknown: return result
            case .declined, .invalid:
                // The answer is about the last try only.
                return isOnlyTry ? result : unknown(contradicted(status))
            }
        case .refused(let error, let shape):
            let row = proofs.first { $0.status == status && ($0.shape == nil || $0.shape == shape) }
            guard isOnlyTry, let row, let nothing = NothingMoved(answered: error, proof: row) else {
                return unknown(error)
            }
            throw nothing
        case .unclear(let error, let providerID):
            return unknown(error, providerID: providerID)
        }
    }

    private func contradicted(_ status: Int) -> GatewayError {
        GatewayError(
            .connectionLost, message: "The last try was refused, but an earlier try may have arrived.",
            advice: "Look the payment up before anything else is done.", reach: .sent, account: call.account,
            operation: call.operation, answer: GatewayError.Answer(status: status))
    }
}
