import GatewayKitCore

/// Cases of the sessions in which instruments are sent, and of ``GatewayKitCore/SessionStatusSource``.
enum SessionCases {
    static let all = [attach, foreign, usedUp, expired, succeeds, unknownSession, foreignStatus]

    static let attach = ContractCase(
        "tokens.attached-session", .tokens, .anywhere,
        "A session that is taken up again by its reference takes the card like the one that was opened."
    ) { run in
        let opened = try await run.tokens().openSession()
        let another = try run.gateway()
        let session = try another.requireTokens().attach(opened.reference)
        let submission = try await run.submit(run.approvedRequest(), in: session, to: another)
        run.observe(submission.end.name)
        _ = try run.token(of: submission)
    }

    static let foreign = ContractCase(
        "tokens.foreign-session", .tokens, .anywhere,
        "A session of another account is refused, to be taken up and to be used, before anything is sent."
    ) { run in
        let tokens = try run.tokens()
        let own = try await tokens.openSession()
        run.wire.forget()
        let reference = try SessionReference(account: run.otherAccount(), id: own.reference.id)
        let taken = run.see(
            await .of({ ContractEnd(read: $0, name: "session") }) { () async throws(GatewayError) in
                try tokens.attach(reference)
            })
        run.observe(taken.name)
        run.equal("taking it up", taken.name, "throws invalidInput")
        run.expect(run.wire.entries.isEmpty, "something was sent to take it up")
        let used = try await run.submit(run.approvedRequest(), in: PaymentSession(reference: reference))
        run.equal("using it", used.end.name, "throws invalidInput")
        run.expect(used.wire.isEmpty, "something was sent to use it")
    }

    static let usedUp = ContractCase(
        "tokens.finished-session", .tokens, .onRequest,
        "A session that has its token takes no second card: it is told as unusable, and nothing more is stored."
    ) { run in
        let facts = try run.fact(run.subject.testData.sessions, "what its sessions are like")
        guard facts.isForOneToken else {
            throw ContractRun.Stop.skipped("a session of this provider takes more than one card")
        }
        let session = try await run.tokens().openSession()
        _ = try run.token(of: await run.submit(run.approvedRequest(), in: session))
        let second = try await run.submit(run.approvedRequest(), in: session)
        run.observe(second.end.name)
        run.equal("the second card", second.end.name, "sessionUnusable")
        run.expect(second.created.isEmpty, "something more was stored")
    }

    static let expired = ContractCase(
        "tokens.expired-session", .tokens, .imitation,
        "A session that is too old takes no card: it is told as unusable, and nothing is stored."
    ) { run in
        let facts = try run.fact(run.subject.testData.sessions, "what its sessions are like")
        guard let lifetime = facts.lifetime else {
            throw ContractRun.Stop.skipped("sessions of this provider do not expire")
        }
        let controls = try run.controls()
        let submission = try await run.submit(
            run.approvedRequest(), before: { controls.advance(lifetime + .seconds(1)) })
        run.observe(submission.end.name)
        run.equal("it ends as", submission.end.name, "sessionUnusable")
        run.expect(submission.created.isEmpty, "something was stored all the same")
    }

    static let succeeds = ContractCase(
        "sessions.open-to-succeeded", .sessions, alsoNeeds: [.tokens], .anywhere,
        "A session is told as open before the card was sent, and afterwards as succeeded, with its token, or as at work."
    ) { run in
        let facts = try run.fact(run.subject.testData.sessions, "what its sessions are like")
        guard facts.tellsItsToken else {
            throw ContractRun.Stop.skipped("a session of this provider does not tell whether it has its token")
        }
        let sessions = try run.sessions()
        let session = try await run.tokens().openSession()
        let first = try await sessions.status(of: session.reference)
        run.see(ContractEnd(read: first, name: "status"))
        run.equal("before the card was sent", first.phase, .open)
        let token = try run.token(of: await run.submit(run.approvedRequest(), in: session))
        let last = try await sessions.status(of: session.reference)
        run.see(ContractEnd(read: last, name: "status"))
        run.observe("\(first.phase), then \(last.phase)")
        run.equal("afterwards", last.phase, facts.endsWithToken ? .succeeded : .processing)
        run.expect(last.providerWord != nil, "the provider's own word is lost")
        if let told = last.token { run.equal("the session's token", told.id, token.id) }
    }

    static let unknownSession = ContractCase(
        "sessions.unknown-id", .sessions, .anywhere, "A session that does not exist is told as not found."
    ) { run in
        let id = try run.fact(run.subject.testData.unknownSession, "the id of a session that does not exist")
        let sessions = try run.sessions()
        let reference = SessionReference(account: run.stage.account.name, id: id)
        let end = run.see(
            await .of({ ContractEnd(read: $0, name: "status \($0.phase)") }) { () async throws(GatewayError) in
                try await sessions.status(of: reference)
            })
        run.observe(end.name)
        run.equal("it ends as", end.name, "throws notFound")
    }

    static let foreignStatus = ContractCase(
        "sessions.foreign-session", .sessions, .anywhere,
        "The status of a session of another account is refused before anything is sent."
    ) { run in
        let id = try run.fact(run.subject.testData.unknownSession, "the id of a session that does not exist")
        let sessions = try run.sessions()
        let reference = try SessionReference(account: run.otherAccount(), id: id)
        let end = run.see(
            await .of({ ContractEnd(read: $0, name: "status \($0.phase)") }) { () async throws(GatewayError) in
                try await sessions.status(of: reference)
            })
        run.observe(end.name)
        run.equal("it ends as", end.name, "throws invalidInput")
        run.expect(run.wire.entries.isEmpty, "something was sent")
    }
}

extension ContractRun {
    /// The name of an account that is not this one.
    func otherAccount() throws -> AccountName {
        let name = stage.account.name.description == "another" ? "another-one" : "another"
        return try AccountName(name) ?? stop(.failed)
    }
}
