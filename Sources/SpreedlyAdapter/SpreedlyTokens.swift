import GatewayKitCore

/// Tokenization at Spreedly: one create call. Spreedly wants no session; the environment takes its place.
struct SpreedlyTokens: TokenProvider {
    let client: SpreedlyClient

    private static let sessionID = "environment"

    func openSession(
        _ request: SessionRequest, _ call: CallContext
    ) async throws(GatewayError) -> PaymentSession {
        PaymentSession(reference: reference)
    }

    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession {
        guard reference == self.reference else {
            throw invalid(
                "This session belongs to another account or provider.",
                "Open a session on account \(client.account.name).")
        }
        return PaymentSession(reference: reference)
    }

    private var reference: SessionReference {
        SessionReference(account: client.account.name, id: Self.sessionID)
    }

    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ context: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        _ = try attach(session.reference)
        guard case .card(let card) = request.instrument else {
            throw GatewayError(
                .notSupported, message: "This adapter cannot tokenize such an instrument at Spreedly.",
                advice: "Nothing was sent.", account: client.account.name)
        }
        try checkOptions(request)
        if request.checksLocally {
            let issues = localIssues(card, request)
            guard issues.isEmpty else { return .invalid(issues) }
        }
        let wireRequest: WireRequest
        do {
            wireRequest = try client.createPaymentMethod { SpreedlyPaymentMethod.write(card, request, into: &$0) }
        } catch {
            throw invalid("The request cannot be written: \(error.message).", "Nothing was sent. Correct the input.")
        }
        let call = client.pipeline.begin(wireRequest.operation, context)
        do {
            let result = try await send(wireRequest, card, call)
            var detail: SafeText?
            if case .unknown(_, let cause) = result { detail = cause.message }
            client.pipeline.end(call, outcome: result.outcomeName, detail: detail)
            return result
        } catch {
            client.pipeline.end(call, outcome: error.code.description, detail: error.message)
            throw error
        }
    }

    private func send(
        _ request: WireRequest, _ card: Card, _ call: Call
    ) async throws(GatewayError) -> TokenizationResult {
        let response: WireResponse
        do {
            response = try await client.pipeline.send(request, in: call)
        } catch {
            let failure = GatewayError(error, in: call)
            guard error.reach == .notSent else { return .unknown(reference, cause: failure) }
            throw failure
        }
        let answer = SpreedlyTokenAnswer(
            response, call, account: client.account.name, number: card.number,
            redactor: call.redactor.adding(request.secrets), now: client.wallClock.now())
        switch try answer.read() {
        case .result(let result): return result
        case .unclear(let cause): return .unknown(reference, cause: cause)
        }
    }

    /// Refuses unknown options, and what Spreedly would not take with the configured credentials.
    private func checkOptions(_ request: TokenizationRequest) throws(GatewayError) {
        for (name, value) in request.options.sorted(by: { $0.key < $1.key }) {
            guard SpreedlyOption(rawValue: name) != nil else {
                let known = SpreedlyOption.allCases.map(\.rawValue).joined(separator: ", ")
                throw invalid("Spreedly has no option '\(name)'.", "Its options are: \(known).")
            }
            guard case .flag = value else {
                throw invalid("The option '\(name)' must be true or false.", "Correct its value.")
            }
        }
        if request.retain == true, !client.authentication.mayRetain {
            throw GatewayError(
                .configuration, message: "Spreedly retains a card at once only for calls with the access secret.",
                advice: """
                    Configure accessSecret and authentication "secret" for account \(client.account.name), or tokenize \
                    without retaining and retain the token later.
                    """, account: client.account.name)
        }
    }

    private func invalid(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(.invalidInput, message: message, advice: advice, account: client.account.name)
    }

    /// Our own checks, less those that an option switches off, plus Spreedly's rules for presence and metadata.
    private func localIssues(_ card: Card, _ request: TokenizationRequest) -> [FieldIssue] {
        func isSet(_ option: SpreedlyOption) -> Bool { request.options[option.rawValue] == .flag(true) }
        var issues = card.issues(at: client.wallClock.now())
        if isSet(.allowExpiredDate) { issues.removeAll { $0.problem == .expired } }
        if card.expiry == nil, !isSet(.allowBlankDate) {
            issues.append(
                FieldIssue(.expiryMonth, .missing, message: "Spreedly needs the month and year of expiry."))
        }
        if SpreedlyPaymentMethod.holder(card, request.shopper) == nil, !isSet(.allowBlankName) {
            issues.append(FieldIssue(.name, .missing, message: "Spreedly needs the name on the card."))
        }
        return issues + request.shopper.issues + metadataIssues(request.metadata)
    }

    /// At most 25 entries, keys up to 50 and values up to 500 characters (API V1, "metadata"), counted as Unicode scalars
    /// like other languages do.
    private func metadataIssues(_ metadata: [TokenizationRequest.Metadata]) -> [FieldIssue] {
        var issues: [FieldIssue] = []
        if metadata.count > 25 {
            issues.append(FieldIssue(.metadata, .tooLong, message: "Spreedly takes at most 25 metadata entries."))
        }
        var seen: Set<String> = []
        for entry in metadata {
            if entry.key.isEmpty || !seen.insert(entry.key).inserted {
                issues.append(
                    FieldIssue(
                        .metadata, .malformed, message: "The metadata key '\(entry.key)' is empty or given twice."))
            }
            if entry.key.unicodeScalars.count > 50 {
                issues.append(
                    FieldIssue(.metadata, .tooLong, message: "A metadata key may have at most 50 characters."))
            }
            if case .text(let text) = entry.value, text.unicodeScalars.count > 500 {
                issues.append(
                    FieldIssue(
                        .metadata, .tooLong,
                        message: "The metadata value of '\(entry.key)' has more than 500 characters."))
            }
        }
        return issues
    }
}
