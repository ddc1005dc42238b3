import GatewayKitCore

@testable import GatewaySandbox

/// A sandbox as clients of Safepay use it, with requests written by hand.
struct SafepayDesk: Sendable {
    static let visa = "4111111111111111"
    static let challenged = "4000000000001091"

    var sandbox: Sandbox

    var apiKey: String { sandbox.credentials(for: "safepay")?["apiKey"] ?? "" }
    var secret: String { sandbox.credentials(for: "safepay")?["secretKey"] ?? "" }
    var secretHeader: String { "X-SFPY-MERCHANT-SECRET: \(secret)\r\n" }

    func call(
        _ method: String, _ path: String, _ body: String? = nil, header: String = "", type: String = "application/json"
    ) -> SafepayReply {
        let content = body.map { "content-type: \(type)\r\ncontent-length: \($0.utf8.count)\r\n\r\n\($0)" } ?? "\r\n"
        return SafepayReply(
            raw: sandbox.exchange("\(method) /safepay\(path) HTTP/1.1\r\nhost: 127.0.0.1\r\n\(header)\(content)"))
    }

    /// A server's call.
    func server(_ method: String, _ path: String, _ body: String? = nil) -> SafepayReply {
        call(method, path, body, header: secretHeader)
    }

    func form(_ path: String, _ body: String) -> SafepayReply {
        call("POST", path, body, type: "application/x-www-form-urlencoded")
    }

    // MARK: - Payments

    func order(_ amount: String = "1000.5", more: String = "") -> SafepayReply {
        call(
            "POST", "/order/v1/init",
            #"{"client":"\#(apiKey)","amount":\#(amount),"currency":"PKR","environment":"sandbox"\#(more)}"#)
    }

    func createBody(_ members: String) -> String { #"{"merchant_api_key":"\#(apiKey)","currency":"PKR"\#(members)}"# }

    /// A payment of the second generation.
    func tracker(_ amount: Int? = 150_000, entry: String = "raw", more: String = "") throws -> String {
        let money = amount.map { #","amount":\#($0)"# } ?? ""
        return try server(
            "POST", "/order/payments/v3/", createBody(#"\#(money),"entry_mode":"\#(entry)"\#(more)"#)
        ).data["tracker"]["token"].string()
    }

    func act(_ tracker: String, _ body: String) -> SafepayReply {
        server("POST", "/order/payments/v3/\(tracker)", body)
    }

    func setUp(_ tracker: String, _ number: String = visa) -> SafepayReply {
        act(tracker, Self.card(number))
    }

    func enrol(_ tracker: String, capture: Bool = false, keep: Bool = false, session: String? = "fp-1") -> SafepayReply
    {
        let id = session.map { #","device_fingerprint_session_id":"\#($0)""# } ?? ""
        return act(
            tracker,
            #"{"payload":{"billing":{"street_1":"1 Example Street","city":"Karachi","country":"PK"},"#
                + #""authorization":{"do_capture":\#(capture),"do_card_on_file":\#(keep)},"#
                + #""authentication_setup":{"success_url":"https://shop.example/3ds/ok","#
                + #""failure_url":"https://shop.example/3ds/no"\#(id)}}}"#)
    }

    func authorize(_ tracker: String, capture: Bool = true) -> SafepayReply {
        act(tracker, #"{"payload":{"authorization":{"do_capture":\#(capture)}}}"#)
    }

    /// A payment that was carried out.
    func paid(_ amount: Int = 150_000, capture: Bool = true) throws -> String {
        let token = try tracker(amount)
        _ = setUp(token)
        _ = enrol(token)
        _ = authorize(token, capture: capture)
        return token
    }

    func report(_ tracker: String) throws -> JSONValue {
        try server("GET", "/reporter/api/v1/payments/\(tracker)").root["data"]
    }

    func state(_ tracker: String) throws -> String { try report(tracker)["state"].string() }

    func customer() throws -> String {
        try server(
            "POST", "/user/customers/v1/",
            #"{"first_name":"Ada","last_name":"Okoro","email":"ada@shop.example","phone_number":"+923001234567","country":"PK"}"#
        ).data["token"].string()
    }

    func passport() throws -> String { try server("POST", "/client/passport/v1/token", "{}").data.string() }

    var movements: [String] {
        sandbox.ledger.entries.compactMap(\.movement).map { "\($0.kind) \($0.amount.map { "\($0)" } ?? "-")" }
    }

    static func card(
        _ number: String = visa, month: String = "09", year: String = "2031", code: String = "737"
    ) -> String {
        #"{"payload":{"payment_method":{"card":{"card_number":"\#(number)","expiration_month":"\#(month)","#
            + #""expiration_year":"\#(year)","cvv":"\#(code)"}}}}"#
    }
}

struct SafepayReply: Sendable {
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
    var data: JSONValue { get throws { try root["data"] } }
    var action: JSONValue { get throws { try root["data"]["action"] } }
    var message: String { get throws { try root["status"]["message"].string() } }
    var error: String { get throws { try root["status"]["errors"][0].string() } }
    var location: String { header["location"] ?? "" }
}

/// Runs blocking calls against a sandbox whose clock a test moves.
func withSafepay<Value: Sendable>(
    _ choices: [String: String] = [:],
    _ body: @escaping @Sendable (SafepayDesk, GatewayKitCore.Locked<WallTime>) throws -> Value
) async throws -> Value {
    let time = GatewayKitCore.Locked(WallTime(secondsSince1970: 1_785_000_000, nanoseconds: 345_000_000))
    var configuration = SandboxConfiguration()
    configuration.choices = choices
    configuration.now = { time.withLock { $0 } }
    return try await withSandbox(configuration) { try body(SafepayDesk(sandbox: $0), time) }
}
