import GatewayKitCore

/// Spreedly's vault as far as creating and showing a card goes, from the dossier that GatewayKit keeps about its API.
///
/// Where the dossier marks something as a guess, or says nothing, the strict choice is taken, and the place says
/// that it is a guess: see ``SpreedlyRefusal``, ``SpreedlyAccess`` and ``SpreedlyCardForm``. The order of the checks
/// is itself a suggestion of the dossier: credentials, environment key, body, fields, activation of the account.
final class SpreedlySandbox: SandboxProvider {
    private struct State {
        var mint: TokenMint
        var methods: [String: SpreedlyMethod] = [:]
        /// Tokens in the order of their making, from ``oldest`` on.
        var order: [String] = []
        var oldest = 0
    }

    let id = "spreedly"
    let prefix = ["v1"]
    let wordMembers: Set<String> = [
        "state", "storage_state", "transaction_type", "message_key", "payment_method_type", "card_type",
    ]
    let credentials: SandboxCredentials

    private let access: SpreedlyAccess
    private let fingerprint: KeyedFingerprint
    private let keptObjects: Int
    private let state: Locked<State>

    init(seed: UInt64, keptObjects: Int) {
        var secrets = TokenMint(seed: seed, purpose: 1)
        let access = SpreedlyAccess(environmentKey: secrets.secret(27), accessSecret: secrets.secret(64))
        self.access = access
        credentials = SandboxCredentials(items: [
            .init(name: "environmentKey", value: access.environmentKey, isSecret: false),
            .init(name: "accessSecret", value: access.accessSecret, isSecret: true),
        ])
        fingerprint = KeyedFingerprint(mint: &secrets)
        self.keptObjects = max(1, keptObjects)
        state = Locked(State(mint: TokenMint(seed: seed, purpose: 2)))
    }

    func reset() {
        state.withLock { state in
            state.methods = [:]
            state.order = []
            state.oldest = 0
        }
    }

    // MARK: - Paths

    /// Paths end with `.json` or with nothing (dossier 0); XML is not spoken here.
    func route(method: String, path: [String]) -> SandboxRoute {
        guard var last = path.last else { return .unknown }
        if last.hasSuffix(".json") { last.removeLast(5) }
        switch path.dropLast() + [last] {
        case ["payment_methods"]:
            return method == "POST" ? .operation("tokenize") : .wrongMethod(allowed: ["POST"])
        case ["payment_methods", "restricted"]:
            return method == "POST"
                ? .operation("tokenize", parameters: ["restricted"]) : .wrongMethod(allowed: ["POST"])
        case let parts where parts.count == 2 && parts.first == "payment_methods" && Self.isToken(last):
            return method == "GET" ? .operation("show", parameters: [last]) : .wrongMethod(allowed: ["GET"])
        default:
            return .unknown
        }
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: false
                }
            }
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
        switch call.operation {
        case "show": show(call)
        default: tokenize(call)
        }
    }

    private func show(_ call: SandboxCall) -> SandboxOutcome {
        do throws(SpreedlyRefusal) {
            try access.checkBasic(call.request)
            let token = call.parameters.first ?? ""
            guard let method = state.withLock({ $0.methods[token] }) else { throw .unknownMethod }
            let body = AnswerWriter.object { $0.object("payment_method") { method.write(to: &$0) } }
            return SandboxOutcome(
                reply: withHeader(.json(200, body)), outcome: .read, token: token, card: method.summary)
        } catch {
            return SandboxOutcome(reply: answer(error), outcome: .refused)
        }
    }

    private func tokenize(_ call: SandboxCall) -> SandboxOutcome {
        var form: SpreedlyCardForm?
        do throws(SpreedlyRefusal) {
            let read = try readForm(call)
            form = read
            guard read.issues.isEmpty else { throw SpreedlyRefusal(422, read.issues) }
            guard read.isTestNumber else { throw .accountInactive }
            return create(read, at: call.now)
        } catch {
            return SandboxOutcome(
                reply: answer(error), outcome: .refused, card: form?.method.summary, submitted: form?.submitted)
        }
    }

    /// Credentials, then the environment key, then the body; on the restricted path the key may be in the body, so a
    /// body that cannot be read is told first there, unless the header has the key.
    private func readForm(_ call: SandboxCall) throws(SpreedlyRefusal) -> SpreedlyCardForm {
        let way: SpreedlyAccess.Way
        let root: JSONValue
        if call.parameters == ["restricted"] {
            let hasHeader = !call.request.values(of: "spreedly-environment-key").isEmpty
            if hasHeader { _ = try access.checkRestrictedPath(call.request, body: nil) }
            root = try readBody(call.request)
            way = try access.checkRestrictedPath(call.request, body: root)
        } else {
            way = try access.checkOpenPath(call.request)
            root = try readBody(call.request)
        }
        return SpreedlyCardForm(root, way: way, now: call.now, fingerprint: fingerprint)
    }

    private func readBody(_ request: ReceivedRequest) throws(SpreedlyRefusal) -> JSONValue {
        let type = request.value(of: "content-type")?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard type == "application/json" else { throw .wrongContentType }
        guard let root = try? JSONValue(parsing: request.body), root.kind == .object else { throw .unreadableBody }
        return root
    }

    private func create(_ form: SpreedlyCardForm, at now: WallTime) -> SandboxOutcome {
        var method = form.method
        method.createdAt = now
        let transaction = state.withLock { [method, keptObjects] state -> (token: String, method: SpreedlyMethod) in
            var method = method
            method.token = state.mint.ulid(at: now)
            state.methods[method.token] = method
            state.order.append(method.token)
            if state.order.count - state.oldest > keptObjects {
                state.methods[state.order[state.oldest]] = nil
                state.oldest += 1
                if state.oldest > keptObjects {
                    state.order.removeFirst(state.oldest)
                    state.oldest = 0
                }
            }
            return (state.mint.unorderedToken(), method)
        }
        method = transaction.method
        let body = AnswerWriter.object { root in
            root.object("transaction") { body in
                body.set("token", transaction.token)
                body.set("created_at", now.rfc3339)
                body.set("updated_at", now.rfc3339)
                body.set("succeeded", true)
                body.set("transaction_type", "AddPaymentMethod")
                body.set("retained", method.isRetained)
                body.set("state", "succeeded")
                body.set("message_key", "messages.transaction_succeeded")
                body.set("message", "Succeeded!")
                body.object("payment_method") { method.write(to: &$0) }
            }
        }
        return SandboxOutcome(
            reply: withHeader(.json(201, body)), outcome: .created, token: method.token, card: method.summary,
            submitted: form.submitted)
    }

    // MARK: - Answers

    private func answer(_ refusal: SpreedlyRefusal) -> SandboxReply {
        withHeader(.json(refusal.status, refusal.body))
    }

    private func withHeader(_ reply: SandboxReply) -> SandboxReply {
        var reply = reply
        let isGood = (200..<300).contains(reply.status)
        reply.set("cache-control", isGood ? "max-age=0, private, must-revalidate" : "no-cache")
        reply.set("x-request-id", state.withLock { $0.mint.uuid() })
        return reply
    }
}
