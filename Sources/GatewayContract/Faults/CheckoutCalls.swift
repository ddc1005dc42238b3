import GatewayKitCore

/// The calls of a checkout, for the walk over all faults.
extension ContractCall {
    static let checkoutCalls = [
        ContractCall(
            name: "page", capability: .checkout, alsoNeeds: [.tokens], isRead: true,
            prepare: { run in
                let payments = try run.fact(run.subject.testData.payments, "which amounts do what")
                let session = try await run.tokens().openSession(
                    SessionRequest(.payment, entry: .hostedPage, amount: payments.amount, orderReference: "A-17"))
                run.wire.forget()
                _ = try await run.page(in: session)
                guard !run.wire.entries.isEmpty else {
                    throw ContractRun.Stop.skipped("a page of this provider is made without a call")
                }
                return Prepared(session: session)
            },
            make: { run, prepared, context in
                guard let session = prepared.session else { throw ContractRun.Stop.failed }
                do {
                    return ContractEnd(read: try await run.page(in: session, context), name: "page")
                } catch let error as GatewayError {
                    return ContractEnd(thrown: error)
                }
            }),
        ContractCall(
            name: "proof", capability: .checkout, alsoNeeds: [.tokens], isRead: true,
            prepare: { run in Prepared(page: try await run.openPage()) },
            make: { run, prepared, context in
                let checkout = try run.checkout()
                guard let page = prepared.page else { throw ContractRun.Stop.failed }
                return await .of({ ContractEnd(read: $0, name: $0.phase.description) }) {
                    () async throws(GatewayError) in
                    try await checkout.proof(of: page, context)
                }
            }),
        ContractCall(
            name: "profile", capability: .profiles, alsoNeeds: [.tokens], isRead: true,
            prepare: { run in Prepared(session: try await run.tokens().openSession()) },
            make: { run, prepared, context in
                let profiles = try run.profiles()
                guard let session = prepared.session else { throw ContractRun.Stop.failed }
                return await .of({ ContractEnd(read: $0, name: "profile") }) { () async throws(GatewayError) in
                    try await profiles.profile(in: session, base: nil, context)
                }
            }),
        ContractCall(
            name: "rates", capability: .currencyRates, isRead: true,
            make: { run, _, context in
                let source = try run.currencyRates()
                return await .of({ ContractEnd(read: $0, name: "rates") }) { () async throws(GatewayError) in
                    try await source.rates(base: .usd, quotes: [], in: nil, context)
                }
            }),
        ContractCall(
            name: "configure", capability: .shoppers, alsoNeeds: [.tokens],
            prepare: { run in Prepared(session: try await run.shopperConfiguration().1) },
            make: { run, prepared, context in
                let shoppers = try run.shoppers()
                let id = try run.fact(run.subject.testData.returningShopper, "the id of a shopper that it has")
                guard let session = prepared.session else { throw ContractRun.Stop.failed }
                return await .of(ContractEnd.init(_:)) { () async throws(GatewayError) in
                    try await shoppers.configure(
                        ShopperConfiguration(shopperID: id, shopper: Shopper(name: "Ada Okoro"), choice: .payPal),
                        in: session, context)
                }
            }),
        ContractCall(
            name: "apple-pay", capability: .walletSessions, isRead: true,
            make: { run, _, context in
                do {
                    return ContractEnd(read: try await run.appleSession(context), name: "session")
                } catch let error as GatewayError {
                    return ContractEnd(thrown: error)
                }
            }),
    ]
}
