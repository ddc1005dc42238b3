/// Thrown by calls that move money: there is no usable answer, *and no money moved*.
///
/// It cannot be made from a request that was sent without an answer, and from an answer only together with the row of
/// the adapter's written list that says why such an answer proves that nothing happened. Only ``moveMoney(_:_:_:)``
/// makes one from an exchange. Trying again under the same intent is safe.
public struct NothingMoved: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened instead.
    public let error: GatewayError
    /// Why the answer proves that nothing happened; `nil` when the request was not sent.
    public let proof: NoMovementProof?

    /// An error of a request that was certainly not sent; `nil` for any other.
    public init?(notSent error: GatewayError) {
        guard error.reach == .notSent else { return nil }
        self.error = error
        proof = nil
    }

    /// A reason not to send anything, found before a request was made.
    public init(
        nothingSent code: GatewayError.Code, message: SafeText, advice: SafeText, account: AccountName? = nil
    ) {
        error = GatewayError(code, message: message, advice: advice, reach: .notSent, account: account)
        proof = nil
    }

    /// An answer that is on the adapter's list; `nil` unless it is an answer.
    init?(answered error: GatewayError, proof: NoMovementProof) {
        guard error.reach == .answered else { return nil }
        self.error = error
        self.proof = proof
    }

    /// The error, and why nothing moved.
    public var description: String {
        guard let proof else { return "\(error) No money moved: nothing was sent." }
        return "\(error) No money moved: \(proof.reason)"
    }
}

/// A row of an adapter's list of answers that prove that nothing happened.
public struct NoMovementProof: Sendable, Hashable {
    /// The HTTP status.
    public let status: Int
    /// The shape of the body, by the adapter's name for it; `nil` where any body will do.
    public let shape: String?
    /// Why such an answer proves that no money moved, in one sentence.
    public let reason: SafeText

    /// Writes a row.
    public init(_ status: Int, shape: String? = nil, reason: SafeText) {
        self.status = status
        self.shape = shape
        self.reason = reason
    }
}
