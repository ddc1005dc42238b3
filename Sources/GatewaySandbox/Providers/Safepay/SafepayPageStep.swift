import GatewayKitCore

/// What the form of a page does to the payment.
struct SafepayPageStep {
    enum End: Sendable {
        case view(SandboxReply)
        case redirect(String)
        /// An order, with its reference.
        case paid(String)
        /// A tracker or a subscription, with the words of the page.
        case done(String)
    }

    typealias Result = (End, LedgerMovement?, CardSummary?)

    var page: SafepayPage
    var form: SafepayForm
    var fingerprint: KeyedFingerprint
    var call: SandboxCall

    func run(_ store: inout SafepayStore) throws(SafepayRefusal) -> Result {
        switch (form.outcome, page.kind) {
        case ("fail", _): return (.redirect(page.failure("the card was declined")), nil, nil)
        case ("cancel", _): return (.redirect(cancel(&store)), nil, nil)
        case (_, .hosted): return try payOrder(&store)
        case (_, .embedded): return try payTracker(&store)
        case (_, .subscribe): return try subscribe(&store)
        }
    }

    /// With a `cancel_url` the payment is at its end and the shopper back in the shop, by a redirect that names it (a
    /// guess); an app is told by the action. A page without either says so.
    private func cancel(_ store: inout SafepayStore) -> String {
        if var order = store.orders[page.tracker] {
            order.state = .cancelled
            store.keep(order, at: call.now)
        }
        if var tracker = store.trackers[page.tracker], page.kind == .embedded {
            tracker.state = .cancelled
            store.keep(tracker, at: call.now)
        }
        if page.value("source") != "mobile" || page.kind != .hosted, let address = page.address("cancel_url") {
            let fields = [("order_id", page.value("order_id") ?? ""), ("tracker", page.tracker)]
            return SafepayAddress.adding(fields.filter { !$0.1.isEmpty }, to: address)
        }
        if page.kind == .hosted {
            return page.end("mobile", [("tracker", page.tracker), ("action", "cancelled")])
        }
        return page.end(
            "error", [("tracker", page.tracker), ("finalizer_message", "cancelled"), ("action", "cancelled")])
    }

    private func card(_ store: inout SafepayStore) throws(SafepayRefusal) -> SafepayCard {
        try SafepayCard(
            testCard: form.card ?? "", token: store.name("pm"), fingerprint: fingerprint, now: call.now)
    }

    private func problem(_ text: String, _ store: SafepayStore) -> End {
        .view(SafepaySandbox.view(page, in: store, problem: text))
    }

    private func ask(_ card: SafepayCard, _ store: inout SafepayStore) -> SafepayChallenge {
        var challenge = store.challenge(for: card, of: page.tracker)
        challenge.page = page
        challenge.successURL = page.leg("success")
        challenge.failureURL = page.leg("failure")
        return challenge
    }

    // MARK: - The older page

    private func payOrder(_ store: inout SafepayStore) throws(SafepayRefusal) -> Result {
        guard var order = store.orders[page.tracker] else { throw .unknownTracker }
        let card: SafepayCard
        if form.outcome == "authenticated" {
            guard let challenge = order.challenge, challenge.answer == .passed else {
                return (.redirect(page.failure("the payer is not authenticated")), nil, nil)
            }
            card = challenge.card
        } else {
            card = try self.card(&store)
            switch card.authentication {
            case .frictionless: break
            case .failed: return (.redirect(page.leg("failure")), nil, card.summary)
            case .challenge:
                let challenge = ask(card, &store)
                order.challenge = challenge
                store.keep(order, at: call.now)
                return (.view(SafepayPageViews.challenge(challenge)), nil, card.summary)
            }
        }
        if let cause = SafepayStore.decline(order.money.minor) { return (problem(cause, store), nil, card.summary) }
        let reference = store.name("ref")
        order.state = .ended
        order.reference = reference
        store.keep(order, at: call.now)
        let movement = LedgerMovement(
            kind: "purchase", amount: order.money.minor, currency: order.money.currency)
        return (.paid(reference), movement, card.summary)
    }

    // MARK: - The newer pages

    private func payTracker(_ store: inout SafepayStore) throws(SafepayRefusal) -> Result {
        var tracker = try store.tracker(page.tracker)
        if let user = page.value("user_id"), tracker.terms.customer == nil, store.customers[user] != nil {
            tracker.terms.customer = user
        }
        if form.outcome == "authenticated" {
            guard tracker.attempt?.enrolment?.challenge?.page != nil,
                tracker.attempt?.enrolment?.isAuthenticated == true
            else { return (.redirect(page.failure("the payer is not authenticated")), nil, nil) }
            return finish(&tracker, &store)
        }
        let card = try self.card(&store)
        if var old = tracker.attempt {
            old.isGivenUp = true
            tracker.replaceAttempt(old)
        }
        var attempt = SafepayAttempt(
            token: store.name("attemp"), request: store.name("req"), card: card, isSaved: false, at: call.now)
        var enrolment = SafepayAttempt.Enrolment(
            result: .frictionless, rid: store.mint.secret(22), transaction: store.mint.secret(20), challenge: nil,
            capturesAtOnce: true, keepsCard: tracker.isInstrument)
        switch card.authentication {
        case .frictionless: break
        case .failed: enrolment.result = .failed
        case .challenge:
            enrolment.result = .challenge
            enrolment.challenge = ask(card, &store)
        }
        attempt.enrolment = enrolment
        tracker.attempts.append(attempt)
        tracker.state = .enrolled
        tracker.events.append(
            .init(type: "ENROLLMENT", request: attempt.request, reason: enrolment.result.rawValue, at: call.now))
        store.keep(tracker, at: call.now)
        if enrolment.result == .failed { return (.redirect(page.leg("failure")), nil, card.summary) }
        if let challenge = enrolment.challenge {
            return (.view(SafepayPageViews.challenge(challenge)), nil, card.summary)
        }
        return finish(&tracker, &store)
    }

    private func finish(_ tracker: inout SafepayTracker, _ store: inout SafepayStore) -> Result {
        let summary = tracker.attempt?.card.summary
        guard let enrolment = tracker.attempt?.enrolment else { return (problem("", store), nil, summary) }
        do throws(SafepayRefusal) {
            let movement = try store.authorize(&tracker, enrolment, at: call.now)
            store.keep(tracker, at: call.now)
            return (.done(tracker.isInstrument ? "Card saved successfully" : "Payment successful"), movement, summary)
        } catch {
            store.keep(tracker, at: call.now)
            return (.redirect(page.failure(error.text)), nil, summary)
        }
    }

    /// Without 3-D Secure: how it goes with subscriptions is not known.
    private func subscribe(_ store: inout SafepayStore) throws(SafepayRefusal) -> Result {
        guard let plan = store.plans[page.value("plan_id") ?? ""] else { throw .unknownTracker }
        let card = try self.card(&store)
        do throws(SafepayRefusal) {
            let (_, movement) = try store.subscribe(plan, card, at: call.now)
            return (.done("Subscribed successfully"), movement, card.summary)
        } catch {
            return (problem(error.text, store), nil, card.summary)
        }
    }
}
