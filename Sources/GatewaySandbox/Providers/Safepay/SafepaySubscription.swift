import GatewayKitCore

/// What is paid again and again (dossier 4.3; members from a third-party client that was made from Safepay's Postman
/// collection). That amounts are texts of minor units is a guess.
struct SafepayPlan: Sendable {
    var token: String
    var money: SafepayMoney
    var interval: String
    var intervalCount: Int
    var product: String
    var isActive = true
    var createdAt: WallTime
    var updatedAt: WallTime

    static let intervals: Set<String> = ["DAY", "WEEK", "MONTH", "YEAR"]
    static let members: Set<String> = [
        "amount", "currency", "interval", "type", "interval_count", "product", "active",
    ]

    init(_ json: JSONValue, at now: WallTime) throws(SafepayRefusal) {
        do throws(SafepayRefusal) {
            try SafepayBody.check(json, Self.members)
            let text = try SafepayBody.text("amount", json)
            guard text.utf8.count <= 12, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let amount = Int64(text),
                amount > 0
            else { throw .malformed("amount") }
            let currency = try SafepayBody.text("currency", json)
            guard SafepayMoney.currencies.contains(currency) else { throw .malformed("currency") }
            money = SafepayMoney(minor: amount, currency: currency)
            interval = try SafepayBody.text("interval", json)
            guard Self.intervals.contains(interval) else { throw .malformed("interval") }
            _ = try SafepayBody.word("type", json, ["RECURRING"], default: "RECURRING")
            intervalCount = json["interval_count"].present == nil ? 1 : (try? json["interval_count"].integer()) ?? 0
            guard (1...365).contains(intervalCount) else { throw .malformed("interval_count") }
            product = try SafepayBody.text("product", json)
            isActive = try SafepayBody.flag("active", json) ?? true
        } catch {
            throw SafepayRefusal(error.status, error.text, .bare)
        }
        token = ""
        createdAt = now
        updatedAt = now
    }

    func write(client: String, to body: inout AnswerWriter) {
        body.set("token", token)
        body.set("merchant_api_key", client)
        body.set("amount", "\(money.minor)")
        body.set("currency", money.currency)
        body.set("interval_count", intervalCount)
        body.set("interval", interval)
        body.set("product", product)
        body.set("type", "RECURRING")
        body.set("created_at", createdAt.rfc3339)
        body.set("updated_at", updatedAt.rfc3339)
        body.set("active", isActive)
        body.set("archived", false)
        body.object("price_money") { price in
            price.set("currency", money.currency)
            price.set("amount", "\(money.minor)")
        }
    }

    /// When what begins now is to be paid again; months and years of 30 and 365 days (this sandbox's own).
    func end(from now: WallTime) -> WallTime {
        let days: Int64 =
            switch interval {
            case "DAY": 1
            case "WEEK": 7
            case "MONTH": 30
            default: 365
            }
        return now.adding(seconds: days * Int64(intervalCount) * 86_400)
    }
}

/// A plan that a shopper pays for.
struct SafepaySubscription: Sendable {
    var token: String
    var plan: SafepayPlan
    /// The shopper's card.
    var instrument: String
    var status = "ACTIVE"
    /// The first payment.
    var tracker: String
    var startedAt: WallTime
    var periodEnd: WallTime
    var canceledAt: WallTime?
    var pausedAt: WallTime?
    var updatedAt: WallTime

    func write(client: String, to body: inout AnswerWriter) {
        body.set("token", token)
        body.set("plan_id", plan.token)
        body.set("instrument_id", instrument)
        body.set("status", status)
        body.set("tracker", tracker)
        body.set("billing_cycle_anchor", startedAt.rfc3339)
        body.set("price_amount", "\(plan.money.minor)")
        body.set("price_currency", plan.money.currency)
        body.set("balance", "0")
        body.set("start_date", startedAt.rfc3339)
        body.set("cancel_at_period_end", false)
        body.set("canceled_at", canceledAt?.rfc3339)
        body.set("paused_at", pausedAt?.rfc3339)
        body.set("created_at", startedAt.rfc3339)
        body.set("updated_at", updatedAt.rfc3339)
        body.object("plan") { plan.write(client: client, to: &$0) }
        body.set("current_period_start_date", startedAt.rfc3339)
        body.set("current_period_end_date", periodEnd.rfc3339)
        body.set("never_expires", true)
        body.set("merchant_api_key", client)
    }
}
