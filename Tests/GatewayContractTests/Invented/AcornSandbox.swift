import GatewayKitCore

@testable import GatewaySandbox

/// The imitation of Acorn. It shares no code with the adapter: only so can it find a mistake on the wire.
final class AcornSandbox: SandboxProvider {
    let id = "acorn"
    let prefix = ["v1"]
    let wordMembers: Set<String> = ["status", "brand"]
    let credentials: SandboxCredentials
    private let key: String
    private let mint: GatewaySandbox.Locked<TokenMint>

    init(seed: UInt64) {
        var secrets = TokenMint(seed: seed, purpose: 71)
        key = secrets.secret(32)
        credentials = SandboxCredentials(items: [.init(name: "apiKey", value: key, isSecret: true)])
        mint = GatewaySandbox.Locked(TokenMint(seed: seed, purpose: 72))
    }

    var testData: ProviderTestData {
        var data = ProviderTestData()
        data.approvedCard = .known("visa")
        data.declinedCard = .known("visa-declined")
        data.invalidInput = .known(.init(card: "visa", isExpired: true, fields: [.expiryYear]))
        data.sessions = .none("Acorn wants no session")
        return data
    }

    func route(method: String, path: [String]) -> SandboxRoute {
        guard path == ["cards"] else { return .unknown }
        return method == "POST" ? .operation("tokenize") : .wrongMethod(allowed: ["POST"])
    }

    func handle(_ call: SandboxCall) -> SandboxOutcome {
        guard call.request.value(of: "x-acorn-key") == key else { return refused(401, "bad_key") }
        guard call.request.value(of: "content-type") == "application/json",
            let json = try? JSONValue(parsing: call.request.body), let number = try? json["number"].string(),
            let year = try? json["year"].integer(), let month = try? json["month"].integer(),
            let expiry = CardExpiry(month: month, year: year)
        else { return refused(400, "bad_request") }
        var outcome: SandboxOutcome
        if !TestCard.contains(number) {
            outcome = refused(422, "bad_number", field: "number")
        } else if expiry.isExpired(at: call.now) {
            outcome = refused(422, "expired_card", field: "year")
        } else if TestCard.named("visa-declined")?.number == number {
            outcome = refused(402, "card_refused")
        } else {
            outcome = stored(number)
        }
        outcome.submitted = SubmittedCard(
            number: Sensitive(number), securityCode: (try? json["code"].string()).map { Sensitive($0) })
        return outcome
    }

    private func stored(_ number: String) -> SandboxOutcome {
        let token = "crd_" + mint.withLock { $0.secret(20) }
        let body = AnswerWriter.object { json in
            json.set("id", token)
            json.set("status", "stored")
            json.set("last_four", String(number.suffix(4)))
        }
        return SandboxOutcome(reply: .json(201, body), outcome: .created, token: token)
    }

    private func refused(_ status: Int, _ code: String, field: String? = nil) -> SandboxOutcome {
        SandboxOutcome(reply: reply(status, code, field), outcome: .refused)
    }

    private func reply(_ status: Int, _ code: String, _ field: String? = nil) -> SandboxReply {
        .json(
            status,
            AnswerWriter.object { json in
                json.object("error") { error in
                    error.set("code", code)
                    error.set("field", field)
                    error.set("message", "Acorn says: \(code).")
                }
            })
    }

    func refusal(status: Int) -> SandboxReply { reply(status, "status_\(status)") }

    func reset() {}
}
