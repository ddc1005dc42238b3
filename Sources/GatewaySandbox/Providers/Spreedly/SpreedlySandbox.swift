import GatewayKitCore

/// Spreedly's vault and payments, from the dossier that GatewayKit keeps about its API.
///
/// Where the dossier marks something as a guess, or says nothing, the strict choice is taken, and the place says
/// that it is a guess: see ``SpreedlyRefusal``, ``SpreedlyAccess`` and ``SpreedlyCreateForm``. The order of the checks
/// is itself a suggestion of the dossier: credentials, environment key, body, fields, activation of the account.
final class SpreedlySandbox: SandboxProvider {
    let id = "spreedly"
    let prefix = ["v1"]
    let wordMembers: Set<String> = [
        "state", "storage_state", "transaction_type", "required_action", "message_key", "payment_method_type",
        "card_type",
    ]
    let access: SpreedlyAccess
    private let gatewayToken: String
    let vault: Locked<SpreedlyVault>
    private let fingerprint: KeyedFingerprint

    init(seed: UInt64, keptObjects: Int) {
        var secrets = TokenMint(seed: seed, purpose: 1)
        let (environmentKey, accessSecret) = (secrets.secret(27), secrets.secret(64))
        fingerprint = KeyedFingerprint(mint: &secrets)
        access = SpreedlyAccess(
            environmentKey: environmentKey, accessSecret: accessSecret,
            signedSets: SpreedlySignedSets(certificateToken: secrets.secret(26), limit: keptObjects))
        gatewayToken = secrets.secret(27)
        vault = Locked(
            SpreedlyVault(mint: TokenMint(seed: seed, purpose: 2), limit: keptObjects, standardGateway: gatewayToken))
    }

    var credentials: SandboxCredentials {
        SandboxCredentials(
            items: [
                .init(name: "environmentKey", value: access.environmentKey, isSecret: false),
                .init(name: "accessSecret", value: access.accessSecret, isSecret: true),
                .init(name: "certificateToken", value: access.signedSets.certificateToken, isSecret: false),
                .init(name: "gatewayToken", value: gatewayToken, isSecret: false),
            ]
                + [access.signedSets.signingKey].compactMap { $0 }.map {
                    .init(name: "signingKey", value: $0, isSecret: true)
                })
    }

    func reset() {
        vault.withLock { $0.removeAll() }
        access.signedSets.reset()
    }

    func route(method: String, path: [String]) -> SandboxRoute {
        SpreedlyOperation.route(method: method, path: path)
    }

    func refusal(status: Int) -> SandboxReply {
        switch status {
        case 401, 403: answer(SpreedlyRefusal(status, SpreedlyRefusal.accessDenied.items))
        case 402: answer(.accountInactive)
        case 404: answer(.unknownPath)
        case 503: answer(.circuitBreaker)
        // No source shows the bodies of the others; empty ones occur.
        default: withHeader(SandboxReply(status: status))
        }
    }

    // MARK: - Calls

    func handle(_ call: SandboxCall) -> SandboxOutcome {
        guard let operation = SpreedlyOperation(rawValue: call.operation) else {
            return SandboxOutcome(reply: answer(.unknownPath), outcome: .refused)
        }
        if operation == .tokenize { return tokenize(call) }
        do throws(SpreedlyRefusal) {
            return try perform(operation, call)
        } catch {
            return SandboxOutcome(reply: answer(error), outcome: .refused)
        }
    }

    private func perform(_ operation: SpreedlyOperation, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome
    {
        let token = call.parameters.first ?? ""
        switch operation {
        case .recache: break
        case .transactionStatus: try access.checkPublicPath(call.request)
        default: try access.checkBasic(call.request)
        }
        return switch operation {
        case .tokenize: tokenize(call)
        case .show: try show(token)
        case .list: try list(call)
        case .update: try update(token, call)
        case .updateGratis: try updateGratis(token, call)
        case .retain: try retain(token, call)
        case .redact: try redact(token, call)
        case .recache: try recache(token, call)
        case .deleteMetadata: try deleteMetadata(token, call)
        case .methodTransactions: try methodTransactions(token, call)
        case .listTransactions: try listTransactions(call)
        case .showTransaction: try showTransaction(token)
        case .transactionStatus: try transactionStatus(token)
        case .purchase, .authorize, .verify, .generalCredit: withHeader(try start(operation, call))
        case .capture: withHeader(try capture(token, call))
        case .void: withHeader(try void(token, call))
        case .credit: withHeader(try credit(token, call))
        case .complete: withHeader(try complete(token, call))
        case .createGateway: try createGateway(call)
        case .listGateways: try listGateways(call)
        case .showGateway: try showGateway(token)
        }
    }

    private func withHeader(_ outcome: SandboxOutcome) -> SandboxOutcome {
        var outcome = outcome
        outcome.reply = withHeader(outcome.reply)
        return outcome
    }

    private func tokenize(_ call: SandboxCall) -> SandboxOutcome {
        var form: SpreedlyCreateForm?
        var redirect: SpreedlyRedirect?
        do throws(SpreedlyRefusal) {
            redirect = try SpreedlyRedirect(call.request, access: access)
            let read = if let redirect { self.form(redirect.root, .environmentKey, call) } else { try readForm(call) }
            form = read
            guard read.fields.issues.isEmpty else { throw SpreedlyRefusal(422, read.fields.issues) }
            guard read.isTest else { throw .accountInactive }
            var outcome = create(read, at: call.now)
            if let redirect, let token = outcome.token {
                outcome.reply = withHeader(SandboxReply(status: 302))
                outcome.reply.set("location", redirect.location(token: token))
            }
            return outcome
        } catch {
            return SandboxOutcome(
                reply: answer(error), outcome: .refused, card: form?.method.summary, submitted: form?.submitted)
        }
    }

    private func readForm(_ call: SandboxCall) throws(SpreedlyRefusal) -> SpreedlyCreateForm {
        let way: SpreedlyAccess.Way
        let root: JSONValue
        if call.parameters == ["restricted"] {
            root = try readWithKey(call.request)
            way = .environmentKey
        } else {
            way = try access.checkOpenPath(call.request)
            root = try readBody(call.request)
        }
        return form(root, way, call)
    }

    private func form(_ root: JSONValue, _ way: SpreedlyAccess.Way, _ call: SandboxCall) -> SpreedlyCreateForm {
        SpreedlyCreateForm(root, way: way, now: call.now, fingerprint: fingerprint)
    }

    /// The key may be in the body, so a body that cannot be read is told first, unless the header has the key.
    func readWithKey(_ request: ReceivedRequest) throws(SpreedlyRefusal) -> JSONValue {
        let hasHeader = !request.values(of: "spreedly-environment-key").isEmpty
        if hasHeader { try access.checkKey(request, body: nil) }
        let root = try readBody(request)
        try access.checkKey(request, body: root)
        return root
    }

    func readBody(_ request: ReceivedRequest) throws(SpreedlyRefusal) -> JSONValue {
        let type = request.value(of: "content-type")?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard type == "application/json" else { throw .wrongContentType }
        guard let root = try? JSONValue(parsing: request.body), root.kind == .object else { throw .unreadableBody }
        return root
    }

    private func create(_ form: SpreedlyCreateForm, at now: WallTime) -> SandboxOutcome {
        let (method, transaction) = vault.withLock { [method = form.method] in $0.create(method, at: now) }
        return SandboxOutcome(
            reply: answer(transaction, method), outcome: .created, token: method.token, card: method.summary,
            submitted: form.submitted)
    }

    // MARK: - Answers

    private func answer(_ refusal: SpreedlyRefusal) -> SandboxReply {
        withHeader(.json(refusal.status, refusal.body))
    }

    func answer(_ transaction: SpreedlyTransaction, _ method: SpreedlyMethod?) -> SandboxReply {
        let body = AnswerWriter.object { $0.object("transaction") { transaction.write(method, to: &$0) } }
        return withHeader(.json(transaction.status, body))
    }

    func withHeader(_ reply: SandboxReply) -> SandboxReply {
        var reply = reply
        let isGood = (200..<300).contains(reply.status)
        reply.set("cache-control", isGood ? "max-age=0, private, must-revalidate" : "no-cache")
        reply.set("x-request-id", vault.withLock { $0.mint.uuid() })
        return reply
    }
}
