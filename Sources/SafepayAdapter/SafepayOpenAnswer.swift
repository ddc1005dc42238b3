import GatewayKitCore

/// Reads the answer to opening an order or a tracker.
struct SafepayOpenAnswer {
    let facts: SafepayAnswerFacts
    let plan: SafepaySessionPlan
    let environment: String
    let apiKey: String

    static let openAnother: SafeText =
        "Nothing was stored: at most a session was opened, which expires. Open another one."

    /// The tracker's name.
    ///
    /// A session whose answer tells of another amount, currency, mode, merchant or environment than was asked for is not
    /// handed out: an amount that is a hundredfold is found here and not at the shopper's bank.
    /// - Throws: ``GatewayError`` for everything that is no tracker as it was asked for.
    func read() throws(GatewayError) -> String {
        if let refusal = facts.refusal() { throw refusal }
        guard facts.isSuccess, let envelope = facts.envelope else {
            throw facts.unclear("Safepay's answer has no session.", Self.openAnother)
        }
        let tracker =
            plan.generation == .order ? SafepayTracker(order: envelope.data) : SafepayTracker(in: envelope.data)
        guard let token = facts.id(tracker.token) else {
            throw facts.unclear("Safepay's answer has no session.", Self.openAnother)
        }
        guard agrees(tracker.environment, environment), agrees(tracker.client, apiKey),
            plan.generation == .order || agrees(tracker.mode, plan.mode.rawValue),
            plan.entry == nil || agrees(tracker.entry, plan.entry?.rawValue)
        else { throw another("merchant, environment or mode") }
        switch plan.generation {
        case .order:
            guard tracker.majorAmount == plan.amount else { throw another("amount") }
        case .tracker:
            // Trackers that keep a card have no amount, or one of zero.
            let amount = tracker.minorAmount.flatMap { $0.isZero && plan.amount == nil ? nil : $0 }
            guard amount == plan.amount else { throw another("amount") }
        }
        return token
    }

    /// Whether the answer says the same, or nothing.
    private func agrees(_ told: String?, _ wanted: String?) -> Bool {
        told == nil || told == wanted
    }

    private func another(_ what: SafeText) -> GatewayError {
        facts.failure(
            .unreadableAnswer, "Safepay opened a session with another " + what + " than was asked for.",
            "Nothing was stored. Do not use that session; ask Safepay's support.")
    }
}
