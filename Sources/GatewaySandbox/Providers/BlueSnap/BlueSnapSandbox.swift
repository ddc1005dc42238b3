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
    ])

    let user: String
    let merchant: String
    private let basic: String
    private let store: Locked<BlueSnapStore>

    init(seed: UInt64, keptObjects: Int) {
        var secrets = TokenMint(seed: seed, purpose: 5)
        user = "API_" + secrets.secret(16)
        let password = secrets.secret(24)
        merchant = "\(1_000_000 + secrets.number(below: 900_000))"
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

    /// The SDKs' probes send a member `dummy` or nothing.
    func operation(_ call: SandboxCall) -> String {
        guard call.operation == BlueSnapOperation.tokenize.rawValue,
            let root = try? JSONValue(parsing: call.request.body),
            let members = try? root.members(), members.allSatisfy({ $0.name == "dummy" })
        else { return call.operation }
        return BlueSnapOperation.status.rawValue
    }

    func refusal(status: Int) -> SandboxReply { BlueSnapRefusal.of(status, user: user).reply(form) }

    private var form: BlueSnapRefusal.Form { BlueSnapRefusal.Form(rawValue: chosen[Self.errorChoice]) ?? .stringCode }

    // MARK: - Calls

    func handle(_ call: SandboxCall) -> SandboxOutcome {
        store.withLock { store in
            store.welcome(at: call.now)
            var card: BlueSnapCard?
            var submitted: SubmittedCard?
            do throws(BlueSnapRefusal) {
                return try perform(call, &store, &card, &submitted)
            } catch {
                return SandboxOutcome(
                    reply: error.reply(form), outcome: .refused, card: card?.summary, submitted: submitted)
            }
        }
    }

    private func perform(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ card: inout BlueSnapCard?,
        _ submitted: inout SubmittedCard?
    ) throws(BlueSnapRefusal) -> SandboxOutcome {
        guard let operation = BlueSnapOperation(rawValue: call.operation) else {
            throw .of(404, user: user)
        }
        switch operation.realm {
        case .server: try checkBasic(call.request)
        case .token, .shopper: break
        }
        switch operation {
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
