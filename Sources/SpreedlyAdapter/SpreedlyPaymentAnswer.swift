import GatewayKitCore

/// What a payment's answer must agree with to be about it.
struct SpreedlyExpectedPayment {
    /// The kinds of transaction that the call makes.
    let kinds: Set<PaymentRecord.Kind>
    /// What was asked for; `nil` where no amount goes with it.
    let amount: Money?
    /// The instrument that was to be charged.
    var token: String?
    /// The payment that was to be captured, voided or credited.
    var parentID: String?
    /// The transaction itself, where it is known before.
    var id: String?
    let ownReference: String

    /// What an answer says that contradicts the request; `nil` when nothing does. What it leaves out is no
    /// contradiction.
    func contradiction(of transaction: SpreedlyPaymentTransaction) -> SafeText? {
        func differ(_ sent: String?, _ told: String?) -> Bool { sent != nil && told != nil && sent != told }
        if transaction.kind != nil, !kinds.contains(transaction.recordKind) { return "another kind of transaction" }
        if differ(id, transaction.id) { return "another transaction" }
        if differ(token, transaction.method?.token) { return "another payment method" }
        if differ(parentID, transaction.referenceID) { return "another payment" }
        if differ(ownReference, transaction.orderID), transaction.orderID != transaction.id {
            return "another reference"
        }
        if transaction.hasStrangeAmount { return "an amount that cannot be read" }
        guard let told = transaction.amount else { return nil }
        guard let amount else { return needsAmount || told.isZero || kinds == [.void] ? nil : "another amount" }
        guard told.currency == amount.currency else { return "another currency" }
        // Less is a partial approval.
        guard told.minorUnits <= amount.minorUnits, told.minorUnits > 0 else { return "another amount" }
        return nil
    }

    /// Whether the answer names the amount, where one goes with it.
    func isConfirmed(by transaction: SpreedlyPaymentTransaction) -> Bool {
        !needsAmount || (transaction.amount.map { $0.minorUnits > 0 } ?? false)
    }

    private var needsAmount: Bool { !kinds.isSubset(of: [.void, .verification]) }
}

/// Reads the answers of calls that move money: what is proven becomes a result, everything else is unclear.
struct SpreedlyPaymentAnswer {
    let facts: SpreedlyAnswerFacts
    let expected: SpreedlyExpectedPayment
    /// The answers that prove that nothing moved.
    let proofs: [NoMovementProof]

    private var response: WireResponse { facts.response }

    func read() -> MoneyAnswer {
        let json = SpreedlyBody.json(response.body)
        let transaction = json.flatMap { SpreedlyPaymentTransaction($0["transaction"]) }
        let errors = json.map { SpreedlyErrorEntry.list($0["errors"]) } ?? []
        let first = errors.first ?? json.flatMap { SpreedlyErrorEntry.words($0) }
        switch (response.status, transaction) {
        case (200..<300, let transaction?):
            return read(transaction)
        case (200..<300, nil):
            return unclear("Spreedly's answer could not be understood.", first)
        case (402, let transaction?), (422, let transaction?):
            // Under these statuses it can only have failed.
            return transaction.outcome == .failed ? read(transaction) : contradiction(transaction)
        case (let status, nil):
            let shape = SpreedlyMoneyProofs.shape(response.body, errors)
            guard SpreedlyMoneyProofs.proves(status, shape, proofs) else {
                return unclear(
                    "Spreedly answered with status \(count: status), which does not tell whether money moved.", first)
            }
            return refusal(errors, first, shape)
        case (_, let transaction?):
            return contradiction(transaction)
        }
    }

    /// A transaction, whatever the status of its answer allows.
    func read(_ transaction: SpreedlyPaymentTransaction) -> MoneyAnswer {
        if let words = expected.contradiction(of: transaction) {
            return unclear("Spreedly's answer tells of \(words) than the one asked for.")
        }
        var record = transaction.record(facts.account, facts.redactor)
        record?.requestID = facts.requestID
        switch transaction.outcome {
        case .succeeded:
            guard let record else { return unclear("Spreedly's answer has no id that can be read.") }
            guard expected.isConfirmed(by: transaction) else {
                return unclear("Spreedly's answer names no amount.", providerID: record.id)
            }
            return .result(.approved(record))
        case .pending:
            guard let record else { return unclear("Spreedly's answer has no id that can be read.") }
            return .result(.pending(transaction.nextAction, record))
        case .failed:
            // A single-use token that is used up may have been used by this very attempt, delivered twice on the way.
            guard transaction.state != "failed" || transaction.method?.storageState != "used" else {
                return unclear("Spreedly says that the payment method is used up, by this payment or by another.")
            }
            // Of a gateway's decline the instrument's own errors are not the reason.
            let issues =
                transaction.state == "failed" ? SpreedlyErrors.issues(transaction.errors, facts.redactor) : []
            guard issues.isEmpty else { return .result(.invalid(issues)) }
            let decline = facts.decline(transaction)
            // What has been captured, voided or credited is refused the second time: a request that was delivered twice
            // on the way is answered so although the first one went through. Both are found by their reference.
            let isUnexplained = [.unlisted, .cardDeclined].contains(decline.reason)
            guard expected.parentID == nil || !isUnexplained else {
                return unclear(
                    "The gateway refused, perhaps because it had done the same already.",
                    SpreedlyErrorEntry(
                        attribute: nil, key: decline.providerCode, message: decline.message.description))
            }
            record?.decline = decline
            return .result(.declined(decline, record))
        default:
            return contradiction(transaction)
        }
    }

    /// Neither done nor not done. The id of a duplicate is not given away: what is found under it says that it failed,
    /// and the payment that it repeats may have gone through.
    private func contradiction(_ transaction: SpreedlyPaymentTransaction) -> MoneyAnswer {
        let isOurs = expected.contradiction(of: transaction) == nil && !transaction.isDuplicate
        let id = isOurs ? transaction.record(facts.account, facts.redactor)?.id : nil
        let words: SafeText =
            transaction.isDuplicate
            ? "The gateway takes the payment for a repetition of an earlier one, which may have gone through."
            : "Spreedly's answer says neither that money moved nor that it did not."
        return unclear(
            words,
            SpreedlyErrorEntry(
                attribute: nil, key: transaction.declineCodes.first ?? transaction.state,
                message: transaction.response.message ?? transaction.message), providerID: id)
    }

    private func unclear(
        _ message: SafeText, _ error: SpreedlyErrorEntry? = nil, providerID: String? = nil
    ) -> MoneyAnswer {
        let isServer = response.status >= 500 || response.status == 408
        return .unclear(
            facts.failure(
                isServer ? .providerUnavailable : .unreadableAnswer, message,
                "Money may have moved: look the payment up; do not send it again.", error),
            providerID: providerID)
    }

    /// A status and a shape that prove that nothing moved.
    private func refusal(
        _ errors: [SpreedlyErrorEntry], _ first: SpreedlyErrorEntry?, _ shape: SpreedlyMoneyProofs.Shape
    ) -> MoneyAnswer {
        func refused(_ error: GatewayError) -> MoneyAnswer { .refused(error, shape: shape.rawValue) }
        if response.status != 403, let error = facts.credentialsError(errors) {
            return refused(facts.credentialsRefused(error))
        }
        if let key = first?.key, let words = SpreedlyErrors.missingThings[key] {
            return refused(facts.failure(.notFound, words, facts.nothingHappened, first))
        }
        if response.status == 402 || response.status == 422 {
            for error in errors {
                guard let reason = error.key.flatMap({ SpreedlyErrors.declines[$0] }) else { continue }
                return .result(.declined(facts.decline(reason, error), nil))
            }
            let issues = SpreedlyErrors.issues(errors, facts.redactor)
            guard issues.isEmpty else { return .result(.invalid(issues)) }
        }
        let code = SpreedlyErrors.refusals[response.status] ?? .requestRefused
        return refused(facts.refused(code, errors, first))
    }
}
