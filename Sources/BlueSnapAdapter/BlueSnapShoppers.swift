import GatewayKitCore

/// Shopper configuration: who the shopper is and what the shopper has chosen, kept at BlueSnap for payments to come.
struct BlueSnapShoppers: ShopperConfiguring {
    let client: BlueSnapClient

    /// Writes the shopper and the choice down, in a session that was opened for the shopper.
    ///
    /// An answer without a body says nothing (and a damaged one may look like it), so what became of the choice is then
    /// read from the shopper's own start-up data.
    ///
    /// The body names the token that is used for the call: after a renewal the new one (BlueSnap's iOS SDK leaves the old
    /// one in it). A new card has to be sent into that session before; after a renewal it is not there, and BlueSnap
    /// refuses the choice of it.
    func configure(
        _ configuration: ShopperConfiguration, in session: PaymentSession, _ context: CallContext
    ) async throws(GatewayError) -> ShopperConfigurationResult {
        let (shopper, choice) = try required(configuration)
        let issues = issues(configuration)
        guard issues.isEmpty else { return .invalid(issues) }
        return try await client.tokenCall(
            "bluesnap.configure-shopper", session.reference, context, outcome: Self.end
        ) { (token, reference, call) async throws(GatewayError) -> BlueSnapAttempt<ShopperConfigurationResult> in
            let request = client.tokenRequest(
                "bluesnap.configure-shopper", .put, ["tokenized-services", "shopper"], token,
                body: try client.body { json in
                    BlueSnapShopperBody(shopper: shopper, choice: choice, configuration: configuration)
                        .write(with: token, into: &json)
                }, repeatability: .once)
            switch await client.exchange(request, call) {
            case .failure(let error):
                var failure = GatewayError(error, in: call)
                guard error.reach != .notSent else { throw failure }
                failure.advice = Self.sendAgain
                return .done(.unknown(cause: failure))
            case .success(let response):
                let facts = client.facts(response, request, call, nothingHappened: "Nothing was changed.")
                let fault: BlueSnapAttempt<ShopperConfigurationResult>? = facts.fault(of: reference)
                if let fault { return fault }
                if let refused = try facts.refusedConfiguration(advice: Self.sendAgain) { return .done(refused) }
                guard facts.isSuccess, await isKept(choice, of: shopper, token, call) else {
                    return .done(
                        .unknown(
                            cause: facts.unclear(
                                "BlueSnap's answer does not tell whether the choice is written down.", Self.sendAgain)))
                }
                return .done(.saved(PaymentSession(reference: reference)))
            }
        }
    }

    private static let sendAgain: SafeText =
        "The choice may have been written down: send the same again, which changes nothing."

    private static func end(_ result: ShopperConfigurationResult) -> (name: String, detail: SafeText?) {
        switch result {
        case .saved: ("saved", nil)
        case .invalid: ("invalid", nil)
        case .unknown(let cause): ("unknown", cause.message)
        }
    }

    /// Refuses by name what BlueSnap's SDK calls a missing returning shopper and a missing payment method.
    private func required(
        _ configuration: ShopperConfiguration
    ) throws(GatewayError) -> (shopper: String, choice: ShopperConfiguration.Choice) {
        guard let shopper = configuration.shopperID, (1...19).contains(shopper.utf8.count),
            Int64(shopper).map(String.init) == shopper,
            shopper.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw client.invalid(
                "There is no shopper: BlueSnap's shoppers have a number.",
                "Nothing was sent. Give the vaulted shopper's number, for whom the session was opened.")
        }
        guard let choice = configuration.choice else {
            throw client.invalid(
                "The shopper has chosen no method.", "Nothing was sent. Give a card, a wallet or PayPal as the choice.")
        }
        return (shopper, choice)
    }

    private func issues(_ configuration: ShopperConfiguration) -> [FieldIssue] {
        var found: [FieldIssue] = []
        if configuration.shopper.name?.allSatisfy(\.isWhitespace) ?? true {
            found.append(FieldIssue(.name, .missing, message: "BlueSnap needs the shopper's name."))
        }
        found += configuration.shopper.issues + BlueSnapCountry.stateIssues(configuration.shopper)
        if let id = configuration.fraudSessionID, !FraudSession.isWellFormed(id) {
            found.append(
                FieldIssue(.option, .malformed, message: "The id of a fraud session has at most 32 plain characters."))
        }
        switch configuration.choice {
        case .newCard(let card):
            if !configuration.consentToStore {
                found.append(
                    FieldIssue(
                        .consent, .missing, message: "BlueSnap keeps a new card with the shopper's consent only."))
            }
            if card.brand.flatMap(BlueSnapBrandWord.word) == nil {
                found.append(FieldIssue(.brand, .missing, message: "The brand of the new card is not known."))
            }
            if card.lastFour == nil {
                found.append(FieldIssue(.number, .missing, message: "The new card's last four digits are not known."))
            }
            found +=
                card.expiry?.issues(at: client.wallClock.now())
                ?? [FieldIssue(.expiryYear, .missing, message: "The new card's date is not known.")]
        case .storedCard(let card): found += card.issues(at: client.wallClock.now())
        case .applePay, .googlePay, .payPal, nil: break
        }
        return found
    }
}

extension BlueSnapShoppers {
    /// Whether the shopper's start-up data tell the choice.
    private func isKept(
        _ choice: ShopperConfiguration.Choice, of shopper: String, _ token: BlueSnapToken, _ call: Call
    ) async -> Bool {
        let request = BlueSnapCheckoutProfiles.request(client, token, base: nil)
        guard case .success(let response) = await client.exchange(request, call) else { return false }
        let facts = client.facts(response, request, call, nothingHappened: "Nothing was changed.")
        guard let object = facts.object, let body = BlueSnapProfileBody(object, facts.redactor, at: facts.now),
            let told = body.shopper, told.id == shopper
        else { return false }
        switch (choice, told.choice) {
        case (.applePay, .applePay?), (.googlePay, .googlePay?), (.payPal, .payPal?): return true
        case (.storedCard(let card), .storedCard(let kept)?):
            return card.providerBrand.uppercased() == kept.providerBrand && card.lastFour == kept.lastFour
                && card.expiry == kept.expiry
        case (.newCard(let card), .storedCard(let kept)?):
            return card.lastFour == kept.lastFour && card.expiry == kept.expiry
        default: return false
        }
    }
}

extension BlueSnapAnswerFacts {
    /// What a refusal of a shopper's choice means; `nil` for every answer that is none.
    func refusedConfiguration(advice: SafeText) throws(GatewayError) -> ShopperConfigurationResult? {
        // What failed inside BlueSnap may have failed afterwards, whatever the status says.
        let isBroken = if case .failed(.providerUnavailable)? = leading(items)?.meaning { true } else { false }
        guard isThrottled || (isRefusal && !isBroken) else { return nil }
        let issues = issues(items)
        if response.status == 400, !issues.isEmpty { return .invalid(issues) }
        throw failure(.token, else: advice)
    }
}
