import GatewayKitCore

/// Hellgate's token sessions and tokens, from the dossier that GatewayKit keeps about its API.
///
/// Where the dossier marks something as a guess, or says nothing, the strict choice is taken, and the place says that it
/// is a guess. Sessions speak the newer protocol unless `hellgate.session` is chosen otherwise, and are finished with
/// the answer that completes them unless `hellgate.completion` is `waiting`.
final class HellgateSandbox: SandboxProvider {
    static let sessionChoice = "hellgate.session"
    static let completionChoice = "hellgate.completion"

    let id = "hellgate"
    let prefix: [String] = []
    let wordMembers: Set<String> = [
        "next_action", "status", "provider", "reason_code", "network_token_status", "scheme",
    ]
    let credentials: SandboxCredentials
    let chosen = ChosenValues([
        SandboxChoice(
            sessionChoice, HellgateSession.Kind.allCases.map(\.rawValue),
            help: "How new sessions want the card: encrypted to themselves, or from a vault of one of two kinds."),
        SandboxChoice(
            completionChoice, ["immediate", "waiting"],
            help: "Whether a completed session tells its result at once, or is at work for two looks at it."),
    ])

    private let apiKey: String
    private let store: Locked<HellgateStore>

    init(seed: UInt64, keptObjects: Int) {
        var secrets = TokenMint(seed: seed, purpose: 3)
        let apiKey = "sk_sndbx_" + secrets.secret(40)
        self.apiKey = apiKey
        credentials = SandboxCredentials(items: [.init(name: "apiKey", value: apiKey, isSecret: true)])
        store = Locked(HellgateStore(mint: TokenMint(seed: seed, purpose: 4), limit: keptObjects))
    }

    func reset() {
        store.withLock { $0.removeAll() }
    }

    func route(method: String, path: [String]) -> SandboxRoute {
        HellgateOperation.route(method: method, path: path)
    }

    func refusal(status: Int) -> SandboxReply { HellgateRefusal.of(status).reply }

    // MARK: - Calls

    func handle(_ call: SandboxCall) -> SandboxOutcome {
        var card: HellgateCard?
        do throws(HellgateRefusal) {
            return try perform(call, &card)
        } catch {
            return SandboxOutcome(
                reply: error.reply, outcome: .refused, card: card?.summary, submitted: card?.submitted)
        }
    }

    private func perform(_ call: SandboxCall, _ card: inout HellgateCard?) throws(HellgateRefusal) -> SandboxOutcome {
        let parameter = call.parameters.first ?? ""
        switch HellgateOperation(rawValue: call.operation) {
        case .openSession: return try openSession(call)
        case .status: return try status(parameter, call)
        case .tokenize: return try tokenize(parameter, call, &card)
        case .storeCard: return try storeCard(HellgateSession.Kind(rawValue: parameter) ?? .guardian, call, &card)
        case .list: return try list(call)
        case .show: return try show(parameter, call)
        case .redact: return try redact(parameter, call)
        case nil: throw .of(404)
        }
    }

    /// The body is optional (dossier 1.1).
    private func openSession(_ call: SandboxCall) throws(HellgateRefusal) -> SandboxOutcome {
        try checkKey(call.request)
        var lifetime: Int64?
        if !call.request.body.isEmpty {
            let root = try readBody(call.request)
            try check(root, ["bypass_identification", "expiration_time"])
            if let flag = root["bypass_identification"].present, flag.kind != .bool {
                throw .malformed("bypass_identification")
            }
            if let time = root["expiration_time"].present {
                guard time.kind == .number, let seconds = try? time.integer(), (1...2_592_000).contains(seconds) else {
                    throw .malformed("expiration_time")
                }
                lifetime = Int64(seconds)
            }
        }
        let kind = HellgateSession.Kind(rawValue: chosen[Self.sessionChoice]) ?? .encrypted
        let session = store.withLock { [lifetime] in $0.open(kind, tokenLifetime: lifetime, at: call.now) }
        let body = AnswerWriter.object { $0.set("session_id", session.id) }
        return SandboxOutcome(reply: .json(200, body), outcome: .created, token: session.id)
    }

    /// No credential: whoever knows the id may ask (dossier 1.2).
    private func status(_ id: String, _ call: SandboxCall) throws(HellgateRefusal) -> SandboxOutcome {
        let session = try store.withLock { (store) throws(HellgateRefusal) in try store.look(at: id, now: call.now) }
        return SandboxOutcome(reply: try reply(session, call), outcome: .read)
    }

    private func tokenize(
        _ id: String, _ call: SandboxCall, _ card: inout HellgateCard?
    ) throws(HellgateRefusal) -> SandboxOutcome {
        let session = try store.withLock { (store) throws(HellgateRefusal) in
            try store.openSession(id, now: call.now)
        }
        let root = try readBody(call.request)
        try check(root, ["action", "result"])
        guard (try? root["action"].string()) == "tokenize_card" else { throw .malformed("action") }
        let result = root["result"]
        guard result.kind == .object else { throw .malformed("result") }
        var read = try session.kind == .encrypted ? decrypted(result) : stored(result, session.id)
        read.judge(at: call.now)
        card = read
        let looks = chosen[Self.completionChoice] == "waiting" ? 2 : 0
        let (completed, token) = try store.withLock { [read] (store) throws(HellgateRefusal) in
            try store.complete(id, read, looks: looks, at: call.now)
        }
        return SandboxOutcome(
            reply: try reply(completed, call), outcome: token == nil ? .refused : .created, token: token?.id,
            card: read.summary, submitted: read.submitted)
    }

    private func decrypted(_ result: JSONValue) throws(HellgateRefusal) -> HellgateCard {
        try check(result, ["enc_payload"])
        guard let text = try? result["enc_payload"].string(), let key = HellgateKey.shared else {
            throw .malformed("enc_payload")
        }
        return try HellgateCard(key.claims(in: text), .claims, allows: HellgateCard.additionalFields)
    }

    private func stored(_ result: JSONValue, _ session: String) throws(HellgateRefusal) -> HellgateCard {
        try check(result, ["token_id", "additional_data"])
        guard let id = try? result["token_id"].string(),
            var card = store.withLock({ $0.card(id, of: session) })
        else { throw .malformed("token_id") }
        if let data = result["additional_data"].present {
            guard let members = try? data.members() else { throw .malformed("additional_data") }
            try card.take(additional: members)
        }
        return card
    }

    /// What the vault answers besides the id is not known; a mask that shows the number, as the older SDK sends it, is
    /// refused here.
    private func storeCard(
        _ kind: HellgateSession.Kind, _ call: SandboxCall, _ card: inout HellgateCard?
    ) throws(HellgateRefusal) -> SandboxOutcome {
        guard let key = call.request.value(of: kind == .guardian ? "x-api-key" : "bt-api-key") else {
            throw .keyRefused
        }
        _ = try store.withLock { (store) throws(HellgateRefusal) in
            try store.session(key: key, kind: kind, at: call.now)
        }
        let root = try readBody(call.request)
        let read: HellgateCard
        if kind == .guardian {
            read = try HellgateCard(root, .claims)
        } else {
            try check(root, ["type", "data", "mask"])
            guard (try? root["type"].string()) == "card" else { throw .malformed("type") }
            read = try HellgateCard(root["data"], .basisTheory)
            let mask = String(decoding: root["mask"].source ?? [], as: UTF8.self)
            guard read.submitted.number.withExposed({ !mask.contains($0) }) else { throw .malformed("mask") }
        }
        card = read
        let id = try store.withLock { [read] (store) throws(HellgateRefusal) in
            try store.store(read, key: key, kind: kind, at: call.now)
        }
        let body = AnswerWriter.object { $0.set("id", id) }
        return SandboxOutcome(
            reply: .json(200, body), outcome: .created, token: id, card: read.summary, submitted: read.submitted)
    }

    // MARK: - Tokens

    private func show(_ id: String, _ call: SandboxCall) throws(HellgateRefusal) -> SandboxOutcome {
        try checkKey(call.request)
        let token = try store.withLock { (store) throws(HellgateRefusal) in try store.token(id, at: call.now) }
        let body = AnswerWriter.object { token.write(to: &$0) }
        return SandboxOutcome(reply: .json(200, body), outcome: .read, token: id, card: token.summary)
    }

    private func list(_ call: SandboxCall) throws(HellgateRefusal) -> SandboxOutcome {
        try checkKey(call.request)
        let page = try HellgatePage(call.request.query)
        let tokens = store.withLock { $0.tokens(at: call.now) }
        let body = AnswerWriter.object { page.write(tokens, to: &$0) }
        return SandboxOutcome(reply: .json(200, body), outcome: .read)
    }

    /// That the answer is 204 is a guess.
    private func redact(_ id: String, _ call: SandboxCall) throws(HellgateRefusal) -> SandboxOutcome {
        try checkKey(call.request)
        let token = try store.withLock { (store) throws(HellgateRefusal) in try store.delete(id, at: call.now) }
        return SandboxOutcome(reply: SandboxReply(status: 204), outcome: .changed, token: id, card: token.summary)
    }

    // MARK: - Parts

    private func checkKey(_ request: ReceivedRequest) throws(HellgateRefusal) {
        guard request.value(of: "x-api-key")?.equalsInConstantTime(apiKey) == true else { throw .keyRefused }
    }

    private func readBody(_ request: ReceivedRequest) throws(HellgateRefusal) -> JSONValue {
        let type = request.value(of: "content-type")?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard type == "application/json" else { throw .wrongContentType }
        guard let root = try? JSONValue(parsing: request.body), root.kind == .object else { throw .unreadableBody }
        return root
    }

    private func check(_ json: JSONValue, _ known: Set<String>) throws(HellgateRefusal) {
        for member in (try? json.members()) ?? [] where !known.contains(member.name) {
            throw .unknownMember(HellgateCard.shown(member.name))
        }
    }

    private func reply(_ session: HellgateSession, _ call: SandboxCall) throws(HellgateRefusal) -> SandboxReply {
        var key: HellgateKey?
        if session.kind == .encrypted {
            key = HellgateKey.shared
            guard key != nil else { throw .of(500) }
        }
        return .json(
            200, AnswerWriter.object { [key] in session.write(key: key, origin: call.origin, to: &$0) })
    }
}
