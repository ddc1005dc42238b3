import GatewayKitCore

/// A payment of the second generation (dossier 1.4, 2).
struct SafepayTracker: Sendable {
    enum State: String, Sendable {
        case started = "TRACKER_STARTED"
        case enrolled = "TRACKER_ENROLLED"
        case authorized = "TRACKER_AUTHORIZED"
        case ended = "TRACKER_ENDED"
        case cancelled = "TRACKER_CANCELLED"
        case expired = "TRACKER_EXPIRED"
        case reversed = "TRACKER_REVERSED"
        case voided = "TRACKER_VOIDED"
        case refunded = "TRACKER_REFUNDED"
        case partialRefund = "TRACKER_PARTIAL_REFUND"
    }

    /// What was asked for.
    struct Terms: Sendable {
        var intent = "CYBERSOURCE"
        var mode = "payment"
        var entryMode = "flex"
        var currency = ""
        /// Minor units; `nil` for an instrument.
        var amount: Int64?
        var customer: String?
        var verifiesAccount = false
        var includesFees: Bool?
    }

    struct Capture: Sendable {
        var token: String
        var charge: String
        /// What stands for the charge's signature in the reporter; whether it is that of redirects is not known, and it
        /// is not here.
        var signature: String
        var at: WallTime
        /// With the authorization, in one step.
        var isAtOnce: Bool
    }

    struct Refund: Sendable {
        var token: String
        var amount: Int64
        var at: WallTime
        var isVoided = false
    }

    struct Event: Sendable {
        var type: String
        var request: String
        var reason: String
        var at: WallTime
    }

    var token: String
    var terms: Terms
    /// Of the two keys that are known.
    var metadata: [String: String] = [:]
    var state = State.started
    var createdAt: WallTime
    var updatedAt: WallTime
    var hasCaptureContext = false
    /// The last one is at work, until the payment is reset.
    var attempts: [SafepayAttempt] = []
    var events: [Event] = []
    var authorization: String?
    var capture: Capture?
    var refunds: [Refund] = []

    static let metadataKeys: Set<String> = ["order_id", "source"]

    /// Whether a saved card is charged without the shopper: one that is typed for later charges is set up first.
    var chargesSavedCard: Bool { terms.mode == "unscheduled_cof" && ["mit", "tms"].contains(terms.entryMode) }
    var isInstrument: Bool { terms.mode == "instrument" }
    var money: SafepayMoney? { terms.amount.map { SafepayMoney(minor: $0, currency: terms.currency) } }
    /// The attempt at work.
    var attempt: SafepayAttempt? { attempts.last.flatMap { $0.isGivenUp ? nil : $0 } }
    /// What was given back and not taken again.
    var refunded: Int64 { refunds.reduce(0) { $0 + ($1.isVoided ? 0 : $1.amount) } }

    mutating func replaceAttempt(_ attempt: SafepayAttempt) {
        if attempts.isEmpty { return }
        attempts[attempts.count - 1] = attempt
    }

    /// What the payment waits for (dossier 2.2). That a saved card without the shopper waits for `AUTHORIZATION`, and
    /// one whose authentication failed for nothing, is a guess.
    var nextAction: String {
        switch state {
        case .authorized: return SafepayAction.capture.rawValue
        case .started, .enrolled: break
        default: return "NOOP"
        }
        if terms.intent == "MPGS" { return "CREATE_SESSION" }
        if terms.intent == "PAYFAST" { return "CUSTOMER_VALIDATE" }
        guard let attempt else {
            if chargesSavedCard { return SafepayAction.authorization.rawValue }
            return (terms.entryMode == "flex" && !hasCaptureContext ? SafepayAction.captureContext : .setup).rawValue
        }
        guard let enrolment = attempt.enrolment else { return SafepayAction.enrolment.rawValue }
        switch enrolment.result {
        case .frictionless: return SafepayAction.authorization.rawValue
        case .challenge: return SafepayAction.validation.rawValue
        case .failed, .unavailable: return "NOOP"
        }
    }

    func write(client: String, to body: inout AnswerWriter) {
        body.set("token", token)
        body.set("client", client)
        body.set("environment", "sandbox")
        body.set("state", state.rawValue)
        body.set("payment_method_kind", "card")
        body.set("intent", terms.intent)
        body.set("mode", terms.mode)
        body.set("entry_mode", terms.entryMode)
        body.set("customer", terms.customer)
        writeNextActions(to: &body)
        writeTotals(to: &body)
        body.object("metadata") { data in
            for (name, value) in metadata.sorted(by: { $0.key < $1.key }) { data.set(name, value) }
        }
    }

    func writeNextActions(to body: inout AnswerWriter) {
        body.object("next_actions") { actions in
            for intent in SafepayTracker.intents + ["RAAST"] {
                actions.object(intent) { action in
                    action.set("kind", intent == terms.intent ? nextAction : "NOOP")
                    if intent == terms.intent { action.set("request_id", attempt?.request) }
                }
            }
        }
    }

    /// The amount is absent, not 0, for an instrument.
    func writeTotals(to body: inout AnswerWriter) {
        body.object("purchase_totals") { totals in
            for name in ["quote_amount", "base_amount"] {
                totals.object(name) { money in
                    money.set("currency", terms.currency)
                    if let amount = terms.amount { money.set("amount", Int(amount)) }
                }
            }
            totals.object("conversion_rate") { rate in
                rate.set("base_currency", terms.currency)
                rate.set("quote_currency", terms.currency)
                rate.set("rate", 1)
            }
        }
    }

    static let intents = ["CYBERSOURCE", "MPGS", "PAYFAST"]
}
