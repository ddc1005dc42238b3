import GatewayKitCore

/// An answer together with what every reader of answers makes of it in the same way.
struct BlueSnapAnswerFacts {
    let response: WireResponse
    let call: Call
    let account: AccountName
    /// Knows the secrets of the account, of the token and of the request.
    let redactor: Redactor
    let now: WallTime
    /// What a refusal proves: `Nothing was stored.`
    let nothingHappened: SafeText

    /// Who asked, for the words of a refusal.
    enum Asker {
        case apiUser
        case token
    }

    /// The body, if it is JSON. RFC 8259 (section 8.1) lets readers pass over a byte order mark.
    var json: JSONValue? {
        let body = response.body
        return try? JSONValue(parsing: body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body)
    }

    var isSuccess: Bool { (200..<300).contains(response.status) }

    /// The id of the request, if whoever answered gives one.
    var requestID: String? { response.fields["x-request-id"].map(redactor.redact(_:)) }

    /// What a success tells: an object that is no error under a status that says success.
    var object: JSONValue? {
        guard isSuccess, let json, json.kind == .object else { return nil }
        let isError =
            json["message"].kind == .array || json["errorName"].present != nil || json["errorCode"].present != nil
        return isError ? nil : json
    }

    // MARK: - Errors

    /// Every error that the body tells.
    var items: [BlueSnapErrorItem] { BlueSnapErrorBody.items(response.body) }

    /// The error that decides and what it means: the first whose name or number has a row, else the first.
    func leading(_ items: [BlueSnapErrorItem]) -> (item: BlueSnapErrorItem, meaning: BlueSnapMeaning?)? {
        for item in items {
            if let meaning = BlueSnapErrors.meaning(name: item.name, code: item.code) { return (item, meaning) }
        }
        return items.first.map { ($0, nil) }
    }

    /// Whether the status by itself proves that nothing was done.
    var isRefusal: Bool { BlueSnapErrors.refusals[response.status] != nil }

    /// Whether BlueSnap's throttle speaks, which lets nothing through.
    var isThrottled: Bool {
        if response.status == 429 { return true }
        guard response.status == 503, let text = items.first?.text?.lowercased() else { return false }
        return BlueSnapErrors.throttleTexts.contains { text.contains($0) }
    }

    /// What an answer says of the token itself, where it says that it does not take it; `nil` for every other answer.
    func fault<Outcome>(of reference: SessionReference) -> BlueSnapAttempt<Outcome>? {
        guard isRefusal, response.status != 429 else { return nil }
        let found = leading(items)
        if case .token(let fault)? = found?.meaning {
            return .unusable(unusable(reference, fault, found?.item))
        }
        // What BlueSnap answers for a token that PayPal has used.
        if response.status == 403, found?.item.text?.lowercased() == "unauthorized" {
            return .unusable(unusable(reference, .used, found?.item))
        }
        guard response.status == 401 else { return nil }
        return .refused(credentialsRefused(.token, found?.item))
    }

    private func unusable(
        _ reference: SessionReference, _ fault: BlueSnapMeaning.TokenFault, _ item: BlueSnapErrorItem?
    ) -> BlueSnapUnusable {
        let message: SafeText =
            switch fault {
            case .expired: "BlueSnap's token has expired."
            case .notFound: "BlueSnap does not know this token."
            case .used: "BlueSnap's token has been used already."
            }
        var status = SessionStatus(
            reference: reference, phase: .expired,
            providerWord: (item?.name ?? item?.code ?? item?.text).map(redactor.redact(_:)))
        status.requestID = requestID
        return BlueSnapUnusable(
            error: failure(.sessionUnusable, message, nothingHappened + " Open another session.", item),
            status: status)
    }

    func credentialsRefused(_ asker: Asker, _ item: BlueSnapErrorItem?) -> GatewayError {
        switch asker {
        case .apiUser:
            failure(
                .credentialsRefused, "BlueSnap refused the API user of account \(account).",
                nothingHappened + " Check username and password.", item)
        case .token:
            failure(
                .credentialsRefused, "BlueSnap refused the token.", nothingHappened + " Open another session.", item)
        }
    }

    /// The error that an answer means to callers where it is no success and no matter of the token: what it says is
    /// proven where ``isRefusal`` holds.
    ///
    /// - Parameter advice: What to do where the answer proves nothing.
    func failure(_ asker: Asker, else advice: SafeText) -> GatewayError {
        let found = leading(items)
        let item = found?.item
        if isThrottled {
            return failure(
                .rateLimited, "BlueSnap takes no more calls for now.", nothingHappened + " Wait, then try again.", item)
        }
        guard let standard = BlueSnapErrors.refusals[response.status] else {
            return unclear(
                "BlueSnap answered with status \(count: response.status), which does not tell what became of the call.",
                advice, item)
        }
        switch code(standard, found) {
        case .credentialsRefused: return credentialsRefused(asker, item)
        case .notPermitted:
            return failure(
                .notPermitted, "BlueSnap does not permit this to account \(account).",
                nothingHappened + " Check the rights of its API user, and the addresses that may use it.", item)
        case .notFound:
            return failure(
                .notFound, "BlueSnap does not know what was asked for.", nothingHappened + " Check the id.", item)
        case .providerUnavailable:
            return failure(
                .providerUnavailable, "BlueSnap answered that it is not able to work.", advice, item)
        case .sessionUnusable:
            return failure(
                .sessionUnusable, "BlueSnap does not take the token any more.",
                nothingHappened + " Open another session.", item)
        case let code:
            return failure(
                code, "BlueSnap refused the request.", nothingHappened + " Read its code and message.", item)
        }
    }

    private func code(
        _ standard: GatewayError.Code, _ found: (item: BlueSnapErrorItem, meaning: BlueSnapMeaning?)?
    ) -> GatewayError.Code {
        switch found?.meaning {
        case .token?: return .sessionUnusable
        case .field?, .declined?: return .requestRefused
        case .failed(let code)?: return code
        case nil: break
        }
        // The sentence that BlueSnap answers for a transaction that is unknown or another merchant's.
        if response.status == 403, let text = found?.item.text?.lowercased(), text.contains("transaction"),
            text.contains("authorized") || text.contains("authorised")
        {
            return .notFound
        }
        return standard
    }

    func failure(
        _ code: GatewayError.Code, _ message: SafeText, _ advice: SafeText, _ item: BlueSnapErrorItem? = nil
    ) -> GatewayError {
        GatewayError(
            code, response, in: call, redactor: redactor, now: now, message: message, advice: advice,
            providerCode: item.flatMap { $0.name ?? $0.code }, providerMessage: item.flatMap(words))
    }

    /// An answer that is neither a usable one nor a refusal.
    func unclear(_ message: SafeText, _ advice: SafeText, _ item: BlueSnapErrorItem? = nil) -> GatewayError {
        let isServer = response.status >= 500 || response.status == 408
        return failure(isServer ? .providerUnavailable : .unreadableAnswer, message, advice, item)
    }

    /// BlueSnap's words with its number and, of fraud, the rules that struck.
    func words(_ item: BlueSnapErrorItem) -> SafeText? {
        var parts: [SafeText] = []
        if let text = item.text { parts.append(redactor.scrub(text)) }
        if item.name != nil, let code = item.code { parts.append("(code \(redactor.scrub(code)))") }
        if !item.fraudEvents.isEmpty {
            parts.append("[\(redactor.scrub(item.fraudEvents.prefix(16).joined(separator: ", ")))]")
        }
        guard let first = parts.first else { return nil }
        return parts.dropFirst().reduce(first) { $0 + " " + $1 }
    }

    /// The errors as issues of fields, all of them as soon as one tells of a field; none when none does.
    func issues(_ items: [BlueSnapErrorItem]) -> [FieldIssue] {
        var tellsOfAField = false
        let issues = items.map { item in
            var field: FieldIssue.Field?
            var problem = FieldIssue.Problem.unlisted
            if case .field(let ofName, let problemOfName)? = BlueSnapErrors.meaning(name: item.name, code: item.code) {
                (field, problem) = (ofName, problemOfName)
            }
            if let property = item.property {
                // `paymentSources.creditCardInfo[0].creditCard.cardNumber`
                let last = property.split(separator: ".").last.map(String.init) ?? property
                field = BlueSnapErrors.fields[last] ?? field ?? .other
            }
            if field != nil { tellsOfAField = true }
            return FieldIssue(
                field ?? .other, problem, origin: .provider,
                providerCode: (item.name ?? item.code).map(redactor.redact(_:)),
                providerField: item.property.map(redactor.redact(_:)),
                message: words(item) ?? "BlueSnap gave no message.")
        }
        return tellsOfAField ? issues : []
    }

    /// A usable id: well-formed, and no secret of ours that somebody echoes.
    func id(_ text: String?) -> String? {
        guard let text, PaymentToken.isWellFormed(id: text) else { return nil }
        return text
    }
}
