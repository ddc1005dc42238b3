import GatewayKitCore

/// Reads the answer of a submission: what is proven becomes a result or an error, everything else is unknown.
struct BlueSnapTokenAnswer {
    let facts: BlueSnapAnswerFacts
    let subject: BlueSnapSubject
    let reference: SessionReference
    let isTest: Bool

    /// Reads the answer of a submission to the token `id`.
    ///
    /// - Throws: ``GatewayError`` where the answer proves that nothing was stored and is no result.
    func read(id: String) throws(GatewayError) -> BlueSnapAttempt<TokenizationResult> {
        if let fault: BlueSnapAttempt<TokenizationResult> = facts.fault(of: reference) { return fault }
        guard facts.isSuccess else { return .done(try refusal(.token, subject.advice)) }
        guard let object = facts.object else {
            return .done(unclear("BlueSnap's answer does not tell what became of the \(subject.noun).", subject.advice))
        }
        let details = BlueSnapSubmittedCard(object)
        guard !subject.isCard || details.tellsOfACard else {
            return .done(unclear("BlueSnap's answer tells nothing of the card.", subject.advice))
        }
        guard details.agrees(with: subject) else {
            return .done(
                unclear("BlueSnap's answer is about another \(subject.noun) than the one sent.", subject.advice))
        }
        return .done(.token(token(id, details)))
    }

    /// Reads the answer of a prefill call, which made this session's token.
    func read(prefilled session: PaymentSession?) throws(GatewayError) -> TokenizationResult {
        guard facts.isSuccess else { return try refusal(.apiUser, Self.prefillAdvice) }
        guard let session else {
            return unclear("BlueSnap's answer has no token that could be used.", Self.prefillAdvice)
        }
        return .token(token(session.reference.id, BlueSnapSubmittedCard(nil)))
    }

    static let prefillAdvice: SafeText =
        "A token may have been made that nobody knows and that expires. Send the card again: nothing is charged by it."

    private func token(_ id: String, _ details: BlueSnapSubmittedCard) -> PaymentToken {
        var token = PaymentToken(id: id, account: facts.account, usage: .single)
        token.origin = subject.origin
        token.card = details.summary(beside: subject.card)
        token.bankAccount = subject.bankAccount
        token.providerKind = subject.kind
        token.isTest = isTest
        token.requestID = facts.requestID
        return token
    }

    /// An answer that is no success: fields, a definite no, an error that proves that nothing was stored, or nothing
    /// that proves anything.
    private func refusal(
        _ asker: BlueSnapAnswerFacts.Asker, _ advice: SafeText
    ) throws(GatewayError) -> TokenizationResult {
        if facts.isThrottled { throw facts.failure(asker, else: advice) }
        guard facts.isRefusal else {
            return unclear(
                "BlueSnap answered with status \(count: facts.response.status), which does not tell what became of the \(subject.noun).",
                advice)
        }
        let items = facts.items
        let issues = facts.issues(items)
        guard issues.isEmpty else { return .invalid(issues) }
        let found = facts.leading(items)
        switch found?.meaning {
        case .declined(let reason)?:
            return .declined(
                Decline(
                    reason, providerCode: (found?.item.name ?? found?.item.code).map(facts.redactor.redact(_:)),
                    message: found.flatMap { facts.words($0.item) } ?? "BlueSnap gave no message.",
                    requestID: facts.requestID))
        case .failed(.providerUnavailable)?:
            return unclear("BlueSnap failed while it worked on the \(subject.noun).", advice)
        case .token?, .field?, .failed?, nil:
            throw facts.failure(asker, else: advice)
        }
    }

    private func unclear(_ message: SafeText, _ advice: SafeText) -> TokenizationResult {
        .unknown(reference, cause: facts.unclear(message, advice, facts.leading(facts.items)?.item))
    }
}
