import GatewayCrypto
import GatewayKitCore
import Testing

/// Answers by a script, for what the sandbox, which imitates a working provider, never answers. Keeps what it was sent.
final class ScriptedHellgate: HTTPTransport {
    enum Reply: Sendable {
        case answer(Int, String)
        /// The connection breaks after the request was sent.
        case lost
        /// The connection was refused.
        case notSent

        /// A session that wants the card encrypted.
        static let encrypted = Reply.answer(
            200, "{\"next_action\":\"tokenize_card\",\"data\":{\"jwk\":\(TestKey.jwk)}}")
        /// A session that names a vault on the account's own host.
        static func vault(
            _ provider: String = "guardian", _ address: String = "http://127.0.0.1:9/vault"
        ) -> Reply {
            .answer(
                200,
                """
                {"next_action":"tokenize_card","data":{"provider":"\(provider)","base_url":"\(address)",\
                "api_key":"\(Shop.vaultKey)"}}
                """)
        }
        static let stored = Reply.answer(200, "{\"id\":\"vault-entry-0001\"}")
        static let success = Reply.answer(200, "{\"status\":\"success\",\"data\":{\"token_id\":\"\(Shop.tokenID)\"}}")
        static let failure = Reply.answer(
            200,
            "{\"status\":\"failure\",\"data\":{\"reason\":\"Invalid test card\",\"reason_code\":\"invalid_test_card\"}}"
        )
        static let wait = Reply.answer(200, "{\"next_action\":\"wait\"}")
        static let open = Reply.encrypted
        static let notFound = Reply.answer(
            404, "{\"code\":404,\"message\":\"The session was not found\",\"classifier\":\"NOT_FOUND\"}")
    }

    struct Sent: Sendable {
        let line: String
        let operation: String
        let fields: [String]
        let body: String
        let deadline: ContinuousClock.Instant
        var reached = true
    }

    private struct State {
        var script: [String: [Reply]]
        var sent: [Sent] = []
    }

    private let state: Locked<State>

    /// - Parameter script: By operation, without its provider; the last reply repeats itself.
    init(_ script: [String: [Reply]]) {
        state = Locked(State(script: script))
    }

    var sent: [Sent] { state.withLock { $0.sent } }
    var lines: [String] { sent.map(\.line) }
    func bodies(_ operation: String) -> [String] { sent.filter { $0.operation == operation }.map(\.body) }
    func count(_ operation: String) -> Int { bodies(operation).count }
    /// Without those whose connection was refused.
    func count(_ operation: String, reached: Bool) -> Int {
        sent.count { $0.operation == operation && $0.reached == reached }
    }

    func send(
        _ request: WireRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> WireResponse {
        let operation = String(request.operation.description.split(separator: ".").last ?? "")
        var entry = Sent(
            line: request.method.rawValue + " " + request.url.wireText.withExposed { $0 }, operation: operation,
            fields: request.fields.list.map { "\($0.name): " + $0.value.withExposed { $0 } },
            body: request.body?.bytes.withExposed { String(decoding: $0, as: UTF8.self) } ?? "",
            deadline: deadline)
        let reply = state.withLock { state -> Reply? in
            guard var replies = state.script[operation], let first = replies.first else { return nil }
            if replies.count > 1 {
                replies.removeFirst()
                state.script[operation] = replies
            }
            return first
        }
        switch reply {
        case .notSent, nil: entry.reached = false
        case .answer, .lost: break
        }
        state.withLock { [entry] in $0.sent.append(entry) }
        switch reply {
        case .answer(let status, let body):
            var fields = HTTPFields()
            fields.append("content-type", "application/json")
            return WireResponse(status: status, fields: fields, body: Array(body.utf8))
        case .lost: throw TransportError(.connectionLost, reach: .sent, detail: "the peer hung up")
        case .notSent, nil: throw TransportError(.connect, reach: .notSent, detail: "refused")
        }
    }
}

/// The key that scripted sessions hand out.
enum TestKey {
    static let key: RSAPrivateKey? = try? RSAPrivateKey.generate(bits: 2048)

    static let jwk: String = {
        guard let numbers = try? key?.publicKey.jwkNumbers() else { return "{}" }
        return "{\"kty\":\"RSA\",\"n\":\"\(numbers.n)\",\"e\":\"\(numbers.e)\"}"
    }()

    /// The claims in the body of a completion.
    static func claims(in body: String) throws -> String {
        let text = try JSONValue(parsing: Array(body.utf8))["result"]["enc_payload"].string()
        return try CompactJWE(reading: text).open(with: #require(key)).withExposed {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

extension Shop {
    /// What becomes of a card in a scripted session, with a search of everything shown for secrets.
    static func tokenize(
        _ transport: ScriptedHellgate, _ request: TokenizationRequest? = nil, _ settings: AccountSettings? = nil,
        clock: any GatewayClock = ImmediateClock()
    ) async throws -> End {
        let recorder = Recorder()
        let gateway = try gateway(settings, runtime(transport, recorder, clock: clock))
        let end = await End(gateway, try request ?? Self.request(), in: sessionID)
        #expect(transport.count("tokenize", reached: true) <= 1, "a session must not be completed twice")
        #expect(transport.count("store-card", reached: true) <= 1, "a card must not be stored twice")
        for text in [end.shown, recorder.shown] {
            for secret in [number, apiKey, vaultKey] { #expect(!text.contains(secret), "\(text)") }
            #expect(!text.contains(sessionID), "\(text)")
        }
        #expect(transport.sent.isEmpty || recorder.events.last?.kind == .callFinished)
        return end
    }
}
