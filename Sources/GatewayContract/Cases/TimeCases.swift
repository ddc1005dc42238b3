import GatewayKitCore

/// Cases of cancellation and time limits. They use tokens as the call at hand.
extension AccountCases {
    static let cancelledBefore = ContractCase(
        "account.cancelled-before", .account, alsoNeeds: [.tokens], .anywhere,
        "A call of a task that is cancelled already sends nothing and throws."
    ) { run in
        let session = try await run.tokens().openSession()
        let request = try run.approvedRequest()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await run.submit(request, in: session)
        }
        let submission = try await task.value
        run.observe(submission.end.name)
        run.equal("it ends as", submission.end.name, "throws cancelled")
        run.equal("reach", submission.end.error?.reach, .notSent)
        run.expect(submission.records.isEmpty, "something arrived")
    }

    static let cancelledUnderWay = ContractCase(
        "account.cancelled-under-way", .account, alsoNeeds: [.tokens], .imitation,
        "R11: a card that was stored when the caller gave up ends as unknown, at once, and names the cancellation."
    ) { run in
        let (controls, fault, operation) = try await run.withoutAnAnswer()
        let session = try await run.tokens().openSession()
        let request = try run.approvedRequest()
        let mark = controls.history().count
        controls.strike(fault, operation)
        let task = Task { try await run.submit(request, in: session, CallContext(timeout: .seconds(120))) }
        while !controls.history().dropFirst(mark).contains(where: { $0.operation == operation }) {
            try await Task.sleep(for: .milliseconds(1))
        }
        task.cancel()
        let submission = try await task.value
        run.observe(submission.end.name)
        guard case .unknown(let cause) = submission.end.meaning else {
            return run.note("it ends as \(submission.end.name)")
        }
        run.equal("its cause", cause.code, .cancelled)
        run.expect(cause.reach != .notSent, "its cause says that nothing was sent")
    }

    static let noTime = ContractCase(
        "account.no-time", .account, alsoNeeds: [.tokens], .anywhere,
        "A call without any time sends nothing and throws."
    ) { run in
        let session = try await run.tokens().openSession()
        let submission = try await run.submit(run.approvedRequest(), in: session, CallContext(timeout: .zero))
        run.observe(submission.end.name)
        run.equal("reach", submission.end.error?.reach, .notSent)
        run.equal("it ends as", submission.end.name, "throws timedOut")
        run.expect(submission.records.isEmpty, "something arrived")
    }

    static let deadline = ContractCase(
        "account.deadline", .account, alsoNeeds: [.tokens], .imitation,
        "F2, F5: a card that was stored while the caller's time ran out ends as unknown, and names the time, or is settled by asking."
    ) { run in
        let (controls, fault, operation) = try await run.withoutAnAnswer()
        // A crowded machine may not even send the request within a short limit.
        for limit in [Duration.milliseconds(150), .seconds(1), .seconds(8), .seconds(40)] {
            let submission = try await run.submit(
                run.approvedRequest(), CallContext(timeout: limit), before: { controls.strike(fault, operation) })
            guard submission.records.contains(where: { $0.operation == operation }) else { continue }
            // How much time is left for asking is the machine's matter.
            run.observe("unknown, or settled")
            switch submission.end.meaning {
            case .unknown(let cause): run.equal("its cause", cause.code, .timedOut)
            case .done(let id):
                run.expect(
                    submission.records.contains { $0.id == id && $0.outcome != .nothing },
                    "it was settled with something that does not exist")
            case .refused, .thrown: run.note("it ends as \(submission.end.name)")
            }
            return
        }
        run.note("the request never arrived")
    }
}

extension ContractRun {
    /// The same account with something changed.
    func account(
        environment: EnvironmentDescription? = nil, baseURL: WireURL?? = nil,
        values: [String: ConfigurationEntry.Value]? = nil
    ) -> AccountSettings {
        let account = stage.account
        var kept: [String: ConfigurationEntry.Value] = [:]
        for setting in subject.provider.settings {
            if let secret = account.secret(setting) { kept[setting.name] = .secret(secret) }
            if let text = account.text(setting) { kept[setting.name] = .plain(text) }
        }
        return AccountSettings(
            name: account.name, provider: account.provider, environment: environment ?? account.environment,
            baseURL: baseURL ?? account.baseURL, acceptsRawCardData: false, timeout: account.timeout,
            values: values ?? kept)
    }

    /// A fault without an end, and the operation that stores a card.
    func withoutAnAnswer() async throws -> (ContractControls, ContractFault, String) {
        let controls = try controls()
        guard let fault = controls.faults.first(where: \.isEndless) else {
            throw Stop.skipped("the imitation answers always")
        }
        let probe = try await submit(approvedRequest())
        let id = try token(of: probe).id
        guard let operation = probe.records.last(where: { $0.id == id && $0.outcome != .nothing })?.operation else {
            throw Stop.failed
        }
        return (controls, fault, operation)
    }
}
