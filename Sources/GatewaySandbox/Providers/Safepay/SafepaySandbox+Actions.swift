import GatewayKitCore

/// The calls that carry a payment of the second generation out (dossier 2.3).
extension SafepaySandbox {
    func act(_ token: String, _ call: SandboxCall, _ seen: inout Seen) throws(SafepayRefusal) -> SandboxOutcome {
        try checkSecretOrPassport(call)
        let root = try SafepayBody.root(call.request)
        try SafepayBody.check(root, ["action", "entry_mode", "payload"])
        let payload = root["payload"]
        if payload.present != nil {
            try SafepayBody.check(
                payload,
                [
                    "origin", "payment_method", "billing", "authorization", "authentication_setup", "is_mobile",
                    "entry_mode",
                ])
        }
        let tracker = try store.withLock { (store) throws(SafepayRefusal) in try store.tracker(token) }
        seen.token = token
        let action = Self.action(of: payload, on: tracker)
        if let named = try SafepayBody.optionalText("action", root), named != action.rawValue {
            throw .malformed("action")
        }
        if let mode = try SafepayBody.optionalText("entry_mode", root), mode != tracker.terms.entryMode {
            throw .malformed("entry_mode")
        }
        _ = try SafepayBody.flag("is_mobile", payload)
        guard tracker.terms.intent == "CYBERSOURCE" else { throw .action(action, "this intent is not imitated") }
        switch action {
        case .captureContext: return try captureContext(token, payload, call)
        case .setup: return try setUp(token, payload, call, &seen)
        case .enrolment: return try enrol(token, payload, call)
        case .authorization:
            if tracker.chargesSavedCard { return try chargeSaved(token, payload, call) }
            return try authorize(token, payload, call)
        case .validation: return try finishChallenge(token, call)
        case .capture: return try captureTracker(token, call)
        }
    }

    /// The payload tells what is meant (dossier 2.3).
    static func action(of payload: JSONValue, on tracker: SafepayTracker) -> SafepayAction {
        if payload["origin"].present != nil { return .captureContext }
        if payload["payment_method"].present != nil {
            return tracker.chargesSavedCard ? .authorization : .setup
        }
        if payload["authentication_setup"].present != nil || payload["billing"].present != nil { return .enrolment }
        if payload["authorization"].present != nil { return .authorization }
        return tracker.state == .enrolled ? .validation : .capture
    }

    /// The context is not one that Cybersource's script reads: the page that takes cards is not imitated. The token that
    /// stands for a card in it is `flex.` and the number of a test card (this sandbox's own).
    private func captureContext(
        _ token: String, _ payload: JSONValue, _ call: SandboxCall
    ) throws(SafepayRefusal) -> SandboxOutcome {
        let origin = try SafepayBody.text("origin", payload)
        guard SafepayAddress.isWeb(origin) else { throw .malformed("origin") }
        let (tracker, context) = try store.withLock { (store) throws(SafepayRefusal) in
            var tracker = try store.tracker(token)
            guard tracker.state == .started, tracker.terms.entryMode == "flex" else { throw .invalidState }
            tracker.hasCaptureContext = true
            store.keep(tracker, at: call.now)
            return (tracker, [store.mint.secret(20), store.mint.secret(120), store.mint.secret(43)])
        }
        let reply = answer(tracker) { action in
            action.object("flex") { flex in
                flex.set("origin", origin)
                flex.set("capture_context_jwt", context.joined(separator: "."))
            }
        }
        return outcome(reply, .changed, tracker)
    }

    /// One set-up until the payment is reset (a guess).
    private func setUp(
        _ token: String, _ payload: JSONValue, _ call: SandboxCall, _ seen: inout Seen
    ) throws(SafepayRefusal) -> SandboxOutcome {
        let method = payload["payment_method"]
        var submitted: SubmittedCard?
        defer { seen.submitted = submitted }
        var card: SafepayCard?
        if method["card"].present != nil {
            try SafepayBody.check(method, ["card"])
            let name = store.withLock { $0.name("pm") }
            card = try SafepayCard(
                method["card"], token: name, fingerprint: fingerprint, now: call.now, submitted: &submitted)
        }
        seen.card = card?.summary
        let (tracker, setUp) = try store.withLock { [card, fingerprint] (store) throws(SafepayRefusal) in
            var tracker = try store.tracker(token)
            guard tracker.state == .started, tracker.attempt == nil else { throw .invalidState }
            let (chosen, isSaved) = try store.card(method, card, for: tracker, fingerprint, at: call.now)
            tracker.attempts.append(
                SafepayAttempt(
                    token: store.name("attemp"), request: store.name("req"), card: chosen, isSaved: isSaved,
                    at: call.now))
            store.keep(tracker, at: call.now)
            return (tracker, store.setUpTokens())
        }
        let isMobile = try SafepayBody.flag("is_mobile", payload) ?? false
        let reply = answer(tracker) { [tracker] action in
            tracker.attempt?.card.write(to: &action)
            action.object("payer_authentication_setup") { inner in
                inner.set("access_token", setUp.access)
                inner.set("device_data_collection_url", call.origin + "/safepay/cruise/collect")
                if isMobile { inner.set("cardinal_jwt", setUp.cardinal) }
            }
        }
        var result = outcome(reply, .created, tracker)
        result.token = tracker.attempt?.card.token
        result.submitted = submitted
        return result
    }

    private func authorize(
        _ token: String, _ payload: JSONValue, _ call: SandboxCall
    ) throws(SafepayRefusal) -> SandboxOutcome {
        let wish = try SafepayWish(payload["authorization"])
        return try pay(token, call) { (store, tracker) throws(SafepayRefusal) in
            guard tracker.state == .enrolled, let attempt = tracker.attempt, var enrolment = attempt.enrolment else {
                throw .invalidState
            }
            if let proof = wish.validation {
                guard let challenge = enrolment.challenge, challenge.answer != .failed,
                    proof.equalsInConstantTime(challenge.validation)
                else { throw .action(.authorization, "the validation of the challenge is not valid") }
                enrolment.challenge?.answer = .passed
            }
            guard enrolment.isAuthenticated else {
                throw .action(.authorization, "the payer is not authenticated: \(enrolment.result.rawValue)")
            }
            enrolment.capturesAtOnce = wish.capturesAtOnce ?? enrolment.capturesAtOnce
            enrolment.keepsCard = wish.keepsCard ?? enrolment.keepsCard
            return try store.authorize(&tracker, enrolment, at: call.now)
        }
    }

    /// After the challenge on the web (dossier 2.4): an empty body goes on.
    private func finishChallenge(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try pay(token, call) { (store, tracker) throws(SafepayRefusal) in
            guard let enrolment = tracker.attempt?.enrolment else { throw .invalidState }
            guard enrolment.isAuthenticated else {
                let cause =
                    enrolment.challenge?.answer == .open
                    ? "the challenge is not finished" : "the payer is not authenticated: FAILED"
                throw .action(.validation, cause)
            }
            return try store.authorize(&tracker, enrolment, at: call.now)
        }
    }

    private func captureTracker(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try pay(token, call) { (store, tracker) throws(SafepayRefusal) in
            guard tracker.state == .authorized, let money = tracker.money else { throw .invalidState }
            store.capture(&tracker, isAtOnce: false, at: call.now)
            return LedgerMovement(
                kind: "capture", amount: money.minor, currency: money.currency, parent: tracker.token)
        }
    }

    /// A saved card without the shopper: authorized at once, and captured if `do_capture` is not false (a guess).
    private func chargeSaved(
        _ token: String, _ payload: JSONValue, _ call: SandboxCall
    ) throws(SafepayRefusal) -> SandboxOutcome {
        let wish = try SafepayWish(payload["authorization"])
        return try pay(token, call) { [fingerprint] (store, tracker) throws(SafepayRefusal) in
            guard tracker.state == .started else { throw .invalidState }
            let (card, _) = try store.card(
                payload["payment_method"], nil, for: tracker, fingerprint, at: call.now)
            if var old = tracker.attempt {
                old.isGivenUp = true
                tracker.replaceAttempt(old)
            }
            tracker.attempts.append(
                SafepayAttempt(
                    token: store.name("attemp"), request: store.name("req"), card: card, isSaved: true, at: call.now))
            return try store.authorize(
                &tracker, .merchantInitiated(captures: wish.capturesAtOnce ?? true), at: call.now)
        }
    }

    /// Does one step that may move money. A refusal by the bank is kept in the payment before it is told.
    private func pay(
        _ token: String, _ call: SandboxCall,
        _ step: (inout SafepayStore, inout SafepayTracker) throws(SafepayRefusal) -> LedgerMovement?
    ) throws(SafepayRefusal) -> SandboxOutcome {
        let (tracker, movement) = try store.withLock { (store) throws(SafepayRefusal) in
            var tracker = try store.tracker(token)
            do throws(SafepayRefusal) {
                let movement = try step(&store, &tracker)
                store.keep(tracker, at: call.now)
                return (tracker, movement)
            } catch {
                store.keep(tracker, at: call.now)
                throw error
            }
        }
        return outcome(answer(tracker) { _ in }, .changed, tracker, movement)
    }

    /// The payment, and what the action gave.
    func answer(_ tracker: SafepayTracker, _ action: (inout AnswerWriter) -> Void) -> SandboxReply {
        let token = store.withLock { $0.name("act") }
        return answer { data in
            data.object("tracker") { tracker.write(client: access.apiKey, to: &$0) }
            data.object("action") { inner in
                inner.set("token", token)
                action(&inner)
            }
        }
    }
}

/// What a payload says about the authorization.
struct SafepayWish {
    var capturesAtOnce: Bool?
    var keepsCard: Bool?
    var validation: String?

    init(_ json: JSONValue) throws(SafepayRefusal) {
        guard json.present != nil else { return }
        try SafepayBody.check(json, ["do_capture", "do_card_on_file", "sdk_on_validate_jwt"])
        capturesAtOnce = try SafepayBody.flag("do_capture", json)
        keepsCard = try SafepayBody.flag("do_card_on_file", json)
        validation = try SafepayBody.optionalText("sdk_on_validate_jwt", json)
    }
}
