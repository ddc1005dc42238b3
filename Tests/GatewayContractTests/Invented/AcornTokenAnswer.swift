import GatewayKitCore

/// Reads the answer to a card that was sent: what is proven becomes a result or an error, everything else is unclear.
struct AcornTokenAnswer {
    enum Reading {
        case result(TokenizationResult)
        /// The card may have been stored.
        case unclear(GatewayError)
    }

    let response: WireResponse
    let call: Call
    let redactor: Redactor
    let now: WallTime

    func read() throws(GatewayError) -> Reading {
        let json = try? JSONValue(parsing: response.body)
        let error = json.flatMap { AcornError($0["error"]) }
        switch response.status {
        case 201:
            // An unheard-of status word is no proof that the card was stored.
            guard let json, (try? json["status"].string()) == "stored", let id = try? json["id"].string(),
                PaymentToken.isWellFormed(id: id), redactor.redact(identifier: id) == id
            else { return .unclear(failure(.unreadableAnswer, "Acorn's answer could not be understood.", error)) }
            return .result(.token(token(id, json)))
        case 422:
            guard let error, let issue = AcornErrors.issue(error, redactor) else {
                return .unclear(failure(.unreadableAnswer, "Acorn's answer could not be understood.", error))
            }
            return .result(.invalid([issue]))
        case 402:
            guard let error else {
                return .unclear(failure(.unreadableAnswer, "Acorn's answer could not be understood.", nil))
            }
            return .result(
                .declined(
                    Decline(
                        AcornErrors.declines[error.code] ?? .unlisted, providerCode: redactor.redact(error.code),
                        message: redactor.scrub(error.message))))
        case let status:
            guard let refusal = AcornErrors.refusals[status] else {
                let code: GatewayError.Code = status >= 500 ? .providerUnavailable : .unreadableAnswer
                return .unclear(failure(code, "Acorn's answer does not tell what became of the card.", error))
            }
            throw GatewayError(
                refusal, response, in: call, redactor: redactor, now: now, message: "Acorn refused the call.",
                advice: "Nothing was stored. Read its code and message.", providerCode: error?.code,
                providerMessage: error.map { redactor.scrub($0.message) })
        }
    }

    private func token(_ id: String, _ json: JSONValue) -> PaymentToken {
        var token = PaymentToken(id: id, account: call.account, usage: .reusable)
        token.card = CardSummary(lastFour: try? json["last_four"].string())
        token.providerState = (try? json["status"].string()).map(redactor.redact(_:))
        return token
    }

    private func failure(_ code: GatewayError.Code, _ message: SafeText, _ error: AcornError?) -> GatewayError {
        GatewayError(
            code, response, in: call, redactor: redactor, now: now, message: message,
            advice: "The card may have been stored. Sending it again makes a second token, and charges nothing.",
            providerCode: error?.code, providerMessage: error.map { redactor.scrub($0.message) })
    }
}
