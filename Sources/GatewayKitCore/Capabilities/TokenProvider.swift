/// Turns an instrument into a token of the provider.
public protocol TokenProvider: Sendable {
    /// Opens what the provider wants before card data may be sent (a hosted-field token, a session, a tracker).
    /// Where the provider wants nothing, it answers at once without a call.
    ///
    /// Moves no money. May be repeated: a session that is not used expires.
    /// - Throws: ``GatewayError`` when there is no usable answer.
    func openSession(
        _ request: SessionRequest, _ call: CallContext
    ) async throws(GatewayError) -> PaymentSession

    /// Takes up a session that someone else opened, known only by its reference. Makes no call.
    /// - Throws: ``GatewayError/Code/invalidInput`` when the reference belongs to another account or is malformed.
    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession

    /// Sends the instrument and reads what came of it.
    ///
    /// Moves no money. A call that ended in ``TokenizationResult/unknown(_:cause:)`` must not be repeated unasked: the
    /// instrument may have been stored. Card data travels only to hosts on the account's allow list.
    /// - Throws: ``GatewayError`` when there is no usable answer *and* the instrument certainly was not stored.
    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ call: CallContext
    ) async throws(GatewayError) -> TokenizationResult
}

extension TokenProvider {
    /// ``openSession(_:_:)`` with the account's own time limit.
    public func openSession(_ request: SessionRequest = SessionRequest()) async throws(GatewayError) -> PaymentSession {
        try await openSession(request, CallContext())
    }

    /// ``tokenize(_:in:_:)`` with the account's own time limit.
    public func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession
    ) async throws(GatewayError) -> TokenizationResult {
        try await tokenize(request, in: session, CallContext())
    }

    /// Opens a session and sends the instrument in it, for callers that do both in one place.
    ///
    /// The time limit of `call` bounds each of the two calls.
    public func tokenize(
        _ request: TokenizationRequest, _ call: CallContext = CallContext()
    ) async throws(GatewayError) -> TokenizationResult {
        try await tokenize(request, in: openSession(SessionRequest(), call), call)
    }
}

/// A session in which an instrument can be sent. Opaque: keep it, or its ``reference``, and hand it back.
public struct PaymentSession: Sendable, Hashable, Codable {
    /// What to keep in order to find the session again.
    public let reference: SessionReference

    /// Made by adapters.
    public init(reference: SessionReference) {
        self.reference = reference
    }
}

/// How one call is to be made. An explicit value, because task-local values lose typed errors.
public struct CallContext: Sendable {
    /// How long the call may take altogether, retries included; `nil` means the account's setting (30 seconds unless
    /// configured).
    public var timeout: Duration?
    /// The caller's own id for the work at hand, copied into events. Up to the caller; must not be card data.
    public var correlationID: String?
    /// Where a new session comes from when the provider says that the one at hand is too old, used up or not known to
    /// it. Asked at most once per call, and never when the provider may have taken the request. `nil` means that such
    /// a session ends the call.
    public var renewal: (any SessionRenewal)?

    /// Describes a call.
    public init(
        timeout: Duration? = nil, correlationID: String? = nil, renewal: (any SessionRenewal)? = nil
    ) {
        self.timeout = timeout
        self.correlationID = correlationID
        self.renewal = renewal
    }
}
