import GatewayKitCore

/// Reads the answer of a create call: what is proven becomes a result or an error, everything else is unclear.
struct SpreedlyTokenAnswer {
    /// What an answer says.
    enum Reading {
        case result(TokenizationResult)
        /// The card may have been stored.
        case unclear(GatewayError)
    }

    private let response: WireResponse
    private let call: Call
    private let account: AccountName
    private let number: CardNumber
    private let redactor: Redactor
    private let now: WallTime

    init(
        _ response: WireResponse, _ call: Call, account: AccountName, number: CardNumber, redactor: Redactor,
        now: WallTime
    ) {
        self.response = response
        self.call = call
        self.account = account
        self.number = number
        self.redactor = redactor
        self.now = now
    }

    /// - Throws: ``GatewayError`` where the answer proves that nothing was stored and is no result: refused
    ///   credentials, a rate limit, a refused request.
    func read() throws(GatewayError) -> Reading {
        let json = try? JSONValue(parsing: response.body)
        switch response.status {
        case 200..<300:
            guard let json, let transaction = SpreedlyTransaction(json) else {
                return .unclear(failure(.unreadableAnswer, "Spreedly's answer could not be understood.", checkIt))
            }
            return read(transaction)
        case 401:
            throw failure(
                .credentialsRefused, "Spreedly refused the credentials of account \(account).",
                "Check environmentKey and accessSecret.", firstError(json))
        case 403:
            throw failure(
                .notPermitted, "Spreedly does not permit this to account \(account).",
                "Check the rights of its access secret.", firstError(json))
        case 429:
            throw failure(
                .rateLimited, "Spreedly takes no more calls for now.",
                "Nothing was stored. Wait, then send it again.", firstError(json))
        case 402, 422:
            return try readRefusal(json)
        case 400..<500 where response.status != 408 && response.status != 409:
            throw failure(
                .requestRefused, "Spreedly refused the request as such.",
                "Nothing was stored. Check the account's baseURL and the request ('--dry-run -v' shows it).",
                firstError(json))
        default:
            let isServerFault = response.status >= 500
            return .unclear(
                failure(
                    isServerFault ? .providerUnavailable : .unreadableAnswer,
                    "Spreedly answered with status \(count: response.status), which does not tell what became of the card.",
                    checkIt, firstError(json)))
        }
    }

    private func read(_ transaction: SpreedlyTransaction) -> Reading {
        if transaction.isSuccess, let method = transaction.paymentMethod, let id = method.token {
            guard !number.withExposed({ id.contains($0) }) else {
                return .unclear(
                    failure(
                        .unreadableAnswer, "Spreedly's answer has the card number where the token belongs.", checkIt))
            }
            return .result(.token(token(id, method, transaction)))
        }
        if transaction.isFailure { return .result(refusal(transaction)) }
        let word = transaction.state.map { redactor.redact(identifier: $0) }
        return .unclear(
            failure(
                .unreadableAnswer, "Spreedly's answer says neither that the card was stored nor that it was not.",
                checkIt, SpreedlyErrorEntry(attribute: nil, key: word, message: transaction.message)))
    }

    private func token(
        _ id: String, _ method: SpreedlyStoredMethod, _ transaction: SpreedlyTransaction
    ) -> PaymentToken {
        var token = PaymentToken(id: id, account: account, usage: method.usage)
        token.card = method.summary
        token.isTest = method.isTest
        token.fingerprint = method.fingerprint
        token.providerState = method.storageState
        token.transactionID = transaction.token
        token.requestID = response.fields["x-request-id"]
        return token
    }

    /// 402 and 422: either a refused request with its `errors`, or a transaction that failed.
    private func readRefusal(_ json: JSONValue?) throws(GatewayError) -> Reading {
        guard let json else {
            return .unclear(failure(.unreadableAnswer, "Spreedly's refusal could not be understood.", checkIt))
        }
        if let transaction = SpreedlyTransaction(json) { return read(transaction) }
        let errors = SpreedlyErrorEntry.list(json["errors"])
        if let refused = errors.first(where: { $0.key.map(SpreedlyErrors.credentialKeys.contains) ?? false }) {
            throw failure(
                .credentialsRefused, "Spreedly refused the credentials of account \(account).",
                "Check environmentKey and accessSecret.", refused)
        }
        for error in errors {
            if let key = error.key, let reason = SpreedlyErrors.declines[key] {
                return .result(.declined(decline(reason, error)))
            }
        }
        let issues = errors.compactMap { SpreedlyErrors.issue($0, redactor) }
        guard issues.isEmpty else { return .result(.invalid(issues)) }
        throw failure(
            .requestRefused, "Spreedly refused the request.", "Nothing was stored. Read its code and message.",
            errors.first)
    }

    /// A transaction that says that it failed: the fields' errors where there are some, else a decline.
    private func refusal(_ transaction: SpreedlyTransaction) -> TokenizationResult {
        let issues = (transaction.paymentMethod?.errors ?? []).compactMap { SpreedlyErrors.issue($0, redactor) }
        guard issues.isEmpty else { return .invalid(issues) }
        let code = transaction.messageKey ?? transaction.state
        return .declined(
            decline(.unlisted, SpreedlyErrorEntry(attribute: nil, key: code, message: transaction.message)))
    }

    private func decline(_ reason: Decline.Reason, _ error: SpreedlyErrorEntry) -> Decline {
        Decline(
            reason, providerCode: error.key.map { redactor.redact(identifier: $0) },
            message: redactor.scrub(error.message ?? "Spreedly gave no message."),
            requestID: response.fields["x-request-id"].map { redactor.redact(identifier: $0) })
    }

    private let checkIt: SafeText =
        "The card may have been stored. A second create call would make a second token, and charges nothing."

    private func firstError(_ json: JSONValue?) -> SpreedlyErrorEntry? {
        json.flatMap { SpreedlyErrorEntry.list($0["errors"]).first }
    }

    private func failure(
        _ code: GatewayError.Code, _ message: SafeText, _ advice: SafeText, _ error: SpreedlyErrorEntry? = nil
    ) -> GatewayError {
        GatewayError(
            code, response, in: call, redactor: redactor, now: now, message: message, advice: advice,
            providerCode: error?.key, providerMessage: error?.message.map { redactor.scrub($0) })
    }
}
