import GatewayKitCore
import SpreedlyAdapter
import Testing

extension Shop {
    static func vault(_ settings: AccountSettings, _ runtime: GatewayRuntime = runtime()) throws -> any Vault {
        try SpreedlyProvider().makeGateway(settings, runtime).requireVault()
    }
}

/// The vault's calls as values.
enum VaultCall: CaseIterable, Sendable {
    case show, update, retain, redact, deleteMetadata

    static let writes = allCases.filter { $0 != .show }

    func run(_ vault: any Vault, _ id: String) async throws(GatewayError) -> VaultResult {
        switch self {
        case .show: try await vault.show(id)
        case .update: try await vault.update(id, VaultUpdate(shopper: Shopper(email: "new@example.com")))
        case .retain: try await vault.retain(id)
        case .redact: try await vault.redact(id)
        case .deleteMetadata: try await vault.deleteMetadata(["cart"], of: id)
        }
    }
}

/// Both ways in which a vault's call can end.
enum VaultEnd: Sendable {
    case result(VaultResult)
    case error(GatewayError)

    init(of vault: any Vault, _ call: VaultCall, _ id: String = Instruments.storedToken) async {
        do throws(GatewayError) {
            self = .result(try await call.run(vault, id))
        } catch {
            self = .error(error)
        }
    }

    /// What becomes of a call that is sent to `peer`.
    static func answer(
        of peer: AnswerPeer, _ call: VaultCall, authentication: String = "secret",
        search: LeakSearch? = Instruments.search
    ) async throws -> VaultEnd {
        let recorder = Recorder(transcripts: search != nil)
        let settings = try Shop.settings(peer.baseURL, authentication: authentication)
        let end = await VaultEnd(of: try Shop.vault(settings, Shop.runtime(recorder)), call)
        #expect(call == .show || peer.received.count <= 1, "a change must not be sent twice")
        if let search {
            #expect(search.leaks(in: end.shown).isEmpty, "\(end.shown)")
            #expect(search.leaks(in: recorder.shown).isEmpty, "\(recorder.shown)")
        }
        #expect(recorder.events.last?.kind == .callFinished)
        return end
    }

    var done: StoredInstrument? { if case .result(.done(let stored)) = self { stored } else { nil } }
    var refused: Decline? { if case .result(.refused(let decline)) = self { decline } else { nil } }
    var issues: [FieldIssue]? { if case .result(.invalid(let issues)) = self { issues } else { nil } }
    var thrown: GatewayError? { if case .error(let error) = self { error } else { nil } }

    var name: String {
        switch self {
        case .result(let result): result.outcomeName
        case .error(let error): "throws " + error.code.description
        }
    }

    var shown: String {
        switch self {
        case .result(let result): everything(of: result)
        case .error(let error): everything(of: error)
        }
    }
}
