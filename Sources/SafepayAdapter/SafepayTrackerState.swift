import GatewayKitCore

/// Where an order or tracker stands (Safepay's documents, "tracker states"; the same words in both generations).
///
/// There is no state for a declined attempt: after one the tracker stays `TRACKER_STARTED` or `TRACKER_ENROLLED` and takes
/// another card. `TRACKER_FAILED` and `TRACKER_UNKNOWN` are in one SDK's list and in no document: they are not known here.
enum SafepayTrackerState: String, CaseIterable {
    case started = "TRACKER_STARTED"
    case enrolled = "TRACKER_ENROLLED"
    case authorized = "TRACKER_AUTHORIZED"
    case ended = "TRACKER_ENDED"
    case cancelled = "TRACKER_CANCELLED"
    case expired = "TRACKER_EXPIRED"
    case reversed = "TRACKER_REVERSED"
    case voided = "TRACKER_VOIDED"
    case refunded = "TRACKER_REFUNDED"
    case partlyRefunded = "TRACKER_PARTIAL_REFUND"
    case disputed = "TRACKER_DISPUTED"

    /// What it may become, by Safepay's documents: a description, by which nothing is decided. A refund that is voided leads back to a paid tracker.
    var successors: Set<SafepayTrackerState> {
        switch self {
        case .started: [.enrolled, .authorized, .ended, .cancelled, .expired]
        case .enrolled: [.started, .authorized, .ended, .cancelled, .expired]
        case .authorized: [.ended, .reversed, .expired]
        case .ended: [.voided, .refunded, .partlyRefunded, .disputed]
        case .partlyRefunded: [.refunded, .partlyRefunded, .ended, .disputed]
        case .refunded: [.ended, .partlyRefunded]
        case .cancelled, .expired, .reversed, .voided, .disputed: []
        }
    }

    /// Where a session stands whose tracker is in this state, before any proof is looked at: paid is only what the proof
    /// says, and money that went back leaves no success.
    var phase: SessionStatus.Phase {
        switch self {
        case .started: .open
        case .enrolled, .authorized: .processing
        case .ended: .succeeded
        case .expired: .expired
        case .cancelled, .reversed, .voided, .refunded, .partlyRefunded, .disputed: .failed
        }
    }
}
