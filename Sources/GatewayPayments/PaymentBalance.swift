public import GatewayKitCore

/// What became of the money of one payment, reckoned from the journal.
public struct PaymentBalance: Sendable, Hashable {
    /// The payment.
    public let payment: PaymentAttempt
    /// What was reserved or taken at first, as approved.
    public let approved: Money
    /// What was taken, in minor units of the payment's currency.
    public let captured: Money
    /// What was given back.
    public let refunded: Money
    /// The void that was done.
    public let void: PaymentAttempt?
    private let captures: [PaymentAttempt]
    private let refunds: [PaymentAttempt]

    /// Reckons.
    ///
    /// - Parameter children: The payment's captures, voids and refunds; those of other payments must not be among them.
    public init(_ payment: PaymentAttempt, _ children: [PaymentAttempt]) {
        self.payment = payment
        let done = children.filter { $0.state == .approved }
        captures = done.filter { $0.kind == .capture }
        refunds = done.filter { $0.kind == .refund }
        void = done.first { $0.kind == .void }
        approved = payment.approvedAmount
        captured = payment.kind == .purchase ? approved : Self.sum(captures, approved.currency)
        refunded = Self.sum(refunds, approved.currency)
    }

    /// What can still be captured.
    public var capturable: Money {
        guard payment.kind == .authorize, void == nil else { return .zero(approved.currency) }
        return Self.rest(approved, captured)
    }

    /// What can still be refunded.
    public var refundable: Money { void == nil ? Self.rest(captured, refunded) : .zero(approved.currency) }

    /// The sum, held at the largest number there is; amounts of another currency, which rules keep out, do not count.
    private static func sum(_ attempts: [PaymentAttempt], _ currency: Currency) -> Money {
        var total: Int64 = 0
        for amount in attempts.map(\.approvedAmount) where amount.currency == currency {
            let (sum, overflow) = total.addingReportingOverflow(amount.minorUnits)
            total = overflow ? .max : sum
        }
        return Money(minorUnits: total, currency: currency)
    }

    private static func rest(_ whole: Money, _ part: Money) -> Money {
        let (rest, overflow) = whole.minorUnits.subtractingReportingOverflow(part.minorUnits)
        return Money(minorUnits: overflow ? 0 : max(0, rest), currency: whole.currency)
    }

    enum Plan: Hashable {
        case act(on: AttemptID, Money)
        case done(PaymentAttempt)
        case refused(OpenRefusal)
    }

    /// What a capture, void or refund has to act on, and with which amount: providers refund and void a captured
    /// authorization by its capture.
    func plan(_ new: NewAttempt) -> Plan {
        if let amount = new.amount {
            guard amount.currency == approved.currency, amount.minorUnits > 0 else { return .refused(.unusableAmount) }
        }
        switch new.kind {
        case .purchase, .authorize, .verify, .credit: return .refused(.notPossible(new.kind))
        case .capture: return planCapture(new)
        case .refund: return planRefund(new)
        case .void:
            guard payment.kind == .purchase || payment.kind == .authorize, refunds.isEmpty else {
                return .refused(.notPossible(.void))
            }
            guard captures.count <= 1 else { return .refused(.spreadOverCaptures) }
            return .act(on: captures.first?.id ?? payment.id, captured.isZero ? approved : captured)
        }
    }

    private func planCapture(_ new: NewAttempt) -> Plan {
        guard payment.kind == .authorize else { return .refused(.notPossible(.capture)) }
        guard let amount = new.amount else {
            if capturable.isZero, let last = captures.last { return .done(last) }
            return capturable.isZero ? .refused(.exceedsRest(capturable)) : .act(on: payment.id, capturable)
        }
        guard amount.minorUnits <= capturable.minorUnits else { return .refused(.exceedsRest(capturable)) }
        return .act(on: payment.id, amount)
    }

    private func planRefund(_ new: NewAttempt) -> Plan {
        guard payment.kind == .purchase || payment.kind == .authorize else { return .refused(.notPossible(.refund)) }
        let amount = new.amount ?? refundable
        guard amount.minorUnits > 0, amount.minorUnits <= refundable.minorUnits else {
            return .refused(.exceedsRest(refundable))
        }
        guard payment.kind == .authorize else { return .act(on: payment.id, amount) }
        let target = captures.first { capture in
            let given = Self.sum(refunds.filter { $0.targetID == capture.id }, approved.currency)
            return Self.rest(capture.approvedAmount, given).minorUnits >= amount.minorUnits
        }
        guard let target else { return .refused(.spreadOverCaptures) }
        return .act(on: target.id, amount)
    }
}
