import GatewayKitCore

/// Taking payments back (dossier 2.6).
extension SafepaySandbox {
    /// How long a capture or a refund can be voided.
    static let voidWindow: Int64 = 24 * 3_600

    /// `VOID_PAYMENT` is for what was captured with its authorization, `VOID_CAPTURE` for what was captured on its own;
    /// that the wrong one of both is refused, and that the refund is named `refund`, are guesses.
    func void(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let payload = try changes(call, ["kind", "refund"])
        let kind = try SafepayBody.text("kind", payload)
        let refund = try SafepayBody.optionalText("refund", payload)
        return try change(token, call) { (store, tracker) throws(SafepayRefusal) in
            switch kind {
            case "VOID_CAPTURE", "VOID_PAYMENT":
                guard refund == nil else { throw .malformed("refund") }
                guard tracker.state == .ended, let capture = tracker.capture else { throw .invalidState }
                guard capture.isAtOnce == (kind == "VOID_PAYMENT") else {
                    throw SafepayRefusal(400, "this kind of void does not fit the payment")
                }
                try Self.checkWindow(capture.at, call.now)
                tracker.state = .voided
            case "VOID_REFUND":
                guard let index = tracker.refunds.firstIndex(where: { $0.token == refund && !$0.isVoided }) else {
                    throw SafepayRefusal(404, "refund not found")
                }
                try Self.checkWindow(tracker.refunds[index].at, call.now)
                tracker.refunds[index].isVoided = true
                tracker.state = tracker.refunded > 0 ? .partialRefund : .ended
                return (LedgerMovement(kind: "void", parent: tracker.refunds[index].token), nil)
            default:
                throw .malformed("kind")
            }
            return (LedgerMovement(kind: "void", parent: tracker.token), nil)
        }
    }

    func reverse(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let payload = try changes(call, ["authorization"])
        let authorization = try SafepayBody.text("authorization", payload)
        return try change(token, call) { (_, tracker) throws(SafepayRefusal) in
            guard tracker.state == .authorized else { throw .invalidState }
            guard tracker.authorization == authorization else {
                throw SafepayRefusal(404, "authorization not found")
            }
            tracker.state = .reversed
            return (LedgerMovement(kind: "void", parent: tracker.token), nil)
        }
    }

    /// All of it, or a part: not more than what is left (the words are a guess). There is no key against doing it twice.
    func refund(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let payload = try changes(call, ["currency", "amount"])
        let currency = try SafepayBody.text("currency", payload)
        let amount = try SafepayBody.minorUnits("amount", payload)
        return try change(token, call) { (store, tracker) throws(SafepayRefusal) in
            guard tracker.state == .ended || tracker.state == .partialRefund, let money = tracker.money,
                tracker.capture != nil
            else { throw .invalidState }
            guard currency == money.currency else { throw .malformed("currency") }
            guard amount <= money.minor - tracker.refunded else {
                throw SafepayRefusal(400, "amount: more than what is left to refund")
            }
            let refund = SafepayTracker.Refund(token: store.name("rf"), amount: amount, at: call.now)
            tracker.refunds.append(refund)
            tracker.state = tracker.refunded == money.minor ? .refunded : .partialRefund
            return (
                LedgerMovement(kind: "refund", amount: amount, currency: currency, parent: tracker.token), refund.token
            )
        }
    }

    private func changes(_ call: SandboxCall, _ known: Set<String>) throws(SafepayRefusal) -> JSONValue {
        try access.checkSecret(call.request)
        let payload = try SafepayBody.unwrapped(call.request)
        try SafepayBody.check(payload, known)
        return payload
    }

    private static func checkWindow(_ time: WallTime, _ now: WallTime) throws(SafepayRefusal) {
        guard now < time.adding(seconds: voidWindow) else {
            throw SafepayRefusal(400, "the payment can no longer be voided: it is settled")
        }
    }

    private func change(
        _ token: String, _ call: SandboxCall,
        _ step: (inout SafepayStore, inout SafepayTracker) throws(SafepayRefusal) -> (LedgerMovement, refund: String?)
    ) throws(SafepayRefusal) -> SandboxOutcome {
        let (tracker, movement, refund) = try store.withLock { (store) throws(SafepayRefusal) in
            var tracker = try store.tracker(token)
            let (movement, refund) = try step(&store, &tracker)
            store.keep(tracker, at: call.now)
            return (tracker, movement, refund)
        }
        let reply = answer(tracker) { action in
            if let refund { action.object("refund") { $0.set("token", refund) } }
        }
        return outcome(reply, .changed, tracker, movement)
    }
}
