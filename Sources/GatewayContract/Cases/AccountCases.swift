import GatewayKitCore

/// Cases of the account as such: credentials, address, time limits, cancellation. They use tokens as the call at hand.
enum AccountCases {
    static let all = [
        missingSetting, wrongHost, rawCardGuard, dryRun, credentials, cancelledBefore, cancelledUnderWay, noTime,
        deadline,
    ]

    static let missingSetting = ContractCase(
        "account.missing-setting", .account, alsoNeeds: [.tokens], .anywhere,
        "An account without any settings is refused when it is built or used, and a setting is named."
    ) { run in
        do throws(GatewayError) {
            let gateway = try run.gateway(run.account(values: [:]))
            guard let tokens = gateway.tokens else { return run.note("it is accepted, without tokens") }
            _ = try await tokens.openSession()
            run.note("it is accepted, and opens sessions")
        } catch {
            run.observe("throws \(error.code)")
            run.equal("it throws", error.code, .configuration)
            let names = run.subject.provider.settings.map(\.name)
            run.expect(names.contains { error.description.contains($0) }, "no setting is named: \(error)")
        }
        run.expect(run.wire.entries.isEmpty, "something was sent")
    }

    static let wrongHost = ContractCase(
        "account.wrong-host", .account, .anywhere,
        "Neither an address of another machine in the sandbox, nor one of this machine outside it, nor plain HTTP gets card data or credentials."
    ) { run in
        let environments = run.subject.provider.environments
        var tried = 0
        for environment in environments {
            let addresses =
                environment.kind == .sandbox
                ? ["https://pay.example/v1", "http://192.0.2.7/v1"]
                : ["http://127.0.0.1:9/v1", "https://localhost:9/v1", "http://pay.example/v1"]
            for address in addresses {
                tried += 1
                let account = run.account(environment: environment, baseURL: try WireURL(base: address))
                do throws(GatewayError) {
                    _ = try run.gateway(account)
                    run.note("\(environment.name) accepts \(address)")
                } catch {
                    run.observe("throws \(error.code)")
                    run.equal("\(environment.name), \(address)", error.code, .configuration)
                }
            }
        }
        run.expect(tried > 0, "the provider has no environment")
        run.expect(run.wire.entries.isEmpty, "something was sent")
    }

    static let rawCardGuard = ContractCase(
        "account.raw-card-on-live", .account, alsoNeeds: [.tokens], .anywhere,
        "A live account that has not opted in takes no raw card, and nothing is sent."
    ) { run in
        guard let live = run.subject.provider.environments.first(where: { $0.kind == .live }) else {
            throw ContractRun.Stop.skipped("the provider has no live environment")
        }
        let gateway = try run.gateway(run.account(environment: live, baseURL: .some(nil)), transport: SendsNothing())
        let request = try run.approvedRequest()
        let tokens = try gateway.requireTokens()
        let session = PaymentSession(reference: SessionReference(account: run.stage.account.name, id: "none"))
        let end = run.see(
            await .of(ContractEnd.init(_:)) { () async throws(GatewayError) in
                try await tokens.tokenize(request, in: session)
            })
        run.observe(end.name)
        run.equal("it ends as", end.name, "throws configuration")
        run.expect(run.wire.entries.isEmpty, "something was sent")
    }

    static let dryRun = ContractCase(
        "account.dry-run", .account, alsoNeeds: [.tokens], .anywhere,
        "With a transport that sends nothing, the request is built and shown redacted, and the call throws."
    ) { run in
        let session = try await run.tokens().openSession()
        let dry = try run.gateway(run.stage.account, transport: SendsNothing())
        let submission = try await run.submit(run.approvedRequest(), in: session, to: dry)
        run.observe(submission.end.name)
        run.equal("it ends as", submission.end.name, "throws dryRun")
        run.equal("reach", submission.end.error?.reach, .notSent)
        run.equal("requests built", submission.wire.count, 1)
        run.expect(
            run.events.events.contains { $0.kind == .requestStarted && $0.transcript != nil }, "no request was shown")
    }

    static let credentials = ContractCase(
        "account.credentials-refused", .account, alsoNeeds: [.tokens], .onRequest,
        "Wrong credentials are told as such, and nothing is stored."
    ) { run in
        var values: [String: ConfigurationEntry.Value] = [:]
        for setting in run.subject.provider.settings {
            if let secret = run.stage.account.secret(setting) {
                values[setting.name] = .secret(secret.map { String($0.reversed()) + "x" })
            } else if let text = run.stage.account.text(setting) {
                values[setting.name] = .plain(text)
            }
        }
        let gateway = try run.gateway(run.account(values: values))
        let mark = run.stage.controls?.history().count ?? 0
        let request = try run.approvedRequest()
        let tokens = try gateway.requireTokens()
        let end = run.see(
            await .of(ContractEnd.init(_:)) { () async throws(GatewayError) in try await tokens.tokenize(request) })
        run.observe(end.name)
        run.equal("it ends as", end.name, "throws credentialsRefused")
        run.equal("reach", end.error?.reach, .answered)
        let made = (run.stage.controls?.history() ?? []).dropFirst(mark).filter { $0.outcome != .nothing }
        run.expect(made.isEmpty, "something was made: \(made.map(\.operation))")
    }
}
