import GatewayCrypto
import GatewayKitCore

/// Safepay's two generations of payments, from the dossier that GatewayKit keeps about its API.
///
/// Where the dossier marks something as a guess, or says nothing, the strict choice is taken, and the place says that it
/// is a guess. Only CYBERSOURCE payments can be carried out; those of other intents can be made and shown.
final class SafepaySandbox: SandboxProvider {
    static let refusalChoice = "safepay.refusals"

    let id = "safepay"
    let prefix: [String] = []
    let wordMembers: Set<String> = [
        "state", "intent", "mode", "entry_mode", "kind", "payment_method_kind", "authentication_status",
        "enrollment_status", "veres_enrolled", "card_type", "interval",
    ]
    let credentials: SandboxCredentials
    let chosen = ChosenValues([
        SandboxChoice(
            refusalChoice, ["status", "hidden"],
            help: "Whether a refusal has a status of its own, or comes as 200 with a message other than success.")
    ])
    let access: SafepayAccess
    let store: Locked<SafepayStore>
    let fingerprint: KeyedFingerprint
    private let signing: MessageAuthentication

    init(seed: UInt64, keptObjects: Int) {
        var secrets = TokenMint(seed: seed, purpose: 5)
        fingerprint = KeyedFingerprint(mint: &secrets)
        let apiKey = "sec_" + secrets.uuid()
        let secretKey = String(
            (KeyedFingerprint(mint: &secrets).of("a") + KeyedFingerprint(mint: &secrets).of("b")).prefix(64))
        access = SafepayAccess(apiKey: apiKey, secretKey: secretKey)
        credentials = SandboxCredentials(items: [
            .init(name: "apiKey", value: apiKey, isSecret: false),
            .init(name: "secretKey", value: secretKey, isSecret: true),
        ])
        signing = MessageAuthentication(.sha256, key: SecretBytes(Array(secretKey.utf8)))
        store = Locked(SafepayStore(mint: TokenMint(seed: seed, purpose: 6), limit: keptObjects))
    }

    func reset() {
        store.withLock { $0.removeAll() }
    }

    func route(method: String, path: [String]) -> SandboxRoute {
        SafepayOperation.route(method: method, path: path)
    }

    func refusal(status: Int) -> SandboxReply { SafepayRefusal.of(status).reply() }

    /// What a redirect of the first generation carries as `sig` (dossier 1.6).
    func signature(of tracker: String) -> String {
        let code = (try? signing.code(for: Array(tracker.utf8))) ?? []
        return code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: - Calls

    func handle(_ call: SandboxCall) -> SandboxOutcome {
        var seen = Seen()
        do throws(SafepayRefusal) {
            return try perform(call, &seen)
        } catch {
            return SandboxOutcome(
                reply: error.reply(isHidden: chosen[Self.refusalChoice] == "hidden"), outcome: .refused,
                token: seen.token, card: seen.card, submitted: seen.submitted)
        }
    }

    /// What is known of a call that is refused.
    struct Seen: Sendable {
        var token: String?
        var card: CardSummary?
        var submitted: SubmittedCard?
    }

    private func perform(_ call: SandboxCall, _ seen: inout Seen) throws(SafepayRefusal) -> SandboxOutcome {
        let parameter = call.parameters.first ?? ""
        switch SafepayOperation(rawValue: call.operation) {
        case .initOrder: return try initOrder(call)
        case .showOrder: return try showOrder(parameter)
        case .createTracker: return try createTracker(call)
        case .passport: return try passport(call)
        case .metadata: return try setMetadata(parameter, call)
        case .reset: return try resetTracker(parameter, call)
        case .act: return try act(parameter, call, &seen)
        case .void: return try void(parameter, call)
        case .reversal: return try reverse(parameter, call)
        case .refund: return try refund(parameter, call)
        case .showPayment: return try showPayment(parameter, call)
        case .listPayments: return try listPayments(call)
        case nil: throw .of(404)
        }
    }

    // MARK: - Answers

    /// An answer of the services, in their envelope.
    func answer(status: Int = 200, _ data: (inout AnswerWriter) -> Void) -> SandboxReply {
        .json(
            status,
            AnswerWriter.object { body in
                body.object("data", data)
                Self.writeSuccess(to: &body)
            })
    }

    static func writeSuccess(to body: inout AnswerWriter) {
        body.object("status") { status in
            status.array("errors") { _ in }
            status.set("message", "success")
        }
    }

    func answer(_ tracker: SafepayTracker) -> SandboxReply {
        answer { data in
            data.object("tracker") { tracker.write(client: access.apiKey, to: &$0) }
        }
    }

    func outcome(
        _ reply: SandboxReply, _ kind: LedgerEntry.Outcome, _ tracker: SafepayTracker, _ movement: LedgerMovement? = nil
    ) -> SandboxOutcome {
        SandboxOutcome(
            reply: reply, outcome: kind, token: tracker.token, card: tracker.attempt?.card.summary,
            ownReference: tracker.metadata["order_id"], movement: movement)
    }

    func checkSecretOrPassport(_ call: SandboxCall) throws(SafepayRefusal) {
        try access.checkSecretOrPassport(call.request) { token in
            store.withLock { $0.isValid(passport: token, at: call.now) }
        }
    }
}
