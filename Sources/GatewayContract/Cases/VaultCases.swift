import GatewayKitCore

/// Cases of ``GatewayKitCore/Vault``.
enum VaultCases {
    static let all = [show, list, update, retain, redact, metadata, notFound, malformedID]

    private static func vaultCase(
        _ name: String, _ operations: Set<VaultOperation>, _ expectation: String,
        _ steps: @escaping @Sendable (ContractRun, any Vault) async throws -> Void
    ) -> ContractCase {
        ContractCase("vault.\(name)", .vault, alsoNeeds: [.tokens], .onRequest, expectation) { run in
            if name != "not-found" { try run.needsStoredTokens() }
            try await steps(run, try run.vault(that: operations))
        }
    }

    static let show = vaultCase("show", [.show], "A stored card is shown under its token, as the card that was sent.") {
        run, vault in
        let token = try await run.storedToken()
        let stored = try run.done(try await vault.show(token.id))
        run.observe(stored.state.description)
        run.equal("its id", stored.id, token.id)
        run.equal("its account", stored.account, run.stage.account.name)
        run.equal("its last four digits", stored.card?.lastFour, token.card?.lastFour)
    }

    static let list = vaultCase(
        "list", [.list], "The list has every stored card once, page by page, in the order asked for, and ends."
    ) { run, vault in
        var tokens: [String] = []
        for _ in 0..<5 { tokens.append(try await run.storedToken().id) }
        let bound = 10_000
        for order in VaultQuery.Order.allCases {
            var seen: [String] = []
            for try await stored in vault.list(VaultQuery(order: order, pageSize: 2)) {
                seen.append(stored.id)
                guard seen.count < bound else { return run.note("the list does not end") }
            }
            let ours = seen.filter(tokens.contains)
            run.equal("\(order.rawValue)", ours, order == .oldestFirst ? tokens : tokens.reversed())
            run.equal("listed twice", seen.count - Set(seen).count, 0)
        }
        run.observe("pages")
    }

    static let update = vaultCase("update", [.update, .show], "A changed e-mail address is shown afterwards.") {
        run, vault in
        let token = try await run.storedToken()
        let changed = try run.done(
            try await vault.update(token.id, VaultUpdate(shopper: Shopper(email: "grace@shop.example"))))
        run.equal("the id in the answer", changed.id, token.id)
        let stored = try run.done(try await vault.show(token.id))
        run.observe("done")
        run.equal("the e-mail address", stored.shopper.email, "grace@shop.example")
    }

    static let retain = vaultCase("retain", [.retain], "A retained card is kept for more than one payment.") {
        run, vault in
        let token = try await run.storedToken()
        let stored = try run.done(try await vault.retain(token.id))
        run.observe(stored.state.description)
        run.equal("the id in the answer", stored.id, token.id)
        run.equal("its state", stored.state, .retained)
    }

    static let redact = vaultCase(
        "redact", [.redact, .show], "A removed card is told as removed, or as not found, from then on."
    ) {
        run, vault in
        let token = try await run.storedToken()
        let answer = try await vault.redact(token.id)
        run.see(ContractEnd(answer))
        if case .done(let stored) = answer {
            run.equal("its state", stored.state, .redacted)
        } else {
            run.note("it ends as \(answer.outcomeName)")
        }
        let after = try await vault.show(token.id)
        run.see(ContractEnd(after))
        run.observe("\(answer.outcomeName), then \(after.outcomeName)")
        switch after {
        case .done(let stored): run.equal("its state afterwards", stored.state, .redacted)
        case .notFound: break
        default: run.note("afterwards it is shown as \(after.outcomeName)")
        }
    }

    static let metadata = vaultCase(
        "metadata", [.deleteMetadata, .show], "A removed entry of the metadata is gone, and the other one stays."
    ) {
        run, vault in
        let token = try await run.storedToken { request in
            request.metadata = [
                .init(key: "order", value: .text("A-17")), .init(key: "channel", value: .text("shop")),
            ]
        }
        let before = try run.done(try await vault.show(token.id))
        run.equal("stored", Set(before.metadata.map(\.key)), ["order", "channel"])
        _ = try run.done(try await vault.deleteMetadata(["order"], of: token.id))
        let after = try run.done(try await vault.show(token.id))
        run.observe("done")
        run.equal("left", after.metadata.map(\.key), ["channel"])
    }

    static let notFound = vaultCase(
        "not-found", [.show], "A token that does not exist is told as not found, to reads and changes."
    ) {
        run, vault in
        let id = try run.fact(run.subject.testData.unknownInstrument, "the id of an instrument that does not exist")
        let shown = try await vault.show(id)
        run.see(ContractEnd(shown))
        run.observe(shown.outcomeName)
        run.equal("shown", shown, .notFound(id: id))
        if vault.operations.contains(.redact) {
            let removed = try await vault.redact(id)
            run.see(ContractEnd(removed))
            run.equal("removed", removed, .notFound(id: id))
        }
    }

    static let malformedID = ContractCase(
        "vault.malformed-id", .vault, .anywhere,
        "What is no token leads to no other address: it is refused, or not found, and nothing else is shown."
    ) { run in
        let vault = try run.vault(that: [.show])
        for id in ["", ".", "..", "../transactions", "a/b", "a?b=c", "a#b", "a b", "a\nb", "%2e%2e"] {
            let end = run.see(
                await .of(ContractEnd.init(_:)) { () async throws(GatewayError) in try await vault.show(id) })
            run.observe(end.name)
            let allowed = ["throws invalidInput", "notFound", "throws notFound"]
            run.expect(allowed.contains(end.name), "\(id.debugDescription) ends as \(end.name)")
        }
    }
}

extension ContractRun {
    /// The vault, where it can do all of this; the case ends where it cannot.
    func vault(that can: Set<VaultOperation>) throws -> any Vault {
        let vault = try vault()
        let missing = can.subtracting(vault.operations).map(\.rawValue).sorted()
        guard missing.isEmpty else { throw Stop.skipped("the vault does not offer " + missing.joined(separator: ", ")) }
        return vault
    }

    /// Ends the case where a token that was just made is no instrument of the vault.
    func needsStoredTokens() throws {
        _ = try fact(subject.testData.tokensAreStored, "whether tokens are in the vault")
    }

    /// The instrument of an answer that must have one.
    fileprivate func done(_ result: VaultResult) throws -> StoredInstrument {
        see(ContractEnd(result))
        guard case .done(let stored) = result else {
            note("it ends as \(result.outcomeName)")
            throw Stop.failed
        }
        return stored
    }
}
