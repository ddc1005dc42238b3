import GatewayKitCore
import Testing

/// Answers by operation, the last one again and again, and keeps what was sent.
final class ScriptedSafepay: HTTPTransport {
    enum Reply: Sendable {
        case answer(status: Int, body: String)
        /// Sent, and no answer came.
        case lost
        case notSent

        /// `data` in the envelope of most services.
        static func data(_ data: String, status: Int = 200) -> Reply {
            .answer(status: status, body: #"{"data":\#(data),"status":{"errors":[],"message":"success"}}"#)
        }
        static func report(_ data: String) -> Reply { .answer(status: 200, body: #"{"ok":true,"data":\#(data)}"#) }
        /// The three shapes of errors.
        static func refusal(_ text: String, status: Int = 400, message: String = "bad request") -> Reply {
            .answer(
                status: status,
                body: #"{"data":null,"status":{"errors":["\#(text)"],"message":"\#(message)"}}"#)
        }
        static func access(_ code: String = "error.unauthorized_access", status: Int = 401) -> Reply {
            .answer(status: status, body: #"{"code":"\#(code)","message":"strategies/union: [no such key]"}"#)
        }
        static func bare(_ text: String, status: Int = 400) -> Reply {
            .answer(status: status, body: #"{"error":"\#(text)"}"#)
        }

        /// A card that was set up.
        static let setUp = data(
            """
            {"tracker":{"token":"\(Shop.tracker)","state":"TRACKER_STARTED"},"action":{"token":"act_1",\
            "payment_method":{"token":"\(Shop.card)","expiration_month":"09","expiration_year":"2031",\
            "card_type_code":"001","card_type":"Visa","bin_number":"411111","last_four":"1111"},\
            "payer_authentication_setup":{"access_token":"eyJhY2Nlc3M.a.b",\
            "device_data_collection_url":"https://collect.example/V1","cardinal_jwt":"eyJjYXJkaW5hbA.c.d"}}}
            """)
    }

    struct Sent: Sendable {
        let line: String
        let operation: String
        let fields: [String]
        let body: String
        var reached = true
    }

    private struct State {
        var script: [String: [Reply]]
        var sent: [Sent] = []
    }
    private let state: Locked<State>

    init(_ script: [String: [Reply]]) {
        state = Locked(State(script: script))
    }

    var sent: [Sent] { state.withLock { $0.sent } }
    var lines: [String] { sent.map(\.line) }
    var bodies: [String] { sent.map(\.body) }
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
            body: request.body?.bytes.withExposed { String(decoding: $0, as: UTF8.self) } ?? "")
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
