import GatewayKitCore

/// Reads the answers of the vault's calls: what is proven becomes a result or an error, everything else is unclear.
struct SpreedlyVaultAnswer {
    /// What an answer says.
    enum Reading {
        case result(VaultResult)
        /// The change may have been made.
        case unclear(GatewayError)
    }

    let facts: SpreedlyAnswerFacts
    /// The token that the answer must be about; `nil` for a list.
    let id: String?
    let isRead: Bool

    private var response: WireResponse { facts.response }
    private var redactor: Redactor { facts.redactor }

    /// - Throws: ``GatewayError`` where the answer proves that nothing was done and is no result: refused credentials, a
    ///   rate limit, a refused request.
    func read() throws(GatewayError) -> Reading {
        let json = SpreedlyBody.json(response.body)
        let transaction = json.flatMap { SpreedlyTransaction($0) }
        let errors = json.map { SpreedlyErrorEntry.list($0["errors"]) } ?? []
        let first = errors.first ?? json.flatMap { SpreedlyErrorEntry.words($0) }
        switch response.status {
        case 200..<300:
            if let transaction { return read(transaction) }
            guard let method = json.flatMap({ SpreedlyStoredMethod(in: $0) }) else {
                return unclear("Spreedly's answer could not be understood.", first)
            }
            return read(method, nil)
        case 402, 422:
            if let transaction {
                return transaction.saysItFailed ? .result(refusal(transaction)) : contradiction(transaction)
            }
            guard json?["errors"].present != nil else { fallthrough }
            return .result(try refusal(errors))
        default:
            if transaction == nil, let code = SpreedlyErrors.refusals[response.status] {
                if code == .notFound, let id, !errors.isEmpty, facts.credentialsError(errors) == nil {
                    return .result(.notFound(id: id))
                }
                throw facts.refused(code, errors, first)
            }
            return unclear(
                "Spreedly answered with status \(count: response.status), which does not tell what was done.", first)
        }
    }

    /// A page of the list, of which `count` instruments were asked for.
    func readPage(_ count: Int) throws(GatewayError) -> VaultPage {
        let json = SpreedlyBody.json(response.body)
        guard (200..<300).contains(response.status) else {
            switch try read() {
            case .unclear(let cause): throw cause
            case .result(.refused(let decline)):
                throw facts.failure(
                    .requestRefused, "Spreedly refused to list.", "Read its code and message.",
                    SpreedlyErrorEntry(attribute: nil, key: decline.providerCode, message: decline.message.description))
            case .result:
                throw facts.failure(.requestRefused, "Spreedly refused to list.", "Check the filters of the list.")
            }
        }
        guard let list = json?["payment_methods"], list.kind == .array || list.kind == .object else {
            throw facts.failure(
                .unreadableAnswer, "Spreedly's list could not be understood.",
                "Nothing was changed: it is safe to ask again.")
        }
        var instruments: [StoredInstrument] = []
        for item in list.items {
            // A list must not lose anybody's instrument in silence, and the last one is the way to the next page.
            guard let method = SpreedlyStoredMethod(in: item) ?? SpreedlyStoredMethod(item),
                var stored = method.instrument(facts.account, redactor), isNoSecret(stored.id)
            else {
                throw facts.failure(
                    .unreadableAnswer, "An entry of Spreedly's list has no token that can be read.",
                    "Ask Spreedly's support, with the request id.")
            }
            stored.requestID = facts.requestID
            instruments.append(stored)
        }
        return VaultPage(instruments: instruments, next: instruments.count < count ? nil : instruments.last?.id)
    }

    private func read(_ transaction: SpreedlyTransaction) -> Reading {
        if transaction.isSuccess, let method = transaction.paymentMethod {
            return read(method, transaction.token)
        }
        return transaction.saysItFailed ? .result(refusal(transaction)) : contradiction(transaction)
    }

    private func read(_ method: SpreedlyStoredMethod, _ transactionID: String?) -> Reading {
        guard var stored = method.instrument(facts.account, redactor), isNoSecret(stored.id) else {
            return unclear("Spreedly's answer has no token that can be read.")
        }
        guard stored.id == id else {
            return unclear("Spreedly's answer is about another instrument than the one asked for.")
        }
        stored.transactionID = transactionID.map(redactor.redact(_:))
        stored.requestID = facts.requestID
        return .result(.done(stored))
    }

    private func isNoSecret(_ token: String) -> Bool { redactor.redact(identifier: token) == token }

    private func contradiction(_ transaction: SpreedlyTransaction) -> Reading {
        unclear(
            "Spreedly's answer says neither that it was done nor that it was not.",
            SpreedlyErrorEntry(attribute: nil, key: transaction.state, message: transaction.message))
    }

    private func unclear(_ message: SafeText, _ error: SpreedlyErrorEntry? = nil) -> Reading {
        let isServer = response.status >= 500 || response.status == 408
        return .unclear(
            facts.failure(
                isServer ? .providerUnavailable : .unreadableAnswer, message,
                isRead
                    ? "Nothing was changed: it is safe to ask again."
                    : "The change may have been made: show the instrument to find out.", error))
    }

    /// 402 and 422 with a list of errors.
    private func refusal(_ errors: [SpreedlyErrorEntry]) throws(GatewayError) -> VaultResult {
        if let refused = facts.credentialsError(errors) { throw facts.credentialsRefused(refused) }
        let issues = SpreedlyErrors.issues(errors, redactor)
        guard issues.isEmpty else { return .invalid(issues) }
        guard let error = errors.first else {
            throw facts.failure(.requestRefused, "Spreedly refused the request.", "Nothing was changed.")
        }
        let reason = error.key.flatMap { SpreedlyErrors.declines[$0] } ?? .unlisted
        return .refused(facts.decline(reason, error))
    }

    /// A transaction that says that it failed: the fields' errors where there are some, else a refusal.
    private func refusal(_ transaction: SpreedlyTransaction) -> VaultResult {
        let issues = SpreedlyErrors.issues(transaction.errors, redactor)
        guard issues.isEmpty else { return .invalid(issues) }
        return .refused(facts.decline(transaction))
    }
}
