import GatewayCrypto
import GatewayKitCore

/// Safepay's two generations of payments, from the dossier that GatewayKit keeps about its API.
///
/// Where the dossier marks something as a guess, or says nothing, the strict choice is taken, and the place says that it
/// is a guess. Only CYBERSOURCE payments can be carried out; those of other intents can be made and shown.
final class SafepaySandbox: SandboxProvider {
    static let refusalChoice = "safepay.refusals"
    static let lifetimeChoice = "safepay.lifetime"

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
            help: "Whether a refusal has a status of its own, or comes as 200 with a message other than success."),
        SandboxChoice(
            lifetimeChoice, ["unlimited", "hour"],
            help: "How long a payment that is not carried out stays open."),
        SandboxChoice(
            returnChoice, ["query", "form"],
            help: "Whether the older page goes back to the shop with a query, or posts a form."),
        SandboxChoice(
            customChoice, ["redirects", "stays"],
            help: "Whether the older page goes back to a shop of the source custom without webhooks, or stays."),
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

    func operation(_ call: SandboxCall) -> String {
        guard SafepayOperation(rawValue: call.operation) == .act,
            let payload = (try? JSONValue(parsing: call.request.body))?["payload"], let token = call.parameters.first,
            let tracker = try? store.withLock({ (store) throws(SafepayRefusal) in try store.tracker(token) })
        else { return call.operation }
        return Self.action(of: payload, on: tracker).operation.rawValue
    }

    func handle(_ call: SandboxCall) -> SandboxOutcome {
        var seen = Seen()
        if chosen[Self.lifetimeChoice] == "hour" {
            store.withLock { $0.expire(madeBefore: call.now.adding(seconds: -3_600), at: call.now) }
        }
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
        let second = call.parameters.dropFirst().first ?? ""
        switch SafepayOperation(rawValue: call.operation) {
        case .initOrder: return try initOrder(call)
        case .showOrder: return try showOrder(parameter)
        case .createTracker: return try createTracker(call)
        case .passport: return try passport(call)
        case .metadata: return try setMetadata(parameter, call)
        case .reset: return try resetTracker(parameter, call)
        case .act, .captureContext, .tokenize, .enrol, .authorize, .validate, .capture:
            return try act(parameter, call, &seen)
        case .void: return try void(parameter, call)
        case .reversal: return try reverse(parameter, call)
        case .refund: return try refund(parameter, call)
        case .showPayment: return try showPayment(parameter, call)
        case .listPayments: return try listPayments(call)
        case .showEnd:
            return showEnd(parameter, SafepayPage.Kind(rawValue: second) ?? .hosted, call)
        case .showPage: return try showPage(SafepayPage.Kind(rawValue: parameter) ?? .hosted, call)
        case .submitPage: return try submitPage(SafepayPage.Kind(rawValue: parameter) ?? .hosted, call)
        case .collect: return try collect(call)
        case .stepUp: return try stepUp(call)
        case .answerChallenge: return try answerChallenge(call)
        case .answerNatively: return try answerNatively(call)
        default: return try keep(call, parameter, second)
        }
    }

    /// Customers, plans and subscriptions.
    private func keep(
        _ call: SandboxCall, _ parameter: String, _ second: String
    ) throws(SafepayRefusal) -> SandboxOutcome {
        switch SafepayOperation(rawValue: call.operation) {
        case .createCustomer: return try createCustomer(call)
        case .showCustomer: return try showCustomer(parameter, call)
        case .listCustomers: return try listCustomers(call)
        case .changeCustomer: return try changeCustomer(parameter, call)
        case .deleteCustomer: return try deleteCustomer(parameter, call)
        case .listWallet: return try listWallet(parameter, call)
        case .showSavedCard: return try showSavedCard(parameter, second, call)
        case .deleteSavedCard: return try deleteSavedCard(parameter, second, call)
        case .createPlan: return try createPlan(call)
        case .showPlan: return try showPlan(parameter, call)
        case .changePlan: return try changePlan(parameter, call)
        case .deletePlan: return try deletePlan(parameter, call)
        case .searchPlans: return try searchPlans(call)
        case .showSubscription: return try showSubscription(parameter, call)
        case .searchSubscriptions: return try searchSubscriptions(call)
        case .pauseSubscription: return try pauseSubscription(parameter, call)
        case .resumeSubscription: return try resumeSubscription(parameter, call)
        case .cancelSubscription: return try cancelSubscription(parameter, call)
        default: throw .of(404)
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
