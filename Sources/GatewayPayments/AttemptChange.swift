public import GatewayKitCore

/// One step of an attempt: the next state and what is known with it. Stores apply it with
/// ``PaymentAttempt/applying(_:at:)``, which obeys the table of ``AttemptState/successors``.
public struct AttemptChange: Sendable, Hashable {
    /// The next state.
    public let state: AttemptState
    /// Who makes the step, for the history: `service`, `reconciler`, or a person.
    public let by: String
    /// Why, in words.
    public var note: SafeText
    /// For a claim: how long the exchange may take at the most.
    public var answerWithin: Duration?
    /// What the provider told.
    public var record: PaymentRecord?
    /// The provider's id, where there is no record.
    public var providerID: String?
    /// Why it was declined.
    public var decline: Decline?
    /// For a step to ``AttemptState/pending``: what the shopper has to do next, or the page, sealed.
    public var sealedAction: Sealed?

    /// Describes a step.
    public init(to state: AttemptState, by: String, note: SafeText) {
        self.state = state
        self.by = by
        self.note = note
    }
}

extension PaymentAttempt {
    /// This attempt after a step; `nil` when the table does not allow the step.
    ///
    /// - Parameter isGivenUp: Whether the order was given up before: an approval is a late one then.
    public func applying(_ change: AttemptChange, at now: WallTime, isGivenUp: Bool) -> PaymentAttempt? {
        guard state.successors.contains(change.state) else { return nil }
        var next = self
        next.state = change.state
        next.version += 1
        next.changedAt = now
        next.note = change.note
        if let limit = change.answerWithin {
            next.sentAt = sentAt ?? now
            next.answerDueAt = now.adding(seconds: limit.components.seconds + 1)
        }
        if let record = change.record { next.record = record.withoutToken }
        if change.state == .approved { next.confirmedAmount = change.record?.amount }
        next.providerID = change.record?.id ?? change.providerID ?? providerID
        if let decline = change.decline { next.decline = decline }
        next.isLateApproval = change.state == .approved && isGivenUp
        next.nextLookAt = nil
        if let sealed = change.sealedAction {
            next.sealedAction = sealed
        } else if !change.state.isOpen || (change.state == .pending && change.record != nil) {
            // Over, or told anew without an action: the one before leads nowhere any more.
            next.sealedAction = nil
        }
        return next
    }
}

extension PaymentRecord {
    /// The journal keeps neither tokens nor what is shown of cards.
    var withoutToken: PaymentRecord {
        var copy = self
        copy.token = nil
        copy.children = copy.children.map(\.withoutToken)
        return copy
    }
}
