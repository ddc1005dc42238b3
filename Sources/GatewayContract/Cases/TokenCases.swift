import GatewayKitCore

/// Cases of ``GatewayKitCore/TokenProvider``.
enum TokenCases {
    static let all = [approved, retained, localCheck, providerCheck, declined, unlistedOption, answerLost]

    static let approved = ContractCase(
        "tokens.approved-card", .tokens, .anywhere,
        "A public test card becomes one token, of this account, that shows no more of the card than it may."
    ) { run in
        let name = try run.fact(run.subject.testData.approvedCard, "a card that becomes a token")
        let token = try await run.storedToken()
        run.observe("token, \(token.usage.rawValue)")
        run.expect(PaymentToken.isWellFormed(id: token.id), "the id is not well-formed")
        run.equal("the token's account", token.account, run.stage.account.name)
        if let shown = token.card?.lastFour, let test = TestCard.named(name) {
            run.expect(test.number.hasSuffix(shown), "the token shows the last digits of another card")
        }
    }

    static let retained = ContractCase(
        "tokens.retained", .tokens, .onRequest, "A card that is to be kept becomes a token for more than one payment."
    ) { run in
        _ = try run.fact(run.subject.testData.retention, "what becomes of a card that is to be kept")
        let token = try await run.storedToken { $0.retain = true }
        run.observe("token, \(token.usage.rawValue)")
        run.expect(token.usage != .single, "the token is for one payment")
    }

    static let localCheck = ContractCase(
        "tokens.local-check", .tokens, .anywhere,
        "An expired card is found by our own check, and nothing is sent: no card data leaves for nothing."
    ) { run in
        let card = try run.fact(run.subject.testData.approvedCard, "a card that becomes a token")
        let submission = try await run.submit(run.request(card, isExpired: true))
        run.expect(submission.wire.isEmpty, "something was sent")
        guard case .invalid(let issues)? = submission.result else {
            return run.note("it ends as \(submission.end.name)")
        }
        run.observe("invalid, local")
        run.expect(issues.contains { $0.problem == .expired }, "no issue says that the card has expired")
        run.expect(issues.allSatisfy { $0.origin == .local }, "an issue claims to be the provider's")
    }

    static let providerCheck = ContractCase(
        "tokens.provider-check", .tokens, .anywhere,
        "A field that only the provider finds wrong comes back as invalid, with its own code, and nothing is stored."
    ) { run in
        let input = try run.fact(run.subject.testData.invalidInput, "input that the provider finds invalid")
        let submission = try await run.submit(
            run.request(
                input.card, isExpired: input.isExpired, securityCode: input.securityCode, checksLocally: false))
        run.expect(submission.created.isEmpty, "something was stored")
        guard case .invalid(let issues)? = submission.result else {
            return run.note("it ends as \(submission.end.name)")
        }
        run.observe("invalid, provider")
        run.expect(
            issues.contains { input.fields.contains($0.field) },
            "none of the fields \(issues.map(\.field)) is the wrong one")
        run.expect(issues.allSatisfy { $0.origin == .provider }, "an issue claims to be our own check's")
        run.expect(issues.contains { $0.providerCode != nil }, "the provider's own code is lost")
    }

    static let declined = ContractCase(
        "tokens.declined-card", .tokens, .onRequest,
        "A card that the provider refuses comes back as declined, with the provider's words, and nothing is stored."
    ) { run in
        let card = try run.fact(run.subject.testData.declinedCard, "a card that is declined where it should be stored")
        let submission = try await run.submit(run.request(card))
        run.expect(submission.created.isEmpty, "something was stored")
        guard case .declined(let decline)? = submission.result else {
            return run.note("it ends as \(submission.end.name)")
        }
        run.observe("declined, \(decline.reason)")
        run.expect(!decline.message.isEmpty, "the decline has no words")
        run.expect(decline.providerCode != nil, "the provider's own code is lost")
    }

    static let unlistedOption = ContractCase(
        "tokens.unlisted-option", .tokens, .anywhere,
        "An option that the provider does not list is refused before anything is sent."
    ) { run in
        var request = try run.approvedRequest()
        request.options["surelyNoOptionOfAnyone"] = .flag(true)
        let submission = try await run.submit(request)
        run.observe(submission.end.name)
        run.expect(
            ["throws invalidInput", "invalid"].contains(submission.end.name), "it ends as \(submission.end.name)")
        run.expect(submission.wire.isEmpty, "something was sent")
    }

    static let answerLost = ContractCase(
        "tokens.unknown-outcome", .tokens, .imitation,
        "A card that was stored while the answer was lost ends as unknown, or is settled by asking; it is sent once."
    ) { run in
        let controls = try run.controls()
        guard let fault = controls.faults.first(where: { $0.name == "answer-lost" }) else {
            throw ContractRun.Stop.skipped("the imitation cannot lose an answer")
        }
        let probe = try await run.submit(run.approvedRequest())
        let id = try run.token(of: probe).id
        guard let operation = probe.records.last(where: { $0.id == id && $0.outcome != .nothing })?.operation else {
            throw ContractRun.Stop.failed
        }
        let submission = try await run.submit(run.approvedRequest(), before: { controls.strike(fault, operation) })
        run.observe(submission.end.name)
        let made = submission.records.filter { $0.operation == operation && $0.outcome != .nothing }
        run.equal("made", made.count, 1)
        let sent = submission.wire.filter { entry in
            entry.repeatability == .once && entry.operation.description.hasSuffix("." + operation)
        }
        run.equal("sent", sent.count, 1)
        switch submission.end.meaning {
        case .unknown(let cause): run.expect(cause.reach != .notSent, "its cause says that nothing was sent")
        case .done(let id):
            run.expect(made.contains { $0.id == id }, "it was settled with something that does not exist")
        case .refused, .thrown: run.note("it ends as \(submission.end.name)")
        }
    }
}
