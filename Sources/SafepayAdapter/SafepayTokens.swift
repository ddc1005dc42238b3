import GatewayKitCore

/// Tokenization at Safepay: setting up payer authentication in a tracker makes a token of the card and begins 3-D Secure.
struct SafepayTokens: TokenProvider {
    let client: SafepayClient
    let sessions: SafepaySessions
    let wallet: SafepayWallet
    let sealer: (any Sealer)?
    /// The page for cards that the shopper types.
    let checkout: (any HostedCheckout)?

    static let isMobile = OptionDescription(
        "isMobile", .flag,
        help: "Whether 3-D Secure will go on in an app's SDK (true) or in a browser (false, the default).")

    /// The word for Safepay's own page as an offsite method.
    static let page = "page"
    /// The words for vaults of foreign tokens: Safepay's card form, and customers' wallets.
    static let form = "flex"
    static let savedCards = "wallet"

    func openSession(_ request: SessionRequest, _ call: CallContext) async throws(GatewayError) -> PaymentSession {
        try await sessions.open(request, call)
    }

    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession {
        _ = try client.session(reference)
        return PaymentSession(reference: reference)
    }

    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ context: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        let reference = session.reference
        let session = try client.session(reference)
        let isMobile = try check(request, session)
        if request.checksLocally || !request.instrument.isRaw {
            let issues = localIssues(request)
            guard issues.isEmpty else { return .invalid(issues) }
        }
        if case .offsite(let method) = request.instrument {
            return try await page(method, reference, session, context)
        }
        return try await client.call(
            "safepay.tokenize", context, secrets: secrets(of: request.instrument),
            outcome: { (result: TokenizationResult) in
                guard case .unknown(_, let cause) = result else { return (result.outcomeName, nil) }
                return (result.outcomeName, cause.message)
            }
        ) { call async throws(GatewayError) in
            let method = try await method(request.instrument, session, call)
            let entries = request.metadata.map { (name: $0.key, value: Self.text($0.value)) }
            if !entries.isEmpty { try await sessions.setMetadata(entries, of: session, in: call) }
            return try await submit(method, isMobile: isMobile, reference, session, call)
        }
    }

    // MARK: - Sending

    /// Sends the card, once. The tracker does not tell the token of a card whose answer was lost, so that stays unknown.
    private func submit(
        _ method: SafepaySetup.Method, isMobile: Bool, _ reference: SessionReference, _ session: SafepaySession,
        _ call: Call
    ) async throws(GatewayError) -> TokenizationResult {
        let request = try client.request(
            "safepay.tokenize", .post, ["order", "payments", "v3", session.tracker], .merchantOrPassport,
            repeatability: .once
        ) { SafepaySetup.write(method, isMobile: isMobile, into: &$0) }
        let response: WireResponse
        switch await client.exchange(request, call) {
        case .success(let answer): response = answer
        case .failure(let error):
            var failure = GatewayError(error, in: call)
            guard error.reach != .notSent else { throw failure }
            failure.advice = SafepaySetupAnswer.advice
            return .unknown(reference, cause: failure)
        }
        let answer = SafepaySetupAnswer(
            facts: client.facts(response, request, call, nothingHappened: "Nothing was stored."), session: session,
            reference: reference, method: method, sealer: sealer)
        switch answer.read() {
        case .result(let result): return result
        case .refused(let error): throw error
        case .unclear(let cause): return .unknown(reference, cause: cause)
        }
    }

    /// What is sent; a card that is chosen by what may be shown of it is looked for in the customer's wallet.
    private func method(
        _ instrument: PaymentInstrument, _ session: SafepaySession, _ call: Call
    ) async throws(GatewayError) -> SafepaySetup.Method {
        switch instrument {
        case .card(let card): return .card(card)
        case .foreignToken(let token) where token.vault == Self.form: return .transientToken(token.reference)
        case .foreignToken(let token):
            let text = token.reference.withExposed { $0 }
            guard let id = SafepayWalletID(text), id.customer == session.customer else {
                throw client.invalid(
                    "This is no saved card of the session's customer.",
                    "Nothing was sent. Give customer and card with a slash between: cus_…/pm_….")
            }
            return .savedCard(id.card)
        case .shopperCard(let wanted):
            let matches = try await wallet.cards(of: session.customer ?? "", in: call).filter { card in
                let summary = card.summary
                return summary.lastFour == wanted.lastFour && summary.expiry == wanted.expiry
                    && (card.brandWord == wanted.providerBrand || summary.brand?.id == wanted.providerBrand)
            }
            guard matches.count == 1, let card = matches.first else {
                throw client.invalid(
                    "The customer has \(count: matches.count) saved cards of this description, not one.",
                    "No card was chosen. List the customer's cards and name one.")
            }
            return .savedCard(card.token)
        default: throw notTaken(instrument)
        }
    }

    /// The shopper types the card on Safepay's page.
    private func page(
        _ method: OffsiteMethod, _ reference: SessionReference, _ session: SafepaySession, _ context: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        guard let checkout else { throw notTaken(.offsite(method)) }
        guard session.mode == .instrument else {
            throw client.notSupported(
                "The page of this session takes money.",
                "Nothing was sent. Open it through PaymentService, which records the intent first.")
        }
        let page = try await checkout.page(
            CheckoutPageRequest(
                returnURL: method.returnURL, amount: session.amount, surface: .embedded, shopperID: session.customer),
            for: PaymentSession(reference: reference), context)
        return .actionRequired(.redirect(method: .get, url: page.url, fields: []))
    }

    // MARK: - What is checked before anything is sent

    /// Refuses what Safepay has no place for; gives the one option.
    private func check(_ request: TokenizationRequest, _ session: SafepaySession) throws(GatewayError) -> Bool {
        let entry: SafepaySession.Entry
        switch request.instrument {
        case .card: entry = .raw
        case .foreignToken(let token) where token.vault == Self.form: entry = .flex
        case .foreignToken(let token) where token.vault == Self.savedCards: entry = .tms
        case .shopperCard: entry = .tms
        case .offsite(let method) where method.kind == Self.page: entry = .flex
        case .storedCard:
            throw client.notSupported(
                "Safepay takes no security code with a saved card.",
                "Nothing was sent. Give the saved card as a foreign token of the vault 'wallet'.")
        default: throw notTaken(request.instrument)
        }
        guard session.mode != .unscheduled else {
            throw client.notSupported(
                "In this session a card is charged at once and not made a token.",
                "Nothing was sent. Open a session for a token.")
        }
        guard session.entry == entry else {
            throw client.invalid(
                "This session does not take the instrument in this way.",
                "Nothing was sent. Open a session with the fitting entry: card data, an embedded page or a stored one.")
        }
        if session.entry == .tms, session.customer == nil { throw notTaken(request.instrument) }
        for name in request.options.keys.sorted() where name != Self.isMobile.name {
            throw client.invalid("Safepay has no option '\(name)'.", "Nothing was sent. Leave it out.")
        }
        guard request.fraudSessionID == nil else {
            throw client.notSupported(
                "Safepay takes the device's session with the authentication that follows, not with the card.",
                "Nothing was sent. Leave it out.")
        }
        if let retain = request.retain, retain != (session.mode != .payment) {
            throw client.notSupported(
                retain
                    ? "A session for one payment keeps no card." : "A card sent in this session may be kept.",
                "Nothing was sent. Open a session whose purpose is what is wanted.")
        }
        switch request.options[Self.isMobile.name] {
        case nil: return false
        case .flag(let flag): return flag
        default: throw client.invalid("The option 'isMobile' is true or false.", "Nothing was sent. Correct it.")
        }
    }

    private func notTaken(_ instrument: PaymentInstrument) -> GatewayError {
        client.notSupported(
            "Safepay's sessions take no \(instrument.kindName) of this kind.",
            "Nothing was sent. Use another instrument, or an account whose provider takes this one.")
    }

    /// Our own checks, plus what Safepay cannot do without.
    private func localIssues(_ request: TokenizationRequest) -> [FieldIssue] {
        var issues = request.instrument.issues(at: client.wallClock.now())
        if case .card(let card) = request.instrument {
            if card.expiry == nil {
                issues.append(FieldIssue(.expiryMonth, .missing, message: "Safepay needs the month of expiry."))
            }
            if card.securityCode == nil {
                issues.append(FieldIssue(.securityCode, .missing, message: "Safepay needs the security code."))
            }
        }
        for entry in request.metadata where !SafepaySessions.metadataKeys.contains(entry.key) {
            issues.append(
                FieldIssue(.metadata, .notAccepted, message: "Safepay takes the keys order_id and source only."))
        }
        return issues + request.shopper.issues
    }

    private func secrets(of instrument: PaymentInstrument) -> [Sensitive<String>] {
        switch instrument {
        case .card(let card): [card.number.sensitive] + [card.securityCode?.sensitive].compactMap { $0 }
        case .foreignToken(let token) where token.vault == Self.form: [token.reference]
        default: []
        }
    }

    private static func text(_ value: OptionValue) -> String {
        switch value {
        case .flag(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .text(let text): text
        }
    }
}
