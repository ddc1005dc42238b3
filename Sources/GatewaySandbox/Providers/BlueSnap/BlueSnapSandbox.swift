import GatewayKitCore

/// BlueSnap's tokens for hosted payment fields, its services for them, and its Payment API in JSON, from the dossier that
/// GatewayKit keeps.
///
/// Where the dossier marks something as a guess, or says nothing, the strict choice is taken, and the place says that it
/// is a guess. Tokens end in `_`, the sandbox's sign.
final class BlueSnapSandbox: SandboxProvider {
    static let errorChoice = "bluesnap.errors"
    static let submitChoice = "bluesnap.submit"
    static let authenticationChoice = "bluesnap.3ds"
    static let statusChoice = "bluesnap.status"
    static let lookupChoice = "bluesnap.lookup"

    let id = "bluesnap"
    let prefix: [String] = []
    let wordMembers: Set<String> = [
        "ccType", "cardType", "paymentMethod", "processingStatus", "cardTransactionType", "refundStatus", "status",
        "chosenPaymentMethodType",
    ]
    let credentials: SandboxCredentials
    let chosen = ChosenValues([
        SandboxChoice(
            errorChoice, BlueSnapRefusal.Form.allCases.map(\.rawValue),
            help: "How refusals are written: their code as a text or a number, flat, as a bare text, or as a page."),
        SandboxChoice(
            submitChoice, ["plain", "full", "empty"],
            help: "What a token tells of the card that was sent to it: three members, all that is known, or no body."),
        SandboxChoice(
            authenticationChoice, ["off", "on"], help: "Whether 3-D Secure is on for the merchant."),
        SandboxChoice(statusChoice, ["success", "SUCCESS"], help: "How a payment's success is spelled."),
        SandboxChoice(
            lookupChoice, ["own", "foreign"],
            help: "Whether the API user may look transactions up, or is told that each is somebody else's."),
        SandboxChoice(
            idempotencyChoice, ["replay", "in-flight"],
            help: "What comes of a key that is used again: the first answer, or 409 as if it were still at work."),
    ])

    let user: String
    let merchant: String
    let fingerprint: KeyedFingerprint
    private let basic: String
    private let store: Locked<BlueSnapStore>

    init(seed: UInt64, keptObjects: Int) {
        var secrets = TokenMint(seed: seed, purpose: 5)
        user = "API_" + secrets.secret(16)
        let password = secrets.secret(24)
        merchant = "\(1_000_000 + secrets.number(below: 900_000))"
        fingerprint = KeyedFingerprint(mint: &secrets)
        basic = "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
        credentials = SandboxCredentials(items: [
            .init(name: "username", value: user, isSecret: false),
            .init(name: "password", value: password, isSecret: true),
            .init(name: "merchantID", value: merchant, isSecret: false),
        ])
        store = Locked(BlueSnapStore(mint: TokenMint(seed: seed, purpose: 6), limit: keptObjects))
    }

    func reset() {
        store.withLock { $0.removeAll() }
    }

    func route(method: String, path: [String]) -> SandboxRoute {
        BlueSnapOperation.route(method: method, path: path)
    }

    func operation(_ call: SandboxCall) -> String {
        BlueSnapOperation(rawValue: call.operation)?.refined(by: call.request.body).rawValue ?? call.operation
    }

    func refusal(status: Int) -> SandboxReply { BlueSnapRefusal.of(status, user: user).reply(form) }

    var form: BlueSnapRefusal.Form { BlueSnapRefusal.Form(rawValue: chosen[Self.errorChoice]) ?? .stringCode }

    // MARK: - Calls

    func handle(_ call: SandboxCall) -> SandboxOutcome {
        store.withLock { store in
            store.welcome(at: call.now)
            let operation = BlueSnapOperation(rawValue: call.operation)
            do throws(BlueSnapRefusal) {
                guard let operation else { throw .of(404, user: user) }
                if operation.realm == .server { try checkBasic(call.request) }
            } catch {
                return SandboxOutcome(reply: error.reply(form), outcome: .refused)
            }
            guard operation?.realm == .server else { return attempt(call, &store) }
            return once(call, &store) { attempt(call, &$0) }
        }
    }

    private func attempt(_ call: SandboxCall, _ store: inout BlueSnapStore) -> SandboxOutcome {
        var card: BlueSnapCard?
        var submitted: SubmittedCard?
        do throws(BlueSnapRefusal) {
            return try perform(call, &store, &card, &submitted)
        } catch {
            return SandboxOutcome(
                reply: error.reply(form), outcome: .refused, card: card?.summary, submitted: submitted)
        }
    }

    private func perform(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ card: inout BlueSnapCard?,
        _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        switch BlueSnapOperation(rawValue: call.operation) {
        case nil: throw .of(404, user: user)
        case .openSession: return try openSession(call, &store)
        case .prefill: return try prefill(call, &store, &card, &submitted)
        case .tokenize, .status: return try tokenize(call, &store, &card, &submitted)
        case .profile: return try profile(call, &store)
        case .methods: return try methods(call, &store)
        case .rates: return try rates(call, &store)
        case .payPalToken: return try payPalToken(call, &store)
        case .payPalStatus: return try payPalStatus(call, &store)
        case .configureShopper: return try configureShopper(call, &store)
        case .currencyRates: return try currencyRates(call)
        case .convert: return try convert(call)
        case .wallet: return try walletSession(call, &store)
        case .purchase, .authorize: return try charge(call, &store, &card, &submitted)
        case .capture, .void: return try change(call, &store)
        case .refund: return try refund(call, &store)
        case .refundByQuery: return try refundByQuery(call, &store)
        case .showTransaction, .showAlternative: return try showTransaction(call, &store)
        case .chargeAlternative: return try chargeAlternative(call, &store)
        case .createShopper: return try createShopper(call, &store, &submitted)
        case .showShopper: return try showShopper(call, &store)
        case .updateShopper: return try updateShopper(call, &store, &submitted)
        case .createPlan: return try createPlan(call, &store)
        case .showPlan: return try showPlan(call, &store)
        case .updatePlan: return try updatePlan(call, &store)
        case .subscribe: return try subscribe(call, &store, &card, &submitted)
        case .showSubscription: return try showSubscription(call, &store)
        case .updateSubscription: return try updateSubscription(call, &store)
        case .resolveSubscription: return try resolveSubscription(call, &store)
        case .subscriptionCharges: return try subscriptionCharges(call, &store)
        case .startOnDemand: return try startOnDemand(call, &store, &card, &submitted)
        case .chargeOnDemand: return try chargeOnDemand(call, &store, &card)
        case .payPalPage: return try payPalPage(call, &store)
        case .payPalPay: return try payPalPay(call, &store)
        case .payPalProceed: return payPalEnd(call, "Your payment was approved.")
        case .payPalCancel: return try payPalCancel(call, &store)
        }
    }

    // MARK: - Parts

    /// Exactly one space after `Basic` (dossier 0).
    private func checkBasic(_ request: ReceivedRequest) throws(BlueSnapRefusal) {
        guard request.value(of: "authorization")?.equalsInConstantTime(basic) == true else { throw .unauthorized }
    }

    /// The token of a call on the services for tokens. A missing one, and one that is unknown or too old, is 401 there,
    /// as the SDK expects (dossier 1.7).
    func serviceToken(_ call: SandboxCall, _ store: BlueSnapStore) throws(BlueSnapRefusal) -> BlueSnapToken {
        guard let text = call.request.value(of: "token-authentication"),
            let token = try? store.livingToken(text, at: call.now)
        else { throw .unauthorized }
        return token
    }

    /// The SDK is told that an empty body fails in general (dossier 1.7).
    func readBody(_ request: ReceivedRequest) throws(BlueSnapRefusal) -> JSONValue {
        let type = request.value(of: "content-type")?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard type == "application/json" else { throw .wrongContentType }
        guard !request.body.isEmpty else { throw .failure }
        guard let root = try? JSONValue(parsing: request.body), root.kind == .object else { throw .unreadable }
        return root
    }

    func reply(_ build: (inout AnswerWriter) -> Void) -> SandboxReply {
        .json(200, AnswerWriter.object(build))
    }
}
