import GatewayContract
import GatewayKit
import GatewayKitCore
import Testing

/// The suite itself is tested by gateways with one mistake each: the cases that are there for it must fail.
@Suite("The contract suite catches")
struct WrongGatewayTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The cases that must fail.
        let cases: [String]
        let provider: any GatewayProvider

        init(
            _ description: String, _ cases: String..., gateway change: @escaping @Sendable (Gateway) -> Gateway
        ) {
            testDescription = description
            self.cases = cases
            provider = Mistaken(AcornProvider()) { gateway, _ in change(gateway) }
        }

        /// A mistake in what observers are told.
        init(
            _ description: String, _ cases: String...,
            observer: @escaping @Sendable (any GatewayObserver) -> any GatewayObserver
        ) {
            testDescription = description
            self.cases = cases
            provider = Mistaken(AcornProvider(), observer: observer)
        }

        /// A mistake in what becomes of the provider's own result.
        init(
            _ description: String, _ cases: String..., in provider: any GatewayProvider = AcornProvider(),
            tokenize: @escaping MistakenTokens.Tokenize
        ) {
            testDescription = description
            self.cases = cases
            self.provider = Mistaken(provider) { gateway, _ in
                var mistaken = MistakenTokens(gateway)
                mistaken.tokenize = tokenize
                return mistaken.gateway
            }
        }
    }

    static let spreedly = ProviderRegistry.all.providers.first { $0.id == "spreedly" } ?? AcornProvider()
    static let walk = "tokens.tokenize-faults"

    @Test(
        "A gateway without a mistake passes the same cases",
        arguments: [AcornProvider(), spreedly] as [any GatewayProvider])
    func innocence(_ provider: any GatewayProvider) async throws {
        let subject = try Self.subject(Mistaken(provider))
        for name in Set((Self.tokens + Self.account + Self.vault).flatMap(\.cases)) {
            let report = await ContractSuite.run(subject, ContractSuite.Selection(name: name))
            #expect(report.outcomes.count == 1, "there is no case \(name)")
            #expect(report.isPassed, "\(report)")
        }
    }

    @Test("A mistake in its named case", .timeLimit(.minutes(30)), arguments: tokens + account + vault)
    func caught(_ mistake: Mistake) async throws {
        let subject = try Self.subject(mistake.provider)
        for name in mistake.cases {
            var selection = ContractSuite.Selection(name: name)
            selection.timeLimit = .seconds(20)
            let report = await ContractSuite.run(subject, selection)
            #expect(report.count("failed") == 1, "\(name) does not catch it: \(report)")
        }
    }

    /// The sandbox's stage, with as many faults as a mistake needs in order to show.
    private static func subject(_ provider: any GatewayProvider) throws -> ContractSubject {
        let full = try SandboxSubject.make(
            provider, transport: Subjects.transport, sandbox: Subjects.sandboxWithAcorn)
        var subject = full
        let names = ["answer-lost", "truncated", "hold", "status:401", "status:503", "chunked", "refuse"]
        subject.open = {
            var stage = try full.open()
            stage.controls?.faults.removeAll { !names.contains($0.name) }
            return stage
        }
        return subject
    }

    static let tokens: [Mistake] = [
        Mistake("a throw in the place of unknown", "tokens.unknown-outcome", walk, "account.deadline") {
            inner, request, session, context throws(GatewayError) in
            let result = try await inner.tokenize(request, in: session, context)
            if case .unknown(_, let cause) = result { throw cause }
            return result
        },
        Mistake("a second submission of what is unknown", "tokens.unknown-outcome", walk) {
            inner, request, session, context throws(GatewayError) in
            let result = try await inner.tokenize(request, in: session, context)
            guard case .unknown = result else { return result }
            return try await inner.tokenize(request, in: session, context)
        },
        Mistake("F3: unknown told as a decline", "tokens.unknown-outcome", walk, "account.cancelled-under-way") {
            inner, request, session, context throws(GatewayError) in
            let result = try await inner.tokenize(request, in: session, context)
            guard case .unknown(_, let cause) = result else { return result }
            return .declined(Decline(.cardDeclined, providerCode: nil, message: cause.message))
        },
        Mistake("unknown told as a success", "tokens.unknown-outcome", walk) {
            inner, request, session, context throws(GatewayError) in
            let result = try await inner.tokenize(request, in: session, context)
            guard case .unknown(let reference, _) = result, let account = AccountName(reference.accountName) else {
                return result
            }
            return .token(PaymentToken(id: "made-up", account: account, usage: .reusable))
        },
        Mistake("a decline told as unknown", "tokens.declined-card") {
            inner, request, session, context throws(GatewayError) in
            let result = try await inner.tokenize(request, in: session, context)
            guard case .declined(let decline) = result else { return result }
            return .unknown(
                session.reference,
                cause: GatewayError(
                    .connectionLost, message: decline.message, advice: "The card may have been stored.", reach: .sent))
        },
        Mistake("what was not sent told as unknown", "account.dry-run", "account.no-time", "account.cancelled-before") {
            inner, request, session, context in
            do throws(GatewayError) {
                return try await inner.tokenize(request, in: session, context)
            } catch {
                return .unknown(session.reference, cause: error)
            }
        },
        Mistake("a card number in an event", "tokens.approved-card", walk, observer: { Whispering(inner: $0) }),
        Mistake("a security code in a result", "tokens.approved-card") {
            inner, request, session, context throws(GatewayError) in
            let result = try await inner.tokenize(request, in: session, context)
            guard case .token(var token) = result, case .card(let card) = request.instrument else { return result }
            token.fingerprint = card.securityCode?.sensitive.withExposed { $0 }
            return .token(token)
        },
        Mistake("no check before sending", "tokens.local-check") {
            inner, request, session, context throws(GatewayError) in
            var request = request
            request.checksLocally = false
            return try await inner.tokenize(request, in: session, context)
        },
        Mistake("the provider's finding as our own", "tokens.provider-check") {
            inner, request, session, context throws(GatewayError) in
            let result = try await inner.tokenize(request, in: session, context)
            guard case .invalid(let issues) = result else { return result }
            return .invalid(issues.map { FieldIssue($0.field, $0.problem, message: $0.message) })
        },
        Mistake("a token of another account", "tokens.approved-card") {
            inner, request, session, context throws(GatewayError) in
            let result = try await inner.tokenize(request, in: session, context)
            guard case .token(var token) = result, let other = AccountName("other") else { return result }
            token.account = other
            return .token(token)
        },
        Mistake("retaining that is forgotten", "tokens.retained", in: spreedly) {
            inner, request, session, context throws(GatewayError) in
            var request = request
            request.retain = nil
            return try await inner.tokenize(request, in: session, context)
        },
        Mistake("options that nobody looks at", "tokens.unlisted-option") {
            inner, request, session, context throws(GatewayError) in
            var request = request
            request.options = [:]
            return try await inner.tokenize(request, in: session, context)
        },
        Mistake(
            "any session of anyone", "tokens.foreign-session",
            gateway: { gateway in
                var mistaken = MistakenTokens(gateway)
                mistaken.attach = { _, reference in PaymentSession(reference: reference) }
                return mistaken.gateway
            }),
    ]

    static let account: [Mistake] = [
        Mistake("refused credentials told as a decline", "account.credentials-refused", walk) {
            inner, request, session, context throws(GatewayError) in
            do throws(GatewayError) {
                return try await inner.tokenize(request, in: session, context)
            } catch {
                guard error.code == .credentialsRefused else { throw error }
                return .declined(Decline(.cardDeclined, providerCode: nil, message: error.message))
            }
        },
        Mistake("deafness to cancellation", "account.cancelled-before", "account.cancelled-under-way") {
            inner, request, session, context throws(GatewayError) in
            let task = Task.detached { () async -> Result<TokenizationResult, GatewayError> in
                do throws(GatewayError) {
                    // No longer than the test wants to wait.
                    return .success(try await inner.tokenize(request, in: session, CallContext(timeout: .seconds(2))))
                } catch {
                    return .failure(error)
                }
            }
            return try await task.value.get()
        },
        Mistake("a time limit that is forgotten", "account.no-time") {
            inner, request, session, context throws(GatewayError) in
            try await inner.tokenize(request, in: session, CallContext(timeout: .seconds(60)))
        },
        Mistake("calls that observers never see finished", walk, observer: { Forgetful(inner: $0) }),
        Mistake("any address and no settings", "account.wrong-host", "account.missing-setting", gateway: { $0 })
            .acceptingAnything(),
    ]

    static let vault: [Mistake] = [
        vaultMistake("what does not exist told as there", "vault.not-found") { vault in
            vault.show = { inner, id, call throws(GatewayError) in
                let result = try await inner.show(id, call)
                guard case .notFound = result, let account = AccountName("spreedly") else { return result }
                return .done(StoredInstrument(id: id, account: account, state: .retained))
            }
        },
        vaultMistake("a list without its last page", "vault.list") { vault in
            vault.page = { inner, query, cursor, call throws(GatewayError) in
                var page = try await inner.page(query, after: cursor, call)
                page.next = nil
                return page
            }
        },
        vaultMistake("a list that does not go on", "vault.list") { vault in
            vault.page = { inner, query, _, call throws(GatewayError) in
                try await inner.page(query, after: nil, call)
            }
        },
        vaultMistake("a removal that does not happen", "vault.redact", "vault.redact-faults") { vault in
            vault.redact = { _, id, _ in
                guard let account = AccountName("spreedly") else { return .notFound(id: id) }
                return .done(StoredInstrument(id: id, account: account, state: .redacted))
            }
        },
        vaultMistake("F5: a change that is unknown, thrown", "vault.retain-faults") { vault in
            vault.retain = { inner, id, call throws(GatewayError) in
                let result = try await inner.retain(id, call)
                if case .unknown(let cause) = result { throw cause }
                return result
            }
        },
        vaultMistake("a read that is told as unknown", "vault.show-faults") { vault in
            vault.show = { inner, id, call in
                do throws(GatewayError) {
                    return try await inner.show(id, call)
                } catch {
                    return .unknown(cause: error)
                }
            }
        },
    ]

    private static func vaultMistake(
        _ description: String, _ cases: String..., change: @escaping @Sendable (inout MistakenVault) -> Void
    ) -> Mistake {
        Mistake(description, cases, in: spreedly) { gateway, _ in
            guard let inner = gateway.vault else { return gateway }
            var vault = MistakenVault(inner)
            change(&vault)
            return vault.gateway(gateway)
        }
    }
}

extension WrongGatewayTests.Mistake {
    init(
        _ description: String, _ cases: [String], in provider: any GatewayProvider,
        _ change: @escaping @Sendable (Gateway, GatewayRuntime) -> Gateway
    ) {
        testDescription = description
        self.cases = cases
        self.provider = Mistaken(provider, change)
    }

    private init(_ other: Self, _ provider: any GatewayProvider) {
        testDescription = other.testDescription
        cases = other.cases
        self.provider = provider
    }

    /// The same in a provider that finds nothing wrong with any settings.
    func acceptingAnything() -> Self { Self(self, Careless(inner: provider)) }
}

/// Puts a card number into the caller's own id.
private struct Whispering: GatewayObserver {
    let inner: any GatewayObserver
    var wantsTranscripts: Bool { inner.wantsTranscripts }

    func record(_ event: GatewayEvent) {
        var event = event
        if event.kind == .answerReceived { event.correlationID = "card 4111-1111-1111-1111" }
        inner.record(event)
    }
}

/// Loses the end of each call.
private struct Forgetful: GatewayObserver {
    let inner: any GatewayObserver
    var wantsTranscripts: Bool { inner.wantsTranscripts }

    func record(_ event: GatewayEvent) {
        if event.kind != .callFinished { inner.record(event) }
    }
}

/// A provider that does not look at what it is given.
private struct Careless: GatewayProvider {
    let inner: any GatewayProvider

    var id: ProviderID { inner.id }
    var displayName: String { inner.displayName }
    var settings: [SettingDescription] { inner.settings }
    var environments: [EnvironmentDescription] { inner.environments }

    func makeGateway(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) -> Gateway {
        do {
            return try inner.makeGateway(account, runtime)
        } catch {
            return Gateway(account: account.name, provider: id)
        }
    }
}
