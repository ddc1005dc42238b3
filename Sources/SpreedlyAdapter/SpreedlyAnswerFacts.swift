import GatewayKitCore

/// An answer together with what every reader of answers makes of it in the same way: errors, declines, refusals.
struct SpreedlyAnswerFacts {
    let response: WireResponse
    let call: Call
    let account: AccountName
    /// Knows the secrets of the account and of the request.
    let redactor: Redactor
    let now: WallTime
    /// What a refusal proves: `Nothing was stored.`
    let nothingHappened: SafeText

    /// Spreedly's id of the request.
    var requestID: String? { response.fields["x-request-id"].map(redactor.redact(_:)) }

    func failure(
        _ code: GatewayError.Code, _ message: SafeText, _ advice: SafeText, _ error: SpreedlyErrorEntry? = nil
    ) -> GatewayError {
        GatewayError(
            code, response, in: call, redactor: redactor, now: now, message: message, advice: advice,
            providerCode: error?.key, providerMessage: error?.message.map { redactor.scrub($0) })
    }

    func decline(_ reason: Decline.Reason, _ error: SpreedlyErrorEntry) -> Decline {
        Decline(
            reason, providerCode: error.key.map { redactor.redact($0) },
            message: error.message.map(redactor.scrub) ?? "Spreedly gave no message.", requestID: requestID)
    }

    /// The decline that a failed transaction is where it names no field.
    func decline(_ transaction: SpreedlyTransaction) -> Decline {
        let code = transaction.messageKey ?? transaction.state
        return decline(.unlisted, SpreedlyErrorEntry(attribute: nil, key: code, message: transaction.message))
    }

    /// The error that tells of refused credentials, if there is one.
    func credentialsError(_ errors: [SpreedlyErrorEntry]) -> SpreedlyErrorEntry? {
        errors.first { $0.key.map(SpreedlyErrors.credentialKeys.contains) ?? false }
    }

    /// The error that tells of a signed set that is wrong or was used before, if there is one.
    func usedSetError(_ errors: [SpreedlyErrorEntry]) -> SpreedlyErrorEntry? {
        errors.first { $0.key == "errors.invalid_enhanced_authentication_params" }
    }

    func credentialsRefused(_ error: SpreedlyErrorEntry?) -> GatewayError {
        failure(
            .credentialsRefused, "Spreedly refused the credentials of account \(account).",
            nothingHappened + " Check environmentKey and accessSecret.", error)
    }

    /// What a status of ``SpreedlyErrors/refusals`` means, whatever its body is. A reader tells itself what is not found.
    func refused(
        _ code: GatewayError.Code, _ errors: [SpreedlyErrorEntry], _ first: SpreedlyErrorEntry?
    ) -> GatewayError {
        if code == .credentialsRefused { return credentialsRefused(credentialsError(errors) ?? first) }
        if let error = credentialsError(errors), code != .notPermitted || error.key != "errors.access_denied" {
            return credentialsRefused(error)
        }
        switch code {
        case .notPermitted:
            return failure(
                code, "Spreedly does not permit this to account \(account).",
                nothingHappened + " Check the rights of its access secret.", first)
        case .rateLimited:
            return failure(
                code, "Spreedly takes no more calls for now.", nothingHappened + " Wait, then send it again.", first)
        default:
            return failure(
                code, "Spreedly refused the request as such.",
                nothingHappened + " Check the account's baseURL and the request ('--dry-run -v' shows it).", first)
        }
    }
}

/// The body of an answer.
enum SpreedlyBody {
    /// Some middle boxes put a byte order mark before JSON, and RFC 8259 (section 8.1) lets readers pass over it.
    static func json(_ body: [UInt8]) -> JSONValue? {
        try? JSONValue(parsing: body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body)
    }
}
