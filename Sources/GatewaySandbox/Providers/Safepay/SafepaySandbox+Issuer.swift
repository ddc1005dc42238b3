import GatewayKitCore

/// The imitated processor's pages: what collects a device's data, and the issuer that asks the holder (dossier 2.4).
extension SafepaySandbox {
    /// The page in a hidden frame that tells the shop's page the id of its session, as the collector does.
    func collect(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        guard let token = try SafepayForm.items(call.request)["JWT"], !token.isEmpty else { throw .malformed("JWT") }
        let session = store.withLock { $0.mint.uuid() }
        let message = "{\"MessageType\":\"profile.completed\",\"SessionId\":\"\(session)\",\"Status\":true}"
        let view = SafepayHTML.reply(
            200, title: "Device data",
            body: "<p id=\"session\">\(session)</p><script>parent.postMessage('\(message)','*')</script>")
        return SandboxOutcome(reply: view, outcome: .created)
    }

    func stepUp(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let token = try SafepayForm.items(call.request)["JWT"] ?? ""
        let challenge = try store.withLock { (store) throws(SafepayRefusal) in
            guard let challenge = store.openChallenge(token) else { throw Self.noChallenge }
            return challenge
        }
        return SandboxOutcome(reply: SafepayPageViews.challenge(challenge), outcome: .read)
    }

    /// The holder's answer in a browser, which is sent on.
    func answerChallenge(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let items = try SafepayForm.items(call.request)
        let challenge = try answer(items["JWT"] ?? "", items["outcome"] ?? "", call)
        var target = challenge.successURL
        if challenge.answer == .failed {
            target = challenge.failureURL
            if challenge.page == nil {
                target +=
                    (target.contains("?") ? "&" : "?") + SafepayAddress.query([("error", "authentication failed")])
            }
        }
        guard !target.isEmpty else { throw Self.noChallenge }
        var reply = SandboxReply(status: 303)
        reply.set("location", target)
        return SandboxOutcome(reply: reply, outcome: .changed)
    }

    /// The holder's answer in an app, whose SDK gets a proof of it. This call is the sandbox's own.
    func answerNatively(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let root = try SafepayBody.root(call.request)
        try SafepayBody.check(root, ["access_token", "outcome"])
        let challenge = try answer(
            SafepayBody.text("access_token", root), SafepayBody.text("outcome", root), call)
        let reply = SandboxReply.json(
            200,
            AnswerWriter.object { body in
                body.set("validation_jwt", challenge.answer == .passed ? challenge.validation : nil)
            })
        return SandboxOutcome(reply: reply, outcome: .changed)
    }

    private static let noChallenge = SafepayRefusal(404, "there is no such challenge")

    private func answer(
        _ token: String, _ word: String, _ call: SandboxCall
    ) throws(SafepayRefusal) -> SafepayChallenge {
        guard word == "success" || word == "failure" else { throw .malformed("outcome") }
        return try store.withLock { (store) throws(SafepayRefusal) in
            guard var challenge = store.openChallenge(token) else { throw Self.noChallenge }
            challenge.answer = word == "success" ? .passed : .failed
            store.replace(challenge, at: call.now)
            return challenge
        }
    }
}

extension SafepayStore {
    /// A challenge that waits for its answer, by its access token.
    func openChallenge(_ token: String) -> SafepayChallenge? {
        guard let owner = challenges[token] else { return nil }
        let challenge = orders[owner]?.challenge ?? trackers[owner]?.attempt?.enrolment?.challenge
        guard let challenge, challenge.accessToken == token, challenge.answer == .open else { return nil }
        return challenge
    }

    mutating func replace(_ challenge: SafepayChallenge, at now: WallTime) {
        guard let owner = challenges[challenge.accessToken] else { return }
        if var order = orders[owner] {
            order.challenge = challenge
            keep(order, at: now)
        } else if var tracker = trackers[owner], var attempt = tracker.attempt {
            attempt.enrolment?.challenge = challenge
            tracker.replaceAttempt(attempt)
            keep(tracker, at: now)
        }
    }
}
