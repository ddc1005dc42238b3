import GatewayKitCore

/// A gateway of the environment (dossier 2.8). Only the test gateway is imitated.
struct SpreedlyGateway: Sendable {
    var token: String
    var description: String?
    var createdAt: WallTime

    private static let characteristics = [
        "purchase", "authorize", "capture", "credit", "general_credit", "void", "verify", "offsite_purchase",
        "offsite_authorize", "3dsecure_purchase", "3dsecure_authorize",
    ]

    func write(to body: inout AnswerWriter) {
        body.set("token", token)
        body.set("gateway_type", "test")
        body.setOrNull("description", description)
        body.set("name", "Spreedly Test")
        body.set("state", "retained")
        body.set("redacted", false)
        body.set("sandbox", true)
        body.array("characteristics") { list in for word in Self.characteristics { list.append(word) } }
        body.array("credentials") { _ in }
        body.array("gateway_specific_fields") { _ in }
        body.array("payment_methods") { list in
            for word in ["credit_card", "bank_account", "sprel", "third_party_token", "apple_pay", "google_pay"] {
                list.append(word)
            }
        }
        body.set("created_at", createdAt.rfc3339)
        body.set("updated_at", createdAt.rfc3339)
    }
}

extension SpreedlySandbox {
    /// That a missing type is `errors.blank` is a guess.
    func createGateway(_ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        let json = try readBody(call.request)["gateway"]
        var fields = SpreedlyFields()
        let type = fields.requiredText("gateway_type", json["gateway_type"])
        let description = fields.text("description", json["description"])
        guard fields.issues.isEmpty else { throw SpreedlyRefusal(422, fields.issues) }
        guard type == "test" else { throw .invalidGatewayType }
        let gateway = vault.withLock { vault in vault.createGateway(description, at: call.now) }
        return answer(gateway, 201, .created)
    }

    func showGateway(_ token: String) throws(SpreedlyRefusal) -> SandboxOutcome {
        guard let gateway = vault.withLock({ $0.gateways[token] }) else { throw .unknownGateway }
        return answer(gateway, 200, .read)
    }

    func listGateways(_ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        let page = try SpreedlyPage(call.request.query, states: ["retained", "redacted"])
        let gateways = try vault.withLock { (vault) throws(SpreedlyRefusal) in
            try page.select(from: vault.gateways) { _ in (page.state ?? "retained") == "retained" }
        }
        let body = AnswerWriter.object { root in
            root.array("gateways") { list in
                for gateway in gateways { list.appendObject { gateway.write(to: &$0) } }
            }
        }
        return SandboxOutcome(reply: withHeader(.json(200, body)), outcome: .read)
    }

    private func answer(
        _ gateway: SpreedlyGateway, _ status: Int, _ outcome: LedgerEntry.Outcome
    ) -> SandboxOutcome {
        let body = AnswerWriter.object { $0.object("gateway") { gateway.write(to: &$0) } }
        return SandboxOutcome(reply: withHeader(.json(status, body)), outcome: outcome, token: gateway.token)
    }
}
