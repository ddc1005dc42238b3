/// Tells where a session of a provider stands: a token session, a tracker, a payment that waits for the shopper.
public protocol SessionStatusSource: Sendable {
    /// Asks once. A read: it moves nothing and may be repeated, and is, within the caller's time.
    ///
    /// A word that the adapter does not know reads as ``SessionStatus/Phase/unknown``, never as success or failure.
    /// - Throws: ``GatewayError/Code/notFound`` when the provider knows no such session,
    ///   ``GatewayError/Code/invalidInput`` when the reference belongs to another account or is malformed, and any other
    ///   ``GatewayError`` when there is no usable answer.
    func status(of session: SessionReference, _ call: CallContext) async throws(GatewayError) -> SessionStatus
}

extension SessionStatusSource {
    /// ``status(of:_:)`` with the account's own time limit.
    public func status(of session: SessionReference) async throws(GatewayError) -> SessionStatus {
        try await status(of: session, CallContext())
    }
}
