import GatewayKitCore

/// An answer together with what every reader of answers makes of it in the same way.
struct HellgateAnswerFacts {
    let response: WireResponse
    let call: Call
    let account: AccountName
    /// Knows the secrets of the account, of the session and of the request.
    let redactor: Redactor
    let now: WallTime
    /// The secrets of account and request.
    let longSecrets: [Sensitive<String>]
    /// What a refusal proves: `Nothing was stored.`
    let nothingHappened: SafeText

    /// The body, if it is JSON. Some middle boxes put a byte order mark before it, and RFC 8259 (section 8.1) lets
    /// readers pass over it.
    var json: JSONValue? {
        let body = response.body
        return try? JSONValue(parsing: body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body)
    }

    var error: HellgateErrorBody? { json.flatMap { HellgateErrorBody($0) } }

    /// The id of the request, if whoever answered gives one.
    var requestID: String? { response.fields["x-request-id"].map(redactor.redact(_:)) }

    var isSuccess: Bool { (200..<300).contains(response.status) }

    /// Whether Hellgate itself says that it does not know the thing asked for; a 404 without its words may be a wrong
    /// address or a proxy.
    var saysNotFound: Bool {
        (response.status == 404 || response.status == 410) && error?.classifier == HellgateErrors.notFound
    }

    func failure(_ code: GatewayError.Code, _ message: SafeText, _ advice: SafeText) -> GatewayError {
        let error = error
        return GatewayError(
            code, response, in: call, redactor: redactor, now: now, message: message, advice: advice,
            providerCode: error?.classifier, providerMessage: error?.message.map { redactor.scrub($0) })
    }

    /// The error that a status of ``HellgateErrors/refusals`` means, whatever its body is; `nil` for other statuses.
    /// - Parameters:
    ///   - credentials: What the request proved itself with.
    ///   - check: What to do when that is refused.
    func refusal(credentials: SafeText = "the API key", check: SafeText = "Check apiKey.") -> GatewayError? {
        guard let code = HellgateErrors.refusals[response.status] else { return nil }
        switch code {
        case .credentialsRefused:
            return failure(
                code, "Hellgate refused \(credentials) of account \(account).", nothingHappened + " " + check)
        case .notPermitted:
            return failure(
                code, "Hellgate does not permit this to account \(account).",
                nothingHappened + " Check the rights of its API key.")
        case .rateLimited:
            return failure(code, "Hellgate takes no more calls for now.", nothingHappened + " Wait, then try again.")
        case .notFound:
            return failure(
                code, "Hellgate does not know what was asked for.",
                nothingHappened + " Check the account's baseURL, and the id.")
        default:
            return failure(
                code, "Hellgate refused the request as such.",
                nothingHappened + " Check the account's baseURL and the request ('-v' shows it).")
        }
    }

    /// An answer that is neither a usable one nor a refusal.
    func unclear(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        let isServer = response.status >= 500 || response.status == 408
        return failure(isServer ? .providerUnavailable : .unreadableAnswer, message, advice)
    }

    /// A usable id: well-formed, and no secret of ours that somebody echoes. A security code may stand in a random id by
    /// chance, so only the long ones count against it.
    ///
    /// - Parameter further: Secrets besides those of account and request.
    func id(_ text: String?, without further: [Sensitive<String>] = []) -> String? {
        guard let text, PaymentToken.isWellFormed(id: text) else { return nil }
        let all = (longSecrets + further).filter { $0.withExposed(\.utf8.count) >= 8 }
        return Redactor(secrets: all).redact(identifier: text) == text ? text : nil
    }
}
