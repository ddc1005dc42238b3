/// Is told what happens to calls. GatewayKit has no logging back end: a bridge to the one that an application uses is
/// a few lines, see `Docs/Architecture.md`.
public protocol GatewayObserver: Sendable {
    /// Whether events should carry the redacted text of requests and answers. It costs time for every call; leave it
    /// off unless a person is looking.
    var wantsTranscripts: Bool { get }

    /// Takes a finished, redacted event. Called on the calling task: must not block.
    func record(_ event: GatewayEvent)
}

extension GatewayObserver {
    /// `false`.
    public var wantsTranscripts: Bool { false }
}

/// Something that happened to a call. Everything in it is scrubbed before the event exists.
public struct GatewayEvent: Sendable {
    /// What happened.
    public enum Kind: String, Sendable, Hashable {
        /// A call of a capability began.
        case callStarted
        /// A request is handed to the transport.
        case requestStarted
        /// A complete answer came.
        case answerReceived
        /// There was no complete answer.
        case requestFailed
        /// The retry policy decided; `detail` is its reason.
        case retryDecided
        /// The call ended, in whatever way.
        case callFinished
    }

    /// What happened.
    public var kind: Kind
    /// The account.
    public var account: AccountName
    /// The operation: of low cardinality, so fit for a metric's label.
    public var operation: WireRequest.Operation
    /// Equal for all events of one call.
    public var callID: String
    /// The caller's own id, if the call has one.
    public var correlationID: String?
    /// Which try of the request this is, from 1; 0 for events of the whole call.
    public var tryNumber = 0
    /// The HTTP status.
    public var status: Int?
    /// The provider's id of the request.
    public var requestID: String?
    /// How long it took.
    public var duration: Duration?
    /// How far a failed request got.
    public var reach: Reach?
    /// The kind of failure or the name of the result: of low cardinality.
    public var outcome: String?
    /// What happened in words.
    public var detail: SafeText?
    /// The redacted request or answer, when the observer wants transcripts.
    public var transcript: SafeText?

    init(_ kind: Kind, _ call: Call) {
        self.kind = kind
        account = call.account
        operation = call.operation
        callID = call.id
        correlationID = call.correlationID
    }
}
