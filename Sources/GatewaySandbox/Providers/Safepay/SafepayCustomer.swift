import GatewayKitCore

/// A shop's customer, and the cards that are saved for them (dossier 4.3).
struct SafepayCustomer: Sendable {
    struct SavedCard: Sendable {
        var card: SafepayCard
        var savedAt: WallTime
    }

    var token: String
    var firstName = ""
    var lastName = ""
    var email = ""
    var phone = ""
    var country = ""
    var isGuest = false
    var wallet: [SavedCard] = []
    var createdAt: WallTime
    var updatedAt: WallTime
}

extension SafepayStore {
    func customer(_ token: String) throws(SafepayRefusal) -> SafepayCustomer {
        guard let customer = customers[token] else { throw .unknownCustomer }
        return customer
    }

    /// Cards with the same number are the same card, whatever their date (a guess). The text is the provider's.
    mutating func save(_ card: SafepayCard, for token: String?, at now: WallTime) throws(SafepayRefusal) {
        guard let token, var customer = customers[token] else {
            throw .action(.authorization, "cannot add payment method: no user")
        }
        guard !customer.wallet.contains(where: { $0.card.fingerprint == card.fingerprint }) else {
            throw .action(.authorization, "cannot add payment method: duplicate ")
        }
        customer.wallet.append(.init(card: card, savedAt: now))
        customers.replace(customer, token: token)
    }
}

/// What is paid again and again.
struct SafepayPlan: Sendable {
    var token: String
}

struct SafepaySubscription: Sendable {
    var token: String
}
