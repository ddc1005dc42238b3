import GatewayKitCore

/// Reads what Safepay says of a session, and compares it with what was fixed when it was opened. Only proof is success;
/// words that are not known, and facts that contradict the session, are unknown.
struct SafepayStatusAnswer {
    let facts: SafepayAnswerFacts
    let session: SafepaySession
    let reference: SessionReference
    let apiKey: String?

    // MARK: - v1

    /// `GET /order/v1/{tracker}`: paid is `TRACKER_ENDED` of our merchant with our amount, currency and environment.
    func readOrder() throws(GatewayError) -> SessionStatus {
        let order = SafepayTracker(order: try data())
        guard order.token == session.tracker else { throw another() }
        var status = self.status(order.word)
        let isOurs =
            order.client == apiKey && order.environment == session.environment && order.majorAmount == session.amount
        judge(&status, order.word, isPaid: isOurs)
        let contradicts =
            Self.differ(order.client, apiKey) || Self.differ(order.environment, session.environment)
            || Self.differ(order.majorAmount, session.amount)
        if contradicts { status.phase = .unknown }
        if session.amount != nil, status.phase != .unknown {
            status.payment = record(order.word, .purchase, amount: isOurs ? session.amount : order.majorAmount)
        }
        return status
    }

    // MARK: - v3

    /// The reporter: paid is `ok`, `TRACKER_ENDED` and a charge of this tracker with our amount and currency, in our
    /// environment. For trackers that keep a card, the phase says only that the tracker ended: the card is looked for
    /// afterwards.
    func readReport() throws(GatewayError) -> (SafepayReport, SessionStatus) {
        let report = SafepayReport(json: try data())
        guard report.token == session.tracker else { throw another() }
        var status = self.status(report.word)
        let isOurs =
            report.environment == session.environment && (report.mode == nil || report.mode == session.mode.rawValue)
            && (report.apiKey == nil || apiKey == nil || report.apiKey == apiKey)
        let charge = report.charge
        let isPaid =
            session.mode == .instrument
            ? !report.hasCharge
            : charge?.tracker == session.tracker && charge?.amount == session.amount && charge?.amount != nil
        judge(&status, report.word, isPaid: isOurs && isPaid && facts.envelope?.isOK == true)
        if !isOurs { status.phase = .unknown }
        if status.phase == .open, let next = report.nextAction, SafepayReport.actionsAfterCard.contains(next) {
            status.phase = .processing
        }
        if session.mode != .instrument {
            let amount = charge?.amount ?? (report.word == SafepayTrackerState.authorized.rawValue ? report.total : nil)
            // Capturing apart leaves an event of its own, but whether it was apart is not told: paid is a purchase.
            var payment = record(report.word, .purchase, amount: amount)
            payment.gatewayTransactionID = charge.map { facts.redactor.redact(identifier: $0.token) }
            payment.createdAt = report.createdAt
            payment.updatedAt = report.updatedAt
            payment.isTest = report.isLive.map { !$0 }
            if status.phase == .unknown || (amount != nil && amount != session.amount) { payment.state = .unknown }
            status.payment = payment
        }
        return (report, status)
    }

    // MARK: - Parts

    /// Whether both are told and are not the same.
    private static func differ<Value: Equatable>(_ told: Value?, _ expected: Value?) -> Bool {
        told != nil && expected != nil && told != expected
    }

    private func data() throws(GatewayError) -> JSONValue {
        if facts.saysNotFound {
            throw facts.failure(
                .notFound, "Safepay does not know this session.", "Nothing was changed. Check the reference.")
        }
        if let refusal = facts.refusal() { throw refusal }
        guard facts.isSuccess, let data = facts.envelope?.data, data.kind == .object else {
            throw facts.unclear(
                "Safepay's answer about the session could not be understood.",
                "Nothing was changed: it is safe to ask again.")
        }
        return data
    }

    private func another() -> GatewayError {
        facts.failure(
            .unreadableAnswer, "Safepay's answer is about another session than the one asked for.",
            "Nothing was changed: it is safe to ask again.")
    }

    private func status(_ word: String?) -> SessionStatus {
        var status = SessionStatus(
            reference: reference, phase: .unknown, providerWord: word.map(facts.redactor.redact(_:)))
        status.requestID = facts.requestID
        return status
    }

    private func judge(_ status: inout SessionStatus, _ word: String?, isPaid: Bool) {
        guard let state = word.flatMap(SafepayTrackerState.init(rawValue:)) else { return }
        status.phase = state.phase == .succeeded && !isPaid ? .unknown : state.phase
    }

    /// The payment behind the session. What became of money that was taken stands in its children.
    private func record(_ word: String?, _ kind: PaymentRecord.Kind, amount: Money?) -> PaymentRecord {
        func part(_ kind: PaymentRecord.Kind, _ state: PaymentRecord.State) -> PaymentRecord {
            var record = PaymentRecord(id: session.tracker, account: facts.account, kind: kind, state: state)
            record.providerState = word.map(facts.redactor.redact(_:))
            record.requestID = facts.requestID
            return record
        }
        let state = word.flatMap(SafepayTrackerState.init(rawValue:))
        switch state {
        case .started, .enrolled:
            return part(kind, .pending)
        case .authorized:
            var record = part(.authorization, .succeeded)
            record.amount = amount
            return record
        case .ended, .disputed:
            var record = part(kind, .succeeded)
            record.amount = amount
            return record
        case .cancelled, .expired:
            return part(kind, .failed)
        case .reversed, .voided, .refunded, .partlyRefunded:
            let isRefund = state == .refunded || state == .partlyRefunded
            var record = part(state == .reversed ? .authorization : kind, .succeeded)
            record.amount = amount
            var child = part(isRefund ? .refund : .void, .succeeded)
            child.parentID = session.tracker
            record.children = [child]
            return record
        case nil:
            return part(kind, .unknown)
        }
    }
}
