import GatewayKitCore
import GatewaySandbox
import SpreedlyAdapter
import Testing

/// The sandbox's faults over the calls of the vault: what the caller is told, against what really happened.
@Suite struct VaultFaultTests {
    /// Those that end by a time limit alone are the transport's business and tested there.
    static let kinds =
        FaultKind.examples.filter { ![.stall, .stallInsideBody, .hold].contains($0) }
        + [400, 401, 403, 404, 405, 415, 429].map { .status($0) }

    private static func stored(_ sandbox: Sandbox) async throws -> String {
        let request = try Shop.request(metadata: [.init(key: "cart", value: .text("c-1"))])
        let end = await End(of: try Shop.tokens(Shop.settings(in: sandbox)), request)
        return try #require(end.token?.id)
    }

    private static func operation(_ call: VaultCall) -> String {
        call == .deleteMetadata ? "delete-metadata" : "\(call)"
    }

    /// How a change may end under a fault; the spelling is ``VaultEnd/name``.
    private static func ends(of call: VaultCall, under kind: FaultKind) -> Set<String> {
        switch kind {
        case .closeAfterAnswer, .slow, .drip, .chunked, .contentType, .duplicateDelivery, .extraFields, .echoCard,
            .gzip, .informational, .oddHeader:
            ["done"]
        // The reset may overtake the answer, or come before the request was handed to the system.
        case .resetAfterAnswer, .refuse: ["done", "unknown"]
        // An unknown storage state is read as such; an unknown state of a transaction proves nothing.
        case .unknownWord: [.update, .deleteMetadata].contains(call) ? ["done", "unknown"] : ["unknown"]
        case .rateLimited: ["throws rateLimited"]
        case .basicChallenge: ["throws credentialsRefused"]
        case .status(let status):
            switch status {
            case 401: ["throws credentialsRefused"]
            case 403: ["throws notPermitted"]
            case 404: ["throws notFound", "notFound"]
            case 429: ["throws rateLimited"]
            case 400, 405, 415: ["throws requestRefused"]
            default: ["unknown"]
            }
        default: ["unknown"]
        }
    }

    @Test("F1, L1: no fault makes a change look refused, and none is sent twice", arguments: kinds)
    func change(kind: FaultKind) async throws {
        let sandbox = try Shop.sandbox()
        // Each kind of change gets its share of the faults.
        let share = kind.description.utf8.reduce(0) { $0 + Int($1) } % VaultCall.writes.count
        let call = VaultCall.writes[share]
        let id = try await Self.stored(sandbox)
        sandbox.faults.add(kind, provider: "spreedly", operation: Self.operation(call))
        let recorder = Recorder()
        let vault = try Shop.vault(Shop.settings(in: sandbox), Shop.runtime(recorder))
        let before = sandbox.ledger.count
        let end = await VaultEnd(of: vault, call, id)
        #expect(Self.ends(of: call, under: kind).contains(end.name), "\(call) \(kind): \(end.name)")
        let entries = sandbox.ledger.entries.dropFirst(before)
        #expect(entries.count <= (kind == .duplicateDelivery ? 2 : 1), "delivered once")
        if entries.contains(where: { $0.outcome == .changed }) {
            #expect(end.refused == nil && end.issues == nil && end.thrown?.reach != .notSent)
        }
        let secrets = [Shop.number] + (sandbox.credentials(for: "spreedly")?.items.map(\.value) ?? [])
        let search = LeakSearch(secrets.map { Sensitive($0) })
        #expect(search.leaks(in: end.shown).isEmpty, "\(kind)")
        #expect(search.leaks(in: recorder.shown).isEmpty, "\(kind)")
        sandbox.stop()
    }

    @Test("A read rides out what passes, and never ends unknown", arguments: kinds)
    func read(kind: FaultKind) async throws {
        let sandbox = try Shop.sandbox()
        let id = try await Self.stored(sandbox)
        let vault = try Shop.vault(Shop.settings(in: sandbox))
        sandbox.faults.add(kind, provider: "spreedly", operation: "show")
        let end = await VaultEnd(of: vault, .show, id)
        #expect(end.done?.id == id || end.thrown != nil || kind == .status(404), "\(kind): \(end.name)")
        switch kind {
        case .resetBeforeAnswer, .answerLost, .closeWithoutAnswer, .truncated, .rateLimited, .status(500), .status(503),
            .status(429):
            #expect(end.done != nil, "\(kind): \(end.name)")
        default: break
        }
        sandbox.stop()
    }

    @Test(
        "F5: under a fault without an end a change is unknown at its deadline, and a read fails",
        arguments: VaultCall.allCases, [.stall, .stallInsideBody, .hold] as [FaultKind])
    func endless(call: VaultCall, kind: FaultKind) async throws {
        let sandbox = try Shop.sandbox()
        let id = try await Self.stored(sandbox)
        sandbox.faults.add(FaultRule(kind, provider: "spreedly", operation: Self.operation(call), count: nil))
        let before = sandbox.ledger.count
        var end: VaultEnd?
        // Longer on a machine so busy that the request did not arrive in a second.
        for seconds in [1, 4, 16] where end == nil || sandbox.ledger.count == before {
            let settings = try Shop.settings(in: sandbox, timeout: .seconds(seconds))
            end = await VaultEnd(of: try Shop.vault(settings), call, id)
        }
        #expect(end?.name == (call == .show ? "throws timedOut" : "unknown"))
        sandbox.stop()
    }

    @Test("A code whose answer is lost is unknown; the same code again is fine")
    func recache() async throws {
        let sandbox = try Shop.sandbox()
        let id = try await Self.stored(sandbox)
        let settings = try Shop.settings(in: sandbox)
        #expect(await VaultEnd(of: try Shop.vault(settings), .retain, id).done?.state == .retained)
        sandbox.faults.add(.answerLost, provider: "spreedly", operation: "recache")
        let request = Instruments.request(try Instruments.stored(id))
        let lost = await End(of: try Shop.tokens(settings), request)
        #expect(lost.unknown != nil && lost.leaks.isEmpty, "\(lost.name)")
        for authentication in ["secret", "restricted", "query", "signed"] {
            let again = try Shop.tokens(Shop.settings(in: sandbox, authentication: authentication))
            #expect(await End(of: again, request).token?.id == id, "\(authentication)")
        }
        sandbox.stop()
    }

    @Test("A list of many pages is whole in both orders, through faults and filters")
    func list() async throws {
        let sandbox = try Shop.sandbox()
        var made: [String] = []
        for _ in 0..<7 { made.append(try await Self.stored(sandbox)) }
        let vault = try Shop.vault(Shop.settings(in: sandbox))
        func tokens(_ query: VaultQuery) async throws -> [String] {
            var found: [String] = []
            for try await stored in vault.list(query) { found.append(stored.id) }
            return found
        }
        sandbox.faults.add(.rateLimited(.seconds(1)), provider: "spreedly", operation: "list")
        sandbox.faults.add(.answerLost, provider: "spreedly", operation: "list")
        #expect(try await tokens(VaultQuery(pageSize: 2)) == made)
        #expect(try await tokens(VaultQuery(order: .newestFirst, pageSize: 3)) == made.reversed())
        #expect(try await tokens(VaultQuery(pageSize: 7)) == made)
        #expect(try await tokens(VaultQuery(after: made[4])) == Array(made[5...]))
        #expect(await VaultEnd(of: vault, .retain, made[3]).done?.state == .retained)
        #expect(await VaultEnd(of: vault, .deleteMetadata, made[2]).done?.metadata == [])
        #expect(try await tokens(VaultQuery(pageSize: 1, providerState: "retained")) == [made[3]])
        let filtered = VaultQuery(metadata: [.init(key: "cart", value: .text("c-1"))])
        #expect(try await tokens(filtered) == made.filter { $0 != made[2] })
        sandbox.stop()
    }

    @Test("Every instrument is stored by the sandbox and shown again with its kind and summary")
    func instruments() async throws {
        let sandbox = try Shop.sandbox()
        let settings = try Shop.settings(in: sandbox)
        let tokens = try Shop.tokens(settings)
        let vault = try Shop.vault(settings)
        let rows: [(PaymentInstrument, String)] = [
            (.card(try Shop.card()), "credit_card"), (Instruments.applePay(), "apple_pay"),
            (Instruments.googlePay(), "google_pay"), (.bankAccount(Instruments.account()), "bank_account"),
            (Instruments.foreign, "third_party_token"),
        ]
        for (instrument, kind) in rows {
            let end = await End(of: tokens, Instruments.request(instrument, retain: true))
            let token = try #require(end.token, "\(kind): \(end.name) \(end.shown)")
            #expect(token.providerKind == kind && token.usage == .reusable)
            #expect(Instruments.search.leaks(in: end.shown).isEmpty)
            let shown = try #require(await VaultEnd(of: vault, .show, token.id).done)
            #expect(shown.providerKind == kind && shown.state == .retained)
            #expect(shown.card == token.card && shown.bankAccount == token.bankAccount)
            #expect(shown.createdAt != nil)
            #expect(Instruments.search.leaks(in: everything(of: shown)).isEmpty)
        }
        sandbox.stop()
    }
}
