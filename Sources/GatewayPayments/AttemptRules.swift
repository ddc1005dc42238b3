public import GatewayKitCore

/// An intent with all that was attempted, as a store has it.
public struct StoredIntent: Sendable, Hashable {
    /// What is owed.
    public let intent: PaymentIntent
    /// When it was written down.
    public let createdAt: WallTime
    /// When the order was given up, where it was.
    public var givenUpAt: WallTime?
    /// Attempts, captures, voids and refunds, in the order in which they were begun.
    public var attempts: [PaymentAttempt]

    /// Made by stores.
    public init(
        _ intent: PaymentIntent, createdAt: WallTime, givenUpAt: WallTime? = nil, attempts: [PaymentAttempt] = []
    ) {
        self.intent = intent
        self.createdAt = createdAt
        self.givenUpAt = givenUpAt
        self.attempts = attempts
    }

    /// The attempt that holds the intent: live, unknown or approved. There is at most one.
    public var holder: PaymentAttempt? { attempts.first { !$0.kind.isChild && $0.state.holdsIntent } }

    /// The attempt that paid.
    public var payment: PaymentAttempt? { attempts.first { !$0.kind.isChild && $0.state == .approved } }
}

/// Whether a store lets an attempt in.
public enum OpenVerdict: Sendable, Hashable {
    /// It is written down, as prepared.
    case opened(PaymentAttempt)
    /// There is one already that answers the question: return it or join it.
    case existing(PaymentAttempt)
    /// It must not be.
    case refused(OpenRefusal)
}

/// Why a store does not let an attempt in.
public enum OpenRefusal: Sendable, Hashable {
    /// The intent's id stands for another amount, order, account or direction of the money.
    case intentDiffers
    /// The key was used for something else.
    case keyUsedForAnother
    /// The key was used with another token.
    case keyUsedWithAnotherToken
    /// The order was given up.
    case givenUp
    /// There is no such payment.
    case noSuchPayment
    /// The payment is not approved: it has this state.
    case notApproved(AttemptState)
    /// Another capture, void or refund of the payment is not over.
    case otherOperationOpen(AttemptID)
    /// The payment was voided.
    case voided
    /// A payment of this kind cannot be captured, voided or refunded.
    case notPossible(PaymentAttempt.Kind)
    /// More was asked for than is left.
    case exceedsRest(Money)
    /// No single capture has that much left: operations go to captures one by one.
    case spreadOverCaptures
    /// The amount is not positive, or in another currency.
    case unusableAmount
}

/// The rules by which stores let attempts in. Pure: a store reads what it has, asks, and writes what comes of it, all
/// in one transaction.
public enum AttemptRules {
    /// Whether `new` may be begun for `intent`.
    ///
    /// - Parameter stored: What the store has under the intent's id.
    public static func open(
        _ intent: PaymentIntent, _ new: NewAttempt, stored: StoredIntent?, at now: WallTime
    ) -> OpenVerdict {
        if let stored {
            guard stored.intent.isSameDebt(as: intent) else { return .refused(.intentDiffers) }
            let tries = stored.attempts.filter { !$0.kind.isChild }
            // What the shop owes is not settled by what it is owed.
            guard tries.allSatisfy({ ($0.kind == .credit) == (new.kind == .credit) }) else {
                return .refused(.intentDiffers)
            }
            if let same = tries.first(where: { $0.key == new.key && !$0.state.freesKey }) {
                return same.contradiction(of: new) ?? .existing(same)
            }
            if let holder = stored.holder { return .existing(holder) }
            guard stored.givenUpAt == nil else { return .refused(.givenUp) }
        }
        guard intent.amount.isZero == (new.kind == .verify), !new.kind.isChild else {
            return .refused(.unusableAmount)
        }
        return .opened(
            PaymentAttempt(
                new, intentID: intent.id, account: intent.account, amount: intent.amount, parentID: nil, targetID: nil,
                at: now))
    }

    /// Whether `new` may be done to the payment `id`.
    public static func openChild(
        of id: AttemptID, _ new: NewAttempt, stored: StoredIntent?, at now: WallTime
    ) -> OpenVerdict {
        guard let stored, let payment = stored.attempts.first(where: { $0.id == id }), !payment.kind.isChild else {
            return .refused(.noSuchPayment)
        }
        let children = stored.attempts.filter { $0.parentID == id }
        if let same = children.first(where: { $0.key == new.key && !$0.state.freesKey }) {
            return same.contradiction(of: new) ?? .existing(same)
        }
        guard payment.state == .approved else { return .refused(.notApproved(payment.state)) }
        if let open = children.first(where: { $0.state.isOpen }) {
            return open.kind == .void && new.kind == .void ? .existing(open) : .refused(.otherOperationOpen(open.id))
        }
        let balance = PaymentBalance(payment, children)
        if let void = balance.void { return new.kind == .void ? .existing(void) : .refused(.voided) }
        switch balance.plan(new) {
        case .act(let target, let amount):
            return .opened(
                PaymentAttempt(
                    new, intentID: payment.intentID, account: payment.account, amount: amount, parentID: id,
                    targetID: target, at: now))
        case .done(let earlier): return .existing(earlier)
        case .refused(let reason): return .refused(reason)
        }
    }
}

extension PaymentAttempt {
    /// Why `new`, which has this attempt's key, is not the same request; `nil` when it is.
    fileprivate func contradiction(of new: NewAttempt) -> OpenVerdict? {
        guard fingerprint != new.fingerprint || kind != new.kind else { return nil }
        guard let known = tokenFingerprint, let token = new.tokenFingerprint, known != token else {
            return .refused(.keyUsedForAnother)
        }
        return .refused(.keyUsedWithAnotherToken)
    }
}

extension StoredIntent {
    /// Whether all of it is settled, was changed last before `time`, and still has personal data.
    public func isPurgeable(before time: WallTime) -> Bool {
        createdAt < time && self != tombstone && attempts.allSatisfy { !$0.state.isOpen && $0.changedAt < time }
    }

    /// Without personal data.
    public var tombstone: StoredIntent {
        StoredIntent(
            intent.tombstone, createdAt: createdAt, givenUpAt: givenUpAt, attempts: attempts.map(\.tombstone))
    }
}

extension AttemptEvent {
    /// Without personal data: when and which state.
    public var tombstone: AttemptEvent { AttemptEvent(at: at, state: state, by: "purged", text: "purged") }
}
