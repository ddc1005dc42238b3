import GatewayKitCore

/// Customers of the merchant, under whose ids cards are saved (`POST /user/customers/v1/`).
struct SafepayCustomers: CustomerCreating {
    let client: SafepayClient

    func create(_ shopper: Shopper, _ context: CallContext) async throws(GatewayError) -> CustomerResult {
        let (first, last) = Self.names(shopper.name)
        let issues = Self.issues(shopper, first, last) + shopper.issues
        guard issues.isEmpty else { return .invalid(issues) }
        let request = try client.request(
            "safepay.create-customer", .post, ["user", "customers", "v1"], endsWithSlash: true, .merchant,
            repeatability: .once
        ) { json in
            json.set("first_name", first)
            json.set("last_name", last)
            json.set("email", shopper.email)
            json.set("phone_number", shopper.phone)
            json.set("country", shopper.billingAddress?.country)
        }
        return try await client.call(
            request.operation, context, outcome: { (result: CustomerResult) in (result.outcomeName, nil) }
        ) { call async throws(GatewayError) in
            let response: WireResponse
            switch await client.exchange(request, call) {
            case .success(let answer): response = answer
            case .failure(let error):
                var failure = GatewayError(error, in: call)
                guard error.reach != .notSent else { throw failure }
                failure.advice = Self.advice
                return .unknown(cause: failure)
            }
            return try read(client.facts(response, request, call, nothingHappened: "Nothing was stored."))
        }
    }

    private func read(_ facts: SafepayAnswerFacts) throws(GatewayError) -> CustomerResult {
        let isDefinite = facts.isSuccessStatus || SafepayErrors.refusals[facts.response.status] != nil
        if isDefinite, let (meaning, key, text) = facts.meaning, case .field(let field, let problem) = meaning {
            return .invalid([
                FieldIssue(
                    field, problem, origin: .provider, providerCode: key, providerField: key,
                    message: facts.redactor.scrub(SafepayErrors.words(of: text)))
            ])
        }
        if let refusal = facts.refusal() { throw refusal }
        guard facts.isSuccess, let id = facts.id(facts.envelope?.data["token"].nonEmptyText) else {
            return .unknown(
                cause: facts.unclear("Safepay's answer does not tell whether the customer was stored.", Self.advice))
        }
        return .created(id: id)
    }

    private static let advice: SafeText =
        "The customer may have been stored: look at Safepay's dashboard, or store another one."

    /// Safepay wants two names of two to forty characters: the last word is the last name.
    private static func names(_ name: String?) -> (first: String?, last: String?) {
        let words = name?.split(whereSeparator: \.isWhitespace) ?? []
        guard let last = words.last, words.count > 1 else { return (words.first.map(String.init), nil) }
        return (words.dropLast().joined(separator: " "), String(last))
    }

    /// Peers say that a name outside these lengths, and a customer without a telephone number, are refused.
    private static func issues(_ shopper: Shopper, _ first: String?, _ last: String?) -> [FieldIssue] {
        var issues: [FieldIssue] = []
        for (field, name) in [(FieldIssue.Field.firstName, first), (.lastName, last)] {
            guard let name else {
                issues.append(FieldIssue(field, .missing, message: "Safepay needs a first and a last name."))
                continue
            }
            guard !(2...40).contains(name.count) else { continue }
            issues.append(
                FieldIssue(
                    field, name.count < 2 ? .tooShort : .tooLong,
                    message: "Safepay takes names of 2 to 40 characters."))
        }
        if shopper.email == nil {
            issues.append(FieldIssue(.email, .missing, message: "Safepay needs an e-mail address."))
        }
        if shopper.phone == nil {
            issues.append(FieldIssue(.phone, .missing, message: "Safepay needs a telephone number."))
        }
        if shopper.billingAddress?.country == nil {
            issues.append(FieldIssue(.country, .missing, message: "Safepay needs the country of the billing address."))
        }
        return issues
    }
}
