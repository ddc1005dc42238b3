import GatewayKitCore

/// The shopper's pages (dossier 1.5, 1.6, 3.2). Looking at one changes nothing; its form does.
extension SafepaySandbox {
    static let returnChoice = "safepay.return"
    static let customChoice = "safepay.custom-page"

    /// What a page leads to.
    enum PageEnd: Sendable {
        case redirect(String)
        case view(SandboxReply)
    }

    func showPage(_ kind: SafepayPage.Kind, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let page = SafepayPage(kind: kind, items: call.request.query)
        if let end = gate(page, call) { return outcome(end, .refused, nil) }
        let view = store.withLock { store -> SandboxReply in
            Self.view(page, in: store, problem: nil)
        }
        return outcome(.view(view), .read, page.tracker)
    }

    /// What a page tells and asks.
    static func view(_ page: SafepayPage, in store: SafepayStore, problem: String?) -> SandboxReply {
        switch page.kind {
        case .hosted:
            let money = store.orders[page.tracker]?.money
            return SafepayPageViews.checkout(
                page, title: "Safepay checkout", line: "\(money?.currency ?? "") \(money?.majorText ?? "")",
                problem: problem)
        case .embedded:
            let tracker = store.trackers[page.tracker]
            let money = tracker?.money
            return SafepayPageViews.checkout(
                page, title: tracker?.isInstrument == true ? "Save a card" : "Safepay embedded checkout",
                line: money.map { "\($0.currency) \($0.majorText)" } ?? "No money is taken.", problem: problem)
        case .subscribe:
            let plan = store.plans[page.value("plan_id") ?? ""]
            return SafepayPageViews.checkout(
                page, title: "Subscribe to \(plan?.product ?? "")",
                line: "\(plan?.money.currency ?? "") \(plan?.money.majorText ?? "") each "
                    + "\(plan?.intervalCount ?? 1) \(plan?.interval ?? "")",
                problem: problem)
        }
    }

    /// Why a page cannot be used; `nil` when it can. That a page without a token is 401, and one whose token is over
    /// goes to the error page, is a guess.
    private func gate(_ page: SafepayPage, _ call: SandboxCall) -> PageEnd? {
        store.withLock { store in
            switch page.kind {
            case .hosted:
                guard let order = store.orders[page.tracker] else {
                    // A payment of the other generation is known, and in the wrong state (dossier 5.4).
                    return .redirect(
                        page.failure(
                            store.trackers[page.tracker] == nil
                                ? SafepayRefusal.unknownTracker.text : SafepayRefusal.invalidState.text))
                }
                return order.state == .started ? nil : .redirect(page.failure(SafepayRefusal.invalidState.text))
            case .embedded:
                guard let token = page.value("tbt") else { return .view(Self.missing) }
                guard store.isValid(passport: token, at: call.now) else {
                    return .redirect(page.failure("Unauthorized access"))
                }
                guard let tracker = store.trackers[page.tracker] else {
                    return .redirect(page.failure(SafepayRefusal.unknownTracker.text))
                }
                let isOpen = tracker.state == .started || tracker.state == .enrolled
                guard isOpen, !tracker.chargesSavedCard, tracker.terms.intent == "CYBERSOURCE" else {
                    return .redirect(page.failure(SafepayRefusal.invalidState.text))
                }
                return nil
            case .subscribe:
                guard let token = page.value("auth_token") else { return .view(Self.missing) }
                guard store.isValid(passport: token, at: call.now) else {
                    return .redirect(page.failure("Unauthorized access"))
                }
                guard let plan = store.plans[page.value("plan_id") ?? ""], plan.isActive else {
                    return .redirect(page.failure("plan not found"))
                }
                return nil
            }
        }
    }

    private static let missing = SafepayPageViews.plain(status: 401, "Safepay", "Missing authorization credentials")

    // MARK: - The form

    /// What the shopper chose. The state is checked and changed in one step, so that a form sent twice pays once.
    func submitPage(_ kind: SafepayPage.Kind, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let page = SafepayPage(kind: kind, items: call.request.query)
        let form = try SafepayForm(call.request)
        if let end = gate(page, call) { return outcome(end, .refused, nil) }
        let (end, movement, card) = try store.withLock { [fingerprint] (store) throws(SafepayRefusal) in
            try SafepayPageStep(page: page, form: form, fingerprint: fingerprint, call: call).run(&store)
        }
        return finish(page, end, movement, card)
    }

    private func finish(
        _ page: SafepayPage, _ end: SafepayPageStep.End, _ movement: LedgerMovement?, _ card: CardSummary?
    ) -> SandboxOutcome {
        let target: PageEnd =
            switch end {
            case .view(let reply): .view(reply)
            case .redirect(let address): .redirect(address)
            case .paid(let reference): paid(page, reference)
            case .done(let message): done(page, message)
            }
        var result = outcome(target, movement == nil ? .read : .changed, page.tracker)
        result.movement = movement
        result.card = card
        if case .done = end { result.outcome = .changed }
        return result
    }

    /// The end of the older page: signed, but for shops with webhooks.
    private func paid(_ page: SafepayPage, _ reference: String) -> PageEnd {
        let token = page.tracker
        let sig = signature(of: token)
        if page.value("source") == "mobile" {
            return .redirect(page.end("mobile", [("tracker", token), ("sig", sig), ("action", "complete")]))
        }
        let hasWebhooks = page.value("webhooks") == "true"
        guard let address = page.address("redirect_url") else {
            return .redirect(page.end("complete", [("tracker", token), ("sig", sig), ("action", "complete")]))
        }
        if chosen[Self.customChoice] == "stays", page.value("source") == "custom", !hasWebhooks {
            return .view(SafepayPageViews.plain("Payment complete", "You can close this window."))
        }
        let order = ("order_id", page.value("order_id") ?? "")
        let fields =
            hasWebhooks
            ? [order, ("tracker", token)] : [order, ("sig", sig), ("reference", reference), ("tracker", token)]
        if chosen[Self.returnChoice] == "form" {
            return .view(SafepayPageViews.sending("Back to the shop", to: address, fields))
        }
        return .redirect(SafepayAddress.adding(fields, to: address))
    }

    /// The end of the newer pages: no signature. What the one of subscriptions carries is a guess.
    private func done(_ page: SafepayPage, _ message: String) -> PageEnd {
        if page.value("source") != "mobile", let address = page.address("redirect_url") {
            let fields =
                page.kind == .subscribe
                ? [("plan_id", page.value("plan_id") ?? ""), ("reference", page.value("reference") ?? "")]
                : [("order_id", page.value("order_id") ?? ""), ("tracker", page.tracker)]
            return .redirect(SafepayAddress.adding(fields, to: address))
        }
        return .redirect(
            page.end("complete", [("tracker", page.tracker), ("finalizer_message", message), ("action", "complete")]))
    }

    // MARK: - Ends

    /// Pages that say how it went. The leg's end goes on with the payment, by a form and not by itself.
    func showEnd(_ name: String, _ kind: SafepayPage.Kind, _ call: SandboxCall) -> SandboxOutcome {
        let asked = SafepayPage(kind: kind, items: call.request.query)
        let page = store.withLock { store in
            let challenge =
                store.orders[asked.tracker]?.challenge ?? store.trackers[asked.tracker]?.attempt?.enrolment?.challenge
            return challenge?.page
        }
        let view: SandboxReply
        switch name {
        case "success" where page != nil:
            view = SafepayPageViews.sending(
                "Authenticated", to: page?.link ?? "", [("outcome", "authenticated")])
        case "failure":
            view = SafepayPageViews.plain(
                "Not authenticated", "The issuer did not confirm the payer.", link: page?.link)
        case "error":
            view = SafepayPageViews.plain(
                "It did not work", asked.value("error") ?? asked.value("finalizer_message") ?? "")
        default:
            view = SafepayPageViews.plain("Done", asked.value("finalizer_message") ?? "")
        }
        return SandboxOutcome(reply: view, outcome: .read)
    }

    private func outcome(_ end: PageEnd, _ kind: LedgerEntry.Outcome, _ token: String?) -> SandboxOutcome {
        var reply: SandboxReply
        switch end {
        case .redirect(let address):
            reply = SandboxReply(status: 303)
            reply.set("location", address)
        case .view(let view): reply = view
        }
        return SandboxOutcome(reply: reply, outcome: kind, token: token)
    }
}

/// What the form of a page sends.
struct SafepayForm: Sendable {
    var outcome: String
    var card: String?

    init(_ request: ReceivedRequest) throws(SafepayRefusal) {
        let items = try Self.items(request)
        outcome = items["outcome"] ?? ""
        card = items["card"]
        guard ["pay", "fail", "cancel", "authenticated"].contains(outcome) else { throw .malformed("outcome") }
    }

    static func items(_ request: ReceivedRequest) throws(SafepayRefusal) -> [String: String] {
        let type = request.value(of: "content-type")?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard type == "application/x-www-form-urlencoded", let items = try? HeadReader.items(request.body[...]) else {
            throw .unreadableBody
        }
        return Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
