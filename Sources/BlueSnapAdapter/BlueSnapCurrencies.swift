import GatewayKitCore

/// BlueSnap's rates: with a token for a checkout, with the API user for a backend.
struct BlueSnapCurrencies: CurrencyRateSource {
    let client: BlueSnapClient

    /// With a session, all rates come and those wanted are picked; the base is the dollar of the United States where none
    /// is given, as in BlueSnap's SDKs. Without one, BlueSnap's tools are asked for just those wanted.
    ///
    /// A currency that BlueSnap has no rate for is ``GatewayError/Code/requestRefused``, whichever way it was asked.
    func rates(
        base: Currency?, quotes: [Currency], in session: PaymentSession?, _ context: CallContext
    ) async throws(GatewayError) -> CurrencyRates {
        guard let session else { return try await asBackend(base, quotes, context) }
        let base = base ?? .usd
        return try await client.read(
            "bluesnap.rates", session.reference, context, outcome: "rates",
            request: { token in
                client.tokenRequest(
                    "bluesnap.rates", .get, ["tokenized-services", "rates"], token,
                    query: [("base-currency", base.code)], repeatability: .read)
            },
            parse: { (facts, json, _) throws(GatewayError) in try facts.rates(json, base: base, quotes: quotes) })
    }

    private func asBackend(
        _ base: Currency?, _ quotes: [Currency], _ context: CallContext
    ) async throws(GatewayError) -> CurrencyRates {
        var query: [(name: String, value: String)] = []
        if let base { query.append(("base-currency", base.code)) }
        for quote in quotes { query.append(("quote-currency", quote.code)) }
        let request = try client.serverRequest(
            "bluesnap.currency-rates", .get, ["tools", "currency-rates"], query: query, repeatability: .read)
        return try await client.call(
            request.operation, context, outcome: { (_: CurrencyRates) in ("rates", nil) }
        ) { call async throws(GatewayError) in
            switch await client.exchange(request, call) {
            case .failure(let error): throw GatewayError(ofRead: error, in: call)
            case .success(let response):
                let facts = client.facts(response, request, call, nothingHappened: "Nothing was changed.")
                if let object = facts.object { return try facts.rates(object, base: base, quotes: quotes) }
                guard facts.isSuccess else {
                    if facts.saysUnknownCurrency { throw facts.noRate(facts.items.first) }
                    throw facts.failure(.apiUser, else: "Nothing was changed: it is safe to ask again.")
                }
                throw facts.unclear(
                    "BlueSnap's answer could not be understood.", "Nothing was changed: it is safe to ask again.")
            }
        }
    }
}

extension BlueSnapAnswerFacts {
    /// The rates that an answer tells, which must be for the base that was asked for: a price reckoned by another one
    /// would be wrong without anybody seeing it.
    func rates(_ json: JSONValue, base: Currency?, quotes: [Currency]) throws(GatewayError) -> CurrencyRates {
        guard var rates = BlueSnapRatesBody.read(json, redactor), base == nil || rates.base == base else {
            throw unclear("BlueSnap's answer tells no rates for what was asked.", "It is safe to ask again.")
        }
        guard !quotes.isEmpty else { return rates }
        for quote in quotes where quote != rates.base && rates.rate(of: quote) == nil { throw noRate(nil) }
        rates.rates.removeAll { !quotes.contains($0.currency) }
        return rates
    }

    /// Error 13001, `PRICING_CURRENCY_NOT_FOUND`.
    var saysUnknownCurrency: Bool {
        response.status == 400 && items.contains { $0.name == "PRICING_CURRENCY_NOT_FOUND" || $0.code == "13001" }
    }

    func noRate(_ item: BlueSnapErrorItem?) -> GatewayError {
        failure(
            .requestRefused, "BlueSnap has no rate for a currency that was asked for.",
            "Ask without naming currencies to see which there are.", item)
    }
}
