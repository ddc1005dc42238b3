import GatewayKitCore

@testable import GatewaySandbox

/// Requests to the imitated Spreedly, written by hand.
enum SpreedlyCall {
    static let visa = TestCard.all[0].number

    static func card(
        number: String? = visa, month: String = "9", year: String = "2031", code: String = "\"737\"", more: String = "",
        outer: String = ""
    ) -> String {
        let pan = number.map { ",\"number\":\"\($0)\"" } ?? ""
        return "{\"payment_method\":{\"credit_card\":{\"first_name\":\"Ada\",\"last_name\":\"Okoro\"\(pan),"
            + "\"verification_value\":\(code),\"month\":\(month),\"year\":\(year)\(more)}\(outer)}}"
    }

    static func post(
        _ path: String, header: String = "", type: String = "content-type: application/json\r\n", body: String
    ) -> String {
        "POST \(path) HTTP/1.1\r\nhost: 127.0.0.1\r\n\(type)\(header)content-length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static func basic(_ sandbox: Sandbox) -> String {
        let credentials = sandbox.credentials(for: "spreedly")
        let pair = "\(credentials?["environmentKey"] ?? ""):\(credentials?["accessSecret"] ?? "")"
        return "authorization: Basic \(Base64.encode(Array(pair.utf8)))\r\n"
    }

    static func tokenize(_ sandbox: Sandbox, body: String = card(), header: String = "") -> String {
        post("/spreedly/v1/payment_methods.json", header: basic(sandbox) + header, body: body)
    }
}

extension Sandbox {
    /// One exchange on a connection of its own.
    func exchange(_ request: String) -> RawAnswer? {
        let client = RawClient(port: port)
        client.send(request)
        return client.answer()
    }

    func get(_ path: String, method: String = "GET", header: String = "") -> RawAnswer? {
        exchange("\(method) \(path) HTTP/1.1\r\nhost: 127.0.0.1\r\n\(header)\r\n")
    }
}

/// A sandbox as a backend with the access secret uses it.
struct SpreedlyDesk {
    var sandbox: Sandbox

    /// Any call; `path` follows the version, without suffix.
    func call(
        _ method: String, _ path: String, _ body: String? = nil, header: String? = nil,
        type: String = "application/json"
    ) -> SpreedlyAnswer {
        let head = header ?? SpreedlyCall.basic(sandbox)
        let content = body.map { "content-type: \(type)\r\ncontent-length: \($0.utf8.count)\r\n\r\n\($0)" } ?? "\r\n"
        let answer = sandbox.exchange("\(method) /spreedly/v1\(path) HTTP/1.1\r\nhost: 127.0.0.1\r\n\(head)\(content)")
        return SpreedlyAnswer(raw: answer)
    }

    /// Creates a method and gives its token.
    func create(_ body: String = SpreedlyCall.card()) throws -> String {
        try call("POST", "/payment_methods.json", body).transaction["payment_method"]["token"].string()
    }

    func retained(_ body: String = SpreedlyCall.card()) throws -> String {
        let token = try create(body)
        _ = call("PUT", "/payment_methods/\(token)/retain.json")
        return token
    }
}

struct SpreedlyAnswer: Sendable {
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
    var transaction: JSONValue { get throws { try root["transaction"] } }
    var method: JSONValue { get throws { try root["payment_method"] } }
    /// `attribute key` of each error, `-` for none.
    var errors: [String] {
        get throws {
            try root["errors"].items.map {
                "\(try $0["attribute"].present?.string() ?? "-") \(try $0["key"].string())"
            }
        }
    }
    /// The tokens of a list.
    func tokens(_ list: String) throws -> [String] {
        try root[list].elements().map { try $0["token"].string() }
    }
}

/// Runs blocking calls against a sandbox whose clock stands still, unless another one is given.
func withSpreedly<Value: Sendable>(
    now: @escaping @Sendable () -> WallTime = { WallTime(secondsSince1970: 1_785_000_000, nanoseconds: 345_000_000) },
    seed: UInt64 = 1, _ body: @escaping @Sendable (SpreedlyDesk) throws -> Value
) async throws -> Value {
    var configuration = SandboxConfiguration()
    configuration.now = now
    configuration.seed = seed
    return try await withSandbox(configuration) { try body(SpreedlyDesk(sandbox: $0)) }
}
