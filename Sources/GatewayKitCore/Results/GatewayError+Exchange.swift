extension GatewayError {
    /// The error that a transport failure means to callers.
    ///
    /// For adapters. Whether it may be *thrown* is theirs to decide: after ``Reach/sent`` a call that stores or charges
    /// has an unknown outcome, which is a result with this error as its cause.
    public init(_ error: TransportError, in call: Call) {
        let (code, advice) = Self.meaning(of: error)
        self.init(
            code, message: Self.sentence(error.detail), advice: advice, reach: error.reach, account: call.account,
            operation: call.operation, tries: error.tries,
            answer: error.partialStatus.map { Answer(status: $0) })
    }

    /// The error that a transport failure of a call that only asks means to callers: whatever became of the request,
    /// nothing was changed by it.
    public init(ofRead error: TransportError, in call: Call) {
        self.init(error, in: call)
        if error.reach != .notSent { advice = "Nothing was changed: it is safe to ask again." }
    }

    /// A transport's detail continues a sentence; a message is one.
    private static func sentence(_ detail: SafeText) -> SafeText {
        let text = detail.description
        guard let first = text.first else { return "The exchange failed." }
        return SafeText(alreadyScrubbed: first.uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : "."))
    }

    private static func meaning(of error: TransportError) -> (Code, SafeText) {
        let code: Code =
            switch error.kind {
            case .nameLookup, .connect, .connectTimeout: .unreachable
            case .tls: .tls
            case .proxy: .proxy
            case .timeout: .timedOut
            case .cancelled: .cancelled
            case .refusedHost: .refusedHost
            case .dryRun: .dryRun
            case .invalidRequest: .invalidInput
            case .malformedAnswer, .answerTooLarge: .unreadableAnswer
            default: .connectionLost
            }
        guard error.reach == .notSent else {
            return (code, "The request may have arrived: look before sending it again.")
        }
        let advice: SafeText =
            switch code {
            case .tls: "Nothing was sent. Check the clock, the certificate authorities and any TLS-inspecting proxy."
            case .proxy: "Nothing was sent to the provider. Check the proxy's address and credentials."
            case .refusedHost: "Nothing was sent. Check the account's baseURL."
            case .dryRun: "Nothing was sent, as asked."
            case .cancelled: "Nothing was sent."
            case .invalidInput: "Nothing was sent. Correct the named value."
            case .connectionLost where error.kind != .connectionLost:
                "Nothing was sent. Look at what happened: trying again may not help."
            default: "Nothing was sent: it is safe to try again. Check network, proxy and address."
            }
        return (code, advice)
    }

    /// The error that an answer means to callers, where it is no result.
    ///
    /// For adapters.
    public init(
        _ code: Code, _ response: WireResponse, in call: Call, redactor: Redactor, now: WallTime,
        message: SafeText, advice: SafeText, providerCode: String? = nil, providerMessage: SafeText? = nil
    ) {
        self.init(
            code, message: message, advice: advice, reach: .answered, account: call.account,
            operation: call.operation, tries: response.tries,
            answer: Answer(
                status: response.status, mediaType: response.mediaType.map { redactor.redact($0) },
                requestID: response.fields["x-request-id"].map(redactor.redact(_:)),
                providerCode: providerCode.map(redactor.redact(_:)), providerMessage: providerMessage,
                retryAfter: response.fields["retry-after"].flatMap { RetryAfter.read($0, now: now) }))
    }
}
