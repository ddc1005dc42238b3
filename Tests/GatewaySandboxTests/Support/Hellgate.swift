import GatewayCrypto
import GatewayKitCore

@testable import GatewaySandbox

/// A sandbox as clients of Hellgate use it, with requests written by hand.
struct HellgateDesk: Sendable {
    static let visa = "4242424242424242"

    var sandbox: Sandbox

    var key: String { sandbox.credentials(for: "hellgate")?["apiKey"] ?? "" }

    func call(
        _ method: String, _ path: String, _ body: String? = nil, header: String = "", type: String = "application/json"
    ) -> HellgateReply {
        let content = body.map { "content-type: \(type)\r\ncontent-length: \($0.utf8.count)\r\n\r\n\($0)" } ?? "\r\n"
        return HellgateReply(
            raw: sandbox.exchange("\(method) /hellgate\(path) HTTP/1.1\r\nhost: 127.0.0.1\r\n\(header)\(content)"))
    }

    /// A call with the API key.
    func keyed(_ method: String, _ path: String, _ body: String? = nil) -> HellgateReply {
        call(method, path, body, header: "X-API-Key: \(key)\r\n")
    }

    func open(_ kind: HellgateSession.Kind = .encrypted, body: String? = nil) throws -> String {
        sandbox.choose(kind.rawValue, for: "hellgate.session")
        return try keyed("POST", "/tokens/session", body).root["session_id"].string()
    }

    /// Completes a session with claims, encrypted for it.
    func complete(_ session: String, _ claims: String = claims()) throws -> HellgateReply {
        call("POST", "/sessions/\(session)/complete-action", try encrypted(session, claims))
    }

    func encrypted(_ session: String, _ claims: String) throws -> String {
        let jwk = try call("GET", "/sessions/\(session)").root["data"]["jwk"]
        let key = try RSAPublicKey(jwkModulus: jwk["n"].string(), exponent: jwk["e"].string())
        let text = try CompactJWE.encrypt(SecretBytes(Array(claims.utf8)), for: key)
        return #"{"action":"tokenize_card","result":{"enc_payload":"\#(text)"}}"#
    }

    /// Stores a card in the vault that a session names.
    func store(_ session: String, _ body: String? = nil) throws -> HellgateReply {
        let data = try call("GET", "/sessions/\(session)").root["data"]
        let isGuardian = try data["provider"].string() == "guardian"
        let address = try data["base_url"].string()
        let path = address.split(separator: "/hellgate").last.map { String($0) } ?? ""
        let field = isGuardian ? "x-api-key" : "BT-API-KEY"
        return call(
            "POST", path + "/tokenize", body ?? (isGuardian ? Self.claims() : Self.basisTheory()),
            header: "\(field): \(try data["api_key"].string())\r\n")
    }

    static func result(_ vaultToken: String, _ more: String = "") -> String {
        #"{"action":"tokenize_card","result":{"token_id":"\#(vaultToken)"\#(more)}}"#
    }

    static func claims(
        _ number: String = visa, month: String = "9", year: String = "2031", code: String = "\"737\"", more: String = ""
    ) -> String {
        #"{"account_number":"\#(number)","expiry_month":\#(month),"expiry_year":\#(year),"security_code":\#(code)\#(more)}"#
    }

    static func basisTheory(_ number: String = visa, more: String = "") -> String {
        #"{"type":"card","data":{"number":"\#(number)","expiry_month":9,"expiry_year":2031,"cvc":"737"}\#(more)}"#
    }
}

struct HellgateReply: Sendable {
    var status = 0
    var header: [String: String] = [:]
    var text = ""
    var body: [UInt8] = []

    init(raw: RawAnswer?) {
        guard let raw else { return }
        status = raw.status
        header = Dictionary(raw.header.map { ($0.name, $0.value) }) { first, _ in first }
        body = raw.body
        text = raw.text
    }

    var root: JSONValue { get throws { try JSONValue(parsing: body) } }
}

/// Runs blocking calls against a sandbox whose clock a test moves.
func withHellgate<Value: Sendable>(
    _ choices: [String: String] = [:],
    _ body: @escaping @Sendable (HellgateDesk, GatewayKitCore.Locked<WallTime>) throws -> Value
) async throws -> Value {
    let time = GatewayKitCore.Locked(WallTime(secondsSince1970: 1_785_000_000, nanoseconds: 345_000_000))
    var configuration = SandboxConfiguration()
    configuration.choices = choices
    configuration.now = { time.withLock { $0 } }
    return try await withSandbox(configuration) { try body(HellgateDesk(sandbox: $0), time) }
}
