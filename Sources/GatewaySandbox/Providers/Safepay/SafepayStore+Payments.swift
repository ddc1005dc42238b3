import GatewayKitCore

/// How a payment is authorized and captured.
extension SafepayStore {
    /// Amounts that are declined at the authorization, in minor units (dossier 5.3: that they are minor ones is a guess).
    static func decline(_ amount: Int64?) -> String? {
        switch amount {
        case 405_100: "insufficient funds"
        case 400_300: "the card was declined"
        case 405_400: "the card has expired"
        default: nil
        }
    }

    /// The instrument of a set-up: a card as it was sent, one from the customer's wallet, or a transient token.
    mutating func card(
        _ method: JSONValue, _ sent: SafepayCard?, for tracker: SafepayTracker, _ fingerprint: KeyedFingerprint,
        at now: WallTime
    ) throws(SafepayRefusal) -> (SafepayCard, isSaved: Bool) {
        if let sent {
            guard tracker.terms.entryMode == "raw" else { throw .action(.setup, "the entry mode is not raw") }
            return (sent, false)
        }
        if method["tokenized_card"].present != nil {
            try SafepayBody.check(method, ["tokenized_card"])
            try SafepayBody.check(method["tokenized_card"], ["token"])
            guard ["tms", "mit"].contains(tracker.terms.entryMode) else {
                throw .action(.setup, "the entry mode is not tms")
            }
            let token = try SafepayBody.text("token", method["tokenized_card"])
            let customer = try customer(tracker.terms.customer ?? "")
            guard let saved = customer.wallet.first(where: { $0.card.token == token }) else { throw .unknownMethod }
            return (saved.card, true)
        }
        try SafepayBody.check(method, ["flex"])
        try SafepayBody.check(method["flex"], ["transient_token_jwt"])
        guard tracker.terms.entryMode == "flex", tracker.hasCaptureContext else {
            throw .action(.setup, "there is no capture context")
        }
        let text = try SafepayBody.text("transient_token_jwt", method["flex"])
        guard text.hasPrefix("flex.") else { throw .action(.setup, "transient_token_jwt: the token is not valid") }
        return (
            try SafepayCard(testCard: String(text.dropFirst(5)), token: name("pm"), fingerprint: fingerprint, now: now),
            false
        )
    }

    mutating func setUpTokens() -> (access: String, cardinal: String) {
        func token() -> String { [mint.secret(20), mint.secret(60), mint.secret(43)].joined(separator: ".") }
        return (token(), token())
    }

    /// Asks the bank: the payment is authorized, captured at once, or as it was when the bank declines. An instrument is
    /// saved, and an amount moves only where there is one.
    mutating func authorize(
        _ tracker: inout SafepayTracker, _ enrolment: SafepayAttempt.Enrolment, at now: WallTime
    ) throws(SafepayRefusal) -> LedgerMovement? {
        guard var attempt = tracker.attempt else { throw .invalidState }
        let hadEnrolment = attempt.enrolment != nil
        if hadEnrolment { attempt.enrolment = enrolment }
        if let cause = Self.decline(tracker.terms.amount) {
            tracker.replaceAttempt(attempt)
            tracker.events.append(.init(type: "AUTHORIZATION", request: attempt.request, reason: cause, at: now))
            throw .action(.authorization, cause)
        }
        if tracker.isInstrument || enrolment.keepsCard, !attempt.isSaved {
            do throws(SafepayRefusal) {
                try save(attempt.card, for: tracker.terms.customer, at: now)
            } catch {
                // A payment goes on with a card that is saved already (a guess); an instrument has nothing else to do.
                if tracker.isInstrument { throw error }
            }
        }
        attempt.isSuccess = true
        tracker.replaceAttempt(attempt)
        tracker.authorization = name("auth")
        tracker.events.append(.init(type: "AUTHORIZATION", request: attempt.request, reason: "SUCCESS", at: now))
        guard let money = tracker.money else {
            tracker.state = .ended
            return tracker.terms.verifiesAccount ? LedgerMovement(kind: "verification") : nil
        }
        tracker.state = .authorized
        if enrolment.capturesAtOnce { capture(&tracker, isAtOnce: true, at: now) }
        return LedgerMovement(
            kind: enrolment.capturesAtOnce ? "purchase" : "authorization", amount: money.minor,
            currency: money.currency)
    }

    mutating func capture(_ tracker: inout SafepayTracker, isAtOnce: Bool, at now: WallTime) {
        let signature = KeyedFingerprint(mint: &mint).of("x") + KeyedFingerprint(mint: &mint).of("y")
        tracker.capture = SafepayTracker.Capture(
            token: name("cap"), charge: name("ch"), signature: String(signature.prefix(64)), at: now,
            isAtOnce: isAtOnce)
        tracker.state = .ended
        tracker.events.append(
            .init(type: "CAPTURE", request: tracker.attempt?.request ?? "", reason: "SUCCESS", at: now))
    }
}
