import GatewayKitCore

/// The enrolment for 3-D Secure (dossier 2.3, 2.4).
extension SafepaySandbox {
    func enrol(
        _ token: String, _ payload: JSONValue, _ call: SandboxCall
    ) throws(SafepayRefusal) -> SandboxOutcome {
        try checkBilling(payload["billing"])
        let wish = try SafepayWish(payload["authorization"])
        let setUp = payload["authentication_setup"]
        if setUp.present != nil {
            try SafepayBody.check(
                setUp, ["success_url", "failure_url", "device_fingerprint_session_id", "sdk_reference_id"])
        }
        let session = try SafepayBody.optionalText("device_fingerprint_session_id", setUp)
        let sdk = try SafepayBody.optionalText("sdk_reference_id", setUp)
        // A browser has to come back somewhere; an app does not (a guess).
        let (success, failure) =
            try session == nil ? ("", "") : (address("success_url", setUp), address("failure_url", setUp))
        let tracker = try store.withLock { (store) throws(SafepayRefusal) in
            var tracker = try store.tracker(token)
            guard tracker.state == .started, var attempt = tracker.attempt, attempt.enrolment == nil else {
                throw .invalidState
            }
            var challenge: SafepayChallenge?
            if attempt.card.authentication == .challenge, session != nil || sdk != nil {
                challenge = store.challenge(for: attempt.card, of: token)
                challenge?.successURL = success
                challenge?.failureURL = failure
            }
            let result: SafepayAttempt.Enrolment.Result =
                switch attempt.card.authentication {
                case .frictionless: .frictionless
                case .failed: .failed
                case .challenge: challenge == nil ? .unavailable : .challenge
                }
            attempt.enrolment = SafepayAttempt.Enrolment(
                result: result, rid: store.mint.secret(22), transaction: store.mint.secret(20), challenge: challenge,
                capturesAtOnce: wish.capturesAtOnce ?? false, keepsCard: wish.keepsCard ?? false)
            tracker.replaceAttempt(attempt)
            tracker.state = .enrolled
            tracker.events.append(
                .init(type: "ENROLLMENT", request: attempt.request, reason: result.rawValue, at: call.now))
            store.keep(tracker, at: call.now)
            return tracker
        }
        let reply = answer(tracker) { action in
            tracker.attempt?.card.write(to: &action)
            if let enrolment = tracker.attempt?.enrolment {
                action.object("payer_authentication_enrollment") { enrolment.write(origin: call.origin, to: &$0) }
            }
        }
        return outcome(reply, .changed, tracker)
    }

    private func checkBilling(_ billing: JSONValue) throws(SafepayRefusal) {
        guard billing.kind == .object else { throw .malformed("billing") }
        if billing["use_synthetic"].present != nil {
            try SafepayBody.check(billing, ["use_synthetic"])
            guard try SafepayBody.flag("use_synthetic", billing) == true else { throw .malformed("use_synthetic") }
            return
        }
        try SafepayBody.check(billing, ["street_1", "street_2", "city", "state", "postal_code", "country"])
        for name in ["street_1", "city", "country"] { _ = try SafepayBody.text(name, billing) }
    }

    private func address(_ name: String, _ json: JSONValue) throws(SafepayRefusal) -> String {
        let text = try SafepayBody.text(name, json)
        guard SafepayAddress.isWeb(text) else { throw .malformed(name) }
        return text
    }
}

extension SafepayAttempt.Enrolment {
    /// Nobody is asked, and the card is captured or not.
    static func merchantInitiated(captures: Bool) -> Self {
        Self(
            result: .frictionless, rid: "", transaction: "", challenge: nil, capturesAtOnce: captures,
            keepsCard: false)
    }

    var isAuthenticated: Bool {
        switch result {
        case .frictionless: true
        case .challenge: challenge?.answer == .passed
        case .failed, .unavailable: false
        }
    }

    func write(origin: String, to body: inout AnswerWriter) {
        body.set("rid", rid)
        body.set(
            "enrollment_status", result == .challenge ? "PENDING_AUTHENTICATION" : "AUTHENTICATION_\(result.rawValue)")
        body.set("veres_enrolled", result == .unavailable ? "U" : "Y")
        body.set(
            "veres_enrolled_description",
            result == .unavailable ? "Authentication is not available." : "The card takes part in authentication.")
        body.set("specification_version", "2.2.0")
        body.set("authentication_status", result.rawValue)
        body.set("authentication_transaction_id", transaction)
        guard let challenge else { return }
        body.set("access_token", challenge.accessToken)
        body.set("step_up_url", origin + "/safepay/cruise/step-up")
        body.set("challenge_window_size", "02")
        body.set("payload", transaction)
    }
}
