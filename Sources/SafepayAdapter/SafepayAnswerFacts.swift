import GatewayKitCore

/// An answer together with what every reader of answers makes of it in the same way.
struct SafepayAnswerFacts {
    let response: WireResponse
    let call: Call
    let account: AccountName
    /// Knows the secrets of the account and of the request.
    let redactor: Redactor
    let now: WallTime
    /// The secrets of account and request.
    let longSecrets: [Sensitive<String>]
    /// What a refusal proves: `Nothing was stored.`
    let nothingHappened: SafeText
    /// The opened body; `nil` where it is none of Safepay's, such as a page of HTML.
    let envelope: SafepayEnvelope?

    init(
        response: WireResponse, call: Call, account: AccountName, redactor: Redactor, now: WallTime,
        longSecrets: [Sensitive<String>], nothingHappened: SafeText
    ) {
        self.response = response
        self.call = call
        self.account = account
        self.redactor = redactor
        self.now = now
        self.longSecrets = longSecrets
        self.nothingHappened = nothingHappened
        // Some middle boxes put a byte order mark before the body, and RFC 8259 (section 8.1) lets readers pass over it.
        let body = response.body
        let json = try? JSONValue(parsing: body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body)
        envelope = json.flatMap { SafepayEnvelope($0) }
    }

    /// The id of the request, if whoever answered gives one.
    var requestID: String? { response.fields["x-request-id"].map(redactor.redact(_:)) }

    var isSuccessStatus: Bool { (200..<300).contains(response.status) }

    /// Whether it is an answer that did what was asked. Safepay also answers 200 to what failed.
    var isSuccess: Bool { isSuccessStatus && envelope?.saysSuccess == true }

    /// Whether Safepay itself says that it does not know the thing asked for; a 404 without its words may be a wrong
    /// address or a proxy.
    var saysNotFound: Bool {
        (response.status == 404 || response.status == 410) && envelope?.saysFailure == true
    }

    /// What the first text or code that is listed means, with the words by which it was known and its own words.
    var meaning: (meaning: SafepayErrors.Meaning, key: String, text: String)? {
        guard let envelope, envelope.saysFailure else { return nil }
        for text in [envelope.code].compactMap({ $0 }) + envelope.errors {
            if let found = SafepayErrors.meaning(of: text) { return (found.meaning, found.key, text) }
        }
        return nil
    }

    /// Safepay's own words, all of them.
    var words: SafeText? {
        guard let errors = envelope?.errors, !errors.isEmpty else { return nil }
        return redactor.scrub(errors.map(SafepayErrors.words).joined(separator: "; "))
    }

    func failure(_ code: GatewayError.Code, _ message: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(
            code, response, in: call, redactor: redactor, now: now, message: message, advice: advice,
            providerCode: envelope?.code ?? meaning?.key, providerMessage: words)
    }

    /// The error that a refusing status means, and a 2xx that tells in words that the call failed; `nil` for everything
    /// else.
    func refusal() -> GatewayError? {
        let listed = SafepayErrors.refusals[response.status]
        guard listed != nil || (isSuccessStatus && envelope?.saysFailure == true) else { return nil }
        if listed == .credentialsRefused || (listed != .notPermitted && meaning?.meaning == .credentials) {
            return failure(
                .credentialsRefused, "Safepay refused the key of account \(account).",
                nothingHappened
                    + " Check secretKey and the environment; a passport token is good for about an hour only.")
        }
        switch listed {
        case .notPermitted:
            return failure(
                .notPermitted, "Safepay does not permit this to account \(account).",
                nothingHappened + " Check the rights of the account.")
        case .rateLimited:
            return failure(
                .rateLimited, "Safepay takes no more calls for now.", nothingHappened + " Wait, then try again.")
        case .notFound:
            return failure(
                .notFound, "Safepay does not know what was asked for.",
                nothingHappened + " Check the account's baseURL and environment, and the id.")
        default:
            guard response.status != 405 else {
                return failure(
                    .requestRefused, "Safepay's front end has no such call: the path is wrong.",
                    nothingHappened + " Check the account's baseURL.")
            }
            return failure(
                .requestRefused, "Safepay refused the request.",
                nothingHappened + " Its words tell why; '-v' shows the request.")
        }
    }

    /// An answer that is neither a usable one nor a refusal.
    func unclear(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        let isServer = response.status >= 500 || response.status == 408
        return failure(isServer ? .providerUnavailable : .unreadableAnswer, message, advice)
    }

    /// A usable id: well-formed, and no secret of ours that somebody echoes. A security code may stand in a random id by
    /// chance, so only the long ones count against it.
    func id(_ text: String?) -> String? {
        guard let text, SafepaySession.isName(text) else { return nil }
        let secrets = longSecrets.filter { $0.withExposed(\.utf8.count) >= 8 }
        return Redactor(secrets: secrets).redact(identifier: text) == text ? text : nil
    }
}
