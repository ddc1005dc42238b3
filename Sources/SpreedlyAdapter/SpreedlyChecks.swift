import GatewayKitCore

/// What is checked before anything is sent.
extension SpreedlyTokens {
    /// Refuses unknown options, and what Spreedly would not take with the configured credentials.
    func checkOptions(_ request: TokenizationRequest) throws(GatewayError) {
        for (name, value) in request.options.sorted(by: { $0.key < $1.key }) {
            guard SpreedlyOption(rawValue: name) != nil else {
                let known = SpreedlyOption.allCases.map(\.rawValue).joined(separator: ", ")
                throw invalid("Spreedly has no option '\(name)'.", "Its options are: \(known).")
            }
            guard case .flag = value else {
                throw invalid("The option '\(name)' must be true or false.", "Correct its value.")
            }
        }
        try checkPlace(request)
        if request.retain == true, !client.authentication.mayRetain {
            throw GatewayError(
                .configuration, message: "Spreedly retains a card at once only for calls with the access secret.",
                advice: """
                    Configure accessSecret and authentication "secret" for account \(client.account.name), or tokenize \
                    without retaining and retain the token later.
                    """, account: client.account.name)
        }
    }

    /// Refuses what the call for this instrument has no place for.
    private func checkPlace(_ request: TokenizationRequest) throws(GatewayError) {
        switch request.instrument {
        case .storedCard(let card):
            // It becomes a part of the address, so it must be a token whether or not anybody wants checks.
            guard PaymentToken.isWellFormed(id: card.token) else {
                throw invalid("The token of the stored card is missing or no token.", "Nothing was sent. Correct it.")
            }
            guard request.retain == nil, request.metadata.isEmpty else {
                throw invalid(
                    "A security code is sent alone: it cannot retain the card or change its metadata.",
                    "Retain and update the stored card by its vault.")
            }
        case .offsite:
            guard request.retain == nil, request.metadata.isEmpty, request.options.isEmpty else {
                throw invalid(
                    "Spreedly's form for offsite methods takes no metadata, no options and no retaining.",
                    "Leave them out, and retain and update the token that comes back by its vault.")
            }
        case .shopperCard, .cardNumber:
            throw GatewayError(
                .notSupported, message: "Spreedly has no such instrument.",
                advice: "Send a whole card, or the token of a stored one.", account: client.account.name)
        case .card, .applePay, .googlePay, .bankAccount, .foreignToken:
            break
        }
    }

    func invalid(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(.invalidInput, message: message, advice: advice, account: client.account.name)
    }

    /// Our own checks, less those that an option switches off, plus Spreedly's rules for presence and metadata.
    func localIssues(_ request: TokenizationRequest) -> [FieldIssue] {
        func isSet(_ option: SpreedlyOption) -> Bool { request.options[option.rawValue] == .flag(true) }
        var issues = request.instrument.issues(at: client.wallClock.now())
        if isSet(.allowExpiredDate) { issues.removeAll { $0.problem == .expired } }
        if case .card(let card) = request.instrument, card.expiry == nil, !isSet(.allowBlankDate) {
            issues.append(
                FieldIssue(.expiryMonth, .missing, message: "Spreedly needs the month and year of expiry."))
        }
        if SpreedlyPaymentMethod.holder(request.instrument, request.shopper) == nil, !isSet(.allowBlankName) {
            switch request.instrument {
            case .card:
                issues.append(FieldIssue(.name, .missing, message: "Spreedly needs the name on the card."))
            case .bankAccount:
                issues.append(FieldIssue(.name, .missing, message: "Spreedly needs the name of the account's holder."))
            case .storedCard, .shopperCard, .cardNumber, .applePay, .googlePay, .foreignToken, .offsite:
                break
            }
        }
        return issues + request.shopper.issues + SpreedlyMetadata.issues(request.metadata)
    }
}

/// Spreedly's rules for metadata.
enum SpreedlyMetadata {
    /// At most 25 entries, keys up to 50 and values up to 500 characters (API V1, "metadata"), counted as Unicode scalars
    /// like other languages do.
    static func issues(_ metadata: [TokenizationRequest.Metadata]) -> [FieldIssue] {
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
