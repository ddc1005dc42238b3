import GatewayKitCore

/// Sessions: v1 orders and v3 trackers. Opening one fixes mode, amount and currency, which are kept in its reference;
/// asking compares them with what Safepay tells.
struct SafepaySessions: SessionStatusSource {
    let client: SafepayClient
    let wallet: SafepayWallet

    // MARK: - Opening

    /// Opens an order or a tracker. Sent again when an answer is lost: one that nobody uses expires.
    func open(_ request: SessionRequest, _ context: CallContext) async throws(GatewayError) -> PaymentSession {
        let plan = try SafepaySessionPlan(
            request, hostedPages: client.hostedPages, currency: client.currency, account: client.account.name)
        let request = try self.request(plan)
        let apiKey = try client.apiKey()
        return try await client.call(
            request.operation, context, outcome: { (_: PaymentSession) in ("session", nil) }
        ) { call async throws(GatewayError) in
            let response: WireResponse
            switch await client.exchange(request, call) {
            case .success(let answer): response = answer
            case .failure(let error):
                var failure = GatewayError(error, in: call)
                if error.reach != .notSent { failure.advice = SafepayOpenAnswer.openAnother }
                throw failure
            }
            let facts = client.facts(response, request, call, nothingHappened: "Nothing was stored.")
            let tracker = try SafepayOpenAnswer(
                facts: facts, plan: plan, environment: client.environment, apiKey: apiKey
            ).read()
            let session = SafepaySession(plan, environment: client.environment, tracker: tracker)
            return PaymentSession(reference: SessionReference(account: client.account.name, id: session.id))
        }
    }

    private func request(_ plan: SafepaySessionPlan) throws(GatewayError) -> WireRequest {
        let apiKey = try client.apiKey()
        switch plan.generation {
        case .order:
            return try client.request(
                "safepay.init-order", .post, ["order", "v1", "init"], .none, repeatability: .read
            ) { json in
                json.set("client", apiKey)
                if let amount = plan.amount { json.set(major: amount) }
                json.set("environment", client.environment)
            }
        case .tracker:
            return try client.request(
                "safepay.create-tracker", .post, ["order", "payments", "v3"], endsWithSlash: true, .merchant,
                repeatability: .read
            ) { json in
                json.set("merchant_api_key", apiKey)
                json.set("intent", client.intent.rawValue)
                json.set("mode", plan.mode.rawValue)
                json.set("entry_mode", plan.entry?.rawValue)
                if let amount = plan.amount {
                    json.set(minor: amount)
                } else {
                    json.set("currency", plan.currency.code)
                }
                json.set("user", plan.customer)
                if let order = plan.orderReference { json.object("metadata") { $0.set("order_id", order) } }
            }
        }
    }

    /// Writes metadata beside a tracker. The same again changes nothing, so it may be repeated.
    ///
    /// - Parameter entries: Safepay takes `order_id` and `source` and refuses every other key.
    func setMetadata(
        _ entries: [(name: String, value: String)], of session: SafepaySession, in call: Call
    ) async throws(GatewayError) {
        let request = try client.request(
            "safepay.metadata", .post, ["order", "payments", "v3", session.tracker, "metadata"], .merchantOrPassport,
            repeatability: .read
        ) { json in
            json.object("data") { data in
                for entry in entries { data.set(entry.name, entry.value) }
            }
        }
        let facts = try await client.read(request, in: call)
        if let refusal = facts.refusal() { throw refusal }
        guard facts.isSuccess else {
            throw facts.unclear(
                "Safepay's answer does not tell whether the metadata was written.",
                "Nothing was stored: the card was not sent. It is safe to try again.")
        }
    }

    static let metadataKeys: Set<String> = ["order_id", "source"]

    // MARK: - Asking

    func status(
        of reference: SessionReference, _ context: CallContext
    ) async throws(GatewayError) -> SessionStatus {
        let session = try client.session(reference)
        let request = try statusRequest(session)
        let apiKey = session.generation == .order ? try client.apiKey() : client.account.text(SafepayProvider.apiKey)
        return try await client.call(
            request.operation, context, outcome: { (status: SessionStatus) in (status.phase.description, nil) }
        ) { call async throws(GatewayError) in
            let answer = SafepayStatusAnswer(
                facts: try await client.read(request, in: call), session: session, reference: reference, apiKey: apiKey)
            switch session.generation {
            case .order: return try answer.readOrder()
            case .tracker:
                let (report, status) = try answer.readReport()
                guard session.mode == .instrument, status.phase == .succeeded else { return status }
                return try await savedCard(report, session, status, call)
            }
        }
    }

    private func statusRequest(_ session: SafepaySession) throws(GatewayError) -> WireRequest {
        switch session.generation {
        case .order:
            try client.request(
                "safepay.show-order", .get, ["order", "v1", session.tracker], .none, repeatability: .read)
        case .tracker:
            try client.request(
                "safepay.show-payment", .get, ["reporter", "api", "v1", "payments", session.tracker],
                .merchantOrPassport,
                repeatability: .read)
        }
    }

    /// That a card was saved is proven by the saved card: the one of the attempt, in the customer's wallet. Without it,
    /// and without a customer to look at, the outcome is not known.
    private func savedCard(
        _ report: SafepayReport, _ session: SafepaySession, _ status: SessionStatus, _ call: Call
    ) async throws(GatewayError) -> SessionStatus {
        var status = status
        status.phase = .unknown
        guard let customer = session.customer ?? report.customer, SafepaySession.isName(customer),
            report.customer == nil || report.customer == customer, let card = report.succeededCard,
            card.lastFour != nil
        else { return status }
        let matches = try await wallet.cards(of: customer, in: call).filter { saved in
            let summary = saved.summary
            return summary.lastFour == card.lastFour && Self.agree(summary.firstSix, card.firstSix)
                && card.expiry != nil && summary.expiry == card.expiry
        }
        guard matches.count == 1, let saved = matches.first else { return status }
        status.phase = .succeeded
        var token = PaymentToken(
            id: SafepayWalletID(customer: customer, card: saved.token).text, account: client.account.name,
            usage: .reusable)
        token.card = saved.summary
        token.requestID = status.requestID
        status.token = token
        return status
    }

    private static func agree<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
        one == nil || other == nil || one == other
    }
}
