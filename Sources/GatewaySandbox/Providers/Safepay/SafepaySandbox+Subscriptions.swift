import GatewayKitCore

/// Plans and subscriptions (dossier 4.3). Bodies of answers beyond their members, and which states forbid what, are
/// guesses.
extension SafepaySandbox {
    func createPlan(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        let form = try SafepayPlan(SafepayBody.root(call.request), at: call.now)
        let (plan, request) = store.withLock { store in
            var plan = form
            plan.token = store.name("plan")
            store.plans.add(plan, token: plan.token)
            return (plan, store.name("req"))
        }
        let body = AnswerWriter.object { body in
            body.object("data") { data in
                data.set("request_id", request)
                data.set("plan_id", plan.token)
            }
        }
        return SandboxOutcome(reply: .json(200, body), outcome: .created, token: plan.token)
    }

    func showPlan(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let plan = try plan(token, call)
        return SandboxOutcome(
            reply: shown("plan") { plan.write(client: access.apiKey, to: &$0) }, outcome: .read, token: token)
    }

    func changePlan(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let old = try plan(token, call)
        var new = try SafepayPlan(SafepayBody.root(call.request), at: call.now)
        new.token = token
        new.createdAt = old.createdAt
        store.withLock { [new] in $0.plans.replace(new, token: token) }
        return SandboxOutcome(
            reply: shown("plan") { new.write(client: access.apiKey, to: &$0) }, outcome: .changed, token: token)
    }

    func deletePlan(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        _ = try plan(token, call)
        store.withLock { $0.plans.remove(token) }
        let reply = shown("plan") { plan in
            plan.set("token", token)
            plan.set("deleted", true)
        }
        return SandboxOutcome(reply: reply, outcome: .changed, token: token)
    }

    func searchPlans(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        let plans = store.withLock { store in store.plans.tokens.compactMap { store.plans[$0] } }
        return try search("plans", plans, call) { plan, body in plan.write(client: access.apiKey, to: &body) }
    }

    func showSubscription(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        let subscription = try store.withLock { (store) throws(SafepayRefusal) in try store.subscription(token) }
        return SandboxOutcome(
            reply: shown("subscription") { subscription.write(client: access.apiKey, to: &$0) }, outcome: .read,
            token: token)
    }

    func searchSubscriptions(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        let all = store.withLock { store in store.subscriptions.tokens.compactMap { store.subscriptions[$0] } }
        return try search("subscriptions", all, call) { $0.write(client: access.apiKey, to: &$1) }
    }

    /// Pausing, with one of three words for what becomes of the payments meanwhile.
    func pauseSubscription(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        let root = try SafepayBody.root(call.request)
        let behaviour = try? root["pause_collection"]["payment_collection_behavior"].string()
        guard let behaviour, ["KEEP_AS_READY", "MARK_UNCOLLECTIBLE", "MARK_VOID"].contains(behaviour) else {
            throw SafepayRefusal(400, "pause_collection: the value is missing or malformed", .bare)
        }
        return try change(token, call, from: ["ACTIVE"]) {
            $0.status = "PAUSED"
            $0.pausedAt = call.now
        }
    }

    func resumeSubscription(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        return try change(token, call, from: ["PAUSED"]) {
            $0.status = "ACTIVE"
            $0.pausedAt = nil
        }
    }

    func cancelSubscription(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        return try change(token, call, from: ["ACTIVE", "PAUSED"]) {
            $0.status = "CANCELED"
            $0.canceledAt = call.now
        }
    }

    // MARK: - Parts

    private func plan(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SafepayPlan {
        try access.checkSecret(call.request)
        guard let plan = store.withLock({ $0.plans[token] }) else {
            throw SafepayRefusal(404, "plan not found", .bare)
        }
        return plan
    }

    private func change(
        _ token: String, _ call: SandboxCall, from states: Set<String>, _ step: (inout SafepaySubscription) -> Void
    ) throws(SafepayRefusal) -> SandboxOutcome {
        let (subscription, request) = try store.withLock { (store) throws(SafepayRefusal) in
            var subscription = try store.subscription(token)
            guard states.contains(subscription.status) else {
                throw SafepayRefusal(400, "the subscription is in an invalid state", .bare)
            }
            step(&subscription)
            subscription.updatedAt = call.now
            store.subscriptions.replace(subscription, token: token)
            return (subscription, store.name("req"))
        }
        let reply = shown("subscription", request: request) { subscription.write(client: access.apiKey, to: &$0) }
        return SandboxOutcome(reply: reply, outcome: .changed, token: token)
    }

    private func shown(
        _ name: String, request: String? = nil, _ write: (inout AnswerWriter) -> Void
    ) -> SandboxReply {
        let body = AnswerWriter.object { body in
            body.object("data") { data in
                data.set("request_id", request)
                data.object(name, write)
            }
        }
        return .json(200, body)
    }

    private func search<Value>(
        _ name: String, _ values: [Value], _ call: SandboxCall, _ write: (Value, inout AnswerWriter) -> Void
    ) throws(SafepayRefusal) -> SandboxOutcome {
        let page = try SafepayListPart(call.request.query)
        let body = AnswerWriter.object { body in
            body.object("data") { data in
                data.array(name) { list in
                    for value in page.select(from: values) { list.appendObject { write(value, &$0) } }
                }
                data.set("count", values.count)
            }
        }
        return SandboxOutcome(reply: .json(200, body), outcome: .read)
    }
}

extension SafepayStore {
    func subscription(_ token: String) throws(SafepayRefusal) -> SafepaySubscription {
        guard let subscription = subscriptions[token] else {
            throw SafepayRefusal(404, "subscription not found", .bare)
        }
        return subscription
    }

    /// The first payment of a plan and the subscription that it begins.
    mutating func subscribe(
        _ plan: SafepayPlan, _ card: SafepayCard, at now: WallTime
    ) throws(SafepayRefusal) -> (SafepaySubscription, LedgerMovement?) {
        var terms = SafepayTracker.Terms()
        terms.mode = "subscription"
        terms.currency = plan.money.currency
        terms.amount = plan.money.minor
        var tracker = tracker(terms, [:], at: now)
        tracker.attempts.append(
            SafepayAttempt(token: name("attemp"), request: name("req"), card: card, isSaved: false, at: now))
        defer { keep(tracker, at: now) }
        let movement = try authorize(&tracker, .merchantInitiated(captures: true), at: now)
        let subscription = SafepaySubscription(
            token: name("sub"), plan: plan, instrument: card.token, tracker: tracker.token, startedAt: now,
            periodEnd: plan.end(from: now), updatedAt: now)
        subscriptions.add(subscription, token: subscription.token)
        return (subscription, movement)
    }
}
