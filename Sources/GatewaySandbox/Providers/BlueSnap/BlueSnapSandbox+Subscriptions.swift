import GatewayKitCore

/// Plans and subscriptions (dossier 4.5).
extension BlueSnapSandbox {
    // The number's name is a guess.
    private static let unknownPlan = BlueSnapRefusal("PLAN_NOT_FOUND", 24001, "The plan is not found")
    private static let unknownSubscription = BlueSnapRefusal(
        "SUBSCRIPTION_NOT_FOUND", 90009, "The subscription is not found")
    // A guess, like its number.
    private static let inactive = BlueSnapRefusal("INVALID_INPUT", 21001, "The plan or subscription is not active")

    func createPlan(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        let form = try BlueSnapPlanForm(try readBody(call.request))
        let plan = try form.plan(store.planNumber(), old: nil)
        store.plans.add(plan, token: plan.id)
        return outcome(plan, .created)
    }

    func showPlan(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        guard let plan = store.plans[call.parameters.first ?? ""] else { throw Self.unknownPlan }
        return outcome(plan, .read)
    }

    func updatePlan(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        guard let old = store.plans[call.parameters.first ?? ""] else { throw Self.unknownPlan }
        let plan = try BlueSnapPlanForm(try readBody(call.request)).plan(old.id, old: old)
        store.plans.replace(plan, token: plan.id)
        return outcome(plan, .changed)
    }

    private func outcome(_ plan: BlueSnapPlan, _ outcome: LedgerEntry.Outcome) -> SandboxOutcome {
        SandboxOutcome(reply: reply { plan.write(to: &$0) }, outcome: outcome, token: plan.id)
    }

    // MARK: - Beginning

    private static let commonNames: Set<String> = [
        "paymentSource", "payerInfo", "vaultedShopperId", "transactionFraudInfo", "merchantTransactionId",
        "softDescriptor", "transactionMetaData", "threeDSecure",
    ]

    /// A subscription to a plan: its first payment is taken at once, unless there is a trial. That the request takes the
    /// merchant's own id of that payment is a guess.
    func subscribe(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ card: inout BlueSnapCard?,
        _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        let root = try readBody(call.request)
        guard let id = try? root["planId"].scalarText(), let plan = store.plans[id] else { throw Self.unknownPlan }
        guard plan.isActive else { throw Self.inactive }
        let form = try BlueSnapPaymentForm(
            root, known: Self.commonNames.union(["planId"]), holder: "payerInfo", amount: plan.first ?? plan.amount)
        return try begin(form, plan, takesMoney: plan.first != nil, call, &store, &card, &submitted)
    }

    /// A subscription without a plan, whose first charge is taken at once.
    func startOnDemand(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ card: inout BlueSnapCard?,
        _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        let form = try BlueSnapPaymentForm(
            try readBody(call.request), known: Self.commonNames.union(["amount", "currency"]), holder: "payerInfo")
        return try begin(form, nil, takesMoney: true, call, &store, &card, &submitted)
    }

    private func begin(
        _ form: BlueSnapPaymentForm, _ plan: BlueSnapPlan?, takesMoney: Bool, _ call: SandboxCall,
        _ store: inout BlueSnapStore, _ card: inout BlueSnapCard?, _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        let source = try source(form, call, store, &submitted)
        card = source.source.card
        guard let kept = source.source.card else { throw .otherMethod }
        try checkHolder(form, source)
        var refusal: BlueSnapRefusal?
        var status: String?
        if takesMoney {
            switch verdict(form, source, call) {
            case .approved(let word): status = word
            case .refused(let found, moved: false): throw found
            case .refused(let found, moved: true): refusal = found
            }
        }
        let shopper = keepShopper(form, source, &store, storesCard: true)
        var subscription = BlueSnapSubscription(
            id: store.subscriptionNumber(), plan: plan?.id, shopper: shopper, card: kept, createdAt: call.now,
            amount: plan?.amount ?? form.amount, frequency: plan?.frequency, trialDays: plan?.trialDays ?? 0)
        var paid: BlueSnapTransaction?
        if takesMoney {
            let made = keep(.authCapture, form, source, shopper, call, &store, status: status)
            subscription.charges = [made.id]
            paid = made
        }
        store.subscriptions.add(subscription, token: subscription.id)
        let answer = reply { [subscription, paid] body in
            subscription.write(to: &body)
            if plan == nil {
                body.set("amount", decimal: paid?.amount.decimalText)
                body.set("transactionId", paid?.id)
            }
        }
        return SandboxOutcome(
            reply: refusal?.reply(self.form) ?? answer, outcome: .created, token: subscription.id,
            card: kept.summary, ownReference: form.ownReference,
            movement: status == nil ? paid.map(Self.purchase) : nil, submitted: submitted)
    }

    private static func purchase(_ made: BlueSnapTransaction) -> LedgerMovement {
        LedgerMovement(kind: "purchase", amount: made.amount.minorUnits, currency: made.amount.currency.code)
    }

    // MARK: - Going on

    /// Another charge of a subscription whose charges the merchant demands.
    func chargeOnDemand(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ card: inout BlueSnapCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        var subscription = try subscription(call, store)
        guard subscription.isActive, subscription.plan == nil else { throw Self.inactive }
        let form = try BlueSnapPaymentForm(
            try readBody(call.request),
            known: [
                "amount", "currency", "merchantTransactionId", "softDescriptor", "transactionMetaData",
                "transactionFraudInfo",
            ], holder: "payerInfo")
        card = subscription.card
        let source = Source(source: .card(subscription.card, wallet: nil), shopper: subscription.shopper)
        var refusal: BlueSnapRefusal?
        var status: String?
        switch verdict(form, source, call) {
        case .approved(let word): status = word
        case .refused(let found, moved: false): throw found
        case .refused(let found, moved: true): refusal = found
        }
        let made = keep(.authCapture, form, source, subscription.shopper, call, &store, status: status)
        subscription.charges.append(made.id)
        store.subscriptions.replace(subscription, token: subscription.id)
        let answer = reply { [subscription] body in
            subscription.write(to: &body)
            body.set("amount", decimal: made.amount.decimalText)
            body.set("transactionId", made.id)
        }
        return SandboxOutcome(
            reply: refusal?.reply(self.form) ?? answer, outcome: .created, token: made.id, card: card?.summary,
            ownReference: form.ownReference, movement: status == nil ? Self.purchase(made) : nil)
    }

    func showSubscription(
        _ call: SandboxCall, _ store: inout BlueSnapStore
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        outcome(try subscription(call, store), .read)
    }

    /// Cancels, or moves to another plan; that one that was cancelled stays so is a guess.
    func updateSubscription(
        _ call: SandboxCall, _ store: inout BlueSnapStore
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        var subscription = try subscription(call, store)
        let root = try readBody(call.request)
        for member in (try? root.members()) ?? [] where !["status", "planId"].contains(member.name) {
            throw .invalid(member.name)
        }
        if let value = root["planId"].present {
            guard let id = try? value.scalarText(), let plan = store.plans[id], subscription.plan != nil else {
                throw Self.unknownPlan
            }
            subscription.plan = plan.id
            subscription.amount = plan.amount
            subscription.frequency = plan.frequency
        }
        switch try? root["status"].present?.string() {
        case nil where root["status"].present == nil: break
        case "CANCELED": subscription.isActive = false
        case "ACTIVE": guard subscription.isActive else { throw Self.inactive }
        default: throw .invalid("status")
        }
        store.subscriptions.replace(subscription, token: subscription.id)
        return outcome(subscription, .changed)
    }

    /// The subscription that a payment belongs to.
    func resolveSubscription(
        _ call: SandboxCall, _ store: inout BlueSnapStore
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        let id = try query(call, ["transactionid"])["transactionid"] ?? ""
        for name in store.subscriptions.tokens {
            if let found = store.subscriptions[name], found.charges.contains(id) { return outcome(found, .read) }
        }
        throw Self.unknownSubscription
    }

    /// The shape of this list is a guess.
    func subscriptionCharges(
        _ call: SandboxCall, _ store: inout BlueSnapStore
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        let subscription = try subscription(call, store)
        let charges = subscription.charges.compactMap { store.transactions[$0] }
        let answer = reply { body in
            body.set("lastPage", true)
            body.array("charges") { list in
                for charge in charges {
                    list.appendObject { entry in
                        entry.set("transactionId", charge.id)
                        entry.set("merchantTransactionId", charge.ownReference)
                        entry.set("amount", decimal: charge.amount.decimalText)
                        entry.set("currency", charge.amount.currency.code)
                        entry.set("transactionDate", BlueSnapTransaction.shortDate(charge.createdAt))
                    }
                }
            }
        }
        return SandboxOutcome(reply: answer, outcome: .read, token: subscription.id)
    }

    private func subscription(
        _ call: SandboxCall, _ store: BlueSnapStore
    ) throws(BlueSnapRefusal) -> BlueSnapSubscription {
        guard let found = store.subscriptions[call.parameters.first ?? ""] else { throw Self.unknownSubscription }
        return found
    }

    private func outcome(
        _ subscription: BlueSnapSubscription, _ outcome: LedgerEntry.Outcome
    ) -> SandboxOutcome {
        SandboxOutcome(
            reply: reply { subscription.write(to: &$0) }, outcome: outcome, token: subscription.id,
            card: subscription.card.summary)
    }
}
