import GatewayKitCore
import Testing

/// Answers by a script, for what the sandbox, which imitates a working provider, never answers. Keeps what it was sent.
final class ScriptedBlueSnap: HTTPTransport {
    enum Reply: Sendable {
        case answer(Int, String, location: String? = nil, type: String = "application/json")
        /// The connection breaks after the request was sent.
        case lost
        /// The connection was refused.
        case notSent

        static let visa = Reply.answer(200, #"{"ccType":"VISA","last4Digits":"1111","issuingCountry":"us"}"#)
        static let alive = Reply.answer(200, "{}")
        static let expired = Reply.error("EXPIRED_TOKEN", "14040")

        static func error(_ name: String, _ code: String? = nil, _ status: Int = 400) -> Reply {
            let number = code.map { #""code":"\#($0)","# } ?? ""
            return .answer(status, #"{"message":[{"errorName":"\#(name)",\#(number)"description":"In words"}]}"#)
        }

        static func opened(_ token: String) -> Reply {
            .answer(201, "", location: "https://sandbox.bluesnap.com/services/2/payment-fields-tokens/" + token)
        }
    }

    struct Sent: Sendable {
        let line: String
        let operation: String
        let fields: [String]
        let body: String
        let repeatability: WireRequest.Repeatability
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

    func send(
        _ request: WireRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> WireResponse {
        let operation = String(request.operation.description.split(separator: ".").last ?? "")
        let entry = Sent(
            line: request.method.rawValue + " " + request.url.wireText.withExposed { $0 }, operation: operation,
            fields: request.fields.list.map { "\($0.name): " + $0.value.withExposed { $0 } },
            body: request.body?.bytes.withExposed { String(decoding: $0, as: UTF8.self) } ?? "",
            repeatability: request.repeatability)
        let reply = state.withLock { state -> Reply? in
            state.sent.append(entry)
            guard var replies = state.script[operation], let first = replies.first else { return nil }
            if replies.count > 1 {
                replies.removeFirst()
                state.script[operation] = replies
            }
            return first
        }
        switch reply {
        case .answer(let status, let body, let location, let type):
            var fields = HTTPFields()
            if !type.isEmpty { fields.append("content-type", .plain(type)) }
            if let location { fields.append("Location", .plain(location)) }
            return WireResponse(status: status, fields: fields, body: Array(body.utf8))
        case .lost: throw TransportError(.connectionLost, reach: .sent, detail: "the peer hung up")
        case .notSent, nil: throw TransportError(.connect, reach: .notSent, detail: "refused")
        }
    }
}

/// A source of new sessions that counts how often it is asked.
final class Renewal: SessionRenewal {
    private let count = Locked(0)
    private let sessions: [SessionReference]

    init(_ tokens: String...) throws {
        sessions = try tokens.map { try Shop.reference($0) }
    }

    var asked: Int { count.withLock { $0 } }

    func session(insteadOf old: SessionReference) async throws(GatewayError) -> PaymentSession {
        let place = count.withLock { count in
            defer { count += 1 }
            return count
        }
        guard place < sessions.count else {
            throw GatewayError(.providerUnavailable, message: "The shop's backend is away.", advice: "Try again later.")
        }
        return PaymentSession(reference: sessions[place])
    }
}
