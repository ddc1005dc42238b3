import GatewayKitCore

/// Making payments of both generations (dossier 1.3, 1.4).
extension SafepaySandbox {
    /// No credential but the key in the body.
    func initOrder(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let root = try SafepayBody.root(call.request)
        try SafepayBody.check(root, ["client", "amount", "currency", "environment"])
        guard access.isOurs(try SafepayBody.text("client", root)) else { throw .unknownClient }
        let amount = try SafepayMoney.major("amount", root)
        let currency = try currency(root)
        guard try SafepayBody.text("environment", root) == "sandbox" else { throw .malformed("environment") }
        let order = store.withLock {
            $0.order(SafepayMoney(minor: amount, currency: currency), at: call.now)
        }
        return SandboxOutcome(reply: shown(order), outcome: .created, token: order.token)
    }

    /// No credential. That a payment of the other generation is not found here is a guess.
    func showOrder(_ token: String) throws(SafepayRefusal) -> SandboxOutcome {
        guard let order = store.withLock({ $0.orders[token] }) else { throw .unknownTracker }
        return SandboxOutcome(reply: shown(order), outcome: .read, token: token)
    }

    private func shown(_ order: SafepayOrder) -> SandboxReply {
        answer { order.write(client: access.apiKey, to: &$0) }
    }

    /// A body is wanted, which may be empty; the answer is the token itself.
    func passport(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        try SafepayBody.check(SafepayBody.root(call.request), [])
        let token = store.withLock { $0.passport(at: call.now) }
        let body = AnswerWriter.object { body in
            body.set("data", token)
            Self.writeSuccess(to: &body)
        }
        return SandboxOutcome(reply: .json(200, body), outcome: .created)
    }

    func createTracker(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        let root = try SafepayBody.root(call.request)
        guard access.isOurs(try SafepayBody.text("merchant_api_key", root)) else { throw .unknownClient }
        let terms = try terms(root)
        let metadata = try metadata("metadata", root)
        let tracker = try store.withLock { (store) throws(SafepayRefusal) in
            if let customer = terms.customer { _ = try store.customer(customer) }
            return store.tracker(terms, metadata, at: call.now)
        }
        let reply = answer(status: 201) { data in
            data.object("tracker") { tracker.write(client: access.apiKey, to: &$0) }
            data.object("capabilities") { list in
                for intent in SafepayTracker.intents + ["RAAST"] { list.set(intent, true) }
            }
        }
        return outcome(reply, .created, tracker)
    }

    /// Which entry modes go with which mode is a guess where the dossier does not tell, and so is that the two deprecated
    /// modes are refused.
    private func terms(_ root: JSONValue) throws(SafepayRefusal) -> SafepayTracker.Terms {
        try SafepayBody.check(
            root,
            [
                "merchant_api_key", "intent", "mode", "entry_mode", "currency", "amount", "user", "metadata",
                "is_account_verification", "include_fees",
            ])
        var terms = SafepayTracker.Terms()
        terms.intent = try SafepayBody.word("intent", root, Set(SafepayTracker.intents), default: "CYBERSOURCE")
        terms.mode = try SafepayBody.word(
            "mode", root, ["payment", "instrument", "subscription", "unscheduled_cof"], default: "payment")
        let isUnscheduled = terms.mode == "unscheduled_cof"
        terms.entryMode = try SafepayBody.word(
            "entry_mode", root, Set(["raw", "flex", "tms"] + (isUnscheduled ? ["mit"] : [])),
            default: isUnscheduled ? "mit" : "flex")
        terms.currency = try currency(root)
        if terms.mode == "instrument" {
            guard root["amount"].present == nil else { throw .malformed("amount") }
        } else {
            terms.amount = try SafepayBody.minorUnits("amount", root)
        }
        terms.customer = try SafepayBody.optionalText("user", root)
        if terms.customer == nil, isUnscheduled || terms.mode == "subscription" || terms.entryMode == "tms" {
            throw .malformed("user")
        }
        let verifies = try SafepayBody.flag("is_account_verification", root) ?? false
        guard !verifies || terms.mode == "instrument" else { throw .malformed("is_account_verification") }
        terms.verifiesAccount = verifies
        terms.includesFees = try SafepayBody.flag("include_fees", root)
        return terms
    }

    private func currency(_ root: JSONValue) throws(SafepayRefusal) -> String {
        let currency = try SafepayBody.text("currency", root)
        guard SafepayMoney.currencies.contains(currency) else { throw .malformed("currency") }
        return currency
    }

    private func metadata(_ name: String, _ root: JSONValue) throws(SafepayRefusal) -> [String: String] {
        guard let json = root[name].present else { return [:] }
        guard let members = try? json.members() else { throw .malformed(name) }
        var metadata: [String: String] = [:]
        for member in members {
            guard SafepayTracker.metadataKeys.contains(member.name) else { throw .unsupportedMetaKey }
            metadata[member.name] = try SafepayBody.text(member.name, json)
        }
        return metadata
    }

    /// Known keys take new values; the others stay (a guess).
    func setMetadata(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try checkSecretOrPassport(call)
        let root = try SafepayBody.root(call.request)
        try SafepayBody.check(root, ["data"])
        guard root["data"].present != nil else { throw .malformed("data") }
        let metadata = try metadata("data", root)
        let tracker = try store.withLock { (store) throws(SafepayRefusal) in
            var tracker = try store.tracker(token)
            tracker.metadata.merge(metadata) { $1 }
            store.keep(tracker, at: call.now)
            return tracker
        }
        return outcome(answer(tracker), .changed, tracker)
    }

    /// Gives the attempt at work up, as long as nothing is authorized (dossier 2.4).
    func resetTracker(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try checkSecretOrPassport(call)
        let root = try SafepayBody.root(call.request)
        try SafepayBody.check(root, ["action", "payload"])
        let tracker = try store.withLock { (store) throws(SafepayRefusal) in
            var tracker = try store.tracker(token)
            guard tracker.state == .started || tracker.state == .enrolled else { throw .invalidState }
            tracker.state = .started
            tracker.hasCaptureContext = false
            if var attempt = tracker.attempt {
                attempt.isGivenUp = true
                tracker.replaceAttempt(attempt)
            }
            store.keep(tracker, at: call.now)
            return tracker
        }
        return outcome(answer(tracker), .changed, tracker)
    }
}
