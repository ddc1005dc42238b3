import GatewayKitCore

/// Reads the answer of a create call: what is proven becomes a result or an error, everything else is unclear.
struct SpreedlyTokenAnswer {
    /// What an answer says.
    enum Reading {
        case result(TokenizationResult)
        /// The card may have been stored.
        case unclear(GatewayError)
    }

    let facts: SpreedlyAnswerFacts
    let subject: SpreedlySubject
    /// Whether the call carried a signed set, which Spreedly takes once.
    var isSigned = false

    private var response: WireResponse { facts.response }
    private var redactor: Redactor { facts.redactor }

    /// - Throws: ``GatewayError`` where the answer proves that nothing was stored and is no result: refused
    ///   credentials, a rate limit, a refused request.
    func read() throws(GatewayError) -> Reading {
        let json = SpreedlyBody.json(response.body)
        let transaction = json.flatMap { SpreedlyTransaction($0) }
        let errors = json.map { SpreedlyErrorEntry.list($0["errors"]) } ?? []
        let first = errors.first ?? json.flatMap { SpreedlyErrorEntry.words($0) }
        if isSigned, transaction == nil, response.status >= 400, let refused = facts.usedSetError(errors) {
            return .unclear(
                facts.failure(
                    .credentialsRefused, "Spreedly refused the signed set: it is wrong, or it has been used.",
                    """
                    Check certificateToken, signingKey and the clock; if they are right, something on the way sent the \
                    request twice. \(checkIt)
                    """, refused))
        }
        switch (response.status, transaction) {
        case (200..<300, let transaction?):
            return read(transaction)
        case (200..<300, nil):
            return .unclear(
                facts.failure(.unreadableAnswer, "Spreedly's answer could not be understood.", checkIt, first))
        case (402, let transaction?), (422, let transaction?):
            return hasFailed(transaction) ? .result(refusal(transaction)) : contradiction(transaction)
        case (402, nil) where json?["errors"].present != nil, (422, nil) where json?["errors"].present != nil:
            return try readRefusal(errors)
        case (let status, nil):
            if let code = SpreedlyErrors.refusals[status] { throw refused(code, errors, first) }
            return .unclear(
                facts.failure(
                    status >= 500 || status == 408 ? .providerUnavailable : .unreadableAnswer,
                    "Spreedly answered with status \(count: status), which does not tell what became of the \(subject.noun).",
                    checkIt, first))
        case (_, let transaction?):
            return contradiction(transaction)
        }
    }

    private func read(_ transaction: SpreedlyTransaction) -> Reading {
        if transaction.isSuccess, let method = transaction.paymentMethod, let id = method.token {
            // One search for all ids of the answer: nearly always there is nothing to mask in any of them.
            let ids = [id, method.fingerprint, transaction.token, response.fields["x-request-id"]]
                .compactMap { $0 }.joined(separator: "\n")
            let idsAreClean = redactor.redact(identifier: ids) == ids
            // A security code may be a group of a token's digits by chance; everything else that is masked is no token.
            guard
                idsAreClean || redactor.redact(identifier: id) == id
                    || facts.call.redactor.adding(subject.identifying).redact(identifier: id) == id
            else {
                return .unclear(
                    facts.failure(
                        .unreadableAnswer, "Spreedly's answer has card data or a secret where the token belongs.",
                        checkIt))
            }
            guard subject.matches(method) else {
                return .unclear(
                    facts.failure(
                        .unreadableAnswer, "Spreedly's answer is about another instrument than the one sent.", checkIt))
            }
            return .result(.token(token(id, method, transaction, idsAreClean: idsAreClean)))
        }
        return hasFailed(transaction) ? .result(refusal(transaction)) : contradiction(transaction)
    }

    /// A refused recache names the card that was there before; a refused create call must name none.
    private func hasFailed(_ transaction: SpreedlyTransaction) -> Bool {
        subject.token == nil ? transaction.isFailure : transaction.saysItFailed
    }

    private func contradiction(_ transaction: SpreedlyTransaction) -> Reading {
        .unclear(
            facts.failure(
                response.status >= 500 ? .providerUnavailable : .unreadableAnswer,
                "Spreedly's answer says neither that the \(subject.noun) was stored nor that it was not.", checkIt,
                SpreedlyErrorEntry(attribute: nil, key: transaction.state, message: transaction.message)))
    }

    private func token(
        _ id: String, _ method: SpreedlyStoredMethod, _ transaction: SpreedlyTransaction, idsAreClean: Bool
    ) -> PaymentToken {
        func shown(_ id: String?) -> String? {
            idsAreClean ? id : id.map(redactor.redact(identifier:))
        }
        var token = PaymentToken(id: id, account: facts.account, usage: method.usage)
        token.card = subject.isCard ? method.summary : method.card
        token.bankAccount = method.bankAccount
        token.providerKind = method.kind.map(redactor.redact(_:))
        token.isTest = method.isTest
        token.fingerprint = shown(method.fingerprint)
        token.providerState =
            method.usage == .unknown ? method.storageState.map(redactor.redact(_:)) : method.storageState
        token.transactionID = shown(transaction.token)
        token.requestID = shown(response.fields["x-request-id"])
        return token
    }

    /// 402 and 422 with a list of errors.
    private func readRefusal(_ errors: [SpreedlyErrorEntry]) throws(GatewayError) -> Reading {
        if let refused = facts.credentialsError(errors) { throw facts.credentialsRefused(refused) }
        for error in errors {
            if let key = error.key, let reason = SpreedlyErrors.declines[key] {
                return .result(.declined(facts.decline(reason, error)))
            }
        }
        let issues = SpreedlyErrors.issues(errors, redactor)
        guard issues.isEmpty else { return .result(.invalid(issues)) }
        throw facts.failure(
            .requestRefused, "Spreedly refused the request.", "Nothing was stored. Read its code and message.",
            errors.first)
    }

    /// A status that refuses, whatever its body is.
    private func refused(
        _ code: GatewayError.Code, _ errors: [SpreedlyErrorEntry], _ first: SpreedlyErrorEntry?
    ) -> GatewayError {
        guard code == .notFound, facts.credentialsError(errors) == nil else {
            return facts.refused(code, errors, first)
        }
        return subject.token == nil
            ? facts.failure(
                code, "There is no create call at this address.", "Nothing was stored. Check the account's baseURL.",
                first)
            : facts.failure(
                code, "Spreedly has no such stored card.",
                "Nothing was changed. Check the token, and whether it belongs to account \(facts.account).", first)
    }

    /// A transaction that says that it failed: the fields' errors where there are some, else a decline.
    private func refusal(_ transaction: SpreedlyTransaction) -> TokenizationResult {
        let issues = SpreedlyErrors.issues(transaction.errors, redactor)
        guard issues.isEmpty else { return .invalid(issues) }
        return .declined(facts.decline(transaction))
    }

    private var checkIt: SafeText {
        subject.token == nil
            ? "The \(subject.noun) may have been stored. A second create call would make a second token, and charges nothing."
            : "The security code may have been stored. Sending it once more replaces it, and charges nothing."
    }
}
