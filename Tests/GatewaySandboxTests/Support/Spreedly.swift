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
