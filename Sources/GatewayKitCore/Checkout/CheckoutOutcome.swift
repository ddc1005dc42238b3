/// What became of a hosted checkout: one per session.
///
/// Only ``Kind/succeeded`` and ``Kind/failed`` are the provider's proof and final. With the others the payment is still
/// open: keep its attempt open too, and have it looked up later. None of them is a decline.
public struct CheckoutOutcome: Sendable, Equatable {
    /// What became of it.
    public var kind: Kind
    /// The last proof that was read, laid upon those before it; `nil` when none could be.
    public var status: SessionStatus?
    /// The first hint that told an end, where one did.
    public var hint: CheckoutVerdict?
    /// Whether hints contradicted each other. The proof decided, or nothing did.
    public var isContradicted: Bool
    /// Why nothing is decided, for ``Kind/undecided``.
    public var cause: Cause?
    /// What became of the last read, if it failed.
    public var failure: GatewayError?
    /// How often the proof was read, failed reads included.
    public var reads: Int

    /// Describes an outcome.
    public init(
        _ kind: Kind, status: SessionStatus? = nil, hint: CheckoutVerdict? = nil, isContradicted: Bool = false,
        cause: Cause? = nil, failure: GatewayError? = nil, reads: Int = 0
    ) {
        self.kind = kind
        self.status = status
        self.hint = hint
        self.isContradicted = isContradicted
        self.cause = cause
        self.failure = failure
        self.reads = reads
    }

    /// What became of a checkout.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The proof says that it was done as asked for.
        case succeeded
        /// The proof says that it ended without success and that nothing more will come of it.
        case failed
        /// An address told of a failure, and the proof that was read afterwards says that the session is still open. The
        /// shopper may try again in the same session.
        case unconfirmedFailure
        /// An address told that the shopper gave up, and the proof that was read afterwards says that the session is
        /// still open.
        case abandoned
        /// Nobody knows yet.
        case undecided

        /// Whether nothing more will come of the session, by the provider's proof.
        public var isFinal: Bool { self == .succeeded || self == .failed }
    }

    /// Why nothing is decided.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The time was over.
        case deadline
        /// The caller stopped waiting.
        case stopped
        /// The proof cannot be read: ``CheckoutOutcome/failure`` tells why.
        case proofUnreadable
        /// Money was taken and has gone back, or is disputed, since: see ``CheckoutOutcome/status``. Asking again changes
        /// nothing.
        case moneyMoved
    }
}
