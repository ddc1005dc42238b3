import GatewayKitCore

/// A plan (dossier 4.5).
struct BlueSnapPlan: Sendable {
    static let frequencies: Set<String> = [
        "DAILY", "WEEKLY", "EVERY 14 DAYS", "MONTHLY", "EVERY 30 DAYS", "QUARTERLY", "EVERY 6 MONTHS", "ANNUALLY",
    ]

    let id: String
    var name: String
    var frequency: String
    var amount: Money
    var initial: Money?
    var trialDays = 0
    var graceDays = 0
    var maximum = 0
    var isActive = true

    /// What is taken at once: the initial amount; or the first charge, unless there is a trial.
    var first: Money? { initial ?? (trialDays > 0 ? nil : amount) }

    func write(to body: inout AnswerWriter) {
        body.set("planId", Int(id) ?? 0)
        body.set("chargeFrequency", frequency)
        body.set("gracePeriodDays", graceDays)
        body.set("trialPeriodDays", trialDays)
        body.set("initialChargeAmount", decimal: initial?.decimalText)
        body.set("name", name)
        body.set("currency", amount.currency.code)
        body.set("recurringChargeAmount", decimal: amount.decimalText)
        body.set("maxNumberOfCharges", maximum)
        body.set("chargeOnPlanSwitch", true)
        body.set("status", isActive ? "ACTIVE" : "INACTIVE")
    }
}

/// A subscription to a plan, or one whose charges the merchant demands.
struct BlueSnapSubscription: Sendable {
    let id: String
    /// `nil` where the merchant demands each charge.
    var plan: String?
    let shopper: String
    let card: BlueSnapCard
    let createdAt: WallTime
    var amount: Money
    var frequency: String?
    var trialDays = 0
    var isActive = true
    /// The payments, oldest first.
    var charges: [String] = []

    /// A month is thirty days here, and a year 365: clocks of tests are not calendars.
    var next: WallTime {
        let days: Int64 =
            switch frequency {
            case "DAILY": 1
            case "WEEKLY": 7
            case "EVERY 14 DAYS": 14
            case "QUARTERLY": 91
            case "EVERY 6 MONTHS": 182
            case "ANNUALLY": 365
            default: 30
            }
        return createdAt.adding(seconds: (trialDays > 0 ? Int64(trialDays) : days) * 86_400)
    }

    func write(to body: inout AnswerWriter) {
        body.set("subscriptionId", Int(id) ?? 0)
        if let plan { body.set("planId", Int(plan) ?? 0) }
        body.set("vaultedShopperId", Int(shopper) ?? 0)
        body.set("status", isActive ? "ACTIVE" : "CANCELED")
        body.set("currency", amount.currency.code)
        body.set("recurringChargeAmount", decimal: plan == nil ? nil : amount.decimalText)
        body.set("chargeFrequency", frequency)
        if plan != nil {
            body.set("autoRenew", true)
            if isActive { body.set("nextChargeDate", BlueSnapTransaction.shortDate(next)) }
        }
        body.object("paymentSource") { source in
            source.object("creditCardInfo") { info in
                info.object("creditCard") { BlueSnapShopper.write(card, to: &$0) }
            }
        }
    }
}

/// The body of a plan. A plan's unknown member, and one of another kind, are refused: a guess.
struct BlueSnapPlanForm {
    let root: JSONValue
    private static let known: Set<String> = [
        "planId", "chargeFrequency", "gracePeriodDays", "trialPeriodDays", "initialChargeAmount", "name", "currency",
        "recurringChargeAmount", "maxNumberOfCharges", "chargeOnPlanSwitch", "status",
    ]

    init(_ root: JSONValue) throws(BlueSnapRefusal) {
        self.root = root
        for member in (try? root.members()) ?? [] where !Self.known.contains(member.name) {
            throw .invalid(member.name, "There is no such member")
        }
    }

    /// - Parameter old: The plan that is changed; a new one wants name, currency, amount and frequency.
    func plan(_ id: String, old: BlueSnapPlan?) throws(BlueSnapRefusal) -> BlueSnapPlan {
        let name = (try? root["name"].present?.string()) ?? old?.name ?? ""
        guard (1...200).contains(name.utf8.count) else { throw .invalid("name") }
        let frequency = (try? root["chargeFrequency"].present?.string()) ?? old?.frequency ?? ""
        guard BlueSnapPlan.frequencies.contains(frequency) else { throw .invalid("chargeFrequency") }
        let currency: Currency
        if root["currency"].present == nil, let old {
            currency = old.amount.currency
        } else {
            guard let found = try? BlueSnapPaymentForm.currency(root) else {
                throw BlueSnapRefusal("CURRENCY_NOT_FOUND", 24011, "The currency is not found")
            }
            currency = found
        }
        guard let amount = try amount("recurringChargeAmount", currency) ?? old?.amount, amount.currency == currency
        else { throw .invalid("recurringChargeAmount") }
        var plan = BlueSnapPlan(id: id, name: name, frequency: frequency, amount: amount)
        plan.initial = try initial(old, currency)
        plan.trialDays = try number("trialPeriodDays") ?? old?.trialDays ?? 0
        plan.graceDays = try number("gracePeriodDays") ?? old?.graceDays ?? 0
        plan.maximum = try number("maxNumberOfCharges") ?? old?.maximum ?? 0
        switch try? root["status"].present?.string() {
        case nil: plan.isActive = old?.isActive ?? true
        case "ACTIVE": plan.isActive = true
        case "INACTIVE": plan.isActive = false
        default: throw .invalid("status")
        }
        return plan
    }

    private func initial(_ old: BlueSnapPlan?, _ currency: Currency) throws(BlueSnapRefusal) -> Money? {
        if let new = try amount("initialChargeAmount", currency) { return new }
        return old?.initial
    }

    private func amount(_ name: String, _ currency: Currency) throws(BlueSnapRefusal) -> Money? {
        guard let value = root[name].present else { return nil }
        guard let text = try? value.decimalText() else { throw .invalid(name) }
        return try BlueSnapSandbox.amount(text, currency)
    }

    private func number(_ name: String) throws(BlueSnapRefusal) -> Int? {
        guard let value = root[name].present else { return nil }
        guard let number = try? value.integer(), (0...10_000).contains(number) else { throw .invalid(name) }
        return number
    }
}
