public import GatewayKitCore

/// How an intent is to be paid on a page of the provider's. A page takes the money at once: no provider's page can be told
/// to reserve it.
public struct CheckoutInstruction: Sendable, Hashable {
    /// The caller's key of this try, as ``PaymentInstruction/key``.
    public var key: String?
    /// The session that the page is opened in. Amount and order come from the intent; an amount that says otherwise is
    /// refused.
    public var session: SessionRequest
    /// The page. Amount and order come from the intent, as with the session.
    public var page: CheckoutPageRequest

    /// Describes a page.
    public init(
        key: String? = nil, session: SessionRequest = SessionRequest(.payment, entry: .hostedPage),
        page: CheckoutPageRequest = CheckoutPageRequest()
    ) {
        self.key = key
        self.session = session
        self.page = page
    }

    /// With what the intent says. The page carries the shop's number of the order, or the attempt's own reference where
    /// there is none.
    func completed(_ intent: PaymentIntent, _ attempt: AttemptID) throws(PaymentInputProblem) -> CheckoutInstruction {
        guard page.surface != .subscription else {
            throw PaymentInputProblem(reason: "a plan's page names no session, so nothing could prove what came of it")
        }
        for amount in [session.amount, page.amount] {
            guard amount == nil || amount == intent.amount else {
                throw PaymentInputProblem(reason: "the page is for another amount than the intent")
            }
        }
        var copy = self
        let order = intent.orderReference ?? attempt.description
        copy.session.amount = intent.amount
        copy.session.orderReference = order
        copy.page.amount = intent.amount
        copy.page.orderReference = order
        return copy
    }

    func fingerprint(_ intent: PaymentIntent, _ authenticator: any MessageAuthenticator) throws(GatewayError) -> [UInt8]
    {
        var message = FingerprintMessage()
        message.add("kind", "page for purchase")
        message.add(intent.amount)
        message.add("account", intent.account.description)
        message.add("order", intent.orderReference)
        message.add("purpose", session.purpose.description)
        message.add("shopper", session.shopperID ?? page.shopperID)
        message.add("plan", page.planID)
        return try authenticator.authenticationCode(of: message.bytes)
    }
}

/// What came of opening a page.
public struct OpenedCheckout: Sendable, Equatable {
    /// The attempt and where it stands: pending while the page is open, with its address as the next action.
    public let payment: PaymentOutcome
    /// The page to send the shopper to. `nil` when there is none to send anybody to: the intent is paid already, is being
    /// paid another way, or was given up.
    public let page: CheckoutPage?
}

/// What a provider's word on a page's session means for the attempt. Pure.
enum CheckoutRules {
    /// What was read, and what is needed to weigh it.
    struct Evidence {
        var page: CheckoutPage
        var status: SessionStatus
        /// How long a payment that was begun on the page can take to turn up, with the margin.
        var absenceCountsAfter: Duration
        var now: WallTime
    }

    static func judge(_ attempt: PaymentAttempt, _ evidence: Evidence, by: String) -> SettlementRules.Verdict {
        let status = evidence.status
        guard status.reference == evidence.page.session else {
            return .unsettled("The provider tells of another session than the page's.")
        }
        switch status.phase {
        case .succeeded: return success(attempt, evidence, by)
        case .failed:
            guard status.payment.map({ $0.state == .failed }) ?? true else { return contradicted }
            var change = AttemptChange(to: .declined, by: by, note: "the page ended without a payment")
            change.decline =
                status.decline ?? status.payment?.decline
                ?? Decline(.unlisted, providerCode: status.providerWord, message: "The provider gives no reason.")
            change.record = status.payment
            return .settled(change)
        case .expired:
            guard status.payment.map({ $0.state == .failed }) ?? true else { return contradicted }
            return expiry(attempt, evidence, by)
        case .open: return .unsettled("The shopper has not paid on the page.")
        case .processing: return .unsettled("The provider is still at it.")
        default: return .unsettled("The provider does not know either.")
        }
    }

    private static var contradicted: SettlementRules.Verdict {
        .unsettled("What the provider tells of the page and of its payment contradict each other.")
    }

    private static func success(
        _ attempt: PaymentAttempt, _ evidence: Evidence, _ by: String
    ) -> SettlementRules.Verdict {
        guard var record = evidence.status.payment else {
            return .unsettled("The provider says that the page was paid, but tells no payment.")
        }
        guard record.state == .succeeded, record.amount != nil else { return contradicted }
        // Pages carry the order's number where a payment carries the attempt's own reference.
        if record.ownReference == evidence.page.orderReference { record.ownReference = nil }
        if let problem = AnswerRules.contradiction(record, attempt) {
            return .unsettled("What the provider shows does not fit: \(problem).")
        }
        var change = AttemptChange(to: .approved, by: by, note: "paid on the page, by the provider's own record")
        change.record = evidence.status.payment
        return .settled(change)
    }

    /// A page that has expired takes no payment any more, but one that was begun before may still turn up: it is unknown
    /// for as long as that can take, counted from when the expiry was seen.
    private static func expiry(
        _ attempt: PaymentAttempt, _ evidence: Evidence, _ by: String
    ) -> SettlementRules.Verdict {
        guard attempt.state == .unknown else {
            return .settled(
                AttemptChange(to: .unknown, by: by, note: "the page has expired; a payment may still turn up"))
        }
        let proofAt = attempt.changedAt.adding(seconds: evidence.absenceCountsAfter.components.seconds)
        guard evidence.now > proofAt else {
            return .unsettled("The page has expired; that proves nothing before \(proofAt).")
        }
        return .settled(AttemptChange(to: .nothingMoved, by: by, note: "the page expired unpaid"))
    }
}
