import GatewayKitCore

/// Customers and their saved cards (dossier 4.3): for servers.
extension SafepaySandbox {
    func createCustomer(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        let root = try SafepayBody.root(call.request)
        var customer = SafepayCustomer(token: "", createdAt: call.now, updatedAt: call.now)
        try customer.take(root, isNew: true)
        let made = store.withLock { [customer] store in
            var made = customer
            made.token = store.name("cus")
            store.customers.add(made, token: made.token)
            return made
        }
        return outcome(made, .created, status: 201)
    }

    func showCustomer(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        outcome(try customer(token, call), .read)
    }

    func changeCustomer(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        var customer = try customer(token, call)
        try customer.take(try SafepayBody.root(call.request), isNew: false)
        customer.updatedAt = call.now
        store.withLock { [customer] in $0.customers.replace(customer, token: token) }
        return outcome(customer, .changed)
    }

    /// That saved cards go with the customer is a guess.
    func deleteCustomer(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        _ = try customer(token, call)
        store.withLock { $0.customers.remove(token) }
        return deleted(token)
    }

    func listCustomers(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try access.checkSecret(call.request)
        let page = try SafepayListPart(call.request.query)
        let customers = store.withLock { store in store.customers.tokens.compactMap { store.customers[$0] } }
        let reply = answer { data in
            data.array("customers") { list in
                for customer in page.select(from: customers) {
                    list.appendObject { customer.write(client: access.apiKey, to: &$0) }
                }
            }
            data.set("count", customers.count)
        }
        return SandboxOutcome(reply: reply, outcome: .read)
    }

    // MARK: - Saved cards

    func listWallet(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        let customer = try customer(token, call)
        let page = try SafepayListPart(call.request.query)
        let reply = answer { data in
            data.array("wallet") { list in
                for saved in page.select(from: customer.wallet) {
                    list.appendObject { customer.write(saved, client: access.apiKey, to: &$0) }
                }
            }
            data.set("count", customer.wallet.count)
        }
        return SandboxOutcome(reply: reply, outcome: .read)
    }

    func showSavedCard(_ token: String, _ method: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome
    {
        let customer = try customer(token, call)
        guard let saved = customer.wallet.first(where: { $0.card.token == method }) else { throw .unknownMethod }
        let reply = answer { customer.write(saved, client: access.apiKey, to: &$0) }
        return SandboxOutcome(reply: reply, outcome: .read, token: method, card: saved.card.summary)
    }

    func deleteSavedCard(
        _ token: String, _ method: String, _ call: SandboxCall
    ) throws(SafepayRefusal) -> SandboxOutcome {
        _ = try customer(token, call)
        let card = try store.withLock { (store) throws(SafepayRefusal) in
            var customer = try store.customer(token)
            guard let index = customer.wallet.firstIndex(where: { $0.card.token == method }) else {
                throw .unknownMethod
            }
            let saved = customer.wallet.remove(at: index)
            store.customers.replace(customer, token: token)
            return saved.card.summary
        }
        var outcome = deleted(method)
        outcome.card = card
        return outcome
    }

    // MARK: - Parts

    private func customer(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SafepayCustomer {
        try access.checkSecret(call.request)
        return try store.withLock { (store) throws(SafepayRefusal) in try store.customer(token) }
    }

    private func outcome(
        _ customer: SafepayCustomer, _ kind: LedgerEntry.Outcome, status: Int = 200
    ) -> SandboxOutcome {
        let reply = answer(status: status) { customer.write(client: access.apiKey, to: &$0) }
        return SandboxOutcome(reply: reply, outcome: kind, token: customer.token)
    }

    private func deleted(_ token: String) -> SandboxOutcome {
        let reply = answer { data in
            data.set("token", token)
            data.set("deleted", true)
        }
        return SandboxOutcome(reply: reply, outcome: .changed, token: token)
    }
}
