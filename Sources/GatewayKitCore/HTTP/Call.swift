/// One call of a capability while it is under way: what every middleware needs to know about it.
///
/// Adapters get one from ``HTTPPipeline/begin(_:_:)`` and hand it to ``HTTPPipeline/send(_:in:)`` for each request.
public struct Call: Sendable {
    /// The operation.
    public let operation: WireRequest.Operation
    /// The account.
    public let account: AccountName
    /// A random id for events.
    public let id: String
    /// The caller's own id.
    public let correlationID: String?
    /// When the call began.
    public let started: ContinuousClock.Instant
    /// When it must have ended, retries and waits included. An adapter may give one of several requests less, so that
    /// time is left for another that settles what the first one left open.
    public var deadline: ContinuousClock.Instant
    /// Masks the account's secrets. Middlewares add those of the request.
    public var redactor: Redactor
    /// Which try is under way, from 1.
    public var tryNumber = 1
}
