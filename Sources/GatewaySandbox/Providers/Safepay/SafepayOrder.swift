import GatewayKitCore

/// A payment of the first generation (dossier 1.3): made by a call, done on the hosted page.
struct SafepayOrder: Sendable {
    var token: String
    var id: Int
    var money: SafepayMoney
    var state = SafepayTracker.State.started
    var createdAt: WallTime
    var updatedAt: WallTime
    /// What the redirect calls `reference`; made when it is paid.
    var reference: String?
    /// A card whose holder was asked, with the answer.
    var challenge: SafepayChallenge?

    /// The members that older clients decode; those that mean nothing here are null or empty.
    func write(client: String, to body: inout AnswerWriter) {
        body.set("id", id)
        body.set("token", token)
        body.setNull("user_id")
        body.setNull("billing")
        body.set("client", client)
        body.set(foreign: "amount", source: Array(money.majorText.utf8))
        body.set("discount", 0)
        body.set("currency", money.currency)
        body.set("intent", "CYBERSOURCE")
        body.set("default_currency", "PKR")
        body.set("conversion_rate", 1)
        body.set("environment", "sandbox")
        body.set("state", state.rawValue)
        body.set("state_reason", "")
        body.set("created_at", createdAt.rfc3339)
        body.set("updated_at", updatedAt.rfc3339)
        if let reference {
            body.object("transaction") { transaction in
                transaction.set("token", reference)
                transaction.set("reference", reference)
            }
        } else {
            body.setNull("transaction")
        }
        body.set("dynamic_currency_conversion", false)
        body.setNull("metadata")
        body.set("automatic_currency_conversion", false)
    }
}
