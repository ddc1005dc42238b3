import GatewayKitCore

/// What a call on a payment does (dossier 2.2, 2.3).
enum SafepayAction: String, Sendable {
    case captureContext = "GENERATE_CAPTURE_CONTEXT"
    case setup = "PAYER_AUTH_SETUP"
    case enrolment = "PAYER_AUTH_ENROLLMENT"
    case validation = "PAYER_AUTH_VALIDATION"
    case authorization = "AUTHORIZATION"
    case capture = "CAPTURE"

    /// Its name for fault rules and the ledger.
    var operation: SafepayOperation {
        switch self {
        case .captureContext: .captureContext
        case .setup: .tokenize
        case .enrolment: .enrol
        case .validation: .validate
        case .authorization: .authorize
        case .capture: .capture
        }
    }
}

/// One try to pay: a card, its authentication, and what became of it.
struct SafepayAttempt: Sendable {
    struct Enrolment: Sendable {
        enum Result: String, Sendable {
            case frictionless = "FRICTIONLESS"
            case challenge = "REQUIRED"
            case failed = "FAILED"
            /// No challenge could be offered.
            case unavailable = "UNAVAILABLE"
        }

        var result: Result
        /// The request id at the processor.
        var rid: String
        var transaction: String
        /// What opens the challenge; only where there is one.
        var challenge: SafepayChallenge?
        var capturesAtOnce: Bool
        var keepsCard: Bool
    }

    var token: String
    var request: String
    var card: SafepayCard
    /// Whose card it is in a wallet, if it came from there.
    var isSaved: Bool
    var at: WallTime
    var enrolment: Enrolment?
    var isSuccess = false
    /// After a reset.
    var isGivenUp = false
}

/// A question to the holder of a card, answered on the page of the imitated issuer.
struct SafepayChallenge: Sendable {
    enum Answer: Sendable { case open, passed, failed }

    var accessToken: String
    var card: SafepayCard
    var answer = Answer.open
    /// Where the browser goes afterwards.
    var successURL = ""
    var failureURL = ""
    /// The page that asked, if it was one of Safepay's.
    var page: SafepayPage?
    /// What a mobile SDK hands over after a challenge that was passed.
    var validation = ""
}
