import GatewayKitCore

/// A payment as the reporter shows it (dossier 2.5; members of nested objects also from a third-party client that was
/// made from Safepay's Postman collection).
struct SafepayReport {
    var tracker: SafepayTracker
    var customer: SafepayCustomer?
    var client: String
    var now: WallTime

    /// As the list shows it.
    func writeLine(to body: inout AnswerWriter) {
        body.set("token", tracker.token)
        body.set("environment", "sandbox")
        body.object("client") { $0.set("api_key", client) }
        if let customer { body.object("customer") { $0.set("token", customer.token) } }
        body.set("state", tracker.state.rawValue)
        body.set("intent", tracker.terms.intent)
        body.set("mode", tracker.terms.mode)
        body.set("currency", tracker.terms.currency)
        if let money = tracker.money { body.set("display_amount", money.majorText) }
        body.set(safepay: "created_at", tracker.createdAt)
    }

    func write(to body: inout AnswerWriter) {
        body.set("token", tracker.token)
        body.set("environment", "sandbox")
        body.set("state", tracker.state.rawValue)
        body.set("intent", tracker.terms.intent)
        body.set("mode", tracker.terms.mode)
        body.set("entry_mode", tracker.terms.entryMode)
        body.set("payment_method_kind", "card")
        writeMetadata(to: &body)
        body.object("client") { client in
            client.set("token", "mer_sandbox")
            client.set("api_key", self.client)
            client.set("name", "Sandbox Shop")
            client.set("email", "shop@shop.example")
        }
        if let customer {
            body.object("customer") { who in
                who.set("token", customer.token)
                who.set("first_name", customer.firstName)
                who.set("last_name", customer.lastName)
                who.set("email", customer.email)
                who.set("phone", customer.phone)
            }
        }
        tracker.writeNextActions(to: &body)
        tracker.writeTotals(to: &body)
        if let capture = tracker.capture, let money = tracker.money {
            body.object("charge") { writeCharge(capture, money, to: &$0) }
        }
        body.array("events") { list in
            for event in tracker.events { list.appendObject { write(event, to: &$0) } }
        }
        body.array("attempts") { list in
            for attempt in tracker.attempts { list.appendObject { write(attempt, to: &$0) } }
        }
        body.set(safepay: "created_at", tracker.createdAt)
        body.set(safepay: "updated_at", tracker.updatedAt)
        // Not a sign of success: it is false on paid payments, too.
        body.set("is_routed", false)
    }

    private func writeMetadata(to body: inout AnswerWriter) {
        body.object("metadata") { list in
            for (key, value) in tracker.metadata.sorted(by: { $0.key < $1.key }) {
                list.object(key) { item in
                    item.set("tracker", tracker.token)
                    item.set("key", key)
                    item.set("value", value)
                }
            }
        }
    }

    /// The rates are those of one recorded account; every account has its own. That the balance is what can still be
    /// given back is a guess.
    private func writeCharge(_ capture: SafepayTracker.Capture, _ money: SafepayMoney, to body: inout AnswerWriter) {
        func part(_ thousandths: Int64, of amount: Int64) -> Int64 { (amount * thousandths + 500) / 1000 }
        func write(_ name: String, _ minor: Int64, to body: inout AnswerWriter) {
            SafepayMoney(minor: minor, currency: money.currency).write(name, to: &body)
        }
        let fee = part(29, of: money.minor)
        let tax = part(150, of: fee)
        let withheld = part(20, of: money.minor) + part(10, of: money.minor)
        let fees = fee + tax + withheld
        body.set("token", capture.charge)
        body.set("tracker", tracker.token)
        body.set("client", client)
        body.set("user", tracker.terms.customer)
        write("amount", money.minor, to: &body)
        write("fees", fees, to: &body)
        write("tax", tax, to: &body)
        write("net", money.minor - fees, to: &body)
        body.set("signature", capture.signature)
        body.object("capture") { inner in
            inner.set("token", capture.token)
            inner.set("tracker", tracker.token)
            inner.set("intent", tracker.terms.intent)
            inner.set(
                "is_voidable",
                tracker.state == .ended && now < capture.at.adding(seconds: SafepaySandbox.voidWindow))
            inner.set("kind", "PAYMENT")
            money.write("totals", to: &inner)
            inner.set(safepay: "created_at", capture.at)
        }
        write("balance", tracker.state == .voided ? 0 : money.minor - tracker.refunded, to: &body)
        write("withholding_tax", withheld, to: &body)
        body.set(safepay: "created_at", capture.at)
    }

    private func write(_ event: SafepayTracker.Event, to body: inout AnswerWriter) {
        body.set("intent", tracker.terms.intent)
        body.set("type", event.type)
        body.set("intent_request_id", event.request)
        body.set("reason", event.reason)
        body.set(safepay: "created_at", event.at)
    }

    private func write(_ attempt: SafepayAttempt, to body: inout AnswerWriter) {
        body.set("token", attempt.token)
        body.set("tracker", tracker.token)
        body.set("intent", tracker.terms.intent)
        body.set("idempotency_key", attempt.request)
        body.set("kind", 1)
        body.object("payment_method") { method in
            method.set("token", attempt.card.token)
            method.set("last_four", attempt.card.summary.lastFour)
            method.set("kind", "CARD")
            method.set("scheme", attempt.card.typeName)
            method.set("bin", attempt.card.summary.firstSix)
            method.set("expiration_month", attempt.card.month)
            method.set("expiration_year", attempt.card.year)
            method.set("do_card_on_file", attempt.enrolment?.keepsCard ?? false)
        }
        if let enrolment = attempt.enrolment {
            body.object("enrollment") { inner in
                inner.set("cybersource_rid", enrolment.rid)
                inner.set("veres_enrolled", enrolment.result == .unavailable ? "U" : "Y")
                inner.set("specification_version", "2.2.0")
                inner.set("authentication_status", enrolment.result.rawValue)
                if enrolment.isAuthenticated {
                    inner.set("pares_status", "Y")
                    inner.set("eci", attempt.card.summary.brand == .mastercard ? "02" : "05")
                }
            }
        }
        if attempt.isSuccess, let authorization = tracker.authorization {
            body.object("authorization") { inner in
                inner.set("token", authorization)
                inner.set("tracker", tracker.token)
                tracker.money?.write("totals", to: &inner)
            }
        }
        body.set("is_success", attempt.isSuccess)
        body.set(safepay: "created_at", attempt.at)
    }
}
